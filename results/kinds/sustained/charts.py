"""The chart of series: IOPS or latency over time, with the times of writing and the last five minutes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.safestring import mark_safe

from results.charts.axes import ValueAxis, iops_label, latency_label, value_axis
from results.charts.description import STYLES
from results.charts.options import ChartOptions, choice_links
from results.charts.svg import (
    FRAME,
    axis_name,
    curve_line,
    escape,
    grid_rows,
    percent,
    picture,
    stretched,
    tick_label,
)
from results.core.formats import format_number
from results.kinds.result_kind import Payload
from results.kinds.sustained.series import ROUND_S
from results.kinds.sustained.steady import WINDOW

MOST_LINES = 6
_STEPS_MIN = (1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880)
_MOST_TICKS = 7
MINUTES_UNTIL_S = 7200.0


@dataclass(frozen=True, slots=True)
class Line:
    """One series: its samples as [s, figure], its times of writing, and where its last five minutes begin."""

    label: str
    points: Sequence[Sequence[float]]
    phases: Sequence[Mapping[str, Any]] = ()
    window_start_s: float | None = None
    is_latency: bool = False
    url: str = ""

    @property
    def end_s(self) -> float:
        return float(max(self.points[-1][0], *(one["end_s"] for one in self.phases), 1.0))

    def is_pause(self, first: float, second: float) -> bool:
        """Whether nothing was written between two samples."""
        return any(
            first <= one["end_s"] + 1 and other["start_s"] - 1 <= second
            for one, other in pairwise(self.phases)
        )


def line_of(payload: Payload, label: str, *, url: str = "") -> Line | None:
    """The line of a result; None without a series."""
    if len(payload["points"]) < 2:
        return None
    return Line(
        label,
        payload["points"],
        payload["phases"],
        payload["window_start_s"],
        is_latency=not payload["verdict"],
        url=url,
    )


def chart_context(
    lines: Sequence[Line], title: str, *, options: ChartOptions | None = None, anchor: str = "series"
) -> dict[str, Any]:
    """The context of templates/results/kinds/sustained/chart.html; empty without a line."""
    shown = [one for one in lines if one.points][:MOST_LINES]
    if not shown:
        return {}
    is_linear = bool(options and options.view.is_linear)
    is_latency = shown[0].is_latency
    what = "Write latency" if is_latency else "Writes per second"
    axis = "linear" if is_linear else "logarithmic"
    better = "lower" if is_latency else "higher"
    has_window = len(shown) == 1 and shown[0].window_start_s is not None
    return {
        "anchor": anchor,
        "heading": f"{what} over time",
        "note": f"{what} over time; the vertical axis is {axis}, {better} is better."
        + (" Shaded: the last five minutes of writing, whose mean we use." if has_window else "")
        + (" Gray: idle." if len(shown) == 1 and len(shown[0].phases) > 1 else ""),
        "svg": mark_safe(series_chart(shown, title=title, is_linear=is_linear)),  # noqa: S308 - texts are escaped
        "legend": [
            {
                "style": number,
                "dash": " ".join(map(str, STYLES[number - 1].dash)),
                "label": one.label,
                "url": one.url,
            }
            for number, one in enumerate(shown, start=1)
        ]
        if len(shown) > 1
        else [],
        "choices": choice_links(options, ("scale",)) if options else [],
        "data": {
            "unit": "µs" if is_latency else "IOPS",
            "end": max(one.end_s for one in shown),
            "lines": [{"label": one.label, "points": [list(point) for point in one.points]} for one in shown],
        },
    }


def series_chart(lines: Sequence[Line], *, title: str, is_linear: bool = False) -> str:
    """Render up to six series as an SVG element."""
    values = [value for one in lines for _, value in one.points if value > 0] or [1.0]
    axis = value_axis(values, is_linear=is_linear)
    end = max(one.end_s for one in lines)
    label = latency_label if lines[0].is_latency else iops_label
    return picture(
        "chart series",
        _ground(lines[0], end) if len(lines) == 1 else "",
        grid_rows(axis.ticks, axis.up, label),
        *_ticks(end),
        axis_name("hours" if _is_in_hours(end) else "minutes"),
        stretched(*(_path(one, number, axis, end) for number, one in enumerate(lines, start=1))),
        title=title,
        description=_describe(lines),
    )


def _describe(lines: Sequence[Line]) -> str:
    unit = "µs" if lines[0].is_latency else "writes per second"
    parts = []
    for one in lines:
        figures = [value for _, value in one.points]
        parts.append(
            f"{one.label}: begins at {format_number(figures[0])}, ends at {format_number(figures[-1])}, lowest "
            f"{format_number(min(figures))} {unit}, over {time_label(one.end_s)}"
        )
    return ". ".join(parts)


def _ground(line: Line, end: float) -> str:
    """The idle times and the last five minutes."""
    idle = "".join(
        f'<rect class="idle" x="{percent(one["end_s"] / end)}" '
        f'width="{percent((other["start_s"] - one["end_s"]) / end)}" height="100%"/>'
        for one, other in pairwise(line.phases)
    )
    if line.window_start_s is None:
        return idle
    width = min(WINDOW * ROUND_S, end - line.window_start_s) / end
    left = percent(line.window_start_s / end)
    return f'{idle}<rect class="ranked" x="{left}" width="{percent(width)}" height="100%"/>'


def _path(line: Line, style: int, axis: ValueAxis, end: float) -> str:
    steps, before = [], None
    for time, value in line.points:
        up = axis.up(max(value, axis.low)) if value > 0 else 0.0
        move = "M" if before is None or line.is_pause(before, time) else "L"
        x, y = round(time / end * FRAME.width, 1), round((1 - up) * FRAME.height, 1)
        steps.append(f"{move}{x:g} {y:g}")
        before = time
    return f'<g class="s{style}"><title>{escape(line.label)}</title>{curve_line("".join(steps), style)}</g>'


def _is_in_hours(end: float) -> bool:
    return end > MINUTES_UNTIL_S


def _ticks(end: float) -> Iterator[str]:
    """The labels of the time axis, in minutes, or in hours if it is long."""
    step = next((one for one in _STEPS_MIN if end / 60 / one <= _MOST_TICKS), _STEPS_MIN[-1]) * 60
    unit = 3600 if _is_in_hours(end) else 60
    for tick in range(0, int(end) + 1, step):
        yield tick_label(tick / end, f"{tick / unit:g}")


def time_label(seconds: float) -> str:
    """A time of a series: 0, 45 s, 20 min, 3 h, 1 h 30 min."""
    if seconds < 60:
        return f"{round(seconds)} s" if seconds else "0"
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
