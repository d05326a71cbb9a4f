"""Storing a submission's results from its parsed text. Idempotent, so that a better parser can reread it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from typing import Any, Protocol

from django.db import transaction
from django.db.models import Model, QuerySet

from parsers.base.readings import Notice, ParsedPaste
from results.catalogue.matching.devices import Identity, match_devices, match_firmwares
from results.catalogue.matching.merge import block_merges
from results.catalogue.matching.rematch import drop_devices, lock_empty_devices
from results.core.data_version import bump_data_version
from results.kinds.answers import SenderAnswers
from results.kinds.envelope import Run, Runs
from results.kinds.registry import COLUMNS_OF_RESULT, KINDS, find_runs, kind_of
from results.kinds.result_kind import SHARED_COLUMNS
from results.models import Device, PoolLog, Result, Submission
from results.models.choices import State
from results.models.conditions import CONDITION_FIELDS
from results.models.result import OWNER_FIELDS, public_id_of
from results.ranking import senders
from results.ranking.medians import rerank_devices
from results.ranking.senders import sender_of, unit_of
from results.submissions.intake.deferred import defer_devices
from results.submissions.intake.judge import Case, is_judged, judge_runs, request_review
from results.submissions.intake.other_results import copies_of, flag_first, flag_related
from results.submissions.intake.pools import described_devices, drop_pools, store_pools, with_known_logs

RUN_IDENTITY = ("submission_id", "position")  # a run that is read again retains its row
_REREAD_COLUMNS = [
    field.attname
    for field in Result._meta.concrete_fields
    if field.attname not in {"id", "changed_at", *RUN_IDENTITY, *OWNER_FIELDS}
]


def upsert_results(results: Iterable[Result]) -> None:
    """Insert or update unsaved results.

    An existing one, by submission and position, retains its id and the owner's notes.
    """
    Result.objects.bulk_create(
        results, update_conflicts=True, unique_fields=RUN_IDENTITY, update_fields=_REREAD_COLUMNS
    )


def insert_new(submissions: Sequence[Submission]) -> list[Submission]:
    """Insert submissions and set their ids; return those whose text and public id weren't stored yet.

    Of two concurrent calls with the same text, the second waits until the first is committed or rolled back.
    """
    Submission.objects.bulk_create(submissions, ignore_conflicts=True)
    drawn = Submission.objects.filter(public_id__in=[submission.public_id for submission in submissions])
    ids = {
        (public_id, digest): pk
        for public_id, digest, pk in drawn.values_list("public_id", "text_digest", "pk")
    }
    new = [submission for submission in submissions if (submission.public_id, submission.text_digest) in ids]
    for submission in new:
        submission.pk = ids[submission.public_id, submission.text_digest]
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
    """Replace the submission's text and results by those in `paste`. Idempotent.

    Devices are ranked as by `store_readings`.
    """
    changed = {"notices", "parser_version", "told"}
    if paste.text != submission.text:
        submission.text, submission.unit_digests = paste.text, paste.unit_digests
        changed |= {"text", "unit_digests"}
    reading = prepare_reading(submission, paste, find_runs_for(submission, paste))
    store_readings([reading], changed=changed, defer_from=defer_from)


def find_runs_for(submission: Submission, paste: ParsedPaste) -> Runs:
    """The runs in a submission's text, dated and described as its sender stated."""
    return find_runs(
        paste,
        stated_on=submission.measured_on,
        sent_on=submission.created_at.date(),
        answers=SenderAnswers.from_stored(submission.told),
    )


def prepare_reading(submission: Submission, paste: ParsedPaste, found: Runs) -> Reading:
    """The reading of a paste and its runs; sets the submission's notices, parser version and answers, unsaved."""
    lines = {paste.sent_line(run.first_line): run.first_line for run in found.runs}
    submission.told = SenderAnswers.from_stored(submission.told).with_lines(lines).stored
    notices = [asdict(notice) for notice in found.notices_with(paste.warnings)]
    submission.notices = [*notices, *(asdict(left_out) for left_out in found.left_out)]
    submission.parser_version = paste.parser_version
    return Reading(submission, found.runs, paste.warnings, paste.sent_line)


@transaction.atomic(savepoint=False)
def store_readings(
    readings: Sequence[Reading],
    *,
    changed: Collection[str] = (),
    defer_from: int | None = None,
    is_new: bool = False,
) -> None:
    """Replace the submissions' results by what was read, and rank their devices; save their `changed` fields.

    Devices that already have `defer_from` ranked results are deferred (results.submissions.intake.deferred);
    None ranks all at once. Devices with nothing left are deleted. New submissions have no results to replace.
    """
    storing = _Storing(
        [replace(reading, runs=with_known_logs(reading.runs)) for reading in readings], is_new=is_new
    )
    storing.match_devices()
    if changed:  # saving a submission locks its results, so only now
        for submission in storing.submissions:
            submission.save(update_fields=changed)
    storing.place_runs()
    storing.judge_runs()
    storing.replace_results()
    storing.replace_payloads()
    request_review(storing.results)
    storing.count_published()
    storing.flag_related()
    storing.rank_devices(defer_from)
    bump_data_version()


