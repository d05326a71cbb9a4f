"""Find runs through a file system or volume in a parsed paste."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parsers.base.readings import (
    DiskinfoReading,
    FileSyncReading,
    FioReading,
    Notice,
    PairedDevice,
    ParsedPaste,
    PgTestFsyncReading,
    PveperfReading,
    SlogprobeReading,
)
from parsers.base.target import Target
from parsers.base.units import GIBIBYTE
from parsers.fio.slog import Rung, refuse_as_slog, rungs_of
from results.core.formats import round_figure
from results.kinds.envelope import (
    Run,
    Stated,
    UnnamedDeviceError,
    describe_device,
    fitting_condition,
    fitting_text,
)
from results.kinds.file_sync.metrics import Rows, typical_row
from results.kinds.file_sync.models import LONGEST_LAYER
from results.kinds.layers import DISKINFO, FIO, PG_TEST_FSYNC, PVEPERF, SLOGPROBE
from results.kinds.load import (
    is_of_device,
    join_loops,
    load_of_both,
    load_of_jobs,
    slow_sync_us,
    stored_writers,
)
from results.kinds.pool.pools import is_on_pool
from results.kinds.refused import Refused, refuse

NEVER_RANKED = (
    "Writes through a file system or volume aren't ranked: the layers between them and the device differ."
)
OTHER_TOOL = "We rank only figures from diskinfo, slogprobe and fio."
_VOLUMES = {Target.ZVOL: "zvol", Target.LVM: "lvm", Target.MD: "md"}
Measured = DiskinfoReading | SlogprobeReading | FioReading | FileSyncReading


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSyncRun(Run):
    """A run that measured how long sync writes take through `layer`."""

    layer: str
    rows: Rows

    @property
    def payload(self) -> Mapping[str, Any]:
        return {"layer": self.layer, "rows": list(self.rows), "writers": self.writers}


def row(
    method: str,
    latency_us: float | None,
    *,
    section: str | None = None,
    block_size: int | None = None,
    writes: int | None = 1,
    p99_us: float | None = None,
) -> dict[str, Any]:
    """One figure of a run.

    `latency_us` is the mean time of `writes` writes of `block_size` bytes with their sync. It is None for a method
    that the system lacks. `section` is one of pg_test_fsync's.
    """
    return {
        "section": section,
        "method": method,
        "block_size": block_size,
        "writes": writes,
        "latency_us": None if latency_us is None else round_figure(latency_us),
        "p99_us": p99_us,
    }


def find_file_syncs(paste: ParsedPaste, stated: Stated) -> Iterator[Run | Refused]:
    """Find all such runs, one per number of writers; shell loops of fio are joined."""
    found = [
        run
        for device, measured in _measurements(paste, stated)
        for run in _runs(device, measured, paste, stated)
    ]
    yield from (run for run in found if isinstance(run, Refused))
    yield from join_loops((run for run in found if isinstance(run, FileSyncRun)), FIO, _join)


def _join(run: FileSyncRun, following: FileSyncRun) -> FileSyncRun | None:
    if {row["block_size"] for row in run.rows} & {row["block_size"] for row in following.rows}:
        return None
    rows = [*run.rows, *following.rows]
    return replace(run, rows=rows, **load_of_both(run, following), last_line=following.last_line)


def _measurements(paste: ParsedPaste, stated: Stated) -> Iterator[tuple[PairedDevice, Measured]]:
    for device in paste.devices:
        for index in (device.diskinfo, device.slogprobe, device.fio, *device.pg_test_fsync, *device.pveperf):
            reading = None if index is None else paste.readings[index]
            if (
                isinstance(reading, DiskinfoReading | SlogprobeReading)
                and reading.points
                and not is_of_device(reading.target)
            ):
                yield device, reading
            if (
                isinstance(reading, FioReading)
                and reading.jobs
                and not is_of_device(reading.target)
                and not is_on_pool(reading, paste, stated)
            ):
                yield device, reading
            if isinstance(reading, PgTestFsyncReading | PveperfReading):
                yield device, reading


def _runs(
    device: PairedDevice, measured: Measured, paste: ParsedPaste, stated: Stated
) -> Sequence[FileSyncRun | Refused]:
    """The run, or one for each number of writers."""
    if isinstance(measured, FioReading) and (refusal := refuse_as_slog(measured)) is not None:
        return [refuse(measured, refusal)]
    described = (measured.description or "") if isinstance(measured, DiskinfoReading) else ""
    try:
        for_device = describe_device(device, paste, line=measured.first_line, described=described)
    except UnnamedDeviceError as error:
        return [refuse(measured, error.notice)]
    if isinstance(measured, PveperfReading) and _is_larger(measured, device):
        message = "This file system is larger than the device in the text, so it isn't on that device alone."
        return [refuse(measured, Notice("larger_than_device", message, measured.first_line))]
    run = FileSyncRun(
        **for_device,
        method=FIO,
        rows=(),
        layer=_layer(measured),
        is_complete=measured.complete,
        not_ranked_reason=NEVER_RANKED,
        path=fitting_condition(measured.path),
        first_line=measured.first_line,
        last_line=measured.last_line,
        measured_on=stated.day_of(measured.measured_on),
    )
    if isinstance(measured, FioReading):
        runs = [_by_fio(run, rung) for rung in rungs_of(measured)]
    else:
        method, rows = _figures(measured)
        runs = [replace(run, method=method, rows=rows)]
    if any(typical_row(run.rows) is None for run in runs):
        message = "We couldn't read any figure in this run: paste the output from its first line to its last."
        return [refuse(measured, Notice("no_figure", message, measured.first_line))]
    return runs


def _is_larger(measured: PveperfReading, device: PairedDevice) -> bool:
    size_gb = measured.hd_size_gb
    return (
        size_gb is not None
        and device.capacity is not None
        and float(size_gb) * GIBIBYTE > device.capacity * 1.1
    )


def _layer(measured: Measured) -> str:
    volume = _VOLUMES.get(measured.target)
    stated = None if isinstance(measured, DiskinfoReading) else measured.layer
    return fitting_text(volume or stated, longest=LONGEST_LAYER)


def _figures(measured: DiskinfoReading | SlogprobeReading | FileSyncReading) -> tuple[str, Rows]:
    """The method that the result is stored by, and its rows."""
    if isinstance(measured, DiskinfoReading):
        return DISKINFO, [
            row("flush", float(point.latency_us), block_size=point.block_size) for point in measured.points
        ]
    if isinstance(measured, SlogprobeReading):
        return SLOGPROBE, [
            row(
                measured.flush or "flush",
                float(printed.latency_us),
                block_size=printed.block_size,
                p99_us=printed.tail_us[0],
            )
            for printed in measured.rows
        ]
    if isinstance(measured, PveperfReading):
        return PVEPERF, [row("fsync", 1e6 / float(measured.fsyncs_s) if measured.fsyncs_s else None)]
    return PG_TEST_FSYNC, [
        row(
            printed.method,
            1e6 / float(printed.ops_s) if printed.ops_s else None,
            section=printed.section,
            block_size=printed.write_size,
            writes=printed.writes,
        )
        for printed in measured.rows
    ]


def _by_fio(run: FileSyncRun, rung: Rung) -> FileSyncRun:
    """The run with the figures of a number of writers."""
    rows = [
        row(
            "fdatasync" if job.fdatasync else "fsync" if job.fsync else "open_sync",
            float(rung.latency_us(job)),
            block_size=job.block_size,
            p99_us=slow_sync_us(job),
        )
        for job in rung.jobs
    ]
    return replace(run, rows=rows, writers=stored_writers(rung), **load_of_jobs(rung.jobs))
