"""Storing a submission's results from its parsed text. Idempotent, so that a better parser can reread it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from operator import attrgetter
from typing import Any, Protocol

from django.db import transaction
from django.db.models import Model, QuerySet

from parsers.base.readings import Notice, ParsedPaste
from results.catalogue.matching.devices import Identity, match_devices, match_firmwares
from results.catalogue.matching.merge import block_merges
from results.catalogue.matching.rematch import drop_devices, lock_empty_devices
from results.core.data_version import bump_data_version
from results.kinds.envelope import Run, Runs
from results.kinds.flags import Effect
from results.kinds.latency_curve.kind import LATENCY_CURVE
from results.kinds.registry import KINDS, find_runs, kind_of
from results.kinds.result_kind import SHARED_COLUMNS
from results.kinds.told import Told
from results.models import Device, PoolLog, Result, Submission
from results.models.choices import State
from results.models.conditions import CONDITION_FIELDS
from results.models.result import OWNER_FIELDS, public_id_of
from results.ranking import senders
from results.ranking.medians import rerank_devices
from results.ranking.senders import sender_of, unit_of
from results.submissions.intake.deferred import defer_devices
from results.submissions.intake.judge import Case, is_judged, judge_runs
from results.submissions.intake.other_results import copies_of, flag_first, flag_related
from results.submissions.intake.pools import (
    PlacedPool,
    described_devices,
    drop_pools,
    store_pools,
    with_known_logs,
)

RUN_IDENTITY = ("submission_id", "position")  # a run that is read again retains its row
_REREAD_COLUMNS = [
    field.attname
    for field in Result._meta.concrete_fields
    if field.attname not in {"id", *RUN_IDENTITY, *OWNER_FIELDS}
]


def upsert_results(rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert or update results, given as columns of Result without its id.

    An existing one, by submission and position, retains its id and the owner's notes.
    """
    Result.objects.bulk_create(
        [Result(**row) for row in rows],
        update_conflicts=True,
        unique_fields=RUN_IDENTITY,
        update_fields=_REREAD_COLUMNS,
    )


def insert_new(submissions: Sequence[Submission]) -> list[Submission]:
    """Insert submissions and set their ids; return those whose text and public id weren't stored yet.

    Of two concurrent calls with the same text, the second waits until the first is committed or rolled back.
    """
    Submission.objects.bulk_create(submissions, ignore_conflicts=True)
    drawn = Submission.objects.filter(public_id__in=[one.public_id for one in submissions])
    ids = {
        (public_id, digest): pk
        for public_id, digest, pk in drawn.values_list("public_id", "text_digest", "pk")
    }
    new = [one for one in submissions if (one.public_id, one.text_digest) in ids]
    for one in new:
        one.pk = ids[one.public_id, one.text_digest]
    return new


