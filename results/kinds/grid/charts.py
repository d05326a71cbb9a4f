"""Small charts of a grid: one for each operation, with a line per file size or layout."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from results.charts.axes import linear_axis, log_share, throughput_label
from results.charts.plot import LABEL_GAP, Axis, Mark, Plot, Tick, curve, label, labeled
from results.charts.svg import draw, legend_item, legend_name
from results.core.formats import format_block_size, format_number
from results.kinds.grid.lines import (
    BAND,
    PROCESSES,
    RECORD,
    GridLine,
    axis_of,
    file_label,
    lines_of,
    operations_of,
)
from results.kinds.grid.operations import OPERATIONS
from results.kinds.grid.words import RETEST_NOTE
from results.kinds.metric import Payload

MAX_LINES = 4  # of a single grid: its largest files
MAX_TICKS = 6
_HEADINGS = {RECORD: "record size", PROCESSES: "processes"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line with its style, from 1, and its name."""

    style: int
    name: str
    line: GridLine


def grid_chart(drawn: Sequence[Drawn], axis: str, *, title: str) -> SafeString:
    """Render an operation's lines as an SVG element, from zero; "" if none has two points."""
    shown = [line for line in drawn if len(line.line.points) > 1]
    if not shown:
        return SafeString()
    sizes = sorted({point.at for line in shown for point in line.line.points})
    up = linear_axis(point.high for line in shown for point in line.line.points)
    if len(up.ticks) > MAX_TICKS:
        up = replace(up, ticks=up.ticks[::2])
    plot = Plot(
        x=Axis(
            lambda size: log_share(size, sizes[0], sizes[-1]),
            [Tick(size, tick_label(size, axis)) for size in sizes],
            _HEADINGS[axis],
            LABEL_GAP,
        ),
        y=labeled(up, throughput_label),
        curves=[_curve(line) for line in shown],
        front=[mark for line in shown for mark in _retests(line)],
    )
    described = "; ".join(f"{line.name}: {_in_words(line.line, axis)}" for line in shown)
    return draw(plot, title=title, description=described)


def _curve(drawn: Drawn) -> Mark:
    points = drawn.line.points
    places = [(point.at, point.mib_s) for point in points]
    return curve(
        drawn.style,
        [places],
        drawn.name,
        markers=places,
        lows=[(point.at, point.low) for point in points],
        highs=[(point.at, point.high) for point in points],
    )


def _retests(drawn: Drawn) -> list[Mark]:
    css, title = f"end s{drawn.style}", f"{drawn.name}: needs a retest"
    return [
        label("?", point.at, point.mib_s, css, dy="-8", text_anchor="middle", title=title)
        for point in drawn.line.points
        if point.is_doubted
    ]


def tick_label(size: int, axis: str) -> str:
    """A record size as iozone's users write it, or a number of processes: "128k", "1m"."""
    if axis == PROCESSES:
        return f"{size:,}"
    for letter, unit in (("m", 2**20), ("k", 2**10)):
        if size % unit == 0:
            return f"{size // unit:,}{letter}"
    return f"{size:,}"


def at_label(size: int, axis: str) -> str:
    return format_block_size(size) if axis == RECORD else f"{size:,}"


def _in_words(line: GridLine, axis: str) -> str:
    return ", ".join(
        f"{format_number(point.mib_s)} MiB/s at {at_label(point.at, axis)}" for point in line.points
    )


def legend(named: Sequence[tuple[int, str]]) -> SafeString:
    """The legend of several lines, by style and name; "" for one."""
    if len(named) < 2:
        return SafeString()
    items = "".join(legend_item(legend_name(style, name), css=f"s{style}") for style, name in named)
    return SafeString(f'<ol class="legend">{items}</ol>')


def band_note(runs: int) -> str:
    if runs > 1:
        return f"The band spans the lowest to the highest of {runs} runs."
    return f"The band is ±{BAND:.0%}, which is an assumption: repeated runs would show the real spread."


@dataclass(frozen=True, slots=True)
class OperationChart:
    """The chart of an operation; without a picture if none of its lines has two points."""

    label: str
    svg: SafeString
    has_retest: bool


@dataclass(frozen=True, slots=True)
class GridCharts:
    """The charts of a single grid; none if nothing can be drawn as a line."""

    charts: Sequence[OperationChart]
    legend: SafeString
    only_line: str  # its name; "" if there are several
    more_lines: int  # smaller file sizes
    band: str

    @property
    def retest(self) -> str:
        return RETEST_NOTE if any(chart.has_retest for chart in self.charts) else ""


def draw_grid(payload: Payload) -> GridCharts:
    """A chart for each operation, with a line for each of the largest files."""
    axis = axis_of(payload)
    lines = {name: lines_of(payload, name, axis) for name in operations_of(payload)}
    keys = sorted({_key(line): line for found in lines.values() for line in found}.items(), reverse=True)
    chosen = {key: style for style, (key, _line) in enumerate(keys[:MAX_LINES], 1)}
    charts = [_chart(name, found, axis, chosen) for name, found in lines.items()]
    shown = [(style, _name(line, axis)) for style, (_, line) in enumerate(keys[:MAX_LINES], 1)]
    return GridCharts(
        [chart for chart in charts if chart.svg],
        legend(shown),
        shown[0][1] if len(shown) == 1 else "",
        max(len(keys) - MAX_LINES, 0),
        band_note(payload["runs"]),
    )


def _chart(
    operation: str, lines: Sequence[GridLine], axis: str, chosen: dict[tuple[int, int], int]
) -> OperationChart:
    drawn = [Drawn(chosen[_key(line)], _name(line, axis), line) for line in lines if _key(line) in chosen]
    svg = grid_chart(drawn, axis, title=f"{OPERATIONS[operation]} in MiB/s by {_HEADINGS[axis]}")
    has_retest = any(point.is_doubted for line in drawn for point in line.line.points)
    return OperationChart(OPERATIONS[operation], svg, has_retest)


def _key(line: GridLine) -> tuple[int, int]:
    return line.file_bytes or 0, line.fixed or 0


def _name(line: GridLine, axis: str) -> str:
    return f"{file_label(line, axis)}{', fits in memory' if line.is_in_memory else ''}"
