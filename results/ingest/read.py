"""From a submission's parsed text to its results: idempotent, so that a better parser can read it again."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from django.db import transaction

from parsers.kinds import Notice, ParsedPaste
from results.data_version import bump_data_version
from results.ingest.flags import Effect
from results.ingest.judge import Case, judge_runs
from results.ingest.late import put_off
from results.ingest.match import match_devices, match_firmwares
from results.ingest.rows import upsert_results
from results.ingest.runs import Run, find_runs
from results.models import Device, Firmware, Result, Submission
from results.models.choices import State
from results.models.result import CONDITION_FIELDS
from results.ranking.places import Board
from results.ranking.rerank import rerank_devices
from results.ranking.score import peak_throughput_mib_s, zil_latency_us

STORED_AS_THEY_ARE = (
    "measured_on",
    "unit",
    "method",
    "is_complete",
    "is_ranked",
    "not_ranked_reason",
    *CONDITION_FIELDS,
    "first_line",
    "last_line",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a submission is read to say: its runs, and the parsers' notices, which count when they are judged."""

    submission: Submission
    runs: Sequence[Run]
    notices: Sequence[Notice] = ()


@transaction.atomic(savepoint=False)
def read_submission(submission: Submission, paste: ParsedPaste) -> list[Board]:
    """Replace the submission's results by what `paste` says; return the boards that change. Idempotent."""
    reading = take_reading(submission, paste)
    submission.save(update_fields=["notices", "parser_version"])
    return store_readings([reading])


def take_reading(submission: Submission, paste: ParsedPaste) -> Reading:
    """What `paste` says of the submission; its notices and parser version are set, and not saved yet."""
    found = find_runs(paste)
    submission.notices = [asdict(notice) for notice in (*paste.warnings, *found.notices)]
    submission.parser_version = paste.parser_version
    day = submission.posted_on or submission.created_at.date()
    return Reading(submission, [replace(run, measured_on=day) for run in found.runs], paste.warnings)


@transaction.atomic(savepoint=False)
def store_readings(readings: Sequence[Reading], *, is_bulk: bool = False) -> list[Board]:
    """Replace the submissions' results by what was read and rank their devices; return the boards that change.

    In bulk popular devices are left to `rank_late`.
    """
    submissions = [reading.submission for reading in readings]
    touched = set(Result.objects.filter(submission__in=submissions).values_list("device_id", flat=True))
    results = _judged_results(readings, losing=touched)
    _ask_for_a_look(results)
    if touched:
        for reading in readings:
            reading.submission.results.filter(position__gt=len(reading.runs)).delete()
    upsert_results(results)
    touched.update(result.device_id for result in results)
    boards = rerank_devices(touched - put_off(touched) if is_bulk else touched)
    bump_data_version()
    return boards


def _judged_results(readings: Sequence[Reading], *, losing: set[int]) -> list[Result]:
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
        build_result(
            _as_decided(run, reading.submission),
            reading.submission,
            position,
            device=devices[run.identity],
            firmware=firmwares.get((devices[run.identity].pk, run.firmware_version)),
        )
        for (reading, position, _), run in zip(placed, judged, strict=True)
    ]


def _ask_for_a_look(results: Sequence[Result]) -> None:
    """What a rule holds back waits for a person, unless one has looked already."""
    held = {
        result.submission_id: result.submission
        for result in results
        if any(flag["effect"] == Effect.HELD for flag in result.flags)
    }
    asked = [one for one in held.values() if not one.is_approved and one.state == State.PUBLISHED]
    for submission in asked:
        submission.needs_review = True
    if asked:
        Submission.objects.filter(pk__in=[one.pk for one in asked]).update(needs_review=True)


def _as_decided(run: Run, submission: Submission) -> Run:
    """The run, out of the ranking unless its submission is published."""
    if submission.state == State.PUBLISHED or run.not_ranked_reason:
        return run
    return replace(run, not_ranked_reason=submission.state_reason or State(submission.state).label)


def ranking_unit_of(run: Run, submission: Submission) -> str:
    """The unit, or who stands in for it: all runs of one sender without a serial number count as one."""
    member = f"member {submission.owner_id}" if submission.owner_id else ""
    return run.unit or member or submission.network or submission.public_id


def build_result(
    run: Run, submission: Submission, position: int, *, device: Device, firmware: Firmware | None
) -> Result:
    """The row that `run` becomes, not saved yet; `position` counts from 1 in the submission."""
    curve = [None if latency is None else float(latency) for latency in run.curve]
    suffix = "" if position == 1 else f"-{position}"
    return Result(
        public_id=f"{submission.public_id}{suffix}",
        submission=submission,
        position=position,
        device=device,
        firmware=firmware,
        ranking_unit=ranking_unit_of(run, submission),
        flags=[asdict(flag) for flag in run.flags],
        latency_us=curve,
        zil_latency_us=zil_latency_us(curve),
        peak_throughput_mib_s=peak_throughput_mib_s(curve),
        parser_version=submission.parser_version,
        **{name: getattr(run, name) for name in STORED_AS_THEY_ARE},
    )