STORED_AS_THEY_ARE = (
    "measured_on",
    "method",
    "is_complete",
    "is_ranked",
    "not_ranked_reason",
    *CONDITION_FIELDS,
    *SHARED_COLUMNS,
    "first_line",
    "last_line",
)
_values_stored = attrgetter(*STORED_AS_THEY_ARE)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A submission as read: its runs, and the parsers' notices, which are used when they are judged.

    `sent_line` maps a line of its kept text to one of the text that was read: of the stored one, if it is reread.
    """

    submission: Submission
    runs: Sequence[Run]
    notices: Sequence[Notice] = ()
    sent_line: Callable[[int | None], int | None] = lambda line: line

    def sent_lines(self, run: Run) -> tuple[int, int]:
        """The first and last line of a run in the text that was read; 0 if unknown."""
        return self.sent_line(run.first_line) or 0, self.sent_line(run.last_line) or 0


@transaction.atomic(savepoint=False)
def read_submission(submission: Submission, paste: ParsedPaste, *, defer_from: int | None = None) -> None:
    """Replace the submission's results by those in `paste`. Idempotent.

    Devices are ranked as by `store_readings`.
    """
    reading = prepare_reading(submission, paste)
    submission.save(update_fields=["notices", "parser_version", "told"])
    store_readings([reading], defer_from=defer_from)


def prepare_reading(submission: Submission, paste: ParsedPaste, found: Runs | None = None) -> Reading:
    """The reading of `paste`; sets the submission's notices, parser version and answers without saving them.

    `found` are the paste's runs, if they are known.
    """
    told = Told.from_stored(submission.told)
    if found is None:
        found = find_runs(
            paste, stated_on=submission.measured_on, sent_on=submission.created_at.date(), told=told
        )
    lines = {paste.sent_line(run.first_line): run.first_line for run in found.runs}
    submission.told = told.with_lines(lines).stored
    notices = [asdict(notice) for notice in found.notices_with(paste.warnings)]
    submission.notices = [*notices, *(asdict(one) for one in found.left_out)]
    submission.parser_version = paste.parser_version
    return Reading(submission, found.runs, paste.warnings, paste.sent_line)


@transaction.atomic(savepoint=False)
def store_readings(
    readings: Sequence[Reading], *, defer_from: int | None = None, is_new: bool = False
) -> None:
    """Replace the submissions' results by what was read, and rank their devices.

    Devices that already have `defer_from` ranked results are deferred (results.submissions.intake.deferred);
    None ranks all at once. Devices with nothing left are deleted. New submissions have no results to replace.
    """
    readings = [replace(reading, runs=with_known_logs(reading.runs)) for reading in readings]
    submissions = [reading.submission for reading in readings]
    ids = [submission.pk for submission in submissions]
    losing = set() if is_new else _devices_losing(submissions)
    copies = set() if is_new else copies_of(ids)
    devices = match_devices(
        [one for reading in readings for run in reading.runs for one in described_devices(run)], losing=losing
    )
    first_result_devices = _devices_with_first_result(readings, devices)
    positions = _positions(readings, is_new=is_new)
    placed = [(reading, position, run) for reading in readings for position, run in positions[reading]]
    pools = store_pools(((reading.submission, run) for reading, _, run in placed), devices, is_new=is_new)
    rows = _judged_rows(placed, devices, pools, first_result_devices=first_result_devices)
    _request_review(submissions, rows)
    if not is_new:
        for reading in readings:
            used = [position for position, _ in positions[reading]]
            reading.submission.results.exclude(position__in=used).delete()
    upsert_results(rows)
    _store_payloads(placed, ids, is_new=is_new)
    if not is_new:
        drop_pools(ids, used=pools.values())
    _count_published(submissions, rows, losing=losing)
    of_devices = [row for row in rows if row["device_id"] is not None]
    empty = lock_empty_devices(losing - {row["device_id"] for row in of_devices})
    changed = flag_related(
        {row["submission_id"] for row in of_devices if row["device_id"] not in first_result_devices},
        devices=losing
        | {one.pk for one in devices.values() if one.product_id is None} - first_result_devices,
        also=copies,
        methods={row["method"] for row in of_devices} if is_new else None,
    )
    of_changed = {one.device_id for one in changed if one.device_id is not None}
    touched = losing | {row["device_id"] for row in of_devices if row["is_ranked"]} | of_changed
    deferred = set()
    if defer_from is not None:
        small = {one.pk for one in devices.values() if one.result_count < defer_from}
        deferred = defer_devices(touched - empty - small, _ranked(rows), at_least=defer_from)
    affects_others = any(one.submission_id not in ids for one in changed)
    rerank_devices(touched - deferred, only_added=not losing and not affects_others)
    drop_devices(empty)
    bump_data_version()


def _count_published(
    submissions: Sequence[Submission], rows: Iterable[dict[str, Any]], *, losing: set[int]
) -> None:
    """Update the devices' result counts; if there were no earlier results, only add the new ones."""
    of_devices = [row for row in rows if row["device_id"] is not None]
    if losing or any(one.survey_id for one in submissions):
        Device.recount(losing | {row["device_id"] for row in of_devices})
        return
    published = {one.pk for one in submissions if one.state == State.PUBLISHED}
    Device.add_results(Counter(row["device_id"] for row in of_devices if row["submission_id"] in published))


