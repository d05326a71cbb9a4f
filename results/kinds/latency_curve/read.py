"""The curves of a parsed paste. A run outside the limits is not a measurement."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from parsers.base.readings import (
    DiskinfoReading,
    FioJob,
    FioReading,
    LatencyPoint,
    Notice,
    PairedDevice,
    ParsedPaste,
)
from parsers.base.target import Target
from parsers.fio.slog import Rung, refuse_as_slog, rungs_of
from results.kinds.envelope import Run, Stated, UnnamedDeviceError, describe_device, fitting_condition
from results.kinds.latency_curve.metrics import FLUSH, WRITE, Tails
from results.kinds.load import is_of_logs, load_of_both, load_of_jobs
from results.kinds.refused import Refused, refuse
from results.models.choices import Method
from results.models.conditions import FLUSH_OFF
from results.models.fields import BLOCK_SIZES, SLOT_4K, SLOT_OF_BLOCK_SIZE

WITHOUT_4K = "No 4 KiB writes were measured: without them it can't be compared."

Curve = tuple[Decimal | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRun(Run):
    """A run that measured a latency for each of several block sizes."""

    method: Method
    curve: Curve
    tails: Tails | None = None
    target: Target = Target.DEVICE
    measured_capacity_bytes: int | None = None  # diskinfo's media size

    @property
    def payload(self) -> Mapping[str, Any]:
        curve = [None if latency is None else float(latency) for latency in self.curve]
        return {"latency_us": curve, "tails": self.tails, "writers": self.writers}


def find_curves(paste: ParsedPaste, stated: Stated) -> Iterator[Run | Refused]:
    """Find all curves, one per number of writers; shell loops of fio are joined."""
    found = [
        one for device, measured in _measurements(paste) for one in _runs(device, measured, paste, stated)
    ]
    yield from _join_ladders(one for one in found if isinstance(one, CurveRun))
    yield from (one for one in found if isinstance(one, Refused))


def _join_ladders(runs: Iterable[CurveRun]) -> list[CurveRun]:
    """Join fio runs of one device and number of writers, as of a shell loop."""
    joined: list[CurveRun] = []
    for run in runs:
        at = continued_at(joined, run) if run.method is Method.FIO else None
        if at is None or _overlap(joined[at], run):
            joined.append(run)
        else:
            joined[at] = _join(joined[at], run)
    return joined


def continued_at(runs: Sequence[Run], following: Run) -> int | None:
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


def _overlap(run: CurveRun, following: CurveRun) -> bool:
    return any(a is not None and b is not None for a, b in zip(run.curve, following.curve, strict=True))


def _join(run: CurveRun, following: CurveRun) -> CurveRun:
    curve = tuple(a if a is not None else b for a, b in zip(run.curve, following.curve, strict=True))
    tails = {**(run.tails or {}), **(following.tails or {})} or None
    return replace(
        run, **_fio_verdict(curve), **load_of_both(run, following), tails=tails, last_line=following.last_line
    )


def _measurements(paste: ParsedPaste) -> Iterator[tuple[PairedDevice, DiskinfoReading | FioReading]]:
    """The runs on devices and partitions; volumes belong to other kinds."""
    for device in paste.devices:
        for index in (device.diskinfo, device.fio):
            reading = None if index is None else paste.readings[index]
            if isinstance(reading, DiskinfoReading) and reading.points and is_of_device(reading.target):
                yield device, reading
            if (
                isinstance(reading, FioReading)
                and reading.jobs
                and is_of_device(reading.target)
                and not is_of_logs(reading, paste)
            ):
                yield device, reading


def is_of_device(target: Target) -> bool:
    """Whether it is a device or a part of one, and not a layer above."""
    return target in {Target.DEVICE, Target.PARTITION, Target.SLICE}


def _runs(
    device: PairedDevice, measured: DiskinfoReading | FioReading, paste: ParsedPaste, stated: Stated
) -> Sequence[CurveRun | Refused]:
    """The runs, one per number of writers; a reading is stored entirely or refused."""
    described = (measured.description or "") if isinstance(measured, DiskinfoReading) else ""
    # The parsers have a notice about it
    refusal = refuse_as_slog(measured) if isinstance(measured, FioReading) else None
    if refusal is not None:
        return [refuse(measured, refusal)]
    curves = (
        [_diskinfo_curve(measured)]
        if isinstance(measured, DiskinfoReading)
        else [_fio_curve(rung) for rung in rungs_of(measured)]
    )
    try:
        of_device = describe_device(device, paste, line=measured.first_line, described=described)
    except UnnamedDeviceError as error:
        return [refuse(measured, error.notice)]
    fault = refuse_figures(_points(measured), device.capacity, line=measured.first_line)
    if fault is not None:
        return [refuse(measured, fault)]
    return [
        CurveRun(
            **of_device,
            path=fitting_condition(measured.path),
            target=measured.target,
            measured_capacity_bytes=measured.media_size if isinstance(measured, DiskinfoReading) else None,
            first_line=measured.first_line,
            last_line=measured.last_line,
            measured_on=stated.day_of(measured.measured_on),
            **curve,
        )
        for curve in curves
    ]


def _points(measured: DiskinfoReading | FioReading) -> tuple[LatencyPoint, ...]:
    if isinstance(measured, DiskinfoReading):
        return measured.points
    return tuple(point for rung in rungs_of(measured) for point in rung.points())


def _fio_curve(rung: Rung) -> dict[str, Any]:
    return {
        **_fio_verdict(curve_of(rung.points())),
        "writers": stored_writers(rung),
        "tails": _tails(rung.jobs),
        **load_of_jobs(rung.jobs),
    }


def stored_writers(rung: Rung) -> int | None:
    return rung.writers if rung.writers > 1 else None


def _diskinfo_curve(diskinfo: DiskinfoReading) -> dict[str, Any]:
    curve = curve_of(diskinfo.points)
    return {
        "method": Method.DISKINFO,
        "curve": curve,
        "is_complete": diskinfo.complete,
        "not_ranked_reason": _why_not_ranked(curve),
        "attachment": fitting_condition(diskinfo.attachment),
        "sector_size": diskinfo.sector_size,
    }


def _why_not_ranked(curve: Curve) -> str:
    """Every board's figure needs the latency at 4 KiB."""
    return "" if curve[SLOT_4K] is not None else WITHOUT_4K


