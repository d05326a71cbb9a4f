"""Checks whether a diskinfo curve is complete and consistent."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.readings import DiskinfoReading, LatencyPoint, Notice
from parsers.base.units import KIBIBYTE, MEBIBYTE, MICROSECONDS_A_SECOND

LARGEST_BLOCK = 8 * MEBIBYTE  # slogbench() doubles the size from one sector up to here
KNOWN_SECTORS = (512, 4096)
MIB_US = Decimal(MICROSECONDS_A_SECOND) / MEBIBYTE  # microseconds that a byte takes at 1 MiB/s
HALF_STEP = Decimal("0.05")  # both columns are printed to one decimal
TOLERANCE = HALF_STEP + Decimal("0.000001")
MIN_LATENCY_US = Decimal("0.001")
MARGIN = HALF_STEP * TOLERANCE
# Ticks of timers that were seen to drive the completion of writes, in microseconds (HZ = 100, 250, 1000).
TICKS_US = (10_000, 4_000, 1_000)
TICK_TOLERANCE = 0.03  # of a tick
MIN_TICK_POINTS = 8
NO_TICK_US = Decimal(TICKS_US[-1] // 2)  # faster latencies aren't multiples of a tick
MIN_TICK_SHARE = 0.7


def is_complete(points: Sequence[LatencyPoint], sector_size: int | None) -> bool:
    """Whether every size from one sector to 8192 kbytes is there."""
    if not points or (sector_size is None and points[0].block_size not in KNOWN_SECTORS):
        return False
    return tuple(point.block_size for point in points) == _ladder(sector_size or points[0].block_size)


@lru_cache(maxsize=8)
def _ladder(sector_size: int) -> tuple[int, ...]:
    sizes = []
    size = max(sector_size, 512)
    while size <= LARGEST_BLOCK:
        sizes.append(size)
        size *= 2
    return tuple(sizes)


# Exact, as all of a curve's arithmetic: the bytes of one write times the microseconds that a byte takes.
SIZE_MIB_US = {size: size * MIB_US for size in _ladder(KNOWN_SECTORS[0])}


def kbytes(block_size: int) -> str:
    """A size as diskinfo prints it: "0.5 kbytes"."""
    return f"{block_size / KIBIBYTE:.4g} kbytes"


def check_reading(
    reading: DiskinfoReading, printed: Sequence[LatencyPoint], *, is_failed: bool
) -> Iterator[Notice]:
    """Yield notices about a reading.

    `printed` are its points in the order of the text, `is_failed` is true after an error.
    """
    if not reading.points:
        if not is_failed:
            message = f"there is no synchronous write test (diskinfo -wS) in this output. {HOW_TO_MEASURE}"
            yield Notice("no_sync_table", message, reading.first_line)
        return
    yield from _check_sizes(reading, printed)
    yield from _check_columns(reading)
    yield from _check_ticks(reading)


def _check_sizes(reading: DiskinfoReading, printed: Sequence[LatencyPoint]) -> Iterator[Notice]:
    for before, point in pairwise(printed):
        if before.block_size >= point.block_size:
            yield Notice(
                "points_out_of_order", "the sizes of the sync write table don't ascend here", point.line
            )
            break
    if reading.complete:
        return
    present = {point.block_size for point in reading.points}
    first, last = reading.points[0].block_size, reading.points[-1].block_size
    missing = [size for size in _ladder(reading.sector_size or first) if size not in present and size < last]
    if missing:
        names = ", ".join(kbytes(size) for size in missing)
        behind = next(point for point in reading.points if point.block_size > missing[0])
        yield Notice(
            "missing_size", f"the sync write table has no line for {names} before this one", behind.line
        )
    if last < LARGEST_BLOCK:
        yield Notice("truncated", f"the sync write table stops at {kbytes(last)}", reading.last_line)


def _check_columns(reading: DiskinfoReading) -> Iterator[Notice]:
    """Check that throughput is size by time, within the rounding of both columns."""
    for point in reading.points:
        if _disagree(point):
            message = (
                f"at {kbytes(point.block_size)} the two columns don't agree: {point.latency_us} usec/IO "
                f"is not {point.throughput_mib_s} Mbytes/s"
            )
            yield Notice("points_disagree", message, point.line)


def _disagree(point: LatencyPoint) -> bool:
    latency_us, throughput = point.latency_us, point.throughput_mib_s or Decimal(0)
    mib_us = SIZE_MIB_US[point.block_size]
    # A shortcut for nearly all points: within the rounding of both columns, slightly stricter than the tests below.
    rounding = (latency_us + throughput) * HALF_STEP - MARGIN
    if latency_us > 1 and -rounding <= latency_us * throughput - mib_us <= rounding:
        return False
    is_too_slow = (throughput + TOLERANCE) * (latency_us + HALF_STEP) < mib_us
    is_too_fast = (throughput - TOLERANCE) * max(latency_us - HALF_STEP, MIN_LATENCY_US) > mib_us
    return not latency_us or is_too_slow or is_too_fast


def _check_ticks(reading: DiskinfoReading) -> Iterator[Notice]:
    found = _find_tick([point.latency_us for point in reading.points])
    if found is not None:
        tick, near = found
        message = (
            f"{len(near)} of {len(reading.points)} latencies are whole multiples of {tick / 1000:g} ms: "
            "that is the tick of a timer, not the speed of the device"
        )
        yield Notice("timer_tick", message, reading.points[near[0]].line)


def is_timer_tick(latencies_us: Sequence[Decimal | float]) -> bool:
    """Whether most latencies of a curve are multiples of a timer's tick.

    Then they describe the timer, not the device.
    """
    return _find_tick(latencies_us) is not None


def _find_tick(latencies_us: Sequence[Decimal | float]) -> tuple[int, list[int]] | None:
    """Return the tick in microseconds and the indices of its multiples."""
    if len([1 for latency in latencies_us if latency > NO_TICK_US]) < MIN_TICK_POINTS:
        return None  # most devices are faster than any tick
    for tick in TICKS_US:
        near = [at for at, latency in enumerate(latencies_us) if _is_multiple(float(latency) / tick)]
        if len(near) >= MIN_TICK_POINTS and len(near) >= MIN_TICK_SHARE * len(latencies_us):
            return tick, near
    return None


def _is_multiple(ratio: float) -> bool:
    return ratio >= 1 - TICK_TOLERANCE and abs(ratio - round(ratio)) <= TICK_TOLERANCE
