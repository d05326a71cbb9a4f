"""The curves of a parsed paste. A run outside the limits is not a measurement."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from parsers.base.readings import (
    DiskinfoReading,
    FioJob,
    FioReading,
    LatencyPoint,
    Notice,
    PairedDevice,
    ParsedPaste,
    SlogprobeReading,
)
from parsers.fio.slog import refuse_as_slog, rungs_of
from results.kinds.curve.metrics import FLUSH, WRITE, Tails
from results.kinds.curve.run import Curve, CurveRun, curve_of
from results.kinds.envelope import Run, Stated, UnnamedDeviceError, describe_device, fitting_condition
from results.kinds.interconnects import link_at
from results.kinds.load import (
    is_of_device,
    is_of_logs,
    join_loops,
    load_of_both,
    load_of_jobs,
    stored_writers,
)
from results.kinds.refused import Refused, refuse
from results.models.choices import Method
from results.models.fields import SLOT_4K, SLOT_OF_BLOCK_SIZE

Measured = DiskinfoReading | FioReading | SlogprobeReading
WITHOUT_4K = "No 4 KiB writes were measured: without them it can't be compared."


def find_curves(paste: ParsedPaste, stated: Stated) -> Iterator[Run | Refused]:
    """Find all curves, one per number of writers; shell loops of fio are joined."""
    found = [
        run for device, measured in _measurements(paste) for run in _runs(device, measured, paste, stated)
    ]
    yield from join_loops((run for run in found if isinstance(run, CurveRun)), Method.FIO, _join)
    yield from (run for run in found if isinstance(run, Refused))


def _join(run: CurveRun, following: CurveRun) -> CurveRun | None:
    both = list(zip(run.curve, following.curve, strict=True))
    if any(None not in latencies for latencies in both):
        return None
    curve = tuple(a if a is not None else b for a, b in both)
    tails = {**(run.tails or {}), **(following.tails or {})} or None
    joined = _with_curve(run, curve)
    return replace(joined, **load_of_both(run, following), tails=tails, last_line=following.last_line)


def _measurements(paste: ParsedPaste) -> Iterator[tuple[PairedDevice, Measured]]:
    """The runs on devices and partitions; volumes belong to other kinds."""
    for device in paste.devices:
        for index in (device.diskinfo, device.slogprobe, device.fio):
            reading = None if index is None else paste.readings[index]
            if (
                isinstance(reading, DiskinfoReading | SlogprobeReading)
                and reading.points
                and is_of_device(reading.target)
            ):
                yield device, reading
            if (
                isinstance(reading, FioReading)
                and reading.jobs
                and is_of_device(reading.target)
                and not is_of_logs(reading, paste)
            ):
                yield device, reading


def _runs(
    device: PairedDevice, measured: Measured, paste: ParsedPaste, stated: Stated
) -> Sequence[CurveRun | Refused]:
    """The runs, one per number of writers; a reading is stored entirely or refused."""
    described = (measured.description or "") if isinstance(measured, DiskinfoReading) else ""
    # The parsers have a notice about it
    refusal = refuse_as_slog(measured) if isinstance(measured, FioReading) else None
    if refusal is not None:
        return [refuse(measured, refusal)]
    try:
        for_device = describe_device(device, paste, line=measured.first_line, described=described)
    except UnnamedDeviceError as error:
        return [refuse(measured, error.notice)]
    fault = refuse_figures(_points(measured), device.capacity, line=measured.first_line)
    if fault is not None:
        return [refuse(measured, fault)]
    run = CurveRun(
        **for_device,
        method=Method.FIO,
        curve=(),
        is_complete=measured.complete,
        path=fitting_condition(measured.path),
        target=measured.target,
        first_line=measured.first_line,
        last_line=measured.last_line,
        measured_on=stated.day_of(measured.measured_on),
    )
    if isinstance(measured, DiskinfoReading):
        return [
            replace(
                _with_curve(run, curve_of(measured.points)),
                method=Method.DISKINFO,
                is_complete=measured.complete,
                attachment=fitting_condition(measured.attachment),
                sector_size=measured.sector_size,
                measured_capacity_bytes=measured.media_size,
            )
        ]
    if isinstance(measured, SlogprobeReading):
        return [_by_slogprobe(_with_curve(run, curve_of(measured.points)), measured)]
    return [
        replace(
            _with_curve(run, curve_of(rung.points())),
            writers=stored_writers(rung),
            tails=_tails(rung.jobs),
            **load_of_jobs(rung.jobs),
        )
        for rung in rungs_of(measured)
    ]


def _by_slogprobe(run: CurveRun, measured: SlogprobeReading) -> CurveRun:
    """Its times are those of a write with its flush; with few writes, the slowest ones are not a percentile."""
    link = link_at(measured.link) if measured.link else None
    return replace(
        run,
        method=Method.SLOGPROBE,
        is_complete=measured.complete,
        measured_capacity_bytes=measured.size_bytes,
        negotiated_link=run.negotiated_link or (link.name if link else None),
        flushes=None if measured.flushes is None else (measured.flushes, measured.writes or 0),
        tails={
            str(row.block_size): {WRITE: [*row.tail_us, None, float(row.max_us)]}
            for row in measured.rows
            if row.block_size in SLOT_OF_BLOCK_SIZE
        },
    )


def _with_curve(run: CurveRun, curve: Curve) -> CurveRun:
    """Every board's figure needs the latency at 4 KiB."""
    reason = WITHOUT_4K if curve[SLOT_4K] is None else ""
    return replace(run, curve=curve, is_complete=None not in curve, not_ranked_reason=reason)


def _points(measured: Measured) -> tuple[LatencyPoint, ...]:
    if isinstance(measured, DiskinfoReading | SlogprobeReading):
        return measured.points
    return tuple(point for rung in rungs_of(measured) for point in rung.points())


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
