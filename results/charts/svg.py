"""Charts as SVG: curves, bars with whiskers, and latency over wear.

A chart consists of the plot area and fits every width: text and gridlines are at percentages of the area, the
curves in an inner frame that is stretched over it; strokes don't scale. Its styles are in static/css/charts.css, as
the site forbids inline styles. Text from users is escaped, and characters that XML forbids are replaced.
"""

import html
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from results.charts.axes import (
    RANKED_BLOCKS,
    BlockAxis,
    ValueAxis,
    iops_label,
    latency_label,
    linear_axis,
    log_axis,
    throughput_label,
    value_axis,
)
from results.charts.description import PLAIN, STYLES, Dot, Series, Spot, Step, View, WearAxis, drawn_series
from results.core.formats import format_block_size

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """Escape text for XML; forbidden characters become replacement characters."""
    return html.escape(_NOT_IN_XML.sub("\ufffd", text))


MARK_GAP = 0.1  # of the height: the minimum distance between marks at the ends of curves
LOWEST_MARK = 0.94  # of the height, above the labels below the plot area


class Frame(NamedTuple):
    """The coordinate system of curves."""

    width: int = 700
    height: int = 400


FRAME = Frame()


class Plotted(NamedTuple):
    """A curve in the current view, with its style."""

    style: int
    series: Series
    spots: list[Spot]


class Scale(NamedTuple):
    """Both axes and the frame."""

    blocks: BlockAxis
    values: ValueAxis
    frame: Frame

    def position(self, block_size: int, value: float) -> str:
        """The coordinates of a value in the frame, in path syntax."""
        x = round(self.blocks.across(block_size) * self.frame.width)
        return f"{x} {round((1 - self.values.up(value)) * self.frame.height)}"


def plot_parts(
    series: Sequence[Series], view: View, frame: Frame = FRAME, *, others: Sequence[Series] = ()
) -> list[str]:
    """The elements of the plot area; empty if no curve has a point in this view.

    `others` are drawn behind the curves, all alike and without names.
    """
    everything = [
        Plotted(style, one, spots)
        for style, one in enumerate(drawn_series(series), 1)
        if (spots := view.spots(one))
    ]
    if not everything:
        return []
    shown = [one for one in everything if not view.hides(one.series)]
    behind = [spots for one in others if (spots := view.spots(one))]
    values = [*_extent(shown or everything), *(spot.value for spots in behind for spot in spots)]
    scale = Scale(view.block_axis, value_axis(values, is_linear=view.is_linear), frame)
    return [
        _ground(scale, is_throughput=view.is_throughput),
        stretched(
            _others(behind, scale),
            *(_curve(one, scale, marks_all=len(everything) == 1) for one in shown),
            frame=frame,
        ),
        *_end_marks(shown, scale),
    ]


MOST_LABELS_ON_A_PHONE = 4  # of block sizes; of more, every other one is left out there


def legend_key(style: int) -> str:
    """A short piece of a curve for a legend, with dash and marker, 32 by 12."""
    return f"{curve_line('M0 6h32', style)}{curve_marks('M16 6h.01', style)}"


def legend_name(style: int, name: str) -> str:
    """The name of a curve in a legend, with a piece of it."""
    return (
        f'<svg class="chart key" viewBox="0 0 32 12" aria-hidden="true">{legend_key(style)}</svg>'
        f'<span class="name">{escape(name)}</span>'
    )


def percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"


def _extent(plotted: Sequence[Plotted]) -> list[float]:
    spots = [spot for one in plotted for spot in one.spots]
    return [value for spot in spots for value in spot[1:] if value is not None]


def _ground(scale: Scale, *, is_throughput: bool) -> str:
    """The background: the range of the ZIL's writes, gridlines with values, block sizes."""
    blocks, values, _ = scale
    left, right = (blocks.across(block_size) for block_size in RANKED_BLOCKS)
    label: Callable[[float], str] = throughput_label if is_throughput else latency_label
    parts = [f'<rect class="ranked" x="{percent(left)}" width="{percent(right - left)}" height="100%"/>']
    parts.append(grid_rows(values.ticks, values.up, label))
    css = ("", "minor" if len(blocks.ticks) > MOST_LABELS_ON_A_PHONE else "")
    parts.extend(
        tick_label(blocks.across(block_size), format_block_size(block_size), css=css[number % 2])
        for number, block_size in enumerate(blocks.ticks)
    )
    parts.append(_ranked_name(left, right))
    parts.append(axis_name("block size"))
    if is_throughput:
        parts.append(axis_name("MiB/s", x="-8"))
    return "".join(parts)


