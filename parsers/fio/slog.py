"""Judge whether a fio run measured what a SLOG does: sync writes, each waited for, by one writer or several.

A writer has one write in flight: an iodepth of 4 is four of them, and so are four jobs of depth 1.
"""

import errno
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.readings import FioJob, FioReading, LatencyPoint
from parsers.base.target import Target
from parsers.base.units import MEBIBYTE, MICROSECONDS_A_SECOND
from parsers.fio.options import in_flight

WITHOUT_LAYER = (Target.DEVICE, Target.PARTITION, Target.SLICE)  # whose runs without flushes are stored
WRITE_PATTERNS = ("write", "randwrite")

LADDER_BYTES = tuple(512 << step for step in range(15))  # 512 B to 8 MiB, the sizes of diskinfo
SECONDS_A_SIZE = 1
LADDER_WRITERS = (1, 2, 4, 8, 16)
SECONDS_A_RUNG = 2
MAX_WRITERS = 2**15 - 1  # a column of the results holds the number as a smallint


def ladder_command(path: str, *, flushes: bool = True) -> str:
    """Return a fio command with a job per block size.

    The shell skips sizes smaller than a sector of the disk.
    """
    options = (
        f"--filename={path} --rw=randwrite --norandommap --ioengine=psync --direct=1{' --fdatasync=1' * flushes}"
        f" --runtime={SECONDS_A_SIZE} --time_based --stonewall --output-format=json"
    )
    sizes = " ".join(str(size) for size in LADDER_BYTES)
    jobs = f'[ "$bs" -ge "$(blockdev --getss {path})" ] && echo "--name=bs$bs --bs=$bs"'
    return f"fio --name=global {options} $(for bs in {sizes}; do {jobs}; done)"


def writers_command(path: str) -> str:
    """Return a fio command that writes 4 KiB with one writer, then with more and more at the same time."""
    options = (
        f"--filename={path} --rw=randwrite --norandommap --bs=4096 --ioengine=psync --direct=1 --fdatasync=1"
        f" --runtime={SECONDS_A_RUNG} --time_based --stonewall --group_reporting --output-format=json"
    )
    jobs = " ".join(f"--name=writers{writers} --numjobs={writers}" for writers in LADDER_WRITERS)
    return f"fio --name=global {options} {jobs}"


MAX_SHOWN = 4  # paths in a sentence


@dataclass(frozen=True, slots=True)
class SlogRefusal:
    """Why a run is no SLOG result: a stable code, and sentences that end with where the right command is."""

    code: str
    message: str
    line: int | None = None  # of the figure in question


def refuse_as_slog(reading: FioReading) -> SlogRefusal | None:
    """Return the first reason why the run is no SLOG result, None where it is one.

    A failed job is no measurement. Rows that wrote nothing are skipped; every row that wrote must fit.
    """
    for job in reading.jobs:
        if job.error:
            meaning = f" ({os.strerror(job.error)})" if job.error in errno.errorcode else ""
            return _refusal("job_failed", f"{_named(job)} failed with error {job.error}{meaning}", job.line)
    if reading.hosts > 1:
        return _refusal(
            "several_hosts",
            f"this run wrote on {reading.hosts} machines at the same time, so it isn't a result of one device: run"
            " fio on each machine separately",
            reading.first_line,
        )
    if reading.targets:
        shown = ", ".join(reading.targets[:MAX_SHOWN]) + (", …" if len(reading.targets) > MAX_SHOWN else "")
        return _refusal(
            "several_targets",
            f"this run wrote to several devices or files ({shown}), so it isn't a result of one device: run fio on"
            " each of them separately",
            reading.first_line,
        )
    rows = _rows_that_wrote(reading)
    if not rows:
        return _refusal("no_writes", "this fio run has no write results")
    for job in rows:
        is_stored_without = job.flush_off and reading.target in WITHOUT_LAYER
        fault = _missing_iops(job) or (None if is_stored_without else _missing_sync(job)) or _wrong_shape(job)
        if fault is not None:
            return fault
    return _wrong_groups(reading)


