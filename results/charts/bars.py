"""Bars grouped by a number, such as threads: a row a bar, with the number of its series, its length and its value."""

from collections.abc import Sequence
from typing import NamedTuple

from results.charts import plot
from results.charts.cards import WIDTH, Labels, image
from results.charts.description import STYLES
from results.charts.labels import cut
from results.charts.plot import SHARES, Mark, Plot, label

HEAD = 26  # above the bars of a group
ROW = 24
BAR = 16
GAP = 8  # below a group
LONGEST = 0.6  # of the width, for the longest bar: its value is behind it
LEFT = 26  # for the number of the series
SPACE = 16  # around a stand-alone image
TOP = 48
TITLE = 26
LEGEND_ROW = 22
FOOT = 40
LONGEST_LEGEND = 100


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

    @property
    def head(self) -> int:
        return HEAD if self.label else 0

    @property
    def height(self) -> int:
        return self.head + ROW * len(self.bars) + GAP


class BarPlot(NamedTuple):
    """Groups of bars of one figure."""

    title: str
    groups: Sequence[Group]

    @property
    def height(self) -> int:
        return sum(group.height for group in self.groups)


def style_of(number: int) -> int:
    """The color of a series; the ninth has that of the first, and every bar has its number."""
    return (number - 1) % len(STYLES) + 1


def bar_plot(bars: BarPlot) -> Plot | None:
    """The plot, of any width; None without a value."""
    longest = max((bar.value or 0 for group in bars.groups for bar in group.bars), default=0)
    if not longest:
        return None
    marks: list[Mark] = []
    top = 0
    for group in bars.groups:
        if group.label:
            marks.append(label(group.label, None, top + HEAD - 9, "row-name"))
        for number, bar in enumerate(group.bars):
            marks.append(_bar(bar, LONGEST * (bar.value or 0) / longest, top + group.head + ROW * number))
        top += group.height
    return Plot(css="chart bars", x=SHARES, front=marks, height=top)


def _bar(bar: Bar, share: float, top: int) -> Mark:
    base = top + BAR - 3
    rect = plot.bar("value", (0, share), (top, top + BAR))
    value = plot.mark(
        "g", "", rect, label(bar.text, share, base, "figure", dx="6"), transform=f"translate({LEFT})"
    )
    number = label(f"{bar.number}", None, base, "bar-number")
    return plot.mark("g", f"s{style_of(bar.number)}", number, value, title=bar.title)


def bars_image(
    plots: Sequence[BarPlot], names: Sequence[tuple[int, str]], labels: Labels, *, theme: str = ""
) -> str:
    """Render plots beside each other as an SVG document, with the names of the series; "" without a value.

    `names` are the numbers of the series with their names.
    """
    drawn = [(bars, plotted) for bars in plots if (plotted := bar_plot(bars))]
    if not drawn:
        return ""
    width = (WIDTH - SPACE) // len(drawn) - SPACE
    height = max(bars.height for bars, _ in drawn)
    marks: list[Mark] = []
    for at, (bars, plotted) in enumerate(drawn):
        left = SPACE + at * (width + SPACE)
        marks.append(label(bars.title, left, TOP + 12, "name"))
        marks.append(plot.inset(plotted, left, TOP + TITLE, width, height))
    below = TOP + TITLE + height + 12
    for at, (number, name) in enumerate(names):
        key = plot.bar("value", (0, 12), (0, 12))
        text = label(f"{number}: {cut(name, LONGEST_LEGEND)}", 20, 11, "name")
        place = f"translate({SPACE} {below + LEGEND_ROW * at})"
        marks.append(plot.mark("g", f"s{style_of(number)}", key, text, transform=place))
    total = below + LEGEND_ROW * len(names) + FOOT
    named = "; ".join(f"{number}: {name}" for number, name in names)
    return image(marks, labels, name=f"{labels.title}. {named}", height=total, theme=theme)
