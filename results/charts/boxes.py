"""Box plots of latencies, a row a class on one logarithmic axis; what was expected of the class lies beneath."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from results.charts.axes import LatencyAxis, latency_axis, latency_label

ROW_HEIGHT = 64
LABEL_HEIGHT = 20  # of a row: the name stands above the box, so that a phone has its whole width for the plot
BOX_HEIGHT = 14
EXPECTED_HEIGHT = 30
THINNEST = 0.8  # percent of the width: what was expected as one figure can still be seen
FOOT = 24


@dataclass(frozen=True, slots=True)
class Expected:
    """Where somebody expected a kind of device to be; one figure is both ends."""

    label: str
    low_us: float
    high_us: float


@dataclass(frozen=True, slots=True)
class Box:
    """A row: lowest, lower quartile, median, upper quartile and highest latency (None: nothing was measured)."""

    label: str
    five_us: tuple[float, float, float, float, float] | None
    expected: tuple[Expected, ...] = ()


def box_plot(boxes: Sequence[Box], *, title: str, description: str) -> str:
    """The plot as an SVG element, or "" where no row has anything to draw."""
    latencies = [latency for box in boxes for latency in _extent(box)]
    if not latencies:
        return ""
    axis = latency_axis(latencies)
    height = ROW_HEIGHT * len(boxes)
    parts = [
        f'<svg class="chart boxes" role="img" height="{height + FOOT}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>",
        *(_tick(axis, latency_us, height) for latency_us in axis.ticks_us),
        *(_row(box, axis, number * ROW_HEIGHT) for number, box in enumerate(boxes)),
        "</svg>",
    ]
    return "".join(parts)


def _extent(box: Box) -> Iterator[float]:
    yield from box.five_us or ()
    for one in box.expected:
        yield one.low_us
        yield one.high_us


def _tick(axis: LatencyAxis, latency_us: float, height: int) -> str:
    x = _percent(100 * axis.up(latency_us))
    return (
        f'<line class="grid" x1="{x}" x2="{x}" y2="{height}"/>'
        f'<text x="{x}" y="{height + 16}" text-anchor="middle">{latency_label(latency_us)}</text>'
    )


def _row(box: Box, axis: LatencyAxis, top: int) -> str:
    middle = top + (LABEL_HEIGHT + ROW_HEIGHT) // 2
    expected = "".join(_expected(one, axis, middle) for one in box.expected)
    label = f'<text class="row-name" y="{top + LABEL_HEIGHT - 4}">{escape(box.label)}</text>'
    return f'<line class="foot" x2="100%" y1="{top}" y2="{top}"/>{expected}{_box(box, axis, middle)}{label}'


def _expected(one: Expected, axis: LatencyAxis, middle: int) -> str:
    left, right = 100 * axis.up(one.low_us), 100 * axis.up(one.high_us)
    width = max(right - left, THINNEST)
    return (
        f'<rect class="expected" x="{_percent((left + right - width) / 2)}" width="{_percent(width)}" '
        f'y="{middle - EXPECTED_HEIGHT // 2}" height="{EXPECTED_HEIGHT}"><title>{escape(one.label)}</title></rect>'
    )


def _box(box: Box, axis: LatencyAxis, middle: int) -> str:
    if box.five_us is None:
        return ""
    lowest, lower, median, upper, highest = (100 * axis.up(latency_us) for latency_us in box.five_us)
    top, foot = middle - BOX_HEIGHT // 2, middle + BOX_HEIGHT // 2
    return (
        f'<line class="whisker" x1="{_percent(lowest)}" x2="{_percent(highest)}" y1="{middle}" y2="{middle}"/>'
        f'<rect class="box" x="{_percent(lower)}" width="{_percent(upper - lower)}" '
        f'y="{top}" height="{BOX_HEIGHT}"/>'
        f'<line class="median" x1="{_percent(median)}" x2="{_percent(median)}" y1="{top - 3}" y2="{foot + 3}"/>'
    )


def _percent(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "%"
