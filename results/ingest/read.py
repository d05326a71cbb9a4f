"""From a submission's parsed text to its results: idempotent, so that a better parser can read it again."""

from collections.abc import Sequence
from dataclasses import asdict, replace

from django.db import transaction

from parsers.kinds import Notice, ParsedPaste
from results.data_version import bump_data_version
from results.ingest.judge import judge_run
from results.ingest.match import match_devices, match_firmware
from results.ingest.runs import Run, find_runs
from results.models import Device, Firmware, Result, Submission
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
RUN_IDENTITY = ("submission", "position")  # a run that is read again stays the row that it was
REREAD_FIELDS = [
    field.name for field in Result._meta.concrete_fields if field.name not in {"id", *RUN_IDENTITY}
]


@transaction.atomic
def read_submission(submission: Submission, paste: ParsedPaste) -> list[Board]:
    """Replace the submission's results by what `paste` says; return the boards that change. Idempotent."""
    found = find_runs(paste)
    submission.notices = [asdict(notice) for notice in (*paste.warnings, *found.notices)]
    submission.parser_version = paste.parser_version
    submission.save(update_fields=["notices", "parser_version"])
    day = submission.created_at.date()
    runs = [replace(run, measured_on=day) for run in found.runs]
    return store_runs(submission, runs, notices=paste.warnings)


@transaction.atomic
def store_runs(submission: Submission, runs: Sequence[Run], *, notices: Sequence[Notice] = ()) -> list[Board]:
    """Replace the submission's results by `runs` and rank their devices; return the boards that change.

    `notices` are what the parsers had to say of the text; they count when a run is judged.
    """
    touched = set(submission.results.values_list("device_id", flat=True))
    devices = match_devices(runs, losing=touched)
    results = []
    for position, run in enumerate(runs, start=1):
        device = devices[run.identity]
        firmware = match_firmware(device, run.firmware_version)
        judged = judge_run(run, notices, device=device, ranking_unit=ranking_unit_of(run, submission))
        results.append(build_result(judged, submission, position, device=device, firmware=firmware))
    submission.results.filter(position__gt=len(results)).delete()
    Result.objects.bulk_create(
        results, update_conflicts=True, unique_fields=RUN_IDENTITY, update_fields=REREAD_FIELDS
    )
    touched.update(result.device_id for result in results)
    boards = rerank_devices(touched)
    bump_data_version()
    return boards


def ranking_unit_of(run: Run, submission: Submission) -> str:
    """The unit, or who stands in for it: all runs of one network without a serial number count as one."""
    return run.unit or submission.network or submission.public_id


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
