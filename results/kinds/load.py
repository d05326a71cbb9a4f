"""Runs of fio: what their jobs wrote and how, as conditions of a result, and which runs are one."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from parsers.base.readings import FioJob, FioLogReading, FioReading, ParsedPaste
from parsers.base.target import Target
from parsers.fio.slog import Rung, refuse_as_slog
from results.kinds.envelope import Run
from results.models.conditions import FLUSH_OFF
from results.models.fields import LARGEST_INTEGER

AnyRun = TypeVar("AnyRun", bound=Run)
LOAD_CONDITIONS = ("sync_method", "data_content", "pattern", "is_direct", "block_align")


def load_of_jobs(jobs: Sequence[FioJob]) -> dict[str, Any]:
    """The conditions that all of the jobs state alike; None for the others."""
    align = agreed(job.block_align for job in jobs)
    return {
        "sync_method": agreed(map(sync_method_of, jobs)),
        "data_content": agreed(job.data_content for job in jobs),
        "pattern": agreed(job.pattern for job in jobs),
        "is_direct": agreed(job.direct for job in jobs),
        "block_align": align if align and align <= LARGEST_INTEGER else None,
    }


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
    if not any(isinstance(other, FioLogReading) for other in paste.readings):
        return False
    is_unsynced = all(job.flush_off or job.sync_each_write is False for job in reading.jobs)
    return is_unsynced or refuse_as_slog(reading) is not None


def agreed(values: Iterable[Any]) -> Any:
    """The value that all of them are; None if they differ."""
    found = set(values)
    return found.pop() if len(found) == 1 else None


def join_loops(
    runs: Iterable[AnyRun], method: str, join: Callable[[AnyRun, AnyRun], AnyRun | None]
) -> list[AnyRun]:
    """The runs with those by the method joined that a shell loop made; `join` returns None if they overlap."""
    joined: list[AnyRun] = []
    for run in runs:
        at = _continued_at(joined, run) if run.method == method else None
        both = None if at is None else join(joined[at], run)
        if at is None or both is None:
            joined.append(run)
        else:
            joined[at] = both
    return joined


def _continued_at(runs: Sequence[Run], following: Run) -> int | None:
    """The index of the run that `following` continues, if any.

    That is the last one by as many writers, also with or without flushes, among the final runs of the same disk and
    method.
    """
    for at in reversed(range(len(runs))):
        run = runs[at]
        if (run.method, run.identity, run.unit, run.path) != (
            following.method,
            following.identity,
            following.unit,
            following.path,
        ):
            return None
        is_flush_alike = (run.sync_method == FLUSH_OFF) == (following.sync_method == FLUSH_OFF)
        if run.writers == following.writers and is_flush_alike:
            return at
    return None


def is_of_device(target: Target) -> bool:
    """Whether it is a device or a part of one, and not a layer above."""
    return target in {Target.DEVICE, Target.PARTITION, Target.SLICE}


def stored_writers(rung: Rung) -> int | None:
    return rung.writers if rung.writers > 1 else None
