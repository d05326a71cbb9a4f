"""Small charts of a grid: one for each operation, with a line per file size or layout."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import mark_safe

from results.charts.axes import ValueAxis, linear_axis, throughput_label
from results.charts.svg import (
    FRAME,
    axis_name,
    curve_line,
    curve_marks,
    escape,
    grid_rows,
    legend_name,
    percent,
    picture,
    spaced_labels,
    stretched,
)
from results.core.formats import format_block_size, format_number
from results.kinds.file_grid.grid import (
    BAND,
    PROCESSES,
    RECORD,
    Line,
    Payload,
    Point,
    axis_of,
    file_label,
    lines_of,
    operations_of,
)
from results.kinds.file_grid.operations import OPERATIONS
from results.kinds.file_grid.words import RETEST_NOTE

MOST_LINES = 4  # of a single grid: its largest files
MOST_TICKS = 6
LABEL_GAP = 0.16  # of the width: a label closer to the one before it is left out
_HEADINGS = {RECORD: "record size", PROCESSES: "processes"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line with its style, from 1, and its name."""

    style: int
    name: str
    line: Line


def grid_chart(drawn: Sequence[Drawn], axis: str, *, title: str) -> str:
    """Render an operation's lines as an SVG element, from zero; "" if none has two points."""
    shown = [one for one in drawn if len(one.line.points) > 1]
    if not shown:
        return ""
    sizes = sorted({point.at for one in shown for point in one.line.points})
    up = linear_axis(point.high for one in shown for point in one.line.points)
    ticks = up.ticks if len(up.ticks) <= MOST_TICKS else up.ticks[::2]
    return picture(
        "chart",
        grid_rows(ticks, up.up, throughput_label),
        spaced_labels(((_across(size, sizes), tick_label(size, axis)) for size in sizes), LABEL_GAP),
        axis_name(_HEADINGS[axis]),
        stretched(*(_curve(one, sizes, up) for one in shown)),
        *(_retests(one, sizes, up) for one in shown),
        title=title,
        description="; ".join(f"{one.name}: {_in_words(one.line, axis)}" for one in shown),
    )


def _across(at: int, sizes: Sequence[int]) -> float:
    first, last = math.log2(sizes[0]), math.log2(sizes[-1])
    return (math.log2(at) - first) / (last - first)


def _position(point: Point, value: float, sizes: Sequence[int], up: ValueAxis) -> str:
    return f"{round(_across(point.at, sizes) * FRAME.width)} {round((1 - up.up(value)) * FRAME.height)}"


def _curve(drawn: Drawn, sizes: Sequence[int], up: ValueAxis) -> str:
    points = drawn.line.points
    path = [_position(one, one.mib_s, sizes, up) for one in points]
    highs = [_position(one, one.high, sizes, up) for one in points]
    lows = [_position(one, one.low, sizes, up) for one in points]
    dots = "".join(f"M{one}h.01" for one in path)
    return (
        f'<g class="s{drawn.style}"><title>{escape(drawn.name)}</title>'
        f'<path class="band" d="M{" ".join([*highs, *reversed(lows)])}z"/>'
        f"{curve_line('M' + ' '.join(path), drawn.style)}{curve_marks(dots, drawn.style)}</g>"
    )


def _retests(drawn: Drawn, sizes: Sequence[int], up: ValueAxis) -> str:
    return "".join(
        f'<text class="end s{drawn.style}" x="{percent(_across(one.at, sizes))}" y="{percent(1 - up.up(one.mib_s))}" '
        f'dy="-8" text-anchor="middle">?<title>{escape(drawn.name)}: needs a retest</title></text>'
        for one in drawn.line.points
        if one.is_doubted
    )


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


def _in_words(line: Line, axis: str) -> str:
    return ", ".join(f"{format_number(one.mib_s)} MiB/s at {at_label(one.at, axis)}" for one in line.points)


def legend(named: Sequence[tuple[int, str]]) -> str:
    """The legend of several lines, by style and name; "" for one."""
    if len(named) < 2:
        return ""
    items = "".join(f'<li class="s{style}">{legend_name(style, name)}</li>' for style, name in named)
    return mark_safe(f'<ol class="legend">{items}</ol>')  # noqa: S308 - escaped above


def band_note(runs: int) -> str:
    if runs > 1:
        return f"The band spans the lowest to the highest of {runs} runs."
    return f"The band is ±{BAND:.0%}, which is an assumption: repeated runs would show the real spread."


def charts_context(payload: Payload) -> dict[str, Any]:
    """The context of kinds/file_grid/charts.html for a single grid; no charts if nothing can be drawn as a line."""
    axis = axis_of(payload)
    lines = {name: lines_of(payload, name, axis) for name in operations_of(payload)}
    keys = sorted(
        {(line.file_bytes or 0, line.fixed or 0): line for found in lines.values() for line in found}.items(),
        reverse=True,
    )
    chosen = {key: style for style, (key, _line) in enumerate(keys[:MOST_LINES], 1)}
    charts = [_chart(name, found, axis, chosen) for name, found in lines.items()]
    drawn = [one for one in charts if one["svg"]]
    shown = [(style, _name(line, axis)) for style, (_key, line) in enumerate(keys[:MOST_LINES], 1)]
    more = len(keys) - MOST_LINES
    return {
        "charts": drawn,
        "legend": legend(shown),
        "only_line": shown[0][1] if len(shown) == 1 else "",
        "band": band_note(payload["runs"]) if drawn else "",
        "retest": RETEST_NOTE if any(one["has_retest"] for one in drawn) else "",
        "more_lines": f"The table below has {more} smaller file sizes." if more > 0 and drawn else "",
    }


def _name(line: Line, axis: str) -> str:
    return f"{file_label(line, axis)}{', fits in memory' if line.is_in_memory else ''}"


def _chart(
    operation: str, lines: Sequence[Line], axis: str, chosen: dict[tuple[int, int], int]
) -> dict[str, Any]:
    drawn = [
        Drawn(chosen[key], _name(line, axis), line)
        for line in lines
        if (key := (line.file_bytes or 0, line.fixed or 0)) in chosen
    ]
    svg = grid_chart(drawn, axis, title=f"{OPERATIONS[operation]} in MiB/s by {_HEADINGS[axis]}")
    return {
        "label": OPERATIONS[operation],
        "svg": mark_safe(svg),  # noqa: S308 - escaped above
        "has_retest": any(point.is_doubted for one in drawn for point in one.line.points),
    }
