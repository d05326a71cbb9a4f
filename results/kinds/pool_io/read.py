"""Find workloads on pools in a parsed paste and among what its sender states."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any

from parsers.base.readings import (
    DdReading,
    FioJob,
    FioReading,
    IozoneReading,
    Notice,
    ParsedPaste,
    ZpoolIostatReading,
    ZpoolIostatRow,
)
from parsers.base.target import Target, target_of
from parsers.base.units import GIBIBYTE, bytes_of_size_option
from parsers.fio.slog import refuse_as_slog, refuse_as_workload, workloads_of
from results.kinds.envelope import DescribedPool, RowRun, Run, Stated, fitting_condition, payload_of
from results.kinds.flags import Flag
from results.kinds.load import load_of_jobs, slow_sync_us
from results.kinds.pool_io.checks import Workload, check_workload
from results.kinds.pool_io.models import NO_LOG, READ, SYNC_MODES, WITH_LOG, WRITE, PoolIO
from results.kinds.pool_io.pools import (
    LOG,
    FoundPool,
    describe_pool,
    described_logs,
    is_on_pool,
    log_name_of,
    mount_of,
    other_pool,
    pool_at,
    pools_of,
)
from results.kinds.pool_io.questions import LAYOUT_KEYS
from results.kinds.pool_io.timings import TimingError, read_timing
from results.kinds.refused import Refused, refuse, refused
from results.kinds.told import LINE, TIMING
from results.models.choices import DataContent

DD, FIO, TIMED = "dd", "fio_pool", "timing"
OTHER = "other_on_pool"  # of published figures only
NEVER_RANKED = (
    "Workloads on pools aren’t ranked: layout, memory and settings differ from one pool to the next."
)
FIO_NOTICES = frozenset({"file_system"})
DEVICE_NODE = (
    "This dd wrote to or read from a device node, so it says nothing about a pool, and little about a SLOG: "
    "measure the device itself with fio or diskinfo -wS."
)
NANOSECONDS = 1000  # a microsecond
_ZERO, _RANDOM = "/dev/zero", ("/dev/urandom", "/dev/random")
_EACH_WRITE = re.compile(r"\boflag=\S*?\bd?sync\b")
_DISCARDED = {"/dev/null", "/dev/zero"}
OMITS_BOOT = re.compile(r"\s-[a-zA-Z]*y")


@dataclass(frozen=True, slots=True)
class Paste:
    """A text with the pools that it describes, and where its runs on other pools are."""

    paste: ParsedPaste
    pools: list[FoundPool]
    mounts: tuple[str, ...]
    stated: Stated

    def run_at(self, path: str, first_line: int) -> "Where":
        return Where(path, self, LINE.format(self.paste.sent_line(first_line)), first_line)


@dataclass(frozen=True, slots=True)
class Where:
    """Where a run was, and under which name its sender answers about it."""

    path: str
    within: Paste
    told_as: str
    line: int | None = None  # where it begins in the text

    @property
    def answers(self) -> dict[str, str]:
        return self.within.stated.told.about(self.told_as)

    def log_name(self, slug: str) -> str:
        """The name of the log device that its sender names."""
        return self.within.stated.device_labels.get(slug, slug)

    @property
    def found(self) -> FoundPool | None:
        """Its pool, if the text describes it."""
        at = pool_at(self.path, self.within.pools, self.answers)
        return None if at is None else self.within.pools[at]

    @property
    def pool(self) -> DescribedPool:
        within = self.within
        at = pool_at(self.path, within.pools, self.answers)
        if at is not None:
            return describe_pool(at, within.pools, within.paste, within.stated)
        mount = mount_of(self.path)
        beyond = within.mounts.index(mount) if mount in within.mounts else 0
        return other_pool(
            len(within.pools) + beyond + 1,
            within.paste,
            within.stated,
            is_only=len(within.mounts) < 2 and not within.pools,
        )


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
                refused("dd_on_device", DEVICE_NODE, *lines) if _is_of_node(reading) else _dd(reading, within)
            ]
        elif isinstance(reading, FioReading) and reading.jobs and is_on_pool(reading, paste, stated):
            found = list(_fio(reading, within))
        yield from (one for one in found if isinstance(one, Refused))
        runs += [one for one in found if isinstance(one, PoolRun)]
    yield from _with_log_activity(runs, paste)
    yield from _timings(within)


def paste_with_pools(paste: ParsedPaste, stated: Stated) -> Paste:
    """The text with its pools, as all kinds about pools number them."""
    pools = pools_of(paste)
    elsewhere = (path for path in _paths(paste, stated) if pool_at(path, pools, {}) is None)
    return Paste(paste, pools, tuple(dict.fromkeys(map(mount_of, elsewhere))), stated)


def _paths(paste: ParsedPaste, stated: Stated) -> Iterator[str]:
    """The paths of all runs, in the order of the text."""
    for reading in paste.readings:
        if isinstance(reading, DdReading) and not _is_of_node(reading):
            yield _path_of(reading)
        elif isinstance(reading, FioReading) and is_on_pool(reading, paste, stated):
            yield reading.path or ""
        elif isinstance(reading, IozoneReading):
            yield path_of_iozone(reading)


def path_of_iozone(reading: IozoneReading) -> str:
    """The file that its command names, masked; "" for one in the folder where it ran."""
    words = (reading.command or "").split()
    return next((path for option, path in pairwise(words) if option in {"-f", "-F"}), "")


def _path_of(reading: DdReading) -> str:
    return (reading.input if _is_read(reading) else reading.output) or ""


def _is_of_node(reading: DdReading) -> bool:
    """Whether dd read or wrote a device, part of one, or something built on devices other than a pool."""
    path = reading.input if _is_read(reading) else reading.output
    return path not in {None, _ZERO, *_DISCARDED, *_RANDOM} and target_of(path) not in (
        Target.FILE,
        Target.ZVOL,
    )


def _is_read(reading: DdReading) -> bool:
    return reading.output in _DISCARDED or (
        reading.output is None and bool(reading.input) and reading.input != _ZERO
    )


def _dd(reading: DdReading, within: Paste) -> PoolRun:
    is_read = _is_read(reading)
    content = {_ZERO: DataContent.ZEROS.value, **dict.fromkeys(_RANDOM, DataContent.RANDOM.value)}
    data_content = None if is_read else content.get(reading.input or "")
    each_synced = (
        None if reading.command is None else bool(_EACH_WRITE.search(reading.command)) and not is_read
    )
    iops = reading.throughput_bytes_s / reading.block_size if reading.block_size and each_synced else None
    return _run(
        within.run_at(_path_of(reading), reading.first_line),
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
    refused = refuse_as_slog(reading)
    settled = FIO_NOTICES | ({refused.code} if refused else frozenset())
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
    for number, line in enumerate(within.stated.told.timings, start=1):
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


def _run(where: Where, *, figures: Mapping[str, Any], **of_run: Any) -> PoolRun:
    pool = where.pool
    return checked_run(
        pool,
        {**figures, **conditions_at(where, pool, figures)},
        path=where.path,
        told_as=where.told_as,
        answered=answered_at(where, pool, figures),
        **of_run,
    )


def checked_run(
    pool: DescribedPool,
    figures: Mapping[str, Any],
    *,
    tool: str,
    path: str = "",
    day: date | None = None,
    doubts: Iterable[Flag] = (),
    **of_run: Any,
) -> PoolRun:
    """A run with its flags, after `doubts`; `day` is a day by which it had ended, used if no other is known."""
    workload = Workload(
        payload=payload_of(PoolIO, figures),
        tool=tool,
        data_content=of_run.get("data_content"),
        layout=pool.layout,
        is_complete=of_run["is_complete"],
        target=target_of(path) if path else Target.FILE,
        is_direct=of_run.get("is_direct"),
        platform=pool.platform,
        zfs_version=pool.zfs_version,
        day=of_run.get("measured_on") or day,
    )
    return PoolRun(
        pool=pool,
        path=fitting_condition(path),
        platform=pool.platform,
        not_ranked_reason=NEVER_RANKED,
        flags=(*doubts, *check_workload(workload)),
        figures=figures,
        **of_run,
    )


def conditions_at(where: Where, pool: DescribedPool, figures: Mapping[str, Any]) -> dict[str, Any]:
    """What the sender states about the run, else the text."""
    answers = where.answers
    found = where.found
    of_text = {name: found.property_of(where.path, name, where.line) if found else "" for name in _PROPERTIES}
    size = of_text["recordsize"] or of_text["volblocksize"]
    log = answers.get("log", "") or (WITH_LOG if answers.get("log_device") else "") or _log_of_text(where)
    slug = answers.get("log_device", "") if log == WITH_LOG else ""
    memory = int(answers["arc_gib"]) * GIBIBYTE if "arc_gib" in answers else figures.get("arc_bytes")
    return {
        "log": log,
        "log_device": slug,
        "log_name": (where.log_name(slug) if slug else _log_name(where, pool)) if log == WITH_LOG else "",
        "sync_mode": of_text["sync"] if of_text["sync"] in SYNC_MODES else answers.get("sync", ""),
        "record_size": bytes_of_size_option(size)
        if size
        else int(answers["recordsize"])
        if "recordsize" in answers
        else None,
        "compression": of_text["compression"][:20] or answers.get("compression", ""),
        "access": answers.get("access", ""),
        "arc_bytes": memory,
    }


_PROPERTIES = ("sync", "recordsize", "volblocksize", "compression")


def answered_at(where: Where, pool: DescribedPool, figures: Mapping[str, Any]) -> frozenset[str]:
    """The questions that needn't be asked: what the text says itself."""
    found, within = where.found, where.within
    of_several = found is None and (bool(within.pools) or len(within.mounts) > 1)
    is_layout_known = of_several or bool(found and found.status)  # one answer can't describe several pools
    states = {
        "pool": len(within.pools) < 2 or (found is not None and "pool" not in where.answers),
        "log_device": bool(pool.logs),
        "arc_gib": bool(figures.get("arc_bytes")),
        "system": bool(pool.platform) and "system" not in within.stated.told.about(),
        **dict.fromkeys(LAYOUT_KEYS, is_layout_known),
    }
    if found is not None:
        stated = {key: found.property_of(where.path, key, where.line) for key in _PROPERTIES}
        states |= {key: bool(stated[key]) for key in ("sync", "compression")}
        sizes = (stated[name] for name in ("recordsize", "volblocksize"))
        states["recordsize"] = any(sizes)
    return frozenset(key for key, is_known in states.items() if is_known)