def _ranked(rows: Iterable[dict[str, Any]]) -> list[tuple[int, str]]:
    """The devices and methods of the ranked rows."""
    return [(row["device_id"], row["method"]) for row in rows if row["is_ranked"]]


def _devices_losing(submissions: Sequence[Submission]) -> set[int]:
    """The devices of these submissions' results and pools; no merge can move them until the transaction ends."""
    block_merges()
    ids = [one.pk for one in submissions]
    of_results = Result.objects.filter(submission__in=ids, device__isnull=False).values_list("device_id")
    of_pools = PoolLog.objects.filter(pool__submission__in=ids).values_list("device_id")
    return {pk for (pk,) in of_results.union(of_pools)}


def _devices_with_first_result(readings: Sequence[Reading], devices: Mapping[Identity, Device]) -> set[int]:
    """The devices whose only published result is from these readings, so that there is none to compare it with."""
    counts = Counter(
        devices[run.identity].pk for reading in readings for run in reading.runs if run.pool is None
    )
    return {one.pk for one in devices.values() if not one.result_count and counts[one.pk] == 1}


Placed = tuple[Reading, int, Run]  # with the position in the submission
Place = tuple[int, int, int | None, int]  # first and last line, writers, position


def _positions(readings: Sequence[Reading], *, is_new: bool) -> dict[Reading, list[tuple[int, Run]]]:
    """The runs of each reading with their positions.

    A run retains the position, and so the address, of the stored result that was read from the same lines and had as
    many writers; the others get the free positions in order.
    """
    stored: dict[int, list[Place]] = defaultdict(list)
    if not is_new:
        results = Result.objects.filter(
            submission__in=[reading.submission.pk for reading in readings], first_line__isnull=False
        )
        for pk, first_line, last_line, writers, position in results.order_by("position").values_list(
            "submission", "first_line", "last_line", "writers", "position"
        ):
            stored[pk].append((first_line or 0, last_line or 0, writers, position))
    return {reading: _place_runs(reading, stored[reading.submission.pk]) for reading in readings}


def _place_runs(reading: Reading, stored: Iterable[Place]) -> list[tuple[int, Run]]:
    runs = reading.runs
    lines = [reading.sent_lines(run) for run in runs]
    assigned: dict[int, int] = {}  # the position by the run's index
    for first_line, last_line, writers, position in stored:
        same = (
            index
            for index, run in enumerate(runs)
            if index not in assigned
            and run.writers == writers
            and lines[index][0] <= last_line
            and first_line <= lines[index][1]
        )
        if (index := next(same, None)) is not None:
            assigned[index] = position
    free = (position for position in count(1) if position not in assigned.values())
    return [(assigned[index] if index in assigned else next(free), run) for index, run in enumerate(runs)]


def _store_payloads(placed: Sequence[Placed], submission_ids: Sequence[int], *, is_new: bool) -> None:
    """Replace the payloads of these submissions' results in the tables of all kinds."""
    results = Result.objects.filter(submission__in=submission_ids)
    for kind in KINDS.values():
        if kind.table is None:
            continue
        if not is_new:  # a result may have been of another kind before
            for table in filter(None, (kind.table, kind.bulk_table)):
                table._default_manager.filter(result__in=results).delete()
        runs = {
            (reading.submission.pk, position): run
            for reading, position, run in placed
            if run.method in kind.methods
        }
        if not runs:
            continue
        of_kind = results.filter(method__in=kind.methods)
        _insert_rows(kind.table, kind.columns, of_kind, {at: run.payload for at, run in runs.items()})
        if kind.bulk_table is not None:
            bulk = {at: run.bulk for at, run in runs.items()}
            _insert_rows(kind.bulk_table, kind.bulk_columns, of_kind, bulk)


def _insert_rows(
    table: type[Model],
    columns: Iterable[str],
    results: QuerySet[Result],
    found: Mapping[tuple[int, int], Mapping[str, Any]],
) -> None:
    """Store in a table what was found of these results, by submission and position."""
    table._default_manager.bulk_create(
        table(result_id=pk, **{name: values[name] for name in columns})
        for pk, submission_id, position in results.values_list("pk", "submission", "position")
        if (values := found[submission_id, position])
    )


