"""The runs in a parsed paste that wrote through a file system, or to a volume built on devices."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parsers.base.readings import (
    DiskinfoReading,
    FileSyncReading,
    FioJob,
    FioReading,
    Notice,
    PairedDevice,
    ParsedPaste,
    PgTestFsyncReading,
    PveperfReading,
)
from parsers.base.target import Target
from parsers.base.units import GIBIBYTE
from parsers.fio.slog import refuse_as_slog
from results.kinds.base import Refused, refuse
from results.kinds.envelope import (
    Calendar,
    Run,
    UnnamedDeviceError,
    describe_device,
    fitting_condition,
    fitting_text,
)
from results.kinds.file_sync.metrics import Rows, typical_row
from results.kinds.file_sync.models import LONGEST_LAYER
from results.kinds.latency_curve.read import is_of_device, sync_method_of

PG_TEST_FSYNC, PVEPERF, FIO, DISKINFO = "pg_test_fsync", "pveperf", "fio_file", "diskinfo_volume"
NEVER_RANKED = (
    "Writes through a file system or volume aren't ranked: the layers between them and the device differ."
)
_VOLUMES = {Target.ZVOL: "zvol", Target.LVM: "lvm", Target.MD: "md"}
Measured = DiskinfoReading | FioReading | FileSyncReading


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSyncRun(Run):
    """A run that measured how long sync writes take through `layer`."""

    layer: str
    rows: Rows

    @property
    def payload(self) -> Mapping[str, Any]:
        return {"layer": self.layer, "rows": list(self.rows)}


def row(
    method: str,
    latency_us: float | None,
    *,
    section: str | None = None,
    block_size: int | None = None,
    writes: int | None = 1,
    p99_us: float | None = None,
) -> dict[str, Any]:
    """One figure: `latency_us` is the mean time of `writes` writes of `block_size` bytes with their sync.

    `latency_us` is None for a method that the system lacks. `section` is one of pg_test_fsync's.
    """
    return {
        "section": section,
        "method": method,
        "block_size": block_size,
        "writes": writes,
        "latency_us": None if latency_us is None else float(f"{latency_us:.7g}"),
        "p99_us": p99_us,
    }


def find_file_syncs(paste: ParsedPaste, calendar: Calendar) -> Iterator[Run | Refused]:
    """All such runs; a shell loop that ran fio once per block size is one."""
    held: FileSyncRun | None = None
    for device, measured in _measurements(paste):
        found = _run(device, measured, paste, calendar)
        if isinstance(found, Refused):
            yield found
        elif held is not None and _continues(held, found):
            held = replace(held, rows=[*held.rows, *found.rows], last_line=found.last_line)
        else:
            if held is not None:
                yield held
            held = found
    if held is not None:
        yield held


def _measurements(paste: ParsedPaste) -> Iterator[tuple[PairedDevice, Measured]]:
    for device in paste.devices:
        for index in (device.diskinfo, device.fio, *device.pg_test_fsync, *device.pveperf):
            reading = None if index is None else paste.readings[index]
            if isinstance(reading, DiskinfoReading) and reading.points and not is_of_device(reading.target):
                yield device, reading
            if isinstance(reading, FioReading) and reading.jobs and not is_of_device(reading.target):
                yield device, reading
            if isinstance(reading, PgTestFsyncReading | PveperfReading):
                yield device, reading


def _continues(run: FileSyncRun, following: FileSyncRun) -> bool:
    is_same = (run.identity, run.unit, run.path) == (following.identity, following.unit, following.path)
    sizes, next_sizes = ({one["block_size"] for one in rows} for rows in (run.rows, following.rows))
    return is_same and run.method == following.method == FIO and sizes.isdisjoint(next_sizes)


def _run(
    device: PairedDevice, measured: Measured, paste: ParsedPaste, calendar: Calendar
) -> FileSyncRun | Refused:
    if isinstance(measured, FioReading) and (refusal := refuse_as_slog(measured)) is not None:
        return refuse(measured, refusal)
    described = (measured.description or "") if isinstance(measured, DiskinfoReading) else ""
    try:
        of_device = describe_device(device, paste, line=measured.first_line, described=described)
    except UnnamedDeviceError as error:
        return refuse(measured, error.notice)
    if isinstance(measured, PveperfReading) and _is_larger(measured, device):
        message = "This file system is larger than the device in the text, so it isn't on that device alone."
        return refuse(measured, Notice("larger_than_device", message, measured.first_line))
    method, rows = _figures(measured)
    if typical_row(rows) is None:
        message = "We couldn't read any figure in this run: paste the output from its first line to its last."
        return refuse(measured, Notice("no_figure", message, measured.first_line))
    return FileSyncRun(
        **of_device,
        method=method,
        rows=rows,
        layer=_layer(measured),
        is_complete=measured.complete,
        not_ranked_reason=NEVER_RANKED,
        sync_method=sync_method_of(measured.jobs) if isinstance(measured, FioReading) else None,
        path=fitting_condition(measured.path),
        first_line=measured.first_line,
        last_line=measured.last_line,
        measured_on=calendar.day_of(measured.measured_on),
    )


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


def _figures(measured: Measured) -> tuple[str, list[dict[str, Any]]]:
    """The method that the result is stored by, and its rows."""
    match measured:
        case PgTestFsyncReading():
            return PG_TEST_FSYNC, [
                row(
                    one.method,
                    1e6 / float(one.ops_s) if one.ops_s else None,
                    section=one.section,
                    block_size=one.write_size,
                    writes=one.writes,
                )
                for one in measured.rows
            ]
        case PveperfReading():
            return PVEPERF, [row("fsync", 1e6 / float(measured.fsyncs_s) if measured.fsyncs_s else None)]
        case FioReading():
            return FIO, [_fio_row(job) for job in measured.jobs if job.iops]
        case DiskinfoReading():
            points: Sequence[Any] = measured.points
            return DISKINFO, [
                row("flush", float(point.latency_us), block_size=point.block_size) for point in points
            ]


def _fio_row(job: FioJob) -> dict[str, Any]:
    is_flushed_apart = job.fdatasync or job.fsync
    p99 = job.flush_latency_p99_us if is_flushed_apart else job.write_latency_p99_us
    return row(
        "fdatasync" if job.fdatasync else "fsync" if job.fsync else "open_sync",
        1e6 / float(job.iops or 0),
        block_size=job.block_size,
        p99_us=None if p99 is None else float(p99),
    )
