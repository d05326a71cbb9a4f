"""What a chart draws, named curves of points, how it is looked at, and the same figures for its script."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from results.charts.axes import BlockAxis

STYLES = 8  # dash, marker and colour combinations in static/css/charts.css
LETTERS = "ABCDEFGH"  # one for each of them: what curves of several devices are marked with
MIB = 1024**2


class CurvePoint(NamedTuple):
    """The latency of one block size; `low_us` and `high_us` bound its spread where it is known."""

    block_size: int
    latency_us: float
    low_us: float | None = None
    high_us: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One curve, its points by ascending block size.

    `mark` is what stands at its end, one letter; `key` is what addresses call it by.
    """

    label: str
    points: tuple[CurvePoint, ...]
    mark: str = ""
    key: str = ""


class Spot(NamedTuple):
    """A point as it is plotted: a latency in µs or a throughput in MiB/s, with its bounds where they are known."""

    block_size: int
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class View:
    """How a chart is looked at; `hidden` holds the keys of curves that are not shown."""

    is_throughput: bool = False
    is_linear: bool = False
    is_ranked_only: bool = False
    hidden: frozenset[str] = frozenset()

    @property
    def block_axis(self) -> BlockAxis:
        return BlockAxis(is_linear=self.is_linear, is_ranked_only=self.is_ranked_only)

    def hides(self, series: Series) -> bool:
        return bool(series.key) and series.key in self.hidden

    def spots(self, series: Series) -> list[Spot]:
        """The points of a curve that this view shows."""
        shown = (point for point in series.points if self.block_axis.holds(point.block_size))
        return [_throughput_spot(point) if self.is_throughput else _latency_spot(point) for point in shown]


def drawn_series(series: Sequence[Series]) -> list[Series]:
    """The curves that a chart has room for; a curve's place among them is its style."""
    return [one for one in series if one.points][:STYLES]


class SeriesData(TypedDict):
    """A curve as JSON, for the chart's script: arrays of one length, null where a spread is not known."""

    key: str
    label: str
    mark: str
    block_size: list[int]
    latency_us: list[float]
    low_us: list[float | None]
    high_us: list[float | None]


def series_data(series: Sequence[Series]) -> list[SeriesData]:
    """The curves as plain values that json can write: to a hundredth of a microsecond, and bounds to four digits."""
    return [
        SeriesData(
            key=one.key,
            label=one.label,
            mark=one.mark,
            block_size=[point.block_size for point in one.points],
            latency_us=[round(point.latency_us, 2) for point in one.points],
            low_us=[_rounded(point.low_us) for point in one.points],
            high_us=[_rounded(point.high_us) for point in one.points],
        )
        for one in series
    ]


def _latency_spot(point: CurvePoint) -> Spot:
    return Spot(point.block_size, point.latency_us, point.low_us, point.high_us)


def _throughput_spot(point: CurvePoint) -> Spot:
    size, low_us, high_us = point.block_size, point.low_us, point.high_us
    return Spot(
        block_size=size,
        value=_rate(size, point.latency_us),
        low=None if high_us is None else _rate(size, high_us),
        high=None if low_us is None else _rate(size, low_us),
    )


def _rate(block_size: int, latency_us: float) -> float:
    return block_size / MIB / latency_us * 1e6


def _rounded(latency_us: float | None) -> float | None:
    """Of a bound, which is drawn and told nowhere."""
    return None if latency_us is None else float(f"{latency_us:.4g}")