def _judged_rows(
    placed: Sequence[Placed],
    devices: Mapping[Identity, Device],
    pools: Mapping[PlacedPool, int],
    *,
    first_result_devices: Collection[int],
) -> list[dict[str, Any]]:
    """The unsaved rows of the runs; their devices are locked, and their pools stored."""
    firmwares = match_firmwares(
        [(devices[run.identity].pk, run.firmware_version) for _, _, run in placed if run.pool is None]
    )
    judged = iter(
        judge_runs(
            [
                Case(
                    run,
                    reading.notices,
                    devices[run.identity],
                    ranking_unit_of(run, reading.submission),
                    reading.submission.is_approved,
                    reading.submission.batch_id is not None,
                )
                for reading, _, run in placed
                if is_judged(run)
            ]
        )
    )
    rows = []
    for reading, position, run in placed:
        device = None if run.pool else devices[run.identity]
        decided = _as_decided(
            next(judged) if is_judged(run) else run,
            reading.submission,
            device,
            first_result_devices,
        )
        rows.append(
            build_row(
                decided,
                reading.submission,
                position,
                device_id=device.pk if device else None,
                pool_id=pools[reading.submission.pk, run.pool.position] if run.pool else None,
                firmware_id=firmwares.get((device.pk, run.firmware_version)) if device else None,
            )
        )
    return rows


def _request_review(submissions: Sequence[Submission], rows: Sequence[dict[str, Any]]) -> None:
    """Queue submissions that a rule holds back for a moderator, unless one has already decided.

    Published results that the project ships were checked before they were added, so they need no review.
    """
    waiting = {
        row["submission_id"] for row in rows if any(flag["effect"] == Effect.WAITS for flag in row["flags"])
    }
    to_review = [
        one
        for one in submissions
        if one.pk in waiting
        and not one.is_from_elsewhere
        and not one.is_approved
        and one.state == State.PUBLISHED
    ]
    for submission in to_review:
        submission.needs_review = True
    if to_review:
        Submission.objects.filter(pk__in=[one.pk for one in to_review]).update(needs_review=True)


def _as_decided(
    run: Run, submission: Submission, device: Device | None, first_result_devices: Collection[int]
) -> Run:
    """The run, unranked unless its submission is published, and flagged if its model is unknown."""
    if submission.state == State.PUBLISHED:
        return (
            flag_first(run, submission)
            if device is not None and device.pk in first_result_devices and device.product_id is None
            else run
        )
    if run.not_ranked_reason:
        return run
    return replace(run, not_ranked_reason=submission.state_reason or State(submission.state).label)


def ranking_unit_of(run: Run, submission: "Origin") -> str:
    """The unit, or the sender: all of a sender's results without a serial number belong to one unit."""
    return unit_of(run.unit, sender_of(submission))


class Origin(senders.Origin, Protocol):
    """The fields that a result takes over from its submission."""

    @property
    def pk(self) -> int: ...
    @property
    def public_id(self) -> str: ...
    @property
    def parser_version(self) -> str: ...


def build_row(
    run: Run,
    submission: Origin,
    position: int,
    *,
    device_id: int | None = None,
    pool_id: int | None = None,
    firmware_id: int | None,
) -> dict[str, Any]:
    """The row for `run`, as columns of Result; `position` counts from 1 in the submission."""
    kind = kind_of(run.method)
    return {
        "public_id": public_id_of(submission.public_id, position),
        "submission_id": submission.pk,
        "position": position,
        "device_id": device_id,
        "pool_id": pool_id,
        "firmware_id": firmware_id,
        "has_unit": bool(run.unit),
        "ranking_unit": ranking_unit_of(run, submission),
        "flags": [flag.stored for flag in run.flags],
        **{name: run.payload.get(name) for name in LATENCY_CURVE.columns},
        "metrics": kind.compute(run.payload),
        "parser_version": submission.parser_version,
        "notes": "",
        "told_conditions": {},
        **dict(zip(STORED_AS_THEY_ARE, _values_stored(run), strict=True)),
    }
