"""The results of pools that the project ships, and pairs before and after one change: figures with their sources."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from django.db import transaction

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice
from results.core.data_version import bump_data_version
from results.core.lines import read_rows
from results.kinds.envelope import DescribedPool, Run, payload_of
from results.kinds.flags import Flag
from results.kinds.pool_io.checks import Workload, check_workload
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.models import COLUMNS, PoolIO
from results.kinds.pool_io.read import DD, NEVER_RANKED, PoolRun
from results.models import Result, ResultPair, Submission, lengths
from results.models.choices import Change, Quality, State
from results.submissions.intake.read import Reading, store_readings
from results.submissions.intake.shipped_rows import DATA, Row, date_in, naming, number_in, read_results
from results.submissions.intake.survey_data import (
    NOTE,
    POOL_IDS,
    STORED_TOGETHER,
    Loaded,
    remove_unlisted,
    submissions_of,
)

POOL_FILE, PAIR_FILE = DATA / "pool_results.csv", DATA / "pairs.csv"
_NUMBERS = ("block_size", "data_bytes", "record_size", "arc_bytes")
_DECIMALS = ("seconds", "throughput_bytes_s", "iops", "p99_us")
_BOOLEANS = {"": None, "yes": True, "no": False}
_OF_SUBMISSION = ("survey_id", "source_url", "published_on", "measured_on", "quality", "note")
_OF_POOL = ("pool", "layout", "log_models", "platform", "zfs_version")
_OF_RUN = ("method", "pattern", "writers", "sync_method", "is_direct", "data_content", "doubt", "figure")
_FIGURES = tuple(name for name in COLUMNS if name not in {"log_activity", "log_device"})
POOL_COLUMNS = (*_OF_SUBMISSION, *_OF_POOL, *_OF_RUN, *_FIGURES)
PAIR_COLUMNS = (
    "survey_id",
    "before",
    "after",
    "change",
    "before_value",
    "after_value",
    "sentence",
    "source_url",
    "quality",
)
_DOUBTED = "doubted_source"

_as_stored = attrgetter("platform", "pattern", "sync_method", "is_direct", "data_content", "measured_on")


@dataclass(frozen=True, slots=True)
class PublishedPools:
    """What one source says about pools: the columns of its submission, and its runs."""

    survey_id: str
    columns: Mapping[str, Any]
    runs: tuple[PoolRun, ...]


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """Two shipped results before and after one change; `before` and `after` are survey ids and positions."""

    survey_id: str
    before: tuple[str, int]
    after: tuple[str, int]
    columns: Mapping[str, Any]


def read_pools(path: Path = POOL_FILE) -> list[PublishedPools]:
    """All sources of the file, in its order; raises CatalogueError."""
    published = []
    for survey_id, line, rows in read_results(path, POOL_COLUMNS):
        with naming(f"{path.name}, result {survey_id} at line {line}"):
            published.append(PublishedPools(survey_id, _columns(rows), tuple(map(_run, rows))))
    return published


def read_pairs(path: Path = PAIR_FILE) -> list[PublishedPair]:
    """All pairs of the file, in its order; raises CatalogueError."""
    pairs = []
    for line, row in read_rows(path, PAIR_COLUMNS):
        with naming(f"{path.name}, line {line}"):
            pairs.append(_pair(row))
    return pairs


def _columns(rows: Sequence[Row]) -> dict[str, Any]:
    """The columns of the submission; raises ValueError."""
    first = rows[0]
    if any(one[name] != first[name] for one in rows for name in _OF_SUBMISSION):
        raise ValueError("its lines differ in what is said of the source")
    if not first["survey_id"].startswith(POOL_IDS) or not first["source_url"].startswith("https://"):
        raise ValueError(f"an id begins with {POOL_IDS}, an address with https://")
    return {
        "source_url": first["source_url"],
        "quality": Quality(first["quality"]),
        "posted_on": date_in(first["published_on"]),
        "measured_on": date_in(first["measured_on"]),
        "notices": [asdict(Notice(NOTE, first["note"]))] if first["note"] else [],
    }


def _run(row: Row) -> PoolRun:
    if row["method"] not in POOL_IO.methods:
        raise ValueError(f"method: {row['method']!r} is not one of {', '.join(POOL_IO.methods)}")
    if not row["figure"]:
        raise ValueError("figure: give the source’s figure with its unit")
    figures = {name: _figure(name, row[name]) for name in _FIGURES if row[name]}
    pool = _pool(row)
    workload = Workload(
        payload=payload_of(PoolIO, figures),
        tool="dd" if row["method"] == DD else POOL_IO.methods[row["method"]],
        data_content=row["data_content"] or None,
        layout=pool.layout,
        is_complete=True,
        is_direct=_BOOLEANS[row["is_direct"]],
        platform=row["platform"],
        zfs_version=row["zfs_version"],
        day=date_in(row["measured_on"] or row["published_on"]),
    )
    doubts = [Flag(_DOUBTED, row["doubt"])] if row["doubt"] else []
    return PoolRun(
        pool=pool,
        method=row["method"],
        platform=row["platform"],
        is_complete=True,
        is_published=True,
        pattern=row["pattern"] or None,
        writers=number_in(row["writers"]),
        sync_method=row["sync_method"] or None,
        is_direct=_BOOLEANS[row["is_direct"]],
        data_content=row["data_content"] or None,
        measured_on=date_in(row["measured_on"]),
        not_ranked_reason=NEVER_RANKED,
        flags=(*doubts, *check_workload(workload)),
        figures=figures,
    )


def _figure(name: str, text: str) -> Any:
    if name in _NUMBERS:
        return int(text)
    if name in _DECIMALS:
        return float(text)
    return _BOOLEANS[text] if name in {"each_synced", "is_synced"} else text


def _pool(row: Row) -> DescribedPool:
    """The pool of a row. `layout` is "data mirror 2, data mirror 2, log disk 1": role, type, members."""
    layout = [one.split() for one in row["layout"].split(", ") if one]
    models = [one.split("|") for one in row["log_models"].split("; ") if one]
    return DescribedPool(
        position=int(row["pool"] or 1),
        layout=tuple(
            {"role": role, "type": kind, "members": int(members) if members != "?" else None}
            for role, kind, members in layout
        ),
        is_told=bool(layout),
        platform=row["platform"],
        zfs_version=row["zfs_version"],
        logs=tuple(
            Run(
                model_name=name,
                capacity_bytes=number_in(capacity),
                device_class=DeviceClass(device_class),
                is_published=True,
                method="",
                is_complete=True,
            )
            for name, capacity, device_class in models
        ),
    )


def _pair(row: Row) -> PublishedPair:
    if len(row["sentence"]) > lengths.NOTE:
        raise ValueError(f"sentence: longer than {lengths.NOTE} characters")
    columns = {name: row[name] for name in ("before_value", "after_value", "sentence", "source_url")}
    columns |= {"change": Change(row["change"]), "quality": Quality(row["quality"])}
    return PublishedPair(row["survey_id"], _named(row["before"]), _named(row["after"]), columns)


def _named(cell: str) -> tuple[str, int]:
    survey_id, _, position = cell.partition(":")
    return survey_id, int(position or 1)


def load_pools(published: Iterable[PublishedPools]) -> Loaded:
    """Update the stored results of pools to match the file, except erased ones. Idempotent."""
    listed = list(published)
    stored = Submission.objects.filter(survey_id__startswith=POOL_IDS)
    erased = set(stored.filter(state=State.ERASED).values_list("survey_id", flat=True))
    removed = remove_unlisted(stored, [one.survey_id for one in listed])
    changed = [one for one in listed if one.survey_id not in erased and not _is_stored(one)]
    for at in range(0, len(changed), STORED_TOGETHER):
        _store(changed[at : at + STORED_TOGETHER])
    return Loaded(len(changed), len(listed) - len(changed), removed)


@transaction.atomic
def _store(published: Sequence[PublishedPools]) -> None:
    submissions = submissions_of([one.survey_id for one in published])
    readings = []
    for one in published:
        submission = submissions[one.survey_id]
        for name, value in one.columns.items():
            setattr(submission, name, value)
        submission.save()
        readings.append(Reading(submission, one.runs))
    store_readings(readings)


def _is_stored(one: PublishedPools) -> bool:
    submission = Submission.objects.filter(survey_id=one.survey_id).first()
    if submission is None or any(getattr(submission, name) != value for name, value in one.columns.items()):
        return False
    results = Result.objects.filter(submission=submission).select_related("pool", POOL_IO.key)
    stored = [
        (
            found.method,
            dict(POOL_IO.payload_of_result(found)),
            [flag["message"] for flag in found.flags],
            *_as_stored(found),
            (found.pool.position, found.pool.layout, found.pool.zfs_version) if found.pool else None,
        )
        for found in results.order_by("position")
    ]
    return stored == [
        (
            run.method,
            dict(run.payload),
            [flag.message for flag in run.flags],
            *_as_stored(run),
            (run.pool.position, [dict(vdev) for vdev in run.pool.layout], run.pool.zfs_version)
            if run.pool
            else None,
        )
        for run in one.runs
    ]


@transaction.atomic
def load_pairs(published: Iterable[PublishedPair]) -> Loaded:
    """Update the stored pairs to match the file; those of results that were erased are left out. Idempotent."""
    listed = list(published)
    named = {key for one in listed for key in (one.before, one.after)}
    ids = {
        (survey_id, position): pk
        for survey_id, position, pk in Result.objects.filter(
            submission__survey_id__in={survey_id for survey_id, _ in named}
        ).values_list("submission__survey_id", "position", "pk")
    }
    stored = {one.survey_id: one for one in ResultPair.objects.filter(survey_id__isnull=False)}
    shown = [one for one in listed if one.before in ids and one.after in ids]
    added = 0
    for one in shown:
        values = {"before_id": ids[one.before], "after_id": ids[one.after], **one.columns}
        found = stored.get(one.survey_id)
        if found is None or any(getattr(found, name) != value for name, value in values.items()):
            ResultPair.objects.update_or_create(survey_id=one.survey_id, defaults=values)
            added += 1
    gone = ResultPair.objects.filter(survey_id__isnull=False).exclude(
        survey_id__in=[one.survey_id for one in shown]
    )
    removed, _ = gone.delete()
    if added or removed:
        bump_data_version()
    return Loaded(added, len(shown) - added, removed)