def _ranked_name(left: float, right: float) -> str:
    """The name of the range of the ZIL's writes, inside it or, if it is narrow, to the right."""
    if right - left < 0.1:
        return f'<text class="axis-name" x="{percent(right)}" dx="4" y="14">ZIL writes</text>'
    middle = percent((left + right) / 2)
    return f'<text class="axis-name" x="{middle}" y="14" text-anchor="middle">ZIL writes</text>'


def _curve(plotted: Plotted, scale: Scale, *, marks_all: bool) -> str:
    style, series, spots = plotted
    first, last = RANKED_BLOCKS
    positions = [(spot.block_size, scale.position(spot.block_size, spot.value)) for spot in spots]
    line = " ".join(position for _, position in positions)
    # Not 0: when a browser prints to PDF, a line without length has no square ends.
    dots = "".join(f"M{position}h.01" for size, position in positions if marks_all or first <= size <= last)
    return (
        f'<g class="s{style}"><title>{escape(series.label)}</title>'
        f"{_band(spots, scale, is_assumed=series.is_assumed)}"
        f"{curve_line(f'M{line}', style)}{curve_marks(dots, style)}</g>"
    )


def _others(curves: Sequence[Sequence[Spot]], scale: Scale) -> str:
    """Curves as one path, and those of a single point as dots."""
    paths = [[scale.position(spot.block_size, spot.value) for spot in spots] for spots in curves]
    lines = "".join(f"M{' '.join(path)}" for path in paths if len(path) > 1)
    dots = "".join(f"M{path[0]}h.01" for path in paths if len(path) == 1)
    return "".join(
        f'<path class="{name}" d="{drawn}"/>'
        for name, drawn in (("others", lines), ("others dots", dots))
        if drawn
    )


def curve_line(path: str, style: int) -> str:
    dash = " ".join(map(str, STYLES[style - 1].dash))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="curve" d="{path}"{dashes}/>'


def curve_marks(dots: str, style: int) -> str:
    """Zero-length strokes, whose caps are the markers."""
    if not dots:
        return ""
    shape = " square" if STYLES[style - 1].is_square else ""
    hole = f'<path class="holes{shape}" d="{dots}"/>' if STYLES[style - 1].is_hollow else ""
    return f'<path class="marks{shape}" d="{dots}"/>{hole}'


def _band(spots: Sequence[Spot], scale: Scale, *, is_assumed: bool) -> str:
    """The spread of a curve, with a dashed edge if it is assumed."""
    lows = [scale.position(spot.block_size, spot.low) for spot in spots if spot.low is not None]
    highs = [scale.position(spot.block_size, spot.high) for spot in spots if spot.high is not None]
    if not lows or lows == highs:
        return ""
    return (
        f'<path class="band{" assumed" if is_assumed else ""}" d="M{" ".join([*highs, *reversed(lows)])}z"/>'
    )


def _end_marks(shown: Sequence[Plotted], scale: Scale) -> list[str]:
    """The marks at the curves' ends, spaced so that they don't overlap."""
    last_size = scale.blocks.ends[1]
    ends = [
        (1 - scale.values.up(one.spots[-1].value), one)
        for one in shown
        if one.series.mark and one.spots[-1].block_size == last_size
    ]
    ends.sort(key=lambda end: end[0])
    return [
        f'<text class="end s{one.style}" x="100%" dx="9" y="{percent(y)}" dy="4">{escape(one.series.mark)}</text>'
        for y, (_, one) in zip(_apart([end[0] for end in ends]), ends, strict=True)
    ]


