"""The axes of the latency charts: block sizes from 512 B to 8 MiB across, latency up, both logarithmic."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

SMALLEST_BLOCK = 512
LARGEST_BLOCK = 8 * 1024**2
RANKED_BLOCKS = (4 * 1024, 128 * 1024)  # what the ZIL writes: first and last size that the ranking looks at
OCTAVES = int(math.log2(LARGEST_BLOCK / SMALLEST_BLOCK))

NICE_STEPS = (1, 2, 5)  # a label at each of them in every decade, while there are few decades
MANY_DECADES = 2.5


@dataclass(frozen=True, slots=True)
class LatencyAxis:
    """A logarithmic axis from `low_us` to `high_us`, both nice values, and the values that get a label."""

    low_us: float
    high_us: float
    ticks_us: tuple[float, ...]

    def up(self, latency_us: float) -> float:
        """How far up the axis a latency stands, 0 at the foot to 1 at the top."""
        return math.log(latency_us / self.low_us) / math.log(self.high_us / self.low_us)


def across(block_size: int) -> float:
    """How far along the axis a block size stands, 0 at 512 B to 1 at 8 MiB."""
    return math.log2(block_size / SMALLEST_BLOCK) / OCTAVES


def latency_axis(latencies_us: Iterable[float]) -> LatencyAxis:
    """The axis that holds all these latencies, a little wider; raises ValueError where there are none."""
    values = tuple(latencies_us)
    low_us = _nice_below(min(values) * 0.99)
    high_us = _nice_above(max(values) * 1.01)
    decades = math.log10(high_us / low_us)
    steps = NICE_STEPS if decades <= MANY_DECADES else (1,)
    return LatencyAxis(low_us, high_us, tuple(_ticks(low_us, high_us, steps)))


def latency_label(latency_us: float) -> str:
    """A latency in µs, ms or s, as the value of a tick: 20 µs, 5 ms."""
    if latency_us < 1000:
        return f"{latency_us:g} µs"
    if latency_us < 1_000_000:
        return f"{latency_us / 1000:g} ms"
    return f"{latency_us / 1_000_000:g} s"


def _nice_below(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return max(step * decade for step in NICE_STEPS if step * decade <= value)


def _nice_above(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return min(step * decade for step in (*NICE_STEPS, 10) if step * decade >= value)


def _ticks(low_us: float, high_us: float, steps: Iterable[int]) -> list[float]:
    first, last = math.floor(math.log10(low_us)), math.ceil(math.log10(high_us))
    values = (step * 10.0**decade for decade in range(first, last + 1) for step in steps)
    return [value for value in values if low_us <= value <= high_us]
