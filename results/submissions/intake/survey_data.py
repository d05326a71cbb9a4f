"""The published results that the project ships: figures with their sources, no text."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from parsers.base.device_class import DeviceClass
from parsers.base.readings import LatencyPoint, Notice
from parsers.base.target import target_of
from results.catalogue.matching.devices import make_missing_devices, resolve_identities
from results.core.formats import format_block_size
from results.core.lines import read_rows
from results.kinds.envelope import Run
from results.kinds.file_sync.kind import FILE_SYNC
from results.kinds.file_sync.metrics import typical_row
from results.kinds.file_sync.models import DEVICE_ITSELF
from results.kinds.file_sync.read import NEVER_RANKED, OTHER_TOOL, FileSyncRun
from results.kinds.file_sync.read import row as figure_row
from results.kinds.flags import stored_flags
from results.kinds.latency_curve.read import CurveRun, curve_of
from results.kinds.registry import PAYLOADS, kind_of
from results.kinds.sustained.read import SustainedRun
from results.models import Result, Submission, lengths
from results.models.choices import Method, Quality, State
from results.models.fields import BLOCK_SIZES
from results.models.result import WRITERS
from results.models.submission import public_id_of_figures
from results.submissions.edit import erase_submission
from results.submissions.intake.judge import Case, judge_runs
from results.submissions.intake.other_results import own_flags
from results.submissions.intake.read import Reading, ranking_unit_of, store_readings
from results.submissions.intake.shipped_rows import DATA, Row, date_in, naming, number_in, read_results
from results.submissions.intake.sustained_data import COLUMNS as SUSTAINED_COLUMNS
from results.submissions.intake.sustained_data import SUSTAINED_FILE
from results.submissions.intake.sustained_data import run_of as sustained_run_of

SURVEY_FILE = DATA / "survey.csv"
STORED_TOGETHER = 50
FILE_SYNC_COLUMNS = ("section", "sync_method", "writes", "p99_us")
_ONLY_FILE_SYNC = ("layer", "section", "writes", "p99_us")
_SYNC_METHODS = (
    "",
    "sync",
    "fsync",
    "fdatasync",
)  # of curves by fio, as results.kinds.latency_curve.read names them
_CACHE_STATES = {"": None, "on": True, "off": False}
POINT_COLUMNS = {
    "block_size",
    "figure",
    "latency_us",
    *FILE_SYNC_COLUMNS,
}  # that lines of one result may differ in
COLUMNS = (
    "survey_id",
    "model_name",
    "vendor",
    "capacity_bytes",
    "firmware",
    "device_class",
    "platform",
    "method",
    "source_url",
    "measured_on",
    "published_on",
    "quality",
    "doubt",
    "note",
    "precision_percent",
    "block_size",
    "figure",
    "latency_us",
    "layer",  # of results that aren't curves, as the columns after it
    *FILE_SYNC_COLUMNS,
    "writers",  # that wrote at the same time, if more than one
    "write_cache",  # on or off, as the source says
    "path",  # if not of a whole device
    "pair_of",  # of the other half of a pair: the result that is ranked
)
POOL_IDS = "pool-"  # how the ids of pool_results.csv begin
NOTE = "source_note"  # the code of a notice
_CONDITIONS = attrgetter("platform", "path", "write_cache_enabled", "sync_method")
REMOVED = "These figures are no longer part of the published results that the site ships."
MAX_FIGURE_LENGTH = lengths.FIGURE - len(" at 128 KiB")
_NO_NAMES = ("unnamed", "unknown")

Choice = TypeVar("Choice")


@dataclass(frozen=True, slots=True)
class Published:
    """One published result: its source, how good that source is, and the run itself.

    `figure` is the source's own ("345 MB/s at 4 KiB") if it states only one; `precision_percent` says how far off the
    latency computed from it may be; `note` is what readers should know about the source.
    """

    survey_id: str
    source_url: str
    quality: Quality
    run: CurveRun | FileSyncRun | SustainedRun
    published_on: date | None = None
    figure: str = ""
    precision_percent: int | None = None
    note: str = ""

    @property
    def of_submission(self) -> dict[str, Any]:
        """The values of the submission's columns."""
        return {
            "source_url": self.source_url,
            "quality": self.quality,
            "posted_on": self.published_on,
            "measured_on": self.run.measured_on,
            "figure": self.figure,
            "precision_percent": self.precision_percent,
            "notices": [asdict(Notice(NOTE, self.note))] if self.note else [],
        }


