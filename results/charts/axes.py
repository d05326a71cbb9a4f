"""Chart axes for values and block sizes, logarithmic or linear."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from parsers.base.units import MEBIBYTE
from results.models.fields import BLOCK_4K, BLOCK_128K, BLOCK_SIZES

SMALLEST_BLOCK, LARGEST_BLOCK = BLOCK_SIZES[0], BLOCK_SIZES[-1]
RANKED_BLOCKS = (BLOCK_4K, BLOCK_128K)  # the smallest and largest write of the ZIL, whose board uses them all
LABELLED_BLOCKS = (SMALLEST_BLOCK, *RANKED_BLOCKS, MEBIBYTE, LARGEST_BLOCK)

NICE_STEPS = (1, 2, 5)  # labels in every decade, if there are few decades
MANY_DECADES = 2.5
FEWEST_LINEAR_STEPS = 4


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """An axis between two round values, with its labelled ticks."""

    low: float
    high: float
    ticks: tuple[float, ...]
    is_linear: bool = False

    def up(self, value: float) -> float:
        """The position of a value on the axis, from 0 (low) to 1 (high)."""
        if self.is_linear:
            return (value - self.low) / (self.high - self.low)
        return math.log(value / self.low) / math.log(self.high / self.low)


@dataclass(frozen=True, slots=True)
class BlockAxis:
    """The axis of block sizes; logarithmic, or linear from zero.

    With `is_ranked_only` it ends at 128 KiB.
    """

    is_linear: bool = False
    is_ranked_only: bool = False

    @property
    def ends(self) -> tuple[int, int]:
        first, last = RANKED_BLOCKS if self.is_ranked_only else (SMALLEST_BLOCK, LARGEST_BLOCK)
        return (0, last) if self.is_linear else (first, last)

    @property
    def ticks(self) -> tuple[int, ...]:
        first, last = self.ends
        if self.is_linear:
            return tuple(last * quarter // 4 for quarter in range(1, 5))
        if self.is_ranked_only:
            return tuple(first << step for step in range(int(math.log2(last / first)) + 1))
        return LABELLED_BLOCKS

    def across(self, block_size: int) -> float:
        """The position of a block size on the axis, from 0 to 1."""
        first, last = self.ends
        if self.is_linear:
            return block_size / last
        return math.log2(block_size / first) / math.log2(last / first)

    def contains(self, block_size: int) -> bool:
        first, last = RANKED_BLOCKS if self.is_ranked_only else (SMALLEST_BLOCK, LARGEST_BLOCK)
        return first <= block_size <= last


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


class AxisEnds(NamedTuple):
    """The ends of both axes for a set of values.

    `low` and `high` are the ends of the logarithmic one; `step` between labels and `top` are those of the linear one.
    The axis that several sets share has the smallest `low` and the largest of the others.
    """

    low: float
    high: float
    step: float
    top: float


def axis_ends(values: Iterable[float]) -> AxisEnds:
    """The ends of both axes; raises ValueError without values."""
    known = tuple(values)
    log, linear = log_axis(known), linear_axis(known)
    return AxisEnds(*(_six_digits(one) for one in (log.low, log.high, linear.ticks[1], linear.high)))


def log_labels(ends: Iterable[AxisEnds]) -> dict[str, Any]:
    """The labels of logarithmic axes with these ends: all `decades` between them.

    If the ratio of its ends is at most `narrow`, an axis also labels the decades' multiples by `steps`.
    """
    known = tuple(ends)
    first = math.floor(math.log10(min((one.low for one in known), default=1)))
    last = math.ceil(math.log10(max((one.high for one in known), default=1)))
    decades = [_six_digits(10.0**decade) for decade in range(first, last + 1)]
    return {"decades": decades, "steps": NICE_STEPS, "narrow": round(10**MANY_DECADES)}


def _six_digits(value: float) -> float:
    """The value rounded to six digits, as an integer if it is one."""
    short = float(f"{value:.6g}")
    return int(short) if short.is_integer() else short


def value_axis(values: Iterable[float], *, is_linear: bool) -> ValueAxis:
    return linear_axis(values) if is_linear else log_axis(values)


def latency_label(latency_us: float) -> str:
    """A latency in µs, ms or s, as the value of a tick: 20 µs, 5 ms."""
    if latency_us < 1000:
        return f"{latency_us:g} µs"
    if latency_us < 1_000_000:
        return f"{latency_us / 1000:g} ms"
    return f"{latency_us / 1_000_000:g} s"


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