def _log_of_text(where: Where) -> str:
    """Whether the table of the pool nearest to the run has a log device; "" without a table."""
    found = where.found
    if found is None or found.status is None:
        return ""
    return WITH_LOG if found.logs_at(where.line) else NO_LOG


def _log_name(where: Where, pool: DescribedPool) -> str:
    """The log devices during the run in words; those of the pool, unless the text shows that they changed."""
    found = where.found
    if found is None or len(found.statuses) < 2:
        return log_name_of(pool.logs)
    return log_name_of(described_logs(found.logs_at(where.line), where.within.paste))


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
    during = samples if any(OMITS_BOOT.search(one.command or "") for one in samples) else samples[1:]
    pool = [row for one in during for row in one.rows if row.depth == 0]
    logs = [row for one in during for row in one.rows if row.role == LOG and row.depth == 1]
    if not pool or not logs:
        return None
    ops, all_ops = (_sum(rows, "write_ops_s") for rows in (logs, pool))
    written, all_written = (_sum(rows, "write_bytes_s") for rows in (logs, pool))
    waits = [
        (float(wait), float(row.figures.get("write_ops_s") or 0))
        for row in logs
        if (wait := row.figures.get("total_wait_write_ns")) is not None
    ]
    weight = sum(one for _, one in waits)
    return {
        "ops_share": _share(ops, all_ops),
        "bytes_share": _share(written, all_written),
        "latency_us": round(sum(wait * one for wait, one in waits) / weight / NANOSECONDS, 3)
        if weight
        else None,
        "samples": len(during),
    }


def _sum(rows: Sequence[ZpoolIostatRow], name: str) -> float:
    return sum(float(row.figures.get(name) or 0) for row in rows)


def _share(part: float, whole: float) -> float | None:
    return round(min(part / whole, 1.0), 4) if whole else None