@dataclass(frozen=True, slots=True)
class Loaded:
    """The counts of a load."""

    added: int
    unchanged: int
    removed: int


def read_survey(path: Path = SURVEY_FILE) -> list[Published]:
    """All results of the file, in its order; raises CatalogueError."""
    published = []
    for survey_id, line, rows in read_results(path, COLUMNS):
        with naming(f"{path.name}, result {survey_id} at line {line}"):
            published.append(_read(survey_id, rows))
    return published


def read_shipped() -> list[Published]:
    """All results that the project ships, those of series included; raises CatalogueError."""
    return [*read_survey(), *read_sustained()]


def read_sustained(path: Path = SUSTAINED_FILE) -> list[Published]:
    """The sustained figures of the file, in its order; raises CatalogueError."""
    published = []
    for line, row in read_rows(path, SUSTAINED_COLUMNS):
        with naming(f"{path.name}, line {line}"):
            published.append(_sustained(row))
    return published


def _sustained(row: Row) -> Published:
    _refuse_sourceless(row)
    _refuse_nameless(row)
    _refuse_figureless(row)
    return Published(
        row["survey_id"],
        row["source_url"],
        Quality(row["quality"]),
        sustained_run_of(row),
        published_on=date_in(row["published_on"]),
        figure=row["figure"],
        precision_percent=number_in(row["precision_percent"]),
        note=row["note"],
    )


def _read(survey_id: str, rows: Sequence[Row]) -> Published:
    """The result whose curve these rows are; raises ValueError and InvalidOperation."""
    first = rows[0]
    about = [{name: row[name] for name in COLUMNS if name not in POINT_COLUMNS} for row in rows]
    if any(one != about[0] for one in about):
        raise ValueError("its lines differ in other columns than block size and latency")
    _refuse_sourceless(first)
    if len(first["doubt"]) > lengths.REASON:
        raise ValueError(f"doubt: longer than {lengths.REASON} characters")
    _refuse_nameless(first)
    for row in rows:
        _refuse_figureless(row)
    size = f" at {format_block_size(int(first['block_size']))}" if first["block_size"] else ""
    return Published(
        survey_id,
        first["source_url"],
        Quality(first["quality"]),
        _run(rows),
        published_on=date_in(first["published_on"]),
        figure=f"{first['figure']}{size}" if len(rows) == 1 else "",
        precision_percent=number_in(first["precision_percent"]),
        note=first["note"],
    )


def _refuse_sourceless(row: Row) -> None:
    if not row["source_url"].startswith("https://"):
        raise ValueError("no source URL")
    if row["quality"] not in Quality.values:
        raise ValueError(f"quality: {row['quality']!r} is not one of {', '.join(Quality.values)}")


def _refuse_figureless(row: Row) -> None:
    if not row["figure"].strip() or len(row["figure"]) > MAX_FIGURE_LENGTH:
        raise ValueError("figure: give the source's figure with its unit")


def _refuse_nameless(row: Row) -> None:
    """Refuse a figure without a known device, which helps nobody choose one."""
    name = row["model_name"]
    if not name.strip() or name.lower().startswith(_NO_NAMES):
        raise ValueError(f"model_name: {name!r} names no model")
    if row["device_class"] == DeviceClass.UNKNOWN:
        raise ValueError("device_class: the source must state the kind of device")


