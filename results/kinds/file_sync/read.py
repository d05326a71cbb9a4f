"""Find runs through a file system or volume in a parsed paste."""

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
from parsers.fio.slog import Rung, refuse_as_slog, rungs_of
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
from results.kinds.latency_curve.read import continued_at, is_of_device, stored_writers
from results.kinds.load import load_of_both, load_of_jobs, slow_sync_us
from results.kinds.pool_io.pools import is_on_pool
from results.kinds.refused import Refused, refuse

PG_TEST_FSYNC, PVEPERF, FIO, DISKINFO = "pg_test_fsync", "pveperf", "fio_file", "diskinfo_volume"
IOPING, SCRIPT = "ioping", "fsync_script"  # only of published figures: no parser reads them
NEVER_RANKED = (
    "Writes through a file system or volume aren't ranked: the layers between them and the device differ."
)
OTHER_TOOL = "We rank only figures from diskinfo and fio."
_VOLUMES = {Target.ZVOL: "zvol", Target.LVM: "lvm", Target.MD: "md"}
Measured = DiskinfoReading | FioReading | FileSyncReading


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
        "latency_us": None if latency_us is None else float(f"{latency_us:.7g}"),
        "p99_us": p99_us,
    }


def find_file_syncs(paste: ParsedPaste, stated: Stated) -> Iterator[Run | Refused]:
    """Find all such runs, one per number of writers; shell loops of fio are joined."""
    joined: list[FileSyncRun] = []
    for device, measured in _measurements(paste, stated):
        for found in _runs(device, measured, paste, stated):
            if isinstance(found, Refused):
                yield found
                continue
            at = continued_at(joined, found) if found.method == FIO else None
            if at is None or _overlap(joined[at], found):
                joined.append(found)
            else:
                rows = [*joined[at].rows, *found.rows]
                joined[at] = replace(
                    joined[at], rows=rows, **load_of_both(joined[at], found), last_line=found.last_line
                )
    yield from joined


def _measurements(paste: ParsedPaste, stated: Stated) -> Iterator[tuple[PairedDevice, Measured]]:
    for device in paste.devices:
        for index in (device.diskinfo, device.fio, *device.pg_test_fsync, *device.pveperf):
            reading = None if index is None else paste.readings[index]
            if isinstance(reading, DiskinfoReading) and reading.points and not is_of_device(reading.target):
                yield device, reading
            if isinstance(reading, FioReading) and reading.jobs and not _is_elsewhere(reading, paste, stated):
                yield device, reading
            if isinstance(reading, PgTestFsyncReading | PveperfReading):
                yield device, reading


def _is_elsewhere(reading: FioReading, paste: ParsedPaste, stated: Stated) -> bool:
    """Whether another kind takes it: it wrote to a device, or to a pool that is described."""
    return is_of_device(reading.target) or is_on_pool(reading, paste, stated)


def _overlap(run: FileSyncRun, following: FileSyncRun) -> bool:
    sizes, next_sizes = ({one["block_size"] for one in rows} for rows in (run.rows, following.rows))
    return not sizes.isdisjoint(next_sizes)


def _runs(
    device: PairedDevice, measured: Measured, paste: ParsedPaste, stated: Stated
) -> Sequence[FileSyncRun | Refused]:
    """The run, or one for each number of writers."""
    if isinstance(measured, FioReading) and (refusal := refuse_as_slog(measured)) is not None:
        return [refuse(measured, refusal)]
    described = (measured.description or "") if isinstance(measured, DiskinfoReading) else ""
    try:
        of_device = describe_device(device, paste, line=measured.first_line, described=described)
    except UnnamedDeviceError as error:
        return [refuse(measured, error.notice)]
    if isinstance(measured, PveperfReading) and _is_larger(measured, device):
        message = "This file system is larger than the device in the text, so it isn't on that device alone."
        return [refuse(measured, Notice("larger_than_device", message, measured.first_line))]
    figures = _fio_figures(measured) if isinstance(measured, FioReading) else [_figures(measured)]
    if any(typical_row(one["rows"]) is None for one in figures):
        message = "We couldn't read any figure in this run: paste the output from its first line to its last."
        return [refuse(measured, Notice("no_figure", message, measured.first_line))]
    return [
        FileSyncRun(
            **of_device,
            **one,
            layer=_layer(measured),
            is_complete=measured.complete,
            not_ranked_reason=NEVER_RANKED,
            path=fitting_condition(measured.path),
            first_line=measured.first_line,
            last_line=measured.last_line,
            measured_on=stated.day_of(measured.measured_on),
        )
        for one in figures
    ]


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


def _figures(measured: DiskinfoReading | FileSyncReading) -> dict[str, Any]:
    """The method that the result is stored by, and its rows."""
    match measured:
        case PgTestFsyncReading():
            method, rows = (
                PG_TEST_FSYNC,
                [
                    row(
                        one.method,
                        1e6 / float(one.ops_s) if one.ops_s else None,
                        section=one.section,
                        block_size=one.write_size,
                        writes=one.writes,
                    )
                    for one in measured.rows
                ],
            )
        case PveperfReading():
            method = PVEPERF
            rows = [row("fsync", 1e6 / float(measured.fsyncs_s) if measured.fsyncs_s else None)]
        case DiskinfoReading():
            points: Sequence[Any] = measured.points
            method = DISKINFO
            rows = [row("flush", float(point.latency_us), block_size=point.block_size) for point in points]
    return {"method": method, "rows": rows}


def _fio_figures(measured: FioReading) -> list[dict[str, Any]]:
    """The same for each number of writers."""
    return [
        {
            "method": FIO,
            "rows": [_fio_row(rung, job) for job in rung.jobs],
            "writers": stored_writers(rung),
            **load_of_jobs(rung.jobs),
        }
        for rung in rungs_of(measured)
    ]


def _fio_row(rung: Rung, job: FioJob) -> dict[str, Any]:
    return row(
        "fdatasync" if job.fdatasync else "fsync" if job.fsync else "open_sync",
        float(rung.latency_us(job)),
        block_size=job.block_size,
        p99_us=slow_sync_us(job),
    )
