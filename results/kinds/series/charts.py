"""The chart of series: IOPS or latency over time, with the times of writing and the last five minutes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.safestring import SafeString

from results.charts.axes import iops_label, value_axis
from results.charts.description import STYLES
from results.charts.options import ChartOptions, ViewChoice, choice_links
from results.charts.plot import Axis, Mark, Place, Plot, Tick, band, curve, labeled, mark
from results.charts.svg import draw
from results.core.formats import format_number, latency_label
from results.kinds.series.samples import ROUND_S
from results.kinds.series.steady import WINDOW

MAX_LINES = 6
_STEPS_MIN = (1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880)
_MAX_TICKS = 7
MINUTES_UNTIL_S = 7200.0


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """One series: its samples as [s, figure], its times of writing, and where its last five minutes begin."""

    label: str
    points: Sequence[Sequence[float]]
    phases: Sequence[Mapping[str, Any]] = ()
    window_start_s: float | None = None
    is_latency: bool = False
    url: str = ""

    @property
    def end_s(self) -> float:
        return float(max(self.points[-1][0], *(phase["end_s"] for phase in self.phases), 1.0))

    def is_pause(self, first: float, second: float) -> bool:
        """Whether nothing was written between two samples."""
        return any(
            first <= phase["end_s"] + 1 and other["start_s"] - 1 <= second
            for phase, other in pairwise(self.phases)
        )


def line_of(payload: Mapping[str, Any], label: str, *, url: str = "") -> SeriesLine | None:
    """The line of a result; None without a series."""
    if len(payload["points"]) < 2:
        return None
    return SeriesLine(
        label,
        payload["points"],
        payload["phases"],
        payload["window_start_s"],
        is_latency=not payload["verdict"],
        url=url,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChart:
    """A chart of up to MAX_LINES series with its text, and the data for its script."""

    anchor: str
    heading: str
    note: str
    svg: SafeString
    legend: Sequence[tuple[str, SeriesLine]]  # with their dashes; empty for a single line
    choices: Sequence[ViewChoice]
    data: Mapping[str, Any]


def draw_series(
    lines: Sequence[SeriesLine],
    description: str,
    *,
    options: ChartOptions | None = None,
    anchor: str = "series",
    heading: str = "",
) -> SeriesChart | None:
    """The chart of those that have points; None without any."""
    shown = [line for line in lines if line.points][:MAX_LINES]
    if not shown:
        return None
    is_linear, is_single = bool(options and options.view.is_linear), len(shown) == 1
    is_latency = shown[0].is_latency
    what = f"{'Write latency' if is_latency else 'Writes per second'} over time"
    axis, better = "linear" if is_linear else "logarithmic", "lower" if is_latency else "higher"
    has_window = is_single and shown[0].window_start_s is not None
    dashes = [" ".join(map(str, style.dash)) for style in STYLES]
    return SeriesChart(
        anchor=anchor,
        heading=heading or what,
        note=f"{what}; the vertical axis is {axis}, {better} is better."
        + (" Shaded: the last five minutes of writing, whose mean we use." if has_window else "")
        + (" Gray: idle." if is_single and len(shown[0].phases) > 1 else ""),
        svg=series_chart(shown, title=description, is_linear=is_linear),
        legend=[] if is_single else list(zip(dashes, shown, strict=False)),
        choices=choice_links(options, ("scale",)) if options else [],
        data={
            "unit": "µs" if is_latency else "IOPS",
            "end": max(line.end_s for line in shown),
            "lines": [
                {"label": line.label, "points": [list(point) for point in line.points]} for line in shown
            ],
        },
    )


def series_chart(lines: Sequence[SeriesLine], *, title: str, is_linear: bool = False) -> SafeString:
    """Render up to six series as an SVG element."""
    values = [value for line in lines for _, value in line.points if value > 0] or [1.0]
    end = max(line.end_s for line in lines)
    axis = value_axis(values, is_linear=is_linear)
    plot = Plot(
        css="chart series",
        x=Axis(lambda time: time / end, list(_ticks(end)), "hours" if _is_in_hours(end) else "minutes"),
        y=labeled(axis, latency_label if lines[0].is_latency else iops_label),
        ground=_ground(lines[0], end) if len(lines) == 1 else [],
        curves=[curve(style, _runs(line, axis.low), line.label) for style, line in enumerate(lines, start=1)],
        front=[mark("line", "cursor", y2="100%", visibility="hidden")],  # moved by static/js/series-chart.js
        decimals=1,
    )
    return draw(plot, title=title, description=_describe(lines))


def _describe(lines: Sequence[SeriesLine]) -> str:
    unit = "µs" if lines[0].is_latency else "writes per second"
    parts = []
    for line in lines:
        figures = [value for _, value in line.points]
        parts.append(
            f"{line.label}: begins at {format_number(figures[0])}, ends at {format_number(figures[-1])}, lowest "
            f"{format_number(min(figures))} {unit}, over {time_label(line.end_s)}"
        )
    return ". ".join(parts)


def _ground(line: SeriesLine, end: float) -> list[Mark]:
    """The idle times and the last five minutes."""
    bands = [band("idle", phase["end_s"], other["start_s"]) for phase, other in pairwise(line.phases)]
    if line.window_start_s is not None:
        bands.append(band("ranked", line.window_start_s, min(line.window_start_s + WINDOW * ROUND_S, end)))
    return bands


def _runs(line: SeriesLine, lowest: float) -> list[list[Place]]:
    """The samples, interrupted where nothing was written; a figure of 0 is at the foot of a log axis."""
    runs: list[list[Place]] = []
    before = None
    for time, value in line.points:
        if before is None or line.is_pause(before, time):
            runs.append([])
        runs[-1].append((time, max(value, lowest)))
        before = time
    return runs


def _is_in_hours(end: float) -> bool:
    return end > MINUTES_UNTIL_S


def _ticks(end: float) -> Iterator[Tick]:
    """The labels of the time axis, in minutes, or in hours if it is long."""
    step = next((minutes for minutes in _STEPS_MIN if end / 60 / minutes <= _MAX_TICKS), _STEPS_MIN[-1]) * 60
    unit = 3600 if _is_in_hours(end) else 60
    for tick in range(0, int(end) + 1, step):
        yield Tick(tick, f"{tick / unit:g}")


def time_label(seconds: float) -> str:
    """A time of a series: 0, 45 s, 20 min, 3 h, 1 h 30 min."""
    if seconds < 60:
        return f"{round(seconds)} s" if seconds else "0"
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return f"{minutes} min"
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
