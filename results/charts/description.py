"""Descriptions of charts, for the SVG renderers and, as JSON, for scripts."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from parsers.base.units import MEBIBYTE
from results.charts.axes import AxisEnds, BlockAxis, axis_ends, log_labels
from results.models.fields import BLOCK_SIZES

LETTERS = "ABCDEFGH"  # the marks of several devices' curves, one for each of STYLES
EXPECTED = "expected"  # in URLs: all expected bands, as one series
FIVE_NAMES = ("lowest", "lower quartile", "median", "upper quartile", "highest")


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
    """A row of a box plot: the latencies of FIVE_NAMES (None: nothing was measured).

    `name` is its text in the legend, `key` identifies it in URLs; `digits` are the most that its figures show.
    """

    label: str
    five_us: tuple[float, float, float, float, float] | None
    expected: tuple[Expected, ...] = ()
    name: str = ""
    key: str = ""
    digits: int | None = None


class Rows(NamedTuple):
    """The measures of a box plot's rows in pixels.

    `thinnest` is the minimum width of an expected band, as a share of the plot's width.
    """

    height: int = 64
    label_height: int = 20  # above the box, so that the plot has the full width on a phone
    box_height: int = 14
    expected_height: int = 30
    thinnest: float = 0.008
    foot: int = 24  # below the rows, for the ticks


ROWS = Rows()


class Dot(NamedTuple):
    """A unit: its wear, its latency, and its tooltip."""

    wear: float
    latency_us: float
    text: str


class WearAxis(NamedTuple):
    """The axis from 0 to `end`, labelled at each quarter, and its name."""

    end: float
    labels: tuple[str, str, str, str, str]
    name: str


class Step(NamedTuple):
    """Writes per second of several concurrent writers, and the tooltip."""

    writers: int
    iops: float
    text: str


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
    def block_axis(self) -> BlockAxis:
        return BlockAxis(is_linear=self.is_linear, is_ranked_only=self.is_ranked_only)

    def hides(self, one: Series | Box) -> bool:
        return bool(one.key) and one.key in self.hidden

    def drawn(self, box: Box) -> Box:
        """The row without its hidden parts."""
        if self.hides(box):
            return replace(box, five_us=None, expected=())
        return replace(box, expected=()) if EXPECTED in self.hidden else box

    def spots(self, series: Series) -> list[Spot]:
        """The points of a curve in this view."""
        shown = (point for point in series.points if self.block_axis.contains(point.block_size))
        if self.is_throughput:
            return [_throughput_spot(point, series.writers) for point in shown]
        return [_latency_spot(point) for point in shown]


PLAIN = View()
# The values of a view in URLs
CHARTS = (("latency", False), ("throughput", True))
SCALES = (("log", False), ("linear", True))
SIZES = (("all", False), ("ranked", True))


class Caption(NamedTuple):
    """The text above and below a chart."""

    heading: str
    note: str


Captioned = Callable[[View], Caption]


def drawn_series(series: Sequence[Series]) -> list[Series]:
    """The curves that fit into a chart; the index of a curve selects its style."""
    return [one for one in series if one.points][: len(STYLES)]


def curves_json(series: Sequence[Series], caption: Captioned) -> dict[str, Any]:
    """The chart as JSON values.

    A curve is arrays of one length, null where a spread is unknown: latencies to a hundredth of a microsecond, and
    bounds to three digits. `ends` are AxisEnds by quantity and by block sizes, null if it has no point.
    `labelled` has the labelled block sizes, by sizes and scale.
    """
    drawn = drawn_series(series)
    ends = [_curve_ends(one) for one in drawn]
    return {
        "series": [
            {
                "key": one.key,
                "label": one.label,
                "mark": one.mark,
                **({"writers": one.writers} if one.writers > 1 else {}),
                **({"is_assumed": True} if one.is_assumed else {}),
                "block_size": [point.block_size for point in one.points],
                "latency_us": [_plain(round(point.latency_us, 2)) for point in one.points],
                "low_us": [_rounded(point.low_us) for point in one.points],
                "high_us": [_rounded(point.high_us) for point in one.points],
                "ends": of_one,
            }
            for one, of_one in zip(drawn, ends, strict=True)
        ],
        "log_labels": log_labels(
            one for of_one in ends for by_sizes in of_one.values() for one in by_sizes.values() if one
        ),
        "styles": [_styled(style) for style in STYLES[: len(drawn)]],
        "blocks": {
            "all": BLOCK_SIZES,
            "labelled": {
                sizes: {scale: BlockAxis(is_linear, is_ranked).ticks for scale, is_linear in SCALES}
                for sizes, is_ranked in SIZES
            },
        },
        "captions": _captions(caption),
    }


def boxes_json(boxes: Sequence[Box], caption: Captioned) -> dict[str, Any]:
    """The box plot as JSON values; an unmeasured row has no figures."""
    rows: list[dict[str, Any]] = [
        {
            "key": box.key,
            "label": box.label,
            "five_us": [_plain(round(latency_us, 2)) for latency_us in box.five_us or ()],
            "ends": box.five_us and axis_ends(box.five_us),
            "expected": [
                {**asdict(one), "ends": axis_ends((one.low_us, one.high_us))} for one in box.expected
            ],
        }
        for box in boxes
    ]
    return {
        "rows": rows,
        "log_labels": log_labels(
            one["ends"] for row in rows for one in (row, *row["expected"]) if one["ends"]
        ),
        "expected_key": EXPECTED,
        "five_names": FIVE_NAMES,
        "measures": ROWS._asdict(),
        "captions": _captions(caption),
    }


def _curve_ends(series: Series) -> dict[str, dict[str, AxisEnds | None]]:
    return {
        chart: {
            sizes: _ends_in(series, View(is_rate, is_ranked_only=is_ranked)) for sizes, is_ranked in SIZES
        }
        for chart, is_rate in CHARTS
    }


def _ends_in(series: Series, view: View) -> AxisEnds | None:
    values = [value for spot in view.spots(series) for value in spot[1:] if value is not None]
    return axis_ends(values) if values else None


def _styled(style: Style) -> dict[str, Any]:
    """The style's values that aren't defaults."""
    return {name: value for name, value in style._asdict().items() if value}


def _captions(caption: Captioned) -> dict[str, dict[str, Caption]]:
    """The heading and the note of each view, by chart and scale as in the page's URL."""
    return {
        chart: {scale: caption(View(is_throughput, is_linear)) for scale, is_linear in SCALES}
        for chart, is_throughput in CHARTS
    }


def _latency_spot(point: CurvePoint) -> Spot:
    return Spot(point.block_size, point.latency_us, point.low_us, point.high_us)


def _throughput_spot(point: CurvePoint, writers: int) -> Spot:
    size, low_us, high_us = point.block_size, point.low_us, point.high_us
    return Spot(
        block_size=size,
        value=_rate(size, point.latency_us, writers),
        low=None if high_us is None else _rate(size, high_us, writers),
        high=None if low_us is None else _rate(size, low_us, writers),
    )


def _rate(block_size: int, latency_us: float, writers: int) -> float:
    return block_size / MEBIBYTE / latency_us * 1e6 * writers


def _rounded(latency_us: float | None) -> float | None:
    """Round a bound, which is drawn but never printed."""
    return None if latency_us is None else _plain(float(f"{latency_us:.3g}"))


def _plain(value: float) -> float:
    """The number, as an integer if it is one, so that JSON omits ".0"."""
    return int(value) if float(value).is_integer() else value
