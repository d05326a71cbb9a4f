"""From a submission's parsed text to its results: idempotent, so that a better parser can read it again."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any, Protocol

from django.db import transaction

from parsers.base.readings import Notice, ParsedPaste
from results.catalogue.empty import drop_devices, lock_empty_devices
from results.catalogue.merge import hold_off_merges
from results.data_version import bump_data_version
from results.ingest.deferred import defer_devices
from results.ingest.flags import Effect
from results.ingest.judge import Case, judge_runs
from results.ingest.match import match_devices, match_firmwares
from results.ingest.related import copies_of, flag_related
from results.ingest.rows import upsert_results
from results.ingest.runs import Run, find_runs
from results.models import Device, Result, Submission
from results.models.choices import State
from results.models.fields import bytes_of_unit
from results.models.result import CONDITION_FIELDS, public_id_of
from results.ranking import senders
from results.ranking.rerank import rerank_devices
from results.ranking.score import peak_throughput_mib_s, zil_latency_us
from results.ranking.senders import sender_of, unit_of

STORED_AS_THEY_ARE = (
    "measured_on",
    "method",
    "is_complete",
    "is_ranked",
    "not_ranked_reason",
    *CONDITION_FIELDS,
    "first_line",
    "last_line",
)
_values_stored = attrgetter(*STORED_AS_THEY_ARE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a submission is read to say: its runs, and the parsers' notices, which count when they are judged."""

    submission: Submission
    runs: Sequence[Run]
    notices: Sequence[Notice] = ()


@transaction.atomic(savepoint=False)
def read_submission(submission: Submission, paste: ParsedPaste, *, defer_from: int | None = None) -> None:
    """Replace the submission's results by what `paste` says. Idempotent.

    Devices are ranked as by `store_readings`.
    """
    reading = take_reading(submission, paste)
    submission.save(update_fields=["notices", "parser_version"])
    store_readings([reading], defer_from=defer_from)


def take_reading(submission: Submission, paste: ParsedPaste) -> Reading:
    """What `paste` says of the submission; its notices and parser version are set, and not saved yet."""
    found = find_runs(paste, measured_on=submission.posted_on or submission.created_at.date())
    notices = [asdict(notice) for notice in (*paste.warnings, *found.notices)]
    submission.notices = [*notices, *(asdict(one) for one in found.left_out)]
    submission.parser_version = paste.parser_version
    return Reading(submission, found.runs, paste.warnings)


@transaction.atomic(savepoint=False)
def store_readings(
    readings: Sequence[Reading], *, defer_from: int | None = None, is_new: bool = False
) -> None:
    """Replace the submissions' results by what was read, and rank their devices.

    Those that are ranked by `defer_from` results already are ranked a little later (results.ingest.deferred); None
    ranks all at once. Devices that have nothing left go. New submissions have no results to be replaced.
    """
    submissions = [reading.submission for reading in readings]
    ids = [submission.pk for submission in submissions]
    losing = set() if is_new else _devices_losing(submissions)
    copies = set() if is_new else copies_of(ids)
    rows = _judged_rows(readings, losing=losing)
    _ask_for_a_look(submissions, rows)
    if losing:
        for reading in readings:
            reading.submission.results.filter(position__gt=len(reading.runs)).delete()
    gaining = {row["device_id"] for row in rows}
    touched = losing | gaining
    upsert_results(rows)
    _count_published(submissions, rows, losing=losing)
    empty = lock_empty_devices(losing - gaining)
    has_changed_others = flag_related(ids, devices=touched, also=copies)
    deferred = set()
    if defer_from is not None:
        deferred = defer_devices(touched - empty, _ranked(rows), at_least=defer_from)
    rerank_devices(touched - deferred, only_added=not losing and not has_changed_others)
    drop_devices(empty)
    bump_data_version()


def _count_published(
    submissions: Iterable[Submission], rows: Iterable[dict[str, Any]], *, losing: set[int]
) -> None:
    """Move the counts of the devices; without results that were there before, only what is new is added."""
    if losing:
        Device.recount(losing | {row["device_id"] for row in rows})
        return
    published = {one.pk for one in submissions if one.state == State.PUBLISHED}
    Device.add_results(Counter(row["device_id"] for row in rows if row["submission_id"] in published))