Place = tuple[int, int, int | None, int]  # first and last line, writers, position


@dataclass(slots=True)
class _Storing:
    """Submissions whose results are being stored: each step needs what those before it have found."""

    readings: Sequence[Reading]
    is_new: bool
    former_devices: set[int] = field(default_factory=set)  # of the results and pools that are replaced
    former_copies: set[int] = field(default_factory=set)  # others' results that were copies of these
    devices: Mapping[Identity, Device] = field(default_factory=dict)
    first_result_devices: set[int] = field(default_factory=set)  # with nothing to compare their result with
    placed: list[tuple[Reading, int, Run]] = field(default_factory=list)  # with positions in the submission
    results: list[Result] = field(default_factory=list)
    empty_devices: set[int] = field(default_factory=set)
    reflagged: list[Result] = field(default_factory=list)  # results whose flags changed with these

    @property
    def submissions(self) -> list[Submission]:
        return [reading.submission for reading in self.readings]

    @property
    def ids(self) -> list[int]:
        return [reading.submission.pk for reading in self.readings]

    def match_devices(self) -> None:
        """Lock the devices of these results, new and former; no merge can move them until the transaction ends."""
        if not self.is_new:
            block_merges()
            for_results = Result.objects.filter(submission__in=self.ids, device__isnull=False)
            for_pools = PoolLog.objects.filter(pool__submission__in=self.ids).values_list("device_id")
            self.former_devices = {pk for (pk,) in for_results.values_list("device_id").union(for_pools)}
            self.former_copies = copies_of(self.ids)
        runs = [run for reading in self.readings for run in reading.runs]
        described = [device for run in runs for device in described_devices(run)]
        self.devices = match_devices(described, losing=self.former_devices)
        counts = Counter(self.devices[run.identity].pk for run in runs if run.pool is None)
        self.first_result_devices = {
            device.pk
            for device in self.devices.values()
            if not device.result_count and counts[device.pk] == 1
        }

    def place_runs(self) -> None:
        """Give each run a position.

        A run retains the position, and so the address, of the stored result that was read from the same lines and
        had as many writers; the others get the free positions in order.
        """
        stored: dict[int, list[Place]] = defaultdict(list)
        if not self.is_new:
            results = Result.objects.filter(submission__in=self.ids, first_line__isnull=False)
            for pk, first_line, last_line, writers, position in results.order_by("position").values_list(
                "submission", "first_line", "last_line", "writers", "position"
            ):
                stored[pk].append((first_line or 0, last_line or 0, writers, position))
        self.placed = [
            (reading, position, run)
            for reading in self.readings
            for position, run in _place_runs(reading, stored[reading.submission.pk])
        ]

    def judge_runs(self) -> None:
        """Judge the runs and build their results; store their pools."""
        pools = store_pools(
            ((reading.submission, run) for reading, _, run in self.placed), self.devices, is_new=self.is_new
        )
        firmwares = match_firmwares(
            [
                (self.devices[run.identity].pk, run.firmware_version)
                for _, _, run in self.placed
                if run.pool is None
            ]
        )
        cases = [
            Case(
                run,
                reading.notices,
                self.devices[run.identity],
                ranking_unit_of(run, reading.submission),
                reading.submission.is_approved,
                reading.submission.batch_id is not None,
            )
            for reading, _, run in self.placed
            if is_judged(run)
        ]
        judged = iter(judge_runs(cases))
        for reading, position, run in self.placed:
            submission = reading.submission
            device = None if run.pool else self.devices[run.identity]
            result = build_result(
                self._as_decided(next(judged) if is_judged(run) else run, submission, device),
                submission,
                position,
                device_id=device.pk if device else None,
                pool_id=pools[submission.pk, run.pool.position] if run.pool else None,
                firmware_id=firmwares.get((device.pk, run.firmware_version)) if device else None,
            )
            self.results.append(result)

    def _as_decided(self, run: Run, submission: Submission, device: Device | None) -> Run:
        """The run, unranked unless its submission is published, and flagged if its model is unknown."""
        if submission.state == State.PUBLISHED:
            is_first = device is not None and device.pk in self.first_result_devices
            return flag_first(run, submission) if is_first and device and device.product_id is None else run
        if run.not_ranked_reason:
            return run
        return replace(run, not_ranked_reason=submission.state_reason or State(submission.state).label)

    def replace_results(self) -> None:
        if not self.is_new:
            for submission in self.submissions:
                used = [result.position for result in self.results if result.submission_id == submission.pk]
                submission.results.exclude(position__in=used).delete()
        upsert_results(self.results)

    def replace_payloads(self) -> None:
        """Replace the payloads in the tables of all kinds; remove the pools that have no result any more."""
        results = Result.objects.filter(submission__in=self.ids)
        for kind in KINDS.values():
            if kind.table is None:
                continue
            runs = {
                (reading.submission.pk, position): run
                for reading, position, run in self.placed
                if kind_of(run.method) is kind
            }
            for_kind = results.filter(method__in=kind.methods)
            payloads = {at: run.payload for at, run in runs.items()}
            self._replace_rows(kind.table, kind.columns, for_kind, payloads)
            if kind.bulk_table is not None:
                bulk = {at: run.bulk for at, run in runs.items()}
                self._replace_rows(kind.bulk_table, kind.bulk_columns, for_kind, bulk)
        if not self.is_new:
            drop_pools(self.ids, used=[result.pool_id for result in self.results if result.pool_id])

    def _replace_rows(
        self,
        table: type[Model],
        columns: Collection[str],
        results: QuerySet[Result],
        found: Mapping[tuple[int, int], Mapping[str, Any]],
    ) -> None:
        """Replace in a table what was found of these results, by submission and position. Equal rows stay."""
        places = results.values_list("pk", "submission", "position") if found else ()
        rows = [
            table(result_id=pk, **{name: values[name] for name in columns})
            for pk, submission_id, position in places
            if (values := found[submission_id, position])
        ]
        if self.is_new:
            table._default_manager.bulk_create(rows)
            return
        stored = table._default_manager.filter(result__submission__in=self.ids)
        stored.exclude(pk__in=[row.pk for row in rows]).delete()  # it may have been of another kind
        table._default_manager.bulk_create(
            rows, update_conflicts=True, unique_fields=["result"], update_fields=columns
        )

    def count_published(self) -> None:
        """Update the devices' result counts; if there were no earlier results, only add the new ones."""
        if self.former_devices or any(submission.survey_id for submission in self.submissions):
            Device.recount(self.former_devices | _device_ids(self.results))
            return
        published = {entry.pk for entry in self.submissions if entry.state == State.PUBLISHED}
        counted = [result.device_id for result in self.results if result.submission_id in published]
        Device.add_results(Counter(device_id for device_id in counted if device_id is not None))

    def flag_related(self) -> None:
        """Set the flags that depend on other results, on these and on those."""
        for_devices = [result for result in self.results if result.device_id is not None]
        self.empty_devices = lock_empty_devices(self.former_devices - _device_ids(self.results))
        without_product = {device.pk for device in self.devices.values() if device.product_id is None}
        self.reflagged = flag_related(
            {
                result.submission_id
                for result in for_devices
                if result.device_id not in self.first_result_devices
            },
            devices=self.former_devices | without_product - self.first_result_devices,
            also=self.former_copies,
            methods={result.method for result in for_devices} if self.is_new else None,
        )

    def rank_devices(self, defer_from: int | None) -> None:
        """Rank the devices, or defer them; delete those with nothing left."""
        ranked = [result for result in self.results if result.is_ranked]
        touched = self.former_devices | _device_ids(ranked) | _device_ids(self.reflagged)
        if defer_from is not None:
            small = {device.pk for device in self.devices.values() if device.result_count < defer_from}
            stored = [(result.device_id, result.method) for result in ranked if result.device_id]
            touched -= defer_devices(touched - self.empty_devices - small, stored, at_least=defer_from)
        affects_others = any(result.submission_id not in self.ids for result in self.reflagged)
        rerank_devices(touched, only_added=not self.former_devices and not affects_others)
        drop_devices(self.empty_devices)


