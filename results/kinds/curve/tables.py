"""Curves as tables with a row per block size, and the figures of a fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from results.charts.description import Series
from results.core.formats import DASH, format_number, format_size
from results.core.record import Record, field
from results.kinds.curve.metrics import (
    FLUSH,
    WRITE,
    ZIL_BLOCK_SIZES,
    Curve,
    Fit,
    Tails,
    iops,
    throughput_mib_s,
)
from results.kinds.tables import Measure
from results.models.fields import BLOCK_4K, BLOCK_SIZES

TAIL_FIGURES = ("p99_us", "p999_us", "p9999_us", "max_us")
DIGITS = 3  # decimal places of µs and MiB/s, the most that the tools print


def digits_at(block_size: int, digits: int | None) -> int | None:
    """The digits of a device's figures at this size: those of its published figures, which are of 4 KiB."""
    return digits if block_size == BLOCK_4K else None


@dataclass(frozen=True, slots=True)
class Point:
    """A measured size of a run; rates are those of all writers."""

    block_size: int
    latency_us: float
    writers: int | None

    @property
    def throughput_mib_s(self) -> float:
        return throughput_mib_s(self.block_size, self.latency_us, self.writers)

    @property
    def iops(self) -> float:
        return iops(self.latency_us, self.writers)

    @property
    def is_ranked(self) -> bool:
        return self.block_size in ZIL_BLOCK_SIZES


class PointRecord(Record):
    """One line of a curve."""

    block_size: int = field("bytes")
    latency_us: float = field("mean time of one write and its flush, in µs: what each writer waits")
    throughput_mib_s: float = field("of all writers, in MiB/s", to=lambda rate: round(rate, DIGITS))


def points_of(curve: Curve, writers: int | None = None) -> list[Point]:
    sizes = zip(BLOCK_SIZES, curve, strict=True)
    return [Point(size, latency_us, writers) for size, latency_us in sizes if latency_us is not None]


class Tail(NamedTuple):
    """The slow writes or flushes of a block size; the figures are those of TAIL_FIGURES."""

    block_size: int
    part: str
    figures: Sequence[float | None]


def tails_of(tails: Tails | None) -> list[Tail]:
    """The tails by ascending block size, the write before its flush."""
    return [
        Tail(int(block_size), part, parts[part])
        for block_size, parts in sorted((tails or {}).items(), key=lambda item: int(item[0]))
        for part in (WRITE, FLUSH)
        if part in parts
    ]


class SpreadPoint(NamedTuple):
    """A measured size of a device: the median and, if known, the spread of its units; `digits` as in Metric.text."""

    block_size: int
    median_us: float
    lowest_us: float | None
    highest_us: float | None
    digits: int | None

    @property
    def throughput_mib_s(self) -> float:
        return throughput_mib_s(self.block_size, self.median_us)

    @property
    def is_ranked(self) -> bool:
        return self.block_size in ZIL_BLOCK_SIZES


def spread_points(
    median: Curve, lowest: Curve | None = None, highest: Curve | None = None, *, digits: int | None = None
) -> list[SpreadPoint]:
    """`digits` are those of figures of 4 KiB."""
    unknown: Curve = [None] * len(BLOCK_SIZES)
    slots = zip(BLOCK_SIZES, median, lowest or unknown, highest or unknown, strict=True)
    return [
        SpreadPoint(block_size, median_us, low_us, high_us, digits_at(block_size, digits))
        for block_size, median_us, low_us, high_us in slots
        if median_us is not None
    ]


@dataclass(frozen=True, slots=True)
class PointsRow:
    """The latencies of several curves at a block size; a dash where one has none."""

    block_size: int
    latencies: Sequence[str]

    @property
    def is_ranked(self) -> bool:
        return self.block_size in ZIL_BLOCK_SIZES


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Curves side by side, with the marks that the legend explains."""

    marks: Sequence[str]
    rows: Sequence[PointsRow]


def points_table(series: Sequence[Series]) -> PointsTable:
    curves = [
        {
            point.block_size: format_number(point.latency_us, digits_at(point.block_size, curve.digits))
            for point in curve.points
        }
        for curve in series
    ]
    rows = [
        PointsRow(block_size, [curve.get(block_size, DASH) for curve in curves])
        for block_size in BLOCK_SIZES
        if any(block_size in curve for curve in curves)
    ]
    return PointsTable([curve.mark for curve in series], rows)


def fit_measures(fit: Fit | None) -> list[Measure]:
    """The figures of a curve's fit; none if no line fits it."""
    if fit is None:
        return []
    size, unit = format_size(fit.crossover_bytes).split(" ")
    return [
        Measure("Flush floor", format_number(fit.flush_floor_us), "µs", "fit"),
        Measure("Bandwidth ceiling", format_number(fit.bandwidth_mib_s), "MiB/s", "fit"),
        Measure("Crossover", size, unit, "fit"),
    ]
