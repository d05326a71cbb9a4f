"""What jobs of fio wrote and how, as conditions of a result."""

from collections.abc import Iterable, Sequence
from typing import Any

from parsers.base.readings import FioJob, FioLogReading, FioReading, ParsedPaste
from parsers.fio.slog import refuse_as_slog
from results.kinds.envelope import Run
from results.models.conditions import FLUSH_OFF

LOAD_CONDITIONS = ("sync_method", "data_content", "pattern", "is_direct", "block_align")
LARGEST_ALIGNMENT = 2**31 - 1  # bytes; a column holds it


def load_of_jobs(jobs: Sequence[FioJob]) -> dict[str, Any]:
    """The conditions that all of the jobs state alike; None for the others."""
    values = zip(
        *(
            (sync_method_of(job), job.data_content, job.pattern, job.direct, _alignment_of(job))
            for job in jobs
        ),
        strict=True,
    )
    return dict(zip(LOAD_CONDITIONS, map(agreed, values), strict=True))


def load_of_both(run: Run, following: Run) -> dict[str, Any]:
    """The conditions of two runs that are joined."""
    return {name: agreed([getattr(run, name), getattr(following, name)]) for name in LOAD_CONDITIONS}


def sync_method_of(job: FioJob) -> str | None:
    """How fio made each write durable, FLUSH_OFF if it didn't; None where it doesn't say."""
    if job.flush_off:
        return FLUSH_OFF
    if job.fdatasync:
        return "fdatasync"
    if job.fsync:
        return "fsync"
    return ("dsync" if job.sync == "dsync" else "sync") if job.sync else None


def slow_sync_us(job: FioJob) -> float | None:
    """The p99 of what makes a write durable: of the flush if that is a separate step."""
    p99 = job.flush_latency_p99_us if job.fdatasync or job.fsync else job.write_latency_p99_us
    return None if p99 is None else float(p99)


def is_of_logs(reading: FioReading, paste: ParsedPaste) -> bool:
    """Whether a run of fio that didn't sync only says how the logs beside it were written."""
    if not any(isinstance(one, FioLogReading) for one in paste.readings):
        return False
    is_unsynced = all(job.flush_off or job.sync_each_write is False for job in reading.jobs)
    return is_unsynced or refuse_as_slog(reading) is not None


def _alignment_of(job: FioJob) -> int | None:
    align = job.block_align
    return align if align and align <= LARGEST_ALIGNMENT else None


def agreed(values: Iterable[Any]) -> Any:
    """The value that all of them are; None if they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None
