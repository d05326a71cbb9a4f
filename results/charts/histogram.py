"""Bars over equal steps of an axis: histograms of sizes, seeks and latencies, and shares over time."""

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from results.charts import svg
from results.charts.axes import iops_label, linear_axis
from results.charts.svg import escape, grid_rows, percent, picture, tick_label

GAP = 0.15  # of a bar's width, on both sides together
LABEL_WIDTH = 0.075  # of the plot: a label closer to the one before is left out
NARROW_LABEL_WIDTH = 0.2  # the same on a phone, where the others are hidden
LEAST_HEIGHT = 0.006  # so that a bar of few is seen
_BELOW_ONE = 0.5  # decades below 1, on a log axis of counts
_RIGHT_HALF = 0.5


class Bar(NamedTuple):
    """A bar: its label on the axis, its value, and what it shows in words."""

    label: str
    value: float
    text: str
    is_marked: bool = False  # drawn in another colour, as the text says


class Mark(NamedTuple):
    """A vertical line at a position from 0 to 1 of the plot's width, with its name."""

    at: float
    name: str


def bar_chart(
    bars: Sequence[Bar],
    *,
    title: str,
    description: str,
    axis_name: str,
    unit: str = "",
    is_log: bool = False,
    top: float | None = None,
    centre: int | None = None,
    mark: Mark | None = None,
    level: float | None = None,
) -> str:
    """Render the bars as an SVG element; "" without a bar above zero.

    Values begin at zero, or with `is_log` at 1. `top` is the end of their axis, if it is fixed. `centre` is the
    index of the bar whose label always shows; `level` a horizontal line.
    """
    largest = max((bar.value for bar in bars), default=0)
    if largest <= 0:
        return ""
    heights, rows = _log_rows(largest) if is_log else _linear_rows(top or largest, unit)
    width = 1 / len(bars)
    parts = [rows]
    for index, bar in enumerate(bars):
        height = heights(bar.value)
        if bar.value > 0:
            height = max(height, LEAST_HEIGHT)
            parts.append(
                f'<rect class="bar{" is-marked" if bar.is_marked else ""}" x="{percent(width * (index + GAP / 2))}" '
                f'y="{percent(1 - height)}" width="{percent(width * (1 - GAP))}" height="{percent(height)}">'
                f"<title>{escape(bar.text)}</title></rect>"
            )
    parts.append(_labels(bars, centre))
    if level is not None:
        y = percent(1 - heights(level))
        parts.append(f'<line class="level" x2="100%" y1="{y}" y2="{y}"/>')
    if mark is not None:
        parts.append(_mark(mark))
    parts.append(svg.axis_name(axis_name))
    return picture("chart histogram", *parts, title=title, description=description)


def _linear_rows(top: float, unit: str) -> tuple[Callable[[float], float], str]:
    axis = linear_axis([top / 1.01])  # which adds that much
    return axis.up, grid_rows(axis.ticks, axis.up, lambda tick: f"{tick:g}{unit}")


def _log_rows(largest: float) -> tuple[Callable[[float], float], str]:
    """Decades from 1; a bar of 1 has the height of half a decade, so that it is seen."""
    decades = max(math.ceil(math.log10(largest)), 1)
    whole = decades + _BELOW_ONE

    def up(value: float) -> float:
        return (math.log10(max(value, 1)) + _BELOW_ONE) / whole

    return up, grid_rows([10.0**decade for decade in range(decades + 1)], up, iops_label)


def _labels(bars: Sequence[Bar], centre: int | None) -> str:
    """The labels below the bars, as many as fit, from the centre to both sides."""
    middle = centre or 0
    labelled = {index for index, bar in enumerate(bars) if bar.label}
    shown = _apart(labelled, middle, LABEL_WIDTH * len(bars))
    narrow = _apart(shown, middle, NARROW_LABEL_WIDTH * len(bars))
    return "".join(
        tick_label(
            (index + 0.5) / len(bars),
            bars[index].label,
            css="narrow-too" if index in narrow else "wide-only",
        )
        for index in sorted(shown)
    )


def _apart(indices: Collection[int], middle: int, distance: float) -> set[int]:
    """Those that are at least this far from the one before, from the middle to both sides."""
    found = {middle} & set(indices)
    after = sorted(index for index in indices if index > middle)
    before = sorted((index for index in indices if index < middle), reverse=True)
    for side in (after, before):
        last = middle
        for index in side:
            if abs(index - last) >= distance:
                found.add(index)
                last = index
    return found


def _mark(mark: Mark) -> str:
    x = percent(mark.at)
    anchor, dx = ("end", -6) if mark.at > _RIGHT_HALF else ("start", 6)
    return (
        f'<line class="mark" x1="{x}" x2="{x}" y2="100%"/>'
        f'<text class="mark-name" x="{x}" dx="{dx}" y="12" text-anchor="{anchor}">{escape(mark.name)}</text>'
    )
