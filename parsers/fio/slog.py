"""Judge whether a fio run measured what a SLOG does: single sync writes."""

import errno
import os
from dataclasses import dataclass
from decimal import Decimal

from parsers.base.readings import FioJob, FioReading, LatencyPoint
from parsers.base.target import Target
from parsers.base.units import MEBIBYTE, MICROSECONDS_A_SECOND
from parsers.fio.options import in_flight

WRITE_PATTERNS = ("write", "randwrite")

LADDER_BYTES = tuple(512 << step for step in range(15))  # 512 B to 8 MiB, the sizes of diskinfo
SECONDS_A_SIZE = 1


def ladder_command(path: str) -> str:
    """Return a fio command with a job per block size.

    The shell skips sizes smaller than a sector of the disk.
    """
    options = (
        f"--filename={path} --rw=randwrite --norandommap --ioengine=psync --direct=1 --fdatasync=1"
        f" --runtime={SECONDS_A_SIZE} --time_based --stonewall --output-format=json"
    )
    sizes = " ".join(str(size) for size in LADDER_BYTES)
    jobs = f'[ "$bs" -ge "$(blockdev --getss {path})" ] && echo "--name=bs$bs --bs=$bs"'
    return f"fio --name=global {options} $(for bs in {sizes}; do {jobs}; done)"


RIGHT_COMMAND = ladder_command("/dev/EMPTY_DISK")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a run is no SLOG result: a stable code, a sentence with the right command."""

    code: str
    message: str
    line: int | None = None  # of the figure in question


def refuse_as_slog(reading: FioReading) -> Refusal | None:
    """Return the first reason why the run is no SLOG result, None where it is one.

    A failed job is no measurement. Rows that wrote nothing are skipped; every row that wrote must fit.
    """
    for job in reading.jobs:
        if job.error:
            meaning = f" ({os.strerror(job.error)})" if job.error in errno.errorcode else ""
            return _refusal("job_failed", f"{_named(job)} failed with error {job.error}{meaning}", job.line)
    rows = _rows_that_wrote(reading)
    if not rows:
        return _refusal("no_writes", "this fio run has no write results")
    for job in rows:
        fault = _missing_iops(job) or _missing_sync(job) or _wrong_shape(job)
        if fault is not None:
            return fault
    groups, sizes = set(), set()
    for job in rows:
        if job.group in groups or job.block_size in sizes:
            return _refusal(
                "several_jobs",
                "several jobs wrote at the same time, or with the same block size; for a curve, give each block size"
                " its own job with --stonewall, so that they run one after another",
                job.line,
            )
        groups.add(job.group)
        sizes.add(job.block_size)
    return None


def is_through_file_system(reading: FioReading) -> bool:
    """Say whether a file or zvol was written, whose file system adds latency."""
    return reading.target in (Target.FILE, Target.ZVOL)


def file_sync_jobs(reading: FioReading) -> tuple[FioJob, ...]:
    """Return the jobs of a run that made single sync writes through a file system or a volume.

    etcd's test is one: `--fdatasync=1 --bs=2300 --directory=...`. None where the run is refused, or wrote to a device
    or a part of one.
    """
    is_raw = reading.target in (Target.DEVICE, Target.PARTITION, Target.SLICE)
    return () if is_raw or refuse_as_slog(reading) else tuple(_rows_that_wrote(reading))


def slog_points(reading: FioReading) -> tuple[LatencyPoint, ...]:
    """Return the curve of a run that is not refused, by ascending block size.

    One write after the other, each with its flush: the time of both is 1e6 / IOPS. That needs no latency line
    (gtod_reduce, a cut paste) and is right whether the flush is counted in the write or apart from it.
    """
    points = [
        LatencyPoint(
            block_size=job.block_size,
            latency_us=MICROSECONDS_A_SECOND / job.iops,
            throughput_mib_s=Decimal(job.throughput_bytes_s) / MEBIBYTE if job.throughput_bytes_s else None,
            line=job.line,
        )
        for job in _rows_that_wrote(reading)
        if job.block_size and job.iops
    ]
    return tuple(sorted(points, key=lambda point: point.block_size))


def _rows_that_wrote(reading: FioReading) -> list[FioJob]:
    return [job for job in reading.jobs if job.iops or job.throughput_bytes_s]


def _missing_iops(job: FioJob) -> Refusal | None:
    if not job.iops:
        return _refusal("no_iops", f"{_named(job)} has no IOPS", job.line)
    return None


def _missing_sync(job: FioJob) -> Refusal | None:
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


def _wrong_shape(job: FioJob) -> Refusal | None:
    depth = in_flight(job)
    stated_at = job.setup_line or job.line
    if (job.rw or "write").partition(":")[0] not in WRITE_PATTERNS:
        return _refusal("mixed_work", f"{_named(job)} did more than write (rw={job.rw})", stated_at)
    if depth is not None and depth > 1:
        return _refusal(
            "depth_above_one",
            f"{_named(job)} kept {depth} writes in flight, but a SLOG waits for each one",
            stated_at,
        )
    if depth is None and job.setup_line is not None:
        return _refusal(
            "depth_not_stated",
            f"the line that states how many writes {_named(job)} kept in flight is cut off",
            stated_at,
        )
    if job.numjobs is not None and job.numjobs > 1:
        return _refusal(
            "several_jobs", f"{job.numjobs} copies of {_named(job)} wrote at the same time", job.line
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


def _refusal(code: str, fault: str, line: int | None = None) -> Refusal:
    message = f"{fault}. This command measures what we compare (it overwrites the disk): {RIGHT_COMMAND}"
    return Refusal(code, message, line)