def _run(rows: Sequence[Row]) -> CurveRun | FileSyncRun:
    row = rows[0]
    common: dict[str, Any] = {
        "model_name": row["model_name"],
        "vendor": row["vendor"],
        "capacity_bytes": number_in(row["capacity_bytes"]),
        "device_class": DeviceClass(row["device_class"]),
        "firmware_version": row["firmware"],
        "platform": row["platform"],
        "measured_on": date_in(row["measured_on"]),
        "is_published": True,
        "writers": _writers(row["writers"]),
        "write_cache_enabled": _choice(row, "write_cache", _CACHE_STATES),
        "path": row["path"],
        "pair_of": row["pair_of"],
    }
    if row["method"] in FILE_SYNC.methods:
        return _file_sync_run(rows, common)
    if any(one[name] for one in rows for name in _ONLY_FILE_SYNC):
        raise ValueError(f"{', '.join(_ONLY_FILE_SYNC)}: a curve has none of these")
    sync_methods = {one["sync_method"] for one in rows}
    if len(sync_methods) > 1 or not sync_methods <= set(_SYNC_METHODS):
        raise ValueError("sync_method: all lines of a curve by fio have one of sync, fsync, fdatasync")
    points = [LatencyPoint(int(one["block_size"]), Decimal(one["latency_us"]), None) for one in rows]
    return CurveRun(
        **common,
        method=Method(row["method"]),
        curve=curve_of(points),
        is_complete=len(points) == len(BLOCK_SIZES),
        doubt=row["doubt"],
        sync_method=sync_methods.pop() or None,
        target=target_of(row["path"]),
    )


def _writers(cell: str) -> int | None:
    if not cell:
        return None
    if not WRITERS.fullmatch(cell) or cell == "1":
        raise ValueError(f"writers: {cell!r} is not a number from 2 to 9999; leave it empty for one")
    return int(cell)


def _choice(row: Row, column: str, choices: Mapping[str, Choice]) -> Choice:
    if row[column] not in choices:
        raise ValueError(
            f"{column}: {row[column]!r} is not one of {', '.join(filter(None, choices))}, or empty"
        )
    return choices[row[column]]


def _file_sync_run(rows: Sequence[Row], common: dict[str, Any]) -> FileSyncRun:
    if rows[0]["doubt"]:
        raise ValueError("doubt: leave out doubtful figures of file systems")
    figures = [
        figure_row(
            one["sync_method"],
            float(one["latency_us"]),
            section=one["section"] or None,
            block_size=number_in(one["block_size"]),
            writes=int(one["writes"]),
            p99_us=float(one["p99_us"]) if one["p99_us"] else None,
        )
        for one in rows
    ]
    if not typical_row(figures):
        raise ValueError("writes: there is no figure for one write with its sync")
    return FileSyncRun(
        **common,
        method=rows[0]["method"],
        layer=rows[0]["layer"],
        rows=figures,
        is_complete=True,
        not_ranked_reason=OTHER_TOOL if rows[0]["layer"] == DEVICE_ITSELF else NEVER_RANKED,
    )


def load_survey(published: Iterable[Published]) -> Loaded:
    """Update the stored results to match the file, except erased ones. Idempotent.

    Results no longer in the file are removed. STORED_TOGETHER share a transaction: a site in use waits for few of
    them at a time.
    """
    listed = list(published)
    stored = Submission.objects.filter(survey_id__isnull=False).exclude(survey_id__startswith=POOL_IDS)
    removed = remove_unlisted(stored, [one.survey_id for one in listed])
    changed = _bring_up_to_date(listed)
    return Loaded(changed, len(listed) - changed, removed)


def remove_unlisted(stored: QuerySet[Submission], listed: Collection[str]) -> int:
    """Remove those of the stored ones that a file no longer lists; return their number."""
    removed = list(stored.exclude(state=State.ERASED).exclude(survey_id__in=listed))
    for submission in removed:
        _remove(submission)
    return len(removed)


def judge_published(device_ids: Collection[int] | None = None) -> None:
    """Judge the published results of these devices again, or all that are stored.

    They have no text to reread: they are read from the file.
    """
    stored = Result.objects.filter(submission__survey_id__isnull=False)
    chosen = stored if device_ids is None else stored.filter(device_id__in=list(device_ids))
    ids = set(chosen.values_list("submission__survey_id", flat=True))
    if ids:
        _bring_up_to_date([one for one in read_shipped() if one.survey_id in ids])


