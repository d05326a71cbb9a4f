"""Find workloads on pools in a parsed paste and among what its sender states."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from parsers.base.readings import (
    DdReading,
    FioJob,
    FioReading,
    Notice,
    ParsedPaste,
    ZpoolIostatReading,
    ZpoolIostatRow,
)
from parsers.base.target import Target, target_of
from parsers.fio.slog import refuse_as_slog, refuse_as_workload, workloads_of
from results.kinds.answers import TIMING
from results.kinds.envelope import DescribedPool, RowRun, Run, Stated, fitting_condition, payload_of
from results.kinds.flags import Flag
from results.kinds.load import load_of_jobs, slow_sync_us
from results.kinds.pool.models import DD, FIO, READ, TIMED, WRITE, PoolIO
from results.kinds.pool.pools import LOG, is_on_pool
from results.kinds.pool.runs import (
    OMITS_BOOT,
    RANDOM,
    ZERO,
    Paste,
    Where,
    answered_at,
    conditions_at,
    is_of_node,
    is_of_reads,
    paste_with_pools,
    path_of_dd,
)
from results.kinds.pool_io.checks import Workload, check_workload
from results.kinds.pool_io.timings import TimingError, read_timing
from results.kinds.refused import Refused, refuse, refused
from results.models.choices import DataContent

NEVER_RANKED = (
    "Workloads on pools aren’t ranked: layout, memory and settings differ from one pool to the next."
)
FIO_NOTICES = frozenset({"file_system"})
DEVICE_NODE = (
    "This dd wrote to or read from a device node, so it says nothing about a pool, and little about a SLOG: "
    "measure the device itself with fio or diskinfo -wS."
)
NANOSECONDS = 1000  # a microsecond
_EACH_WRITE = re.compile(r"\boflag=\S*?\bd?sync\b")


class PoolRun(RowRun):
    """A workload on a pool."""

    table = PoolIO


def find_workloads(paste: ParsedPaste, stated: Stated) -> Iterator[Run | Refused | Notice]:
    """Find all workloads, one for each dd, each load of fio and each timing."""
    within = paste_with_pools(paste, stated)
    runs: list[PoolRun] = []
    for reading in paste.readings:
        found: list[PoolRun | Refused] = []
        if isinstance(reading, DdReading):
            lines = (reading.first_line, reading.last_line)
            found = [
                refused("dd_on_device", DEVICE_NODE, *lines) if is_of_node(reading) else _dd(reading, within)
            ]
        elif isinstance(reading, FioReading) and reading.jobs and is_on_pool(reading, paste, stated):
            found = list(_fio(reading, within))
        yield from (run for run in found if isinstance(run, Refused))
        runs += [run for run in found if isinstance(run, PoolRun)]
    yield from _with_log_activity(runs, paste)
    yield from _timings(within)


def _dd(reading: DdReading, within: Paste) -> PoolRun:
    is_read = is_of_reads(reading)
    content = {ZERO: DataContent.ZEROS.value, **dict.fromkeys(RANDOM, DataContent.RANDOM.value)}
    data_content = None if is_read else content.get(reading.input or "")
    each_synced = (
        None if reading.command is None else bool(_EACH_WRITE.search(reading.command)) and not is_read
    )
    iops = reading.throughput_bytes_s / reading.block_size if reading.block_size and each_synced else None
    return _run(
        within.run_at(path_of_dd(reading), reading.first_line),
        method=DD,
        tool="dd",
        is_complete=reading.complete,
        first_line=reading.first_line,
        last_line=reading.last_line,
        measured_on=within.stated.day_of(reading.measured_on),
        data_content=data_content,
        pattern="sequential",
        is_direct=reading.is_direct,
        figures={
            "direction": READ if is_read else WRITE,
            "block_size": reading.block_size,
            "data_bytes": reading.bytes,
            "seconds": float(reading.seconds),
            "throughput_bytes_s": float(reading.throughput_bytes_s),
            "iops": iops,
            "each_synced": each_synced,
            "is_synced": None if is_read else reading.is_synced,
            "arc_bytes": reading.memory_bytes,
        },
    )


def _fio(reading: FioReading, within: Paste) -> Iterator[PoolRun | Refused]:
    """A run for each load, one after another; a job of several clones is one load."""
    refusal = refuse_as_workload(reading)
    if refusal is not None:
        yield refuse(reading, refusal)
        return
    refusal = refuse_as_slog(reading)
    settled = FIO_NOTICES | ({refusal.code} if refusal else frozenset())
    for rung in workloads_of(reading):
        (job,) = rung.jobs
        first_line = job.line if job.line and reading.first_line <= job.line else reading.first_line
        yield _run(
            within.run_at(reading.path or "", first_line),
            method=FIO,
            tool="fio",
            is_complete=reading.complete,
            first_line=first_line,
            last_line=max(reading.last_line, first_line),
            measured_on=within.stated.day_of(reading.measured_on),
            writers=rung.writers if rung.writers > 1 else None,
            settled=settled,
            figures=_figures(job),
            **load_of_jobs(rung.jobs),
        )


def _figures(job: FioJob) -> dict[str, Any]:
    each_synced = (
        True if job.sync_each_write else False if job.sync_each_write is False or job.flush_off else None
    )
    return {
        "direction": WRITE,
        "block_size": job.block_size,
        "throughput_bytes_s": _rate(job),
        "iops": float(job.iops) if job.iops else None,
        "p99_us": slow_sync_us(job),
        "each_synced": each_synced,
        "is_synced": each_synced,
    }


def _rate(job: FioJob) -> float | None:
    if job.throughput_bytes_s:
        return float(job.throughput_bytes_s)
    return float(job.iops * job.block_size) if job.iops and job.block_size else None


def _timings(within: Paste) -> Iterator[PoolRun | Notice]:
    for number, line in enumerate(within.stated.answers.timings, start=1):
        if not line:
            continue
        try:
            timing = read_timing(line, number)
        except TimingError as error:
            yield Notice("timing", str(error))
            continue
        yield _run(
            Where("", within, TIMING.format(number)),
            method=TIMED,
            tool="",
            is_complete=True,
            measured_on=within.stated.day_of(None),
            settled=frozenset({"no_benchmark"}),
            figures={"work": timing.work, "seconds": timing.seconds},
        )


def _run(where: Where, *, figures: Mapping[str, Any], **for_run: Any) -> PoolRun:
    pool = where.pool
    return checked_run(
        pool,
        {**figures, **conditions_at(where, pool, figures)},
        path=where.path,
        answers_key=where.answers_key,
        answered=answered_at(where, pool, figures),
        **for_run,
    )


def checked_run(
    pool: DescribedPool,
    figures: Mapping[str, Any],
    *,
    tool: str,
    path: str = "",
    day: date | None = None,
    doubts: Iterable[Flag] = (),
    **for_run: Any,
) -> PoolRun:
    """A run with its flags, after `doubts`; `day` is a day by which it had ended, used if no other is known."""
    workload = Workload(
        payload=payload_of(PoolIO, figures),
        tool=tool,
        data_content=for_run.get("data_content"),
        layout=pool.layout,
        is_complete=for_run["is_complete"],
        target=target_of(path) if path else Target.FILE,
        is_direct=for_run.get("is_direct"),
        platform=pool.platform,
        zfs_version=pool.zfs_version,
        day=for_run.get("measured_on") or day,
    )
    return PoolRun(
        pool=pool,
        path=fitting_condition(path),
        platform=pool.platform,
        not_ranked_reason=NEVER_RANKED,
        flags=(*doubts, *check_workload(workload)),
        figures=figures,
        **for_run,
    )


def _with_log_activity(runs: list[PoolRun], paste: ParsedPaste) -> list[PoolRun]:
    """The runs, each with what zpool iostat shows of the log during it: it belongs to the nearest run above it."""
    samples: dict[int, list[ZpoolIostatReading]] = {}
    for reading in paste.readings:
        if isinstance(reading, ZpoolIostatReading) and reading.form in {"verbose", "latency"} and runs:
            above = [at for at, run in enumerate(runs) if (run.first_line or 0) <= reading.first_line]
            samples.setdefault(above[-1] if above else 0, []).append(reading)
    return [
        replace(run, figures={**run.figures, "log_activity": log_activity(samples[at])})
        if at in samples
        else run
        for at, run in enumerate(runs)
    ]


def log_activity(samples: Sequence[ZpoolIostatReading]) -> dict[str, Any] | None:
    """What zpool iostat shows of the log devices during a run; None if it shows nothing of that time.

    The first sample is the average since boot, unless the command has -y: it says nothing about the run.
    """
    during = samples if any(OMITS_BOOT.search(sample.command or "") for sample in samples) else samples[1:]
    pool = [row for reading in during for row in reading.rows if row.depth == 0]
    logs = [row for reading in during for row in reading.rows if row.role == LOG and row.depth == 1]
    if not pool or not logs:
        return None
    ops, all_ops = (_sum(rows, "write_ops_s") for rows in (logs, pool))
    written, all_written = (_sum(rows, "write_bytes_s") for rows in (logs, pool))
    waits = [
        (float(wait), float(row.figures.get("write_ops_s") or 0))
        for row in logs
        if (wait := row.figures.get("total_wait_write_ns")) is not None
    ]
    weight = sum(ops_s for _, ops_s in waits)
    return {
        "ops_share": _share(ops, all_ops),
        "bytes_share": _share(written, all_written),
        "latency_us": round(sum(wait * ops_s for wait, ops_s in waits) / weight / NANOSECONDS, 3)
        if weight
        else None,
        "samples": len(during),
    }


def _sum(rows: Sequence[ZpoolIostatRow], name: str) -> float:
    return sum(float(row.figures.get(name) or 0) for row in rows)


def _share(part: float, whole: float) -> float | None:
    return round(min(part / whole, 1.0), 4) if whole else None
