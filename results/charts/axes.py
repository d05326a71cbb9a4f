"""Chart axes for values and block sizes, logarithmic or linear."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from parsers.base.units import MEBIBYTE
from results.models.fields import BLOCK_4K, BLOCK_128K, BLOCK_SIZES

SMALLEST_BLOCK, LARGEST_BLOCK = BLOCK_SIZES[0], BLOCK_SIZES[-1]
RANKED_BLOCKS = (BLOCK_4K, BLOCK_128K)  # the smallest and largest write of the ZIL, whose board uses them all
LABELED_BLOCKS = (SMALLEST_BLOCK, *RANKED_BLOCKS, MEBIBYTE, LARGEST_BLOCK)

NICE_STEPS = (1, 2, 5)  # labels in every decade, if there are few decades
MANY_DECADES = 2.5
FEWEST_LINEAR_STEPS = 4


def log_share(value: float, first: float, last: float) -> float:
    """Where a value is between the ends of a logarithmic axis, from 0 to 1."""
    return math.log(value / first) / math.log(last / first)


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """An axis between two round values, with its labeled ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]
    is_linear: bool = False

    def up(self, value: float) -> float:
        """The position of a value on the axis, from 0 (low) to 1 (high)."""
        if self.is_linear:
            return (value - self.low) / (self.high - self.low)
        return log_share(value, self.low, self.high)


def is_ranked(block_size: int) -> bool:
    first, last = RANKED_BLOCKS
    return first <= block_size <= last


def block_axis(*, is_linear: bool = False, is_ranked_only: bool = False) -> ValueAxis:
    """The axis of block sizes; logarithmic, or linear from zero. With `is_ranked_only` it ends at 128 KiB."""
    first, last = RANKED_BLOCKS if is_ranked_only else (SMALLEST_BLOCK, LARGEST_BLOCK)
    if is_linear:
        return ValueAxis(0, last, tuple(last * quarter // 4 for quarter in range(1, 5)), is_linear=True)
    doublings = range(int(math.log2(last / first)) + 1)
    return ValueAxis(
        first, last, tuple(first << step for step in doublings) if is_ranked_only else LABELED_BLOCKS
    )


def log_axis(values: Iterable[float]) -> ValueAxis:
    """A logarithmic axis slightly wider than the values; ValueError without any."""
    known = tuple(values)
    low = _nice_below(min(known) * 0.99)
    high = _nice_above(max(known) * 1.01)
    decades = math.log10(high / low)
    steps = NICE_STEPS if decades <= MANY_DECADES else (1,)
    return ValueAxis(low, high, tuple(_ticks(low, high, steps)))


def linear_axis(values: Iterable[float]) -> ValueAxis:
    """A linear axis from zero that contains the values; ValueError without any."""
    largest = max(values) * 1.01
    step = _nice_below(largest / FEWEST_LINEAR_STEPS)
    count = math.ceil(largest / step)
    return ValueAxis(0, step * count, tuple(step * number for number in range(count + 1)), is_linear=True)


def value_axis(values: Iterable[float], *, is_linear: bool) -> ValueAxis:
    return linear_axis(values) if is_linear else log_axis(values)


def throughput_label(throughput_mib_s: float) -> str:
    """A throughput in MiB/s as the value of a tick, without the unit: 2,000."""
    return f"{throughput_mib_s:,g}"


def iops_label(iops: float) -> str:
    """Writes per second as the value of a tick: 500, 20k, 1.5M."""
    if iops < 1000:
        return f"{iops:g}"
    return f"{iops / 1000:g}k" if iops < 1_000_000 else f"{iops / 1_000_000:g}M"


def _nice_below(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return max(step * decade for step in NICE_STEPS if step * decade <= value)


def _nice_above(value: float) -> float:
    decade = 10.0 ** math.floor(math.log10(value))
    return min(step * decade for step in (*NICE_STEPS, 10) if step * decade >= value)


def _ticks(low: float, high: float, steps: Iterable[int]) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    values = (step * 10.0**decade for decade in range(first, last + 1) for step in steps)
    return [value for value in values if low <= value <= high]