def _bring_up_to_date(published: Sequence[Published]) -> int:
    """Store those that are new or have changed; return their number.

    Flags depend on the other results of a product. So those that were stored together are judged once more.
    """
    erased = set(Submission.objects.filter(state=State.ERASED).values_list("survey_id", flat=True))
    listed = [one for one in published if one.survey_id not in erased]
    make_missing_devices(one.run for one in listed)
    changed = set()
    for at in range(0, len(listed), STORED_TOGETHER):
        some = listed[at : at + STORED_TOGETHER]
        for _ in range(2):
            if outdated := _outdated(some):
                _store(outdated)
                changed |= {one.survey_id for one in outdated}
    return len(changed)


@transaction.atomic
def _store(published: Sequence[Published]) -> None:
    submissions = submissions_of([one.survey_id for one in published])
    readings = []
    for one in published:
        submission = submissions[one.survey_id]
        for name, value in one.of_submission.items():
            setattr(submission, name, value)
        submission.save()
        readings.append(Reading(submission, [one.run]))
    store_readings(readings)


def submissions_of(survey_ids: Collection[str]) -> dict[str, Submission]:
    """The submissions of these figures, by their number; those that aren't stored are unsaved.

    Figures that another release or an earlier file removed return to their address.
    """
    by_address = {public_id_of_figures(survey_id): survey_id for survey_id in survey_ids}
    removed = Submission.objects.filter(public_id__in=by_address, survey_id=None, state=State.ERASED)
    found = {by_address[one.public_id]: one for one in removed}
    for public_id, survey_id in by_address.items():
        one = found.setdefault(survey_id, Submission(public_id=public_id))
        one.survey_id, one.state, one.state_reason = survey_id, State.PUBLISHED, ""
    stored = Submission.objects.filter(survey_id__in=survey_ids)
    return {**found, **{str(one.survey_id): one for one in stored}}


@transaction.atomic
def _remove(submission: Submission) -> None:
    """Erase it, and free its number in case a later file has it again."""
    erase_submission(submission, reason=REMOVED)
    Submission.objects.filter(pk=submission.pk).update(survey_id=None)


def _outdated(published: Sequence[Published]) -> list[Published]:
    """Those that aren't stored as in the file, with the flags that they would get now."""
    results = Result.objects.filter(submission__survey_id__in=[one.survey_id for one in published])
    rows = results.filter(device__isnull=False)
    stored = {
        one.submission.survey_id: one
        for one in rows.select_related("submission", "device__product", "firmware", *PAYLOADS)
    }
    known = [(one, stored[one.survey_id]) for one in published if one.survey_id in stored]
    curves = [
        (one.survey_id, one.run, found, found.device)
        for one, found in known
        if isinstance(one.run, CurveRun) and found.device
    ]
    judged = judge_runs(
        [
            Case(run, (), device, ranking_unit_of(run, found.submission), found.submission.is_approved)
            for _, run, found, device in curves
        ]
    )
    runs: dict[str, Run] = dict(zip((survey_id for survey_id, *_ in curves), judged, strict=True))
    same = {one.survey_id for one, found in known if _is_same(one, runs.get(one.survey_id, one.run), found)}
    return [one for one in published if one.survey_id not in same]


def _is_same(one: Published, run: Run, stored: Result) -> bool:
    """Whether a result is stored as in the file; `run` has the flags that it would get now."""
    of_submission = {name: getattr(stored.submission, name) for name in one.of_submission}
    return (
        of_submission,
        stored.measured_on,
        stored.firmware.version if stored.firmware else "",
        (stored.device.model_name, stored.device.capacity_bytes) if stored.device else None,
        *_CONDITIONS(stored),
        stored.method,
        kind_of(stored.method).payload_of_result(stored),
        own_flags(stored_flags(stored.flags)),
    ) == (
        one.of_submission,
        run.measured_on,
        run.firmware_version,
        resolve_identities([run.identity])[run.identity],
        *_CONDITIONS(run),
        run.method,
        run.payload,
        list(run.flags),
    )