def refuse_as_workload(reading: FioReading) -> SlogRefusal | None:
    """Return the first reason why the run is no workload of writes, whatever it synced; None where it is one."""
    failed = next((job for job in reading.jobs if job.error), None)
    if failed is not None:
        return SlogRefusal("job_failed", f"{_named(failed)} failed with error {failed.error}", failed.line)
    if reading.hosts > 1:
        message = f"this run wrote on {reading.hosts} machines at the same time, so it isn't one pool's"
        return SlogRefusal("several_hosts", message, reading.first_line)
    rows = _rows_that_wrote(reading)
    if not rows:
        return SlogRefusal("no_writes", "this fio run has no write results", reading.first_line)
    for job in rows:
        if (job.rw or "write").partition(":")[0] not in WRITE_PATTERNS:
            message = f"{_named(job)} did more than write (rw={job.rw}), so its writes say little"
            return SlogRefusal("mixed_work", message, job.setup_line or job.line)
    return _unclear_groups(reading)


def _unclear_groups(reading: FioReading) -> SlogRefusal | None:
    for jobs in _groups(reading):
        if any(job.group is None or _manner(job) != _manner(jobs[0]) for job in jobs[1:]):
            message = "several jobs wrote at the same time, but not in the same way"
            return SlogRefusal("several_jobs", message, jobs[1].line)
        writers = _writers(reading, jobs)
        if writers is None or writers > MAX_WRITERS:
            message = "some of the jobs that wrote at the same time are missing, or they are too many"
            return SlogRefusal("missing_jobs", message, jobs[0].line)
    return None


def _wrong_groups(reading: FioReading) -> SlogRefusal | None:
    """Return why jobs that ran at the same time are no writers of one kind, None where they are."""
    seen = set()
    for jobs in _groups(reading):
        first = jobs[0]
        if any(job.group is None or _manner(job) != _manner(first) for job in jobs[1:]):
            return _refusal(
                "several_jobs",
                "several jobs wrote at the same time, but not in the same way; for a curve, give each block size"
                " its own job with --stonewall, so that they run one after another",
                jobs[1].line,
            )
        writers = _writers(reading, jobs)
        if writers is None:
            return _refusal(
                "missing_jobs",
                f"some of the jobs that wrote at the same time as {_named(first)} are missing: paste the output"
                " from its first line to its last",
                first.line,
            )
        if writers > MAX_WRITERS:
            return _refusal(
                "too_many_writers", f"{writers:,} writers at the same time are too many", first.line
            )
        if (writers, first.block_size, first.flush_off) in seen:
            return _refusal(
                "several_jobs",
                "two jobs wrote with the same block size; for a curve, give each block size one job",
                first.line,
            )
        seen.add((writers, first.block_size, first.flush_off))
    return None


def is_through_file_system(reading: FioReading) -> bool:
    """Say whether a file or zvol was written, whose file system adds latency."""
    return reading.target in (Target.FILE, Target.ZVOL)


@dataclass(frozen=True, slots=True)
class Rung:
    """The jobs of one number of concurrent writers, one per block size; all of them flush, or none."""

    writers: int
    jobs: tuple[FioJob, ...]

    def latency_us(self, job: FioJob) -> Decimal:
        """Return the mean time that a writer waits for one write and its flush.

        The time of all writes is shared by the writers, so it is writers * 1e6 / IOPS. That needs no latency line
        (gtod_reduce, a cut paste) and is right whether the flush is counted in the write or apart from it.
        """
        return self.writers * MICROSECONDS_A_SECOND / (job.iops or Decimal(0))

    def points(self) -> tuple[LatencyPoint, ...]:
        """Return the curve by ascending block size; the throughput is that of all writers."""
        points = [
            LatencyPoint(
                block_size=job.block_size,
                latency_us=self.latency_us(job),
                throughput_mib_s=Decimal(job.throughput_bytes_s) / MEBIBYTE
                if job.throughput_bytes_s
                else None,
                line=job.line,
            )
            for job in self.jobs
            if job.block_size and job.iops
        ]
        return tuple(sorted(points, key=lambda point: point.block_size))


def rungs_of(reading: FioReading) -> tuple[Rung, ...]:
    """Return what a run that is not refused measured, by ascending number of writers; without flushes last."""
    jobs: defaultdict[tuple[bool, int], list[FioJob]] = defaultdict(list)
    for at_once in _groups(reading):
        load = bool(at_once[0].flush_off), _writers(reading, at_once) or 1
        jobs[load].append(_summed(at_once))
    return tuple(Rung(load[1], tuple(jobs[load])) for load in sorted(jobs))