def _apart(heights: Sequence[float]) -> list[float]:
    """Space ascending heights at least MARK_GAP apart."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + MARK_GAP) if placed else height)
    below = LOWEST_MARK + MARK_GAP
    for index in reversed(range(len(placed))):
        placed[index] = below = min(placed[index], below - MARK_GAP)
    return placed


def latency_chart(
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    view: View = PLAIN,
    others: Sequence[Series] = (),
) -> str:
    """Render up to eight series as an SVG element, with `others` behind them; "" if none has a point."""
    parts = plot_parts(series, view, others=others)
    if not parts:
        return ""
    return picture("chart", *parts, title=title, description=description)


def chart_legend(
    series: Sequence[Series], *, view: View = PLAIN, urls: Mapping[str, str] | None = None
) -> str:
    """Render the legend of several curves, with their dashes and markers.

    `urls` maps a curve's key to the URL that hides it or, if it is hidden, shows it again.
    """
    items = (
        _item(one, style, is_hidden=view.hides(one), url=(urls or {}).get(one.key, ""))
        for style, one in enumerate(drawn_series(series), 1)
    )
    return f'<ol class="legend">{"".join(items)}</ol>'


def _item(series: Series, style: int, *, is_hidden: bool, url: str) -> str:
    name = legend_name(style, f"{series.mark} {series.label}".strip())
    if url:
        hint = '<span class="visually-hidden"> (hidden)</span>' if is_hidden else ""
        name = (
            f'<a href="{escape(url)}#chart" rel="nofollow" data-key="{escape(series.key)}">{name}{hint}</a>'
        )
    return f'<li class="s{style}{" is-hidden" if is_hidden else ""}">{name}</li>'


LINES = "bar-lines"


def bar_lines(axis: ValueAxis, marks: Iterable[float] = ()) -> str:
    """The lines across all bars of an axis, defined once per page: at its ticks, and stronger ones at `marks`."""
    at = [*((tick, "") for tick in axis.ticks), *((mark, ' class="mark"') for mark in marks)]
    lines = "".join(
        f'<line{css} x1="{x}" x2="{x}" y2="100%"/>' for value, css in at for x in [percent(axis.up(value))]
    )
    return (
        f'<svg class="bar-lines" aria-hidden="true"><g id="{LINES}">{lines}</g>'
        '<marker id="cap" viewBox="-1 -4 2 8" markerWidth="2" markerHeight="8" markerUnits="userSpaceOnUse">'
        '<path d="M0-4v8"/></marker></svg>'
    )


def value_bar(
    low: float,
    value: float,
    high: float,
    *,
    axis: ValueAxis,
    css: str,
    texts: tuple[str, str],
    is_assumed: bool,
) -> str:
    """A bar from the start of the axis to `value`, and a whisker from `low` to `high`.

    `texts` are the one behind it, and the one that states everything; `css` is the class of its color. If the spread
    is assumed, what is between `value` and `high` is hatched.
    """
    left, end, right = (percent(round(axis.up(one), 3)) for one in (low, value, high))
    shown, title = map(escape, texts)
    return (
        f'<svg class="bar {css}" role="img"><title>{title}</title><use href="#{LINES}"/><rect width="{end}"/>'
        f"{_across('assumed', end, right) if is_assumed else ''}{_across('whisker', left, right)}"
        f'<text x="{right}" y="50%">{shown}</text></svg>'
    )


def _across(css: str, start: str, end: str) -> str:
    return f'<line class="{css}" x1="{start}" x2="{end}" y1="50%" y2="50%"/>'


_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def wear_chart(dots: Sequence[Dot], axis: WearAxis, *, title: str, description: str) -> str:
    """Render the chart as an SVG element; "" without a dot."""
    if not dots:
        return ""
    up = log_axis(one.latency_us for one in dots)
    columns = map(tick_label, _QUARTERS, axis.labels)
    spots = (dot(one.wear / axis.end, up.up(one.latency_us), one.text) for one in dots)
    parts = (grid_rows(up.ticks, up.up, latency_label), *columns, axis_name(axis.name), *spots)
    return picture("chart wear", *parts, title=title, description=description)


def dot(across: float, up: float, text: str, *, css: str = "unit", radius: int = 5) -> str:
    """A dot with its tooltip, which also shows beside it."""
    place = f'cx="{percent(across)}" cy="{percent(1 - up)}"'
    return (
        f'<g><title>{escape(text)}</title><ellipse {place} rx="12" ry="12"/>'
        f'<circle class="{css}" {place} r="{radius}"/></g>'
    )


LABEL_GAP = 0.14  # of the width: a label closer to the one before it is left out


def ladder_chart(steps: Sequence[Step], *, title: str, description: str) -> str:
    """Render writes per second over the number of writers; "" below two steps.

    The number of writers is on a logarithmic axis, and the values begin at zero.
    """
    if len(steps) < 2:
        return ""
    first, last = math.log2(steps[0].writers), math.log2(steps[-1].writers)
    positions = [(math.log2(step.writers) - first) / (last - first) for step in steps]
    up = linear_axis(step.iops for step in steps)
    line = " ".join(
        f"{round(x * FRAME.width)} {round((1 - up.up(step.iops)) * FRAME.height)}"
        for x, step in zip(positions, steps, strict=True)
    )
    return picture(
        "chart ladder",
        grid_rows(up.ticks, up.up, iops_label),
        spaced_labels(zip(positions, (str(step.writers) for step in steps), strict=True), LABEL_GAP),
        axis_name("writers at the same time"),
        stretched(f'<g class="s1">{curve_line(f"M{line}", 1)}</g>'),
        *(dot(x, up.up(step.iops), step.text) for x, step in zip(positions, steps, strict=True)),
        title=title,
        description=description,
    )


def picture(css: str, *parts: str, title: str, description: str, height: int | None = None) -> str:
    """An SVG element with its title and description, of these classes."""
    high = "" if height is None else f' height="{height}"'
    return (
        f'<svg class="{css}" role="img"{high}><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def stretched(*parts: str, frame: Frame = FRAME) -> str:
    """What is drawn in the coordinates of the frame, stretched over the plot area."""
    return (
        f'<svg viewBox="0 0 {frame.width} {frame.height}" preserveAspectRatio="none">{"".join(parts)}</svg>'
    )


def grid_rows(ticks: Iterable[float], up: Callable[[float], float], label: Callable[[float], str]) -> str:
    """Horizontal gridlines with their values, the lowest of which is above the labels below the plot area."""
    return "".join(
        f'<line class="grid" x2="100%" y1="{y}" y2="{y}"/>'
        f'<text x="-8" y="{y}" dy="{-2 if y == "100%" else 4}" text-anchor="end">{label(tick)}</text>'
        for tick in ticks
        for y in [percent(1 - up(tick))]
    )


def tick_label(across: float, label: str, *, css: str = "") -> str:
    """A label below the plot area."""
    named = f' class="{css}"' if css else ""
    return f'<text{named} x="{percent(across)}" y="100%" dy="18" text-anchor="middle">{escape(label)}</text>'


def spaced_labels(labels: Iterable[tuple[float, str]], gap: float) -> str:
    """The labels below the plot area at ascending positions, without those that are closer than `gap`."""
    parts, end = [], -gap
    for across, label in labels:
        if across - end >= gap:
            parts.append(tick_label(across, label))
            end = across
    return "".join(parts)


def axis_name(name: str, *, x: str = "100%") -> str:
    """The name of the horizontal axis, or at -8 of the vertical one."""
    return f'<text class="axis-name" x="{x}" y="100%" dy="36" text-anchor="end">{escape(name)}</text>'


def interval_bar(
    low_us: float, value_us: float, high_us: float, *, axis: ValueAxis, text: str, is_assumed: bool = False
) -> str:
    """An interval as a bar with a mark at the value; `text` states both ends. Dashed if its spread is assumed."""
    left, mark, right = (round(100 * axis.up(latency_us)) for latency_us in (low_us, value_us, high_us))
    return (
        f'<svg class="interval{" assumed" if is_assumed else ""}" role="img"><title>{escape(text)}</title>'
        f'<rect x="{left}%" width="{max(1, right - left)}%"/><rect x="{mark}%"/></svg>'
    )
