"""Descriptions of charts, for the SVG renderers and, as JSON, for scripts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from parsers.base.units import MEBIBYTE
from results.charts.axes import ValueAxis, block_axis, is_ranked

LETTERS = "ABCDEFGH"  # the marks of several devices' curves, one for each of STYLES
EXPECTED = "expected"  # in URLs: all expected bands, as one series


class Style(NamedTuple):
    """What distinguishes a curve in addition to its color: dashes and markers."""

    dash: tuple[int, ...] = ()
    is_square: bool = False
    is_hollow: bool = False


# In the order of a chart's series, like the colors --series-1 to --series-8 in static/css/tokens.css.
STYLES = (
    Style(),
    Style(is_square=True),
    Style((7, 4), is_hollow=True),
    Style((7, 4), is_square=True, is_hollow=True),
    Style((2, 4)),
    Style((2, 4), is_square=True),
    Style((9, 4, 2, 4), is_hollow=True),
    Style((9, 4, 2, 4), is_square=True, is_hollow=True),
)


class CurvePoint(NamedTuple):
    """The latency at one block size; `low_us` and `high_us` are its spread if known."""

    block_size: int
    latency_us: float
    low_us: float | None = None
    high_us: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One curve, its points by ascending block size.

    `mark` is the letter at its end; `key` identifies it in URLs. Throughput is that of all
    `writers`, each of which waits for the latency. `is_assumed` is about its band: it rests on
    an assumed spread. `digits` of its latency at 4 KiB are shown (None: three).
    """

    label: str
    points: tuple[CurvePoint, ...]
    mark: str = ""
    key: str = ""
    writers: int = 1
    is_assumed: bool = False
    digits: int | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """The latency expected of a kind of device; a single figure is both ends."""

    label: str
    low_us: float
    high_us: float


@dataclass(frozen=True, slots=True)
class Box:
    """A row of a box plot: lowest, quartiles with the median, and highest latency (None: nothing was measured).

    `name` is its text in the legend, `key` identifies it in URLs; `digits` are the most that its figures show.
    """

    label: str
    five_us: tuple[float, float, float, float, float] | None
    expected: tuple[Expected, ...] = ()
    name: str = ""
    key: str = ""
    digits: int | None = None


class Spot(NamedTuple):
    """A plotted point: latency in µs or throughput in MiB/s, with known bounds."""

    block_size: int
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class View:
    """How a chart is viewed.

    `hidden` holds the keys of curves and rows that are not shown. A hidden row keeps its place; with EXPECTED hidden,
    every row loses its expected bands.
    """

    is_throughput: bool = False
    is_linear: bool = False
    is_ranked_only: bool = False
    hidden: frozenset[str] = frozenset()

    @property
    def block_axis(self) -> ValueAxis:
        return block_axis(is_linear=self.is_linear, is_ranked_only=self.is_ranked_only)

    def hides(self, drawn: Series | Box) -> bool:
        return bool(drawn.key) and drawn.key in self.hidden

    def drawn(self, box: Box) -> Box:
        """The row without its hidden parts."""
        if self.hides(box):
            return replace(box, five_us=None, expected=())
        return replace(box, expected=()) if EXPECTED in self.hidden else box

    def spots(self, series: Series) -> list[Spot]:
        """The points of a curve in this view."""
        shown = (point for point in series.points if not self.is_ranked_only or is_ranked(point.block_size))
        return [_rates(point, series.writers) if self.is_throughput else Spot(*point) for point in shown]


PLAIN = View()


class Caption(NamedTuple):
    """The text above and below a chart."""

    heading: str
    note: str


def drawn_series(series: Sequence[Series]) -> list[Series]:
    """The curves that fit into a chart; the index of a curve selects its style."""
    return [curve for curve in series if curve.points][: len(STYLES)]


class Point(NamedTuple):
    """An interactive point: where it is on both axes, and the lines that it says.

    `stop` is its place among the chart's stops, `radius` that of its marker in pixels.
    """

    stop: int
    x: float
    y: float
    lines: Sequence[str]
    radius: float = 0


@dataclass(frozen=True, slots=True)
class PointSeries:
    """Points of one color, which is that of the elements with the CSS class; of a curve, they are connected."""

    css: str
    points: Sequence[Point]
    style: Style = STYLES[0]
    is_curve: bool = False
    hover_radius: float = 5


@dataclass(frozen=True, slots=True)
class LivePlot:
    """What Chart.js draws and reads out in front of a chart's SVG.

    The arrow keys go from stop to stop along `axis`, x or y; a stop's points are read out below its text.
    """

    axis: str
    stops: Sequence[str] = ()
    series: Sequence[PointSeries] = ()


def _rates(point: CurvePoint, writers: int) -> Spot:
    """The throughput at a point; that of the higher latency is the lower."""
    size, latency_us, low_us, high_us = point
    high, low = (
        None if bound_us is None else rate_mib_s(size, bound_us, writers) for bound_us in (low_us, high_us)
    )
    return Spot(size, rate_mib_s(size, latency_us, writers), low, high)


def rate_mib_s(block_size: int, latency_us: float, writers: int) -> float:
    return block_size / MEBIBYTE / latency_us * 1e6 * writers