def _fio_verdict(curve: Curve) -> dict[str, Any]:
    return {
        "method": Method.FIO,
        "curve": curve,
        "is_complete": all(latency is not None for latency in curve),
        "not_ranked_reason": _why_not_ranked(curve),
    }


def _tails(jobs: Iterable[FioJob]) -> Tails | None:
    """The percentiles that fio printed, of jobs with one of the sizes of a curve."""
    found = {}
    for job in jobs:
        figures = {
            part: [getattr(job, f"{part}_latency_{rank}_us") for rank in ("p99", "p999", "p9999", "max")]
            for part in (WRITE, FLUSH)
        }
        parts = {
            part: [None if value is None else float(value) for value in values]
            for part, values in figures.items()
            if any(value is not None for value in values)
        }
        if parts and job.block_size in SLOT_OF_BLOCK_SIZE:
            found[str(job.block_size)] = parts
    return found or None


def curve_of(points: Iterable[LatencyPoint]) -> Curve:
    """The latencies by slot of BLOCK_SIZES; other sizes are dropped."""
    latencies = {point.block_size: point.latency_us for point in points}
    return tuple(latencies.get(block_size) for block_size in BLOCK_SIZES)


SHORTEST_LATENCY_US = Decimal("0.01")  # a tenth of diskinfo's resolution; no durable write is near it
LONGEST_LATENCY_US = Decimal(10) ** 9


def refuse_figures(
    points: Iterable[LatencyPoint], capacity_bytes: int | None, *, line: int | None
) -> Notice | None:
    """Why these figures are impossible, or None; `line` is where the run begins."""
    for point in points:
        if not SHORTEST_LATENCY_US <= point.latency_us <= LONGEST_LATENCY_US:
            message = (
                f"A durable write can't take {point.latency_us:.3g} µs: check the latencies in the table."
            )
            return Notice("impossible_latency", message, point.line or line)
    if capacity_bytes == 0:
        return Notice("impossible_capacity", "The device reports a capacity of 0 bytes.", line)
    return None
