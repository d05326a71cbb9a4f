"""The published results that the project ships: figures with their sources, no text."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from decimal import Decimal
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

from django.db import transaction
from django.db.models import QuerySet

from parsers.base.readings import LatencyPoint, Notice
from parsers.base.target import target_of
from results.catalogue.matching.devices import Identity, make_missing_devices, resolve_identities
from results.core.formats import format_block_size
from results.core.lines import DATA, LineError, compare, matching, meaning, one_of, read_lines, words
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
from results.models.conditions import CONDITION_FIELDS
from results.models.fields import BLOCK_SIZES
from results.models.submission import public_id_of_figures
from results.submissions.edit import erase_submission
from results.submissions.intake.judge import Case, judge_runs
from results.submissions.intake.other_results import own_flags
from results.submissions.intake.read import Reading, ranking_unit_of, store_readings
from results.submissions.intake.shipped_rows import DriveLine, naming, read_results
from results.submissions.intake.sustained_data import SUSTAINED_FILE, SustainedLine

SURVEY_FILE = DATA / "survey.csv"
STORED_TOGETHER = 50
_ONLY_FILE_SYNC = ("layer", "section", "writes", "p99_us")
# of curves by fio, as results.kinds.latency_curve.read names them
_SYNC_METHODS = ("", "sync", "fsync", "fdatasync")
# what lines of one result may differ in
_OF_POINT = ("block_size", "figure", "latency_us", "section", "sync_method", "writes", "p99_us")
POOL_IDS = "pool-"  # how the ids of pool_results.csv begin
NOTE = "source_note"  # the code of a notice
_CONDITIONS = attrgetter(*CONDITION_FIELDS)
REMOVED = "These figures are no longer part of the published results that the site ships."


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyLine(DriveLine):
    """A point of a curve, or a figure for writes to files."""

    method: Annotated[str, one_of([*Method.values, *FILE_SYNC.methods])]
    measured_on: date | None
    doubt: Annotated[str, words(lengths.REASON, may_be_empty=True)]
    block_size: int | None
    latency_us: Annotated[Decimal, matching(r"\d+(\.\d+)?", "a number of microseconds")]
    layer: str  # of results that aren't curves, as the columns after it
    section: str
    sync_method: str
    writes: int | None
    p99_us: float | None
    # that wrote at the same time, if more than one
    writers: Annotated[int | None, matching("(?!1$)[1-9][0-9]{0,3}", "a number from 2 to 9999")]
    write_cache_enabled: Annotated[bool | None, "write_cache", meaning({"on": True, "off": False})]
    path: str  # if not of a whole device
    pair_of: str  # of the other half of a pair: the result that is ranked

    def check(self) -> None:
        """Refuse what the method doesn't have."""
        if self.method in FILE_SYNC.methods:
            if self.doubt:
                raise LineError("doubt: leave out doubtful figures of file systems")
            if self.writes is None:
                raise LineError("writes: missing")
        elif any(getattr(self, name) for name in _ONLY_FILE_SYNC):
            raise LineError(f"{', '.join(_ONLY_FILE_SYNC)}: a curve has none of these")
        elif self.block_size is None:
            raise LineError("block_size: missing")


@dataclass(frozen=True, slots=True)
class Published:
    """One published result: its source, how good that source is, and the run itself.

    `figure` is the source's own ("345 MB/s at 4 KiB") if it states only one; `precision_percent` says how far off the
    latency computed from it may be, `figure_digits` how many digits of it pages show; `note` is what readers should
    know about the source.
    """

    survey_id: str
    source_url: str
    quality: Quality
    run: CurveRun | FileSyncRun | SustainedRun
    published_on: date | None = None
    figure: str = ""
    precision_percent: int | None = None
    figure_digits: int | None = None
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
            "figure_digits": self.figure_digits,
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
    for place, lines in read_results(path, SurveyLine):
        with naming(place):
            published.append(_read(lines))
    return published


def read_shipped() -> list[Published]:
    """All results that the project ships, those of series included; raises CatalogueError."""
    return [*read_survey(), *read_sustained()]


def read_sustained(path: Path = SUSTAINED_FILE) -> list[Published]:
    """The sustained figures of the file, in its order; raises CatalogueError."""
    return [_published(line, line.run, line.figure) for _, line in read_lines(path, SustainedLine)]