def workloads_of(reading: FioReading) -> tuple[Rung, ...]:
    """Return a rung of one job for each load of a run that refuse_as_workload accepts, in the order of the text."""
    return tuple(Rung(_writers(reading, at_once) or 1, (_summed(at_once),)) for at_once in _groups(reading))


def _groups(reading: FioReading) -> list[list[FioJob]]:
    """Return the rows that wrote, grouped by those that ran at the same time."""
    groups: defaultdict[int | None, list[FioJob]] = defaultdict(list)
    for job in _rows_that_wrote(reading):
        groups[job.group].append(job)
    return list(groups.values())


def _manner(job: FioJob) -> tuple[object, ...]:
    """Return what jobs must have in common for their figures to be added."""
    return job.block_size, job.rw, in_flight(job), job.sync, job.fsync, job.fdatasync, job.flush_off


def _writers(reading: FioReading, at_once: Sequence[FioJob]) -> int | None:
    """Return how many writes these rows had in flight together; None where rows are missing.

    fio prints a row per clone (numjobs), or one for all of them (group_reporting). The text says of each row how
    many it sums up; JSON repeats the option in the row of every clone.
    """
    if reading.missing_jobs:
        return None
    jobs = 0
    for name in dict.fromkeys(job.name for job in at_once):
        rows = [job for job in at_once if job.name == name]
        stated = [job.numjobs or 1 for job in rows]
        if reading.format == "json" and len(rows) > 1:
            if max(stated) not in (1, len(rows)):
                return None
            jobs += len(rows)
        else:
            jobs += sum(stated)
    return jobs * (in_flight(at_once[0]) or 1)


_TIMES = tuple(field.name for field in fields(FioJob) if field.name.endswith("_us"))


def _summed(at_once: Sequence[FioJob]) -> FioJob:
    """Return the rows as one: what they wrote together. Their means and percentiles can't be merged."""
    if len(at_once) == 1:
        return at_once[0]
    rates = [job.throughput_bytes_s for job in at_once]
    return replace(
        at_once[0],
        iops=sum((job.iops or Decimal(0) for job in at_once), Decimal(0)),
        throughput_bytes_s=None if None in rates else sum(rate or 0 for rate in rates),
        **dict.fromkeys(_TIMES),
    )


def _rows_that_wrote(reading: FioReading) -> list[FioJob]:
    return [job for job in reading.jobs if job.iops or job.throughput_bytes_s]


def _missing_iops(job: FioJob) -> SlogRefusal | None:
    if not job.iops:
        return _refusal("no_iops", f"{_named(job)} has no IOPS", job.line)
    return None


def _missing_sync(job: FioJob) -> SlogRefusal | None:
    if not job.sync_each_write:
        if job.direct is False:
            return _refusal(
                "page_cache", f"{_named(job)} wrote to the machine's memory, not to the disk", job.line
            )
        return _refusal(
            "not_sync_write",
            f"{_named(job)} doesn't show that each write was flushed: that takes --sync=1, --fsync=1 or --fdatasync=1"
            " (--ioengine=sync, --direct=1 and --end_fsync=1 are not enough)",
            job.line,
        )
    is_stated = job.sync or job.fsync or job.fdatasync or job.flush_latency_us is not None
    if not is_stated:
        return _refusal(
            "sync_not_stated",
            f"the writes of {_named(job)} look flushed, but no line says so: paste the command line as well",
            job.line,
        )
    return None


def _wrong_shape(job: FioJob) -> SlogRefusal | None:
    depth = in_flight(job)
    stated_at = job.setup_line or job.line
    if (job.rw or "write").partition(":")[0] not in WRITE_PATTERNS:
        return _refusal("mixed_work", f"{_named(job)} did more than write (rw={job.rw})", stated_at)
    if depth is None and job.setup_line is not None:
        return _refusal(
            "depth_not_stated",
            f"the line that states how many writes {_named(job)} kept in flight is cut off",
            stated_at,
        )
    if job.block_size is None:
        return _refusal(
            "mixed_block_sizes",
            f"{_named(job)} doesn't show a single block size for all its writes",
            stated_at,
        )
    return None


def _named(job: FioJob) -> str:
    return f"the job {job.name!r:.60}" if job.name else "the job"


def _refusal(code: str, fault: str, line: int | None = None) -> SlogRefusal:
    return SlogRefusal(code, f"{fault}. {HOW_TO_MEASURE}", line)