def _ranked(rows: Iterable[dict[str, Any]]) -> list[tuple[int, str]]:
    """The devices and methods of the rows that count."""
    return [(row["device_id"], row["method"]) for row in rows if row["is_ranked"]]


def _devices_losing(submissions: Sequence[Submission]) -> set[int]:
    """The devices that results of these are stored for; until the transaction ends no merge moves them elsewhere."""
    hold_off_merges()
    results = Result.objects.filter(submission__in=[one.pk for one in submissions])
    return set(results.values_list("device_id", flat=True).distinct())


def _judged_rows(readings: Sequence[Reading], *, losing: set[int]) -> list[dict[str, Any]]:
    """The rows that the runs become, not saved yet; their devices are locked."""
    placed = [
        (reading, position, run) for reading in readings for position, run in enumerate(reading.runs, start=1)
    ]
    devices = match_devices([run for _, _, run in placed], losing=losing)
    firmwares = match_firmwares([(devices[run.identity].pk, run.firmware_version) for _, _, run in placed])
    judged = judge_runs(
        [
            Case(
                run,
                reading.notices,
                devices[run.identity],
                ranking_unit_of(run, reading.submission),
                reading.submission.is_approved,
            )
            for reading, _, run in placed
        ]
    )
    return [
        build_row(
            _as_decided(run, reading.submission),
            reading.submission,
            position,
            device_id=devices[run.identity].pk,
            firmware_id=firmwares.get((devices[run.identity].pk, run.firmware_version)),
        )
        for (reading, position, _), run in zip(placed, judged, strict=True)
    ]


def _ask_for_a_look(submissions: Sequence[Submission], rows: Sequence[dict[str, Any]]) -> None:
    """What a rule holds back waits for a person, unless one has looked already."""
    held = {
        row["submission_id"] for row in rows if any(flag["effect"] == Effect.WAITS for flag in row["flags"])
    }
    asked = [
        one for one in submissions if one.pk in held and not one.is_approved and one.state == State.PUBLISHED
    ]
    for submission in asked:
        submission.needs_review = True
    if asked:
        Submission.objects.filter(pk__in=[one.pk for one in asked]).update(needs_review=True)


def _as_decided(run: Run, submission: Submission) -> Run:
    """The run, out of the ranking unless its submission is published."""
    if submission.state == State.PUBLISHED or run.not_ranked_reason:
        return run
    return replace(run, not_ranked_reason=submission.state_reason or State(submission.state).label)


def ranking_unit_of(run: Run, submission: "Origin") -> str:
    """The unit, or the sender: all results of one sender without a serial number are of one unit."""
    return unit_of(run.unit, sender_of(submission))


class Origin(senders.Origin, Protocol):
    """What a result takes over from its submission."""

    @property
    def pk(self) -> int: ...
    @property
    def public_id(self) -> str: ...
    @property
    def parser_version(self) -> str: ...


def build_row(
    run: Run, submission: Origin, position: int, *, device_id: int, firmware_id: int | None
) -> dict[str, Any]:
    """The row that `run` becomes, by the columns of Result; `position` counts from 1 in the submission.

    Bytes are as PostgreSQL writes them.
    """
    curve = [None if latency is None else float(latency) for latency in run.curve]
    return {
        "public_id": public_id_of(submission.public_id, position),
        "submission_id": submission.pk,
        "position": position,
        "device_id": device_id,
        "firmware_id": firmware_id,
        "has_unit": bool(run.unit),
        "ranking_unit": rf"\x{bytes_of_unit(ranking_unit_of(run, submission)).hex()}",
        "flags": [flag.stored for flag in run.flags],
        "latency_us": curve,
        "zil_latency_us": zil_latency_us(curve),
        "peak_throughput_mib_s": peak_throughput_mib_s(curve),
        "parser_version": submission.parser_version,
        "notes": "",
        "told_conditions": {},
        **dict(zip(STORED_AS_THEY_ARE, _values_stored(run), strict=True)),
    }
