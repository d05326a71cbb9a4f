"""Bars grouped by a number, such as threads: a row a bar, with the number of its series, its length and its value."""

from collections.abc import Sequence
from typing import NamedTuple

from results.charts.cards import Labels, cut, document
from results.charts.svg import escape, percent, picture

HEAD = 26  # above the bars of a group
ROW = 24
BAR = 16
GAP = 8  # below a group
LONGEST = 0.6  # of the width, for the longest bar: its value is behind it
LEFT = 26  # for the number of the series
STYLES = 8
SPACE = 16  # around a stand-alone image
TOP = 48
TITLE = 26
LEGEND_ROW = 22
FOOT = 40
LONGEST_LEGEND = 100
WIDTH = 800


class Bar(NamedTuple):
    """A bar: its series, counted from 1, its value or None, and how it is written with its unit."""

    number: int
    value: float | None
    text: str
    title: str


class Group(NamedTuple):
    """Bars under one heading, such as "4 threads", or none."""

    label: str
    bars: Sequence[Bar]


class Plot(NamedTuple):
    """Groups of bars of one figure."""

    title: str
    groups: Sequence[Group]


def style_of(number: int) -> int:
    """The color of a series; the ninth has that of the first, and every bar has its number."""
    return (number - 1) % STYLES + 1


def plot_height(plot: Plot) -> int:
    return sum(_head(group) + ROW * len(group.bars) + GAP for group in plot.groups)


def _head(group: Group) -> int:
    return HEAD if group.label else 0


def bar_plot(plot: Plot, *, description: str) -> str:
    """Render the plot as an SVG element of any width; "" without a value."""
    parts = bar_parts(plot)
    if not parts:
        return ""
    height = plot_height(plot)
    return picture("chart bars", *parts, title=plot.title, description=description, height=height)


def bar_parts(plot: Plot) -> list[str]:
    """The elements of the plot, `plot_height` high; empty without a value."""
    values = [bar.value for group in plot.groups for bar in group.bars if bar.value]
    if not values:
        return []
    parts, top = [], 0
    for group in plot.groups:
        if group.label:
            parts.append(f'<text class="row-name" y="{top + HEAD - 9}">{escape(group.label)}</text>')
        top += _head(group)
        for bar in group.bars:
            parts.append(_bar(bar, max(values), top))
            top += ROW
        top += GAP
    return parts


def _bar(bar: Bar, longest: float, top: int) -> str:
    share = LONGEST * (bar.value or 0) / longest
    base = top + BAR - 3
    drawn = (
        f'<svg x="{LEFT}" y="{top}" height="{ROW}" overflow="visible">'
        f'<rect class="value" width="{percent(share)}" height="{BAR}"/>'
        f'<text class="figure" x="{percent(share)}" dx="6" y="{BAR - 3}">{escape(bar.text)}</text></svg>'
    )
    return (
        f'<g class="s{style_of(bar.number)}"><title>{escape(bar.title)}</title>'
        f'<text class="bar-number" y="{base}">{bar.number}</text>{drawn}</g>'
    )


def bars_image(
    plots: Sequence[Plot], names: Sequence[tuple[int, str]], labels: Labels, *, theme: str = ""
) -> str:
    """Render plots beside each other as an SVG document, with the names of the series; "" without a value.

    `names` are the numbers of the series with their names.
    """
    drawn = [(plot, parts) for plot in plots if (parts := bar_parts(plot))]
    if not drawn:
        return ""
    width = (WIDTH - SPACE) // len(drawn) - SPACE
    height = max(plot_height(plot) for plot, _ in drawn)
    body = "".join(
        f'<text class="name" x="{SPACE + at * (width + SPACE)}" y="{TOP + 12}">{escape(plot.title)}</text>'
        f'<svg x="{SPACE + at * (width + SPACE)}" y="{TOP + TITLE}" width="{width}" height="{height}">'
        f"{''.join(parts)}</svg>"
        for at, (plot, parts) in enumerate(drawn)
    )
    below = TOP + TITLE + height + 12
    legend = "".join(
        f'<g class="s{style_of(number)}" transform="translate({SPACE} {below + LEGEND_ROW * at})">'
        f'<rect class="value" width="12" height="12"/><text class="name" x="20" y="11">{number}: '
        f"{escape(cut(name, LONGEST_LEGEND))}</text></g>"
        for at, (number, name) in enumerate(names)
    )
    total = below + LEGEND_ROW * len(names) + FOOT
    named = "; ".join(f"{number}: {name}" for number, name in names)
    return document(
        f"{body}{legend}", labels, name=f"{labels.title}. {named}", height=total, theme=theme, width=WIDTH
    )