def _read(lines: Sequence[SurveyLine]) -> Published:
    """The result whose curve these lines are; raises ValueError."""
    first = lines[0]
    of_point = {name: getattr(first, name) for name in _OF_POINT}
    if any(replace(one, **of_point) != first for one in lines):
        raise ValueError("its lines differ in other columns than block size and latency")
    size = f" at {format_block_size(first.block_size)}" if first.block_size else ""
    return _published(first, _run(lines), f"{first.figure}{size}" if len(lines) == 1 else "")


def _published(line: DriveLine, run: CurveRun | FileSyncRun | SustainedRun, figure: str) -> Published:
    return Published(
        line.survey_id,
        line.source_url,
        line.quality,
        run,
        published_on=line.published_on,
        figure=figure,
        precision_percent=line.precision_percent,
        figure_digits=figure_digits(figure) if isinstance(run, CurveRun) else None,
        note=line.note,
    )


_RATE = re.compile(r"(?P<about>~?)(?P<number>[0-9.,]+)k? (?:IOPS|ops/sec|[kMG]i?B/s)\b.*", re.IGNORECASE)
_SHOWN_DIGITS = 3  # of any figure


def figure_digits(figure: str) -> int | None:
    """The significant digits of a rate, from which a latency is computed; None if as many as pages show, or more.

    Zeros at the end of an approximate number ("~60000 iops") aren't significant. A latency is what the tool printed.
    """
    rate = _RATE.fullmatch(figure)
    if rate is None:
        return None
    digits = re.sub("[.,]", "", rate["number"]).lstrip("0")
    count = len(digits.rstrip("0") if rate["about"] else digits)
    return count if 0 < count < _SHOWN_DIGITS else None


def _run(lines: Sequence[SurveyLine]) -> CurveRun | FileSyncRun:
    first = lines[0]
    names = ("measured_on", "writers", "write_cache_enabled", "path", "pair_of")
    common = first.of_run | {name: getattr(first, name) for name in names}
    if first.method in FILE_SYNC.methods:
        return _file_sync_run(lines, common)
    sync_methods = {one.sync_method for one in lines}
    if len(sync_methods) > 1 or not sync_methods <= set(_SYNC_METHODS):
        raise ValueError("sync_method: all lines of a curve by fio have one of sync, fsync, fdatasync")
    points = [LatencyPoint(one.block_size or 0, one.latency_us, None) for one in lines]
    common["is_complete"] = len(points) == len(BLOCK_SIZES)
    return CurveRun(
        **common,
        method=Method(first.method),
        curve=curve_of(points),
        doubt=first.doubt,
        sync_method=sync_methods.pop() or None,
        target=target_of(first.path),
    )


def _file_sync_run(lines: Sequence[SurveyLine], common: dict[str, Any]) -> FileSyncRun:
    first = lines[0]
    figures = [
        figure_row(
            one.sync_method,
            float(one.latency_us),
            section=one.section or None,
            block_size=one.block_size,
            writes=one.writes,
            p99_us=one.p99_us,
        )
        for one in lines
    ]
    if not typical_row(figures):
        raise ValueError("writes: there is no figure for one write with its sync")
    return FileSyncRun(
        **common,
        method=first.method,
        layer=first.layer,
        rows=figures,
        not_ranked_reason=OTHER_TOOL if first.layer == DEVICE_ITSELF else NEVER_RANKED,
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
    runs: dict[str, Run] = {one.survey_id: one.run for one in published}
    runs |= zip((survey_id for survey_id, *_ in curves), judged, strict=True)
    devices = resolve_identities([run.identity for run in runs.values()])
    found = compare(
        {one.survey_id: _wanted(one, runs[one.survey_id], devices) for one in published},
        {one.survey_id: _stored(result, one.of_submission) for one, result in known},
    )
    return [one for one in published if one.survey_id not in found.unchanged]


def _wanted(one: Published, run: Run, devices: Mapping[Identity, Identity]) -> tuple[Any, ...]:
    """What is stored of a result of the file; `run` has the flags that it would get now."""
    return (
        one.of_submission,
        run.measured_on,
        run.firmware_version,
        devices[run.identity],
        *_CONDITIONS(run),
        run.method,
        run.payload,
        list(run.flags),
    )


def _stored(result: Result, of_submission: Iterable[str]) -> tuple[Any, ...]:
    """The same of a stored one."""
    return (
        {name: getattr(result.submission, name) for name in of_submission},
        result.measured_on,
        result.firmware.version if result.firmware else "",
        (result.device.model_name, result.device.capacity_bytes) if result.device else None,
        *_CONDITIONS(result),
        result.method,
        kind_of(result.method).payload_of_result(result),
        own_flags(stored_flags(result.flags)),
    )
