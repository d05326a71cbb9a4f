"""Bars over equal steps of an axis: histograms of sizes, seeks and latencies, and shares over time."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from results.charts.axes import ValueAxis, iops_label, linear_axis
from results.charts.labels import spaced
from results.charts.plot import SHARES, Axis, Mark, Plot, Tick, bar, label, line
from results.charts.svg import draw

GAP = 0.15  # of a bar's width, on both sides together
LABEL_WIDTH = 0.075  # of the plot: a label closer to the one before is left out
NARROW_LABEL_WIDTH = 0.2  # the same on a phone, where the others are hidden
MIN_HEIGHT = 0.006  # so that a bar of few is seen
_BELOW_ONE = 0.5  # decades below 1, on a log axis of counts
_RIGHT_HALF = 0.5


class HistogramBar(NamedTuple):
    """A bar: its label on the axis, its value, and what it shows in words."""

    label: str
    value: float
    text: str
    is_marked: bool = False  # drawn in another color, as the text says


class HistogramMark(NamedTuple):
    """A vertical line at a position from 0 to 1 of the plot's width, with its name."""

    at: float
    name: str


def bar_chart(
    bars: Sequence[HistogramBar],
    *,
    title: str,
    description: str,
    name: str,
    unit: str = "",
    is_log: bool = False,
    top: float | None = None,
    center: int | None = None,
    mark: HistogramMark | None = None,
    level: float | None = None,
) -> SafeString:
    """Render the bars as an SVG element; "" without a bar above zero.

    Values begin at zero, or with `is_log` at 1. `top` is the end of their axis, if it is fixed. `center` is the
    index of the bar whose label always shows; `level` a horizontal line.
    """
    largest = max((bar.value for bar in bars), default=0)
    if largest <= 0:
        return SafeString()
    axis = _log_axis(largest) if is_log else linear_axis([(top or largest) / 1.01])  # which adds that much
    written = iops_label if is_log else lambda tick: f"{tick:g}{unit}"
    width = 1 / len(bars)
    marks = [_bar(drawn, width * index, width, axis) for index, drawn in enumerate(bars) if drawn.value > 0]
    if level is not None:
        marks.append(line("level", y1=axis.up(level), y2=axis.up(level)))
    if mark is not None:
        anchor, dx = ("end", -6) if mark.at > _RIGHT_HALF else ("start", 6)
        marks.append(line("mark", mark.at, mark.at))
        marks.append(label(mark.name, mark.at, "12", "mark-name", dx=dx, text_anchor=anchor))
    plot = Plot(
        css="chart histogram",
        x=Axis(SHARES.scale, _labels(bars, center or 0), name),
        y=Axis(SHARES.scale, [Tick(axis.up(tick), written(tick)) for tick in axis.ticks]),
        front=marks,
    )
    return draw(plot, title=title, description=description)


def _log_axis(largest: float) -> ValueAxis:
    """Decades from 1; a bar of 1 has the height of half a decade, so that it is seen."""
    decades = max(math.ceil(math.log10(largest)), 1)
    return ValueAxis(10**-_BELOW_ONE, 10.0**decades, tuple(10.0**decade for decade in range(decades + 1)))


def _bar(drawn: HistogramBar, left: float, width: float, axis: ValueAxis) -> Mark:
    height = max(axis.up(drawn.value), MIN_HEIGHT)
    edges = left + width * GAP / 2, left + width * (1 - GAP / 2)
    return bar("bar is-marked" if drawn.is_marked else "bar", edges, (0, height), title=drawn.text)


def _labels(bars: Sequence[HistogramBar], center: int) -> list[Tick]:
    """The labels below the bars, as many as fit, from the center to both sides."""
    shown = spaced([index for index, bar in enumerate(bars) if bar.label], LABEL_WIDTH * len(bars), center)
    narrow = spaced(shown, NARROW_LABEL_WIDTH * len(bars), center)
    return [
        Tick((index + 0.5) / len(bars), bars[index].label, "narrow-too" if index in narrow else "wide-only")
        for index in sorted(shown)
    ]