def _device_ids(results: Iterable[Result]) -> set[int]:
    return {result.device_id for result in results if result.device_id is not None}


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


def ranking_unit_of(run: Run, submission: "SubmissionOrigin") -> str:
    """The unit, or the sender: all of a sender's results without a serial number belong to one unit."""
    return unit_of(run.unit, sender_of(submission))


class SubmissionOrigin(senders.SenderOrigin, Protocol):
    """The fields that a result takes over from its submission."""

    @property
    def pk(self) -> int: ...
    @property
    def public_id(self) -> str: ...
    @property
    def parser_version(self) -> str: ...


def build_result(
    run: Run,
    submission: SubmissionOrigin,
    position: int,
    *,
    device_id: int | None = None,
    pool_id: int | None = None,
    firmware_id: int | None,
) -> Result:
    """The unsaved result of `run`; `position` counts from 1 in the submission."""
    return Result(
        public_id=public_id_of(submission.public_id, position),
        submission_id=submission.pk,
        position=position,
        device_id=device_id,
        pool_id=pool_id,
        firmware_id=firmware_id,
        has_unit=bool(run.unit),
        ranking_unit=ranking_unit_of(run, submission),
        flags=[flag.stored for flag in run.flags],
        metrics=kind_of(run.method).compute(run.payload),
        parser_version=submission.parser_version,
        **{name: run.payload.get(name) for name in COLUMNS_OF_RESULT},
        **{name: getattr(run, name) for name in STORED_AS_THEY_ARE},
    )
