"""The results of pools that the project ships, and pairs before and after one change: figures with their sources."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

from django.db import transaction

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice
from results.core.data_version import bump_data_version
from results.core.lines import DATA, YesOrNo, compare, matching, one_of, read_lines, words
from results.kinds.envelope import DescribedPool, Run
from results.kinds.flags import Flag
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.models import PoolIO
from results.kinds.pool_io.read import DD, PoolRun, checked_run
from results.models import Result, ResultPair, Submission, lengths
from results.models.choices import Change, State
from results.models.conditions import CONDITION_FIELDS
from results.submissions.intake.read import Reading, store_readings
from results.submissions.intake.shipped_rows import PublishedLine, naming, read_results
from results.submissions.intake.survey_data import (
    NOTE,
    POOL_IDS,
    STORED_TOGETHER,
    Loaded,
    remove_unlisted,
    submissions_of,
)

POOL_FILE, PAIR_FILE = DATA / "pool_results.csv", DATA / "pairs.csv"
_SUBMISSION = ("source_url", "quality", "posted_on", "measured_on", "notices")
_OF_SUBMISSION = ("survey_id", "source_url", "published_on", "measured_on", "quality", "note")
_DOUBTED = "doubted_source"

_OF_PAIR = ("change", "before_value", "after_value", "sentence", "source_url", "quality")

_of_pair = attrgetter(*_OF_PAIR)
_as_stored = attrgetter(*CONDITION_FIELDS, "measured_on")


def _layout(cell: str) -> list[dict[str, Any]]:
    """The groups of a pool: "data mirror 2, log disk 1" has a role, type and members of each."""
    groups = [one.split() for one in cell.split(", ") if one]
    return [
        {"role": role, "type": kind, "members": int(members) if members != "?" else None}
        for role, kind, members in groups
    ]


def _log_models(cell: str) -> list[list[str]]:
    return [one.split("|") for one in cell.split("; ") if one]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLine(PublishedLine):
    """A run on a pool."""

    survey_id: Annotated[str, matching(f"{POOL_IDS}.+", f"an id that begins with {POOL_IDS}")]
    published_on: date | None
    measured_on: date | None
    note: str
    position: Annotated[int | None, "pool"]
    layout: Annotated[list[dict[str, Any]], _layout]
    log_models: Annotated[list[tuple[str, str, DeviceClass]], _log_models]
    platform: str
    zfs_version: str
    method: Annotated[str, one_of(POOL_IO.methods)]
    pattern: str
    writers: int | None
    sync_method: str
    is_direct: YesOrNo
    data_content: str
    doubt: str
    figure: Annotated[str, words(lengths.NOTE)]
    work: str
    direction: str
    block_size: int | None
    data_bytes: int | None
    seconds: float | None
    throughput_bytes_s: float | None
    iops: float | None
    p99_us: float | None
    each_synced: YesOrNo
    is_synced: YesOrNo
    log: str
    log_name: str
    sync_mode: str
    record_size: int | None
    compression: str
    access: str
    arc_bytes: int | None


def _named(cell: str) -> tuple[str, int]:
    survey_id, _, position = cell.partition(":")
    return survey_id, int(position or 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLine(PublishedLine):
    """Two shipped results before and after one change; `before` and `after` are survey ids and positions."""

    before: Annotated[tuple[str, int], _named]
    after: Annotated[tuple[str, int], _named]
    change: Change
    before_value: str
    after_value: str
    sentence: Annotated[str, words(lengths.NOTE)]


@dataclass(frozen=True, slots=True)
class PublishedPools:
    """What one source says about pools: the columns of its submission, and its runs."""

    survey_id: str
    columns: Mapping[str, Any]
    runs: tuple[PoolRun, ...]


def read_pools(path: Path = POOL_FILE) -> list[PublishedPools]:
    """All sources of the file, in its order; raises CatalogueError."""
    published = []
    for place, lines in read_results(path, PoolLine):
        with naming(place):
            published.append(PublishedPools(lines[0].survey_id, _columns(lines), tuple(map(_run, lines))))
    return published


def read_pairs(path: Path = PAIR_FILE) -> list[PairLine]:
    """All pairs of the file, in its order; raises CatalogueError."""
    return [line for _, line in read_lines(path, PairLine)]


def _columns(lines: Sequence[PoolLine]) -> dict[str, Any]:
    """The columns of the submission; raises ValueError."""
    first = lines[0]
    if any(getattr(one, name) != getattr(first, name) for one in lines for name in _OF_SUBMISSION):
        raise ValueError("its lines differ in what is said of the source")
    return {
        "source_url": first.source_url,
        "quality": first.quality,
        "posted_on": first.published_on,
        "measured_on": first.measured_on,
        "notices": [asdict(Notice(NOTE, first.note))] if first.note else [],
    }


def _run(line: PoolLine) -> PoolRun:
    return checked_run(
        _pool(line),
        line.figures_of(PoolIO),
        tool="dd" if line.method == DD else POOL_IO.methods[line.method],
        day=line.published_on,
        doubts=[Flag(_DOUBTED, line.doubt)] if line.doubt else [],
        method=line.method,
        is_complete=True,
        is_published=True,
        pattern=line.pattern or None,
        writers=line.writers,
        sync_method=line.sync_method or None,
        is_direct=line.is_direct,
        data_content=line.data_content or None,
        measured_on=line.measured_on,
    )


def _pool(line: PoolLine) -> DescribedPool:
    return DescribedPool(
        position=line.position or 1,
        layout=tuple(line.layout),
        is_told=bool(line.layout),
        platform=line.platform,
        zfs_version=line.zfs_version,
        logs=tuple(
            Run(
                model_name=name,
                capacity_bytes=int(capacity) if capacity else None,
                device_class=device_class,
                is_published=True,
                method="",
                is_complete=True,
            )
            for name, capacity, device_class in line.log_models
        ),
    )


def load_pools(published: Iterable[PublishedPools]) -> Loaded:
    """Update the stored results of pools to match the file, except erased ones. Idempotent."""
    listed = {one.survey_id: one for one in published}
    submissions = Submission.objects.filter(survey_id__startswith=POOL_IDS)
    removed = remove_unlisted(submissions, listed)
    stored = {str(one.survey_id): one for one in submissions}
    erased = {survey_id for survey_id, one in stored.items() if one.state == State.ERASED}
    found = compare(
        {survey_id: _wanted(one) for survey_id, one in listed.items() if survey_id not in erased},
        {survey_id: _stored(one) for survey_id, one in stored.items() if survey_id not in erased},
    )
    changed = [listed[survey_id] for survey_id in (*found.added, *found.changed)]
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


def _wanted(one: PublishedPools) -> tuple[Any, ...]:
    """What is stored of a source."""
    runs = [
        (
            run.method,
            dict(run.payload),
            [flag.message for flag in run.flags],
            *_as_stored(run),
            run.pool and (run.pool.position, list(run.pool.layout), run.pool.zfs_version),
        )
        for run in one.runs
    ]
    return one.columns, runs


def _stored(submission: Submission) -> tuple[Any, ...]:
    """The same of a stored one."""
    results = Result.objects.filter(submission=submission).select_related("pool", POOL_IO.key)
    runs = [
        (
            found.method,
            dict(POOL_IO.payload_of_result(found)),
            [flag["message"] for flag in found.flags],
            *_as_stored(found),
            found.pool and (found.pool.position, found.pool.layout, found.pool.zfs_version),
        )
        for found in results.order_by("position")
    ]
    return {name: getattr(submission, name) for name in _SUBMISSION}, runs


@transaction.atomic
def load_pairs(published: Iterable[PairLine]) -> Loaded:
    """Update the stored pairs to match the file; those of results that were erased are left out. Idempotent."""
    rows = Result.objects.filter(submission__survey_id__isnull=False)
    ids = {
        (survey_id, position): pk
        for survey_id, position, pk in rows.values_list("submission__survey_id", "position", "pk")
    }
    wanted = {
        one.survey_id: (ids[one.before], ids[one.after], *_of_pair(one))
        for one in published
        if one.before in ids and one.after in ids
    }
    pairs = ResultPair.objects.filter(survey_id__isnull=False)
    found = compare(
        wanted, {str(one.survey_id): (one.before_id, one.after_id, *_of_pair(one)) for one in pairs}
    )
    for survey_id in (*found.added, *found.changed):
        values = dict(zip(("before_id", "after_id", *_OF_PAIR), wanted[survey_id], strict=True))
        ResultPair.objects.update_or_create(survey_id=survey_id, defaults=values)
    pairs.filter(survey_id__in=found.removed).delete()
    if found.added or found.changed or found.removed:
        bump_data_version()
    return Loaded(len(found.added) + len(found.changed), len(found.unchanged), len(found.removed))
