"""Box plots of latencies, a row per class, above the expected bands."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from results.charts.axes import ValueAxis, value_axis
from results.charts.description import EXPECTED, PLAIN, Box, Expected, LivePlot, Point, PointSeries, View
from results.charts.plot import SHARES, Axis, Mark, Plot, Tick, bar, label, line, mark
from results.charts.svg import escape, legend_item
from results.core.formats import format_number, latency_label

EXPECTED_NAME = "Expected in 2018"
FIVE_NAMES = ("lowest", "lower quartile", "median", "upper quartile", "highest")
# The measures of a row in pixels.
ROW_HEIGHT = 64
LABEL_HEIGHT = 20  # above the box, so that the plot has the full width on a phone
BOX_HEIGHT = 14
EXPECTED_HEIGHT = 30
THINNEST = 0.008  # of the width: an expected band of a single figure
FOOT = 24  # below the rows, for the ticks


def box_plot(boxes: Sequence[Box], view: View = PLAIN) -> Plot | None:
    """The plot of these rows; None if none has anything to draw. Hidden ones keep their place."""
    drawn = [view.drawn(box) for box in boxes]
    shown = [latency for box in drawn for latency in _extent(box)]
    latencies = shown or [latency for box in boxes for latency in _extent(box)]
    if not latencies:
        return None
    axis = value_axis(latencies, is_linear=view.is_linear)
    ticks = [Tick(axis.up(tick), latency_label(tick)) for tick in axis.ticks]
    return Plot(
        css="chart boxes",
        x=Axis(SHARES.scale, ticks, label_dy="16", has_lines=True),
        front=[
            part for number, box in enumerate(drawn) for part in _row(box, axis, number * ROW_HEIGHT, view)
        ],
        height=ROW_HEIGHT * len(boxes) + FOOT,
        foot=FOOT,
        live=_live(drawn, axis),
    )


def _live(boxes: Sequence[Box], axis: ValueAxis) -> LivePlot:
    """A stop is a row with something in it: its median and the middles of its expected bands."""
    stops: list[str] = []
    medians: list[Point] = []
    expected: list[Point] = []
    for number, box in enumerate(boxes):
        middle = _middle(number * ROW_HEIGHT)
        if box.five_us:
            medians.append(Point(len(stops), axis.up(box.five_us[2]), middle, _five_lines(box)))
        for band in box.expected:
            across = (axis.up(band.low_us) + axis.up(band.high_us)) / 2
            expected.append(Point(len(stops), across, middle, [f"expected in 2018, {band.label}"]))
        if box.five_us or box.expected:
            stops.append(box.label)
    return LivePlot(
        "y", stops, [PointSeries("boxes", medians), PointSeries("boxes", expected, hover_radius=0)]
    )


def box_legend(boxes: Sequence[Box], *, urls: Mapping[str, str], view: View = PLAIN) -> SafeString:
    """Render the legend of the rows and of the expected bands.

    `urls` maps each row's key, and EXPECTED, to the URL that hides it or shows it again.
    """
    named = [(box.key, escape(box.name)) for box in boxes] + [(EXPECTED, EXPECTED_NAME)]
    items = (
        legend_item(f'<span class="name">{name}</span>', key=key, url=urls[key], is_hidden=key in view.hidden)
        for key, name in named
    )
    return SafeString(f'<ul class="legend rows" aria-label="Rows">{"".join(items)}</ul>')


def _extent(box: Box) -> Iterator[float]:
    yield from box.five_us or ()
    for expected in box.expected:
        yield expected.low_us
        yield expected.high_us


def _row(box: Box, axis: ValueAxis, top: int, view: View) -> Iterator[Mark]:
    middle, css = _middle(top), "row-name is-out" if view.hides(box) else "row-name"
    yield line("foot", y1=top, y2=top)
    for expected in box.expected:
        yield _expected(expected, axis, middle)
    if box.five_us is not None:
        yield _box(box, [axis.up(latency_us) for latency_us in box.five_us], middle)
    yield label(box.label, None, top + LABEL_HEIGHT - 4, css)


def _expected(expected: Expected, axis: ValueAxis, middle: int) -> Mark:
    left, right = axis.up(expected.low_us), axis.up(expected.high_us)
    missing, half = max(THINNEST - (right - left), 0) / 2, EXPECTED_HEIGHT // 2
    return bar(
        "expected", (left - missing, right + missing), (middle - half, middle + half), title=expected.label
    )


def _box(box: Box, five: Sequence[float], middle: int) -> Mark:
    """The box with these shares of the width."""
    lowest, lower, median, upper, highest = five
    top, foot = middle - BOX_HEIGHT // 2, middle + BOX_HEIGHT // 2
    return mark(
        "g",
        "",
        line("whisker", lowest, highest, middle, middle),
        bar("box", (lower, upper), (top, foot)),
        line("median", median, median, top - 3, foot + 3),
        title=f"{box.label}; {', '.join(_five_lines(box))}",
    )


def _middle(top: int) -> int:
    """The middle of the box of the row that begins at `top`."""
    return top + (LABEL_HEIGHT + ROW_HEIGHT) // 2


def _five_lines(box: Box) -> list[str]:
    five = zip(FIVE_NAMES, box.five_us or (), strict=True)
    return [f"{name} {format_number(value, box.digits)} µs" for name, value in five]
