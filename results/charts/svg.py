"""Charts as SVG: curves, bars with whiskers, and latency over wear.

A chart consists of the plot area and fits every width: text and gridlines are at percentages of the area, the
curves in an inner frame that is stretched over it; strokes don't scale. Its styles are in static/css/charts.css, as
the site forbids inline styles. Text from users is escaped, and characters that XML forbids are replaced.
"""

import html
import math
import re
from collections.abc import Callable, Mapping, Sequence
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


MARK_GAP = 0.06  # of the height: the minimum distance between marks at the ends of curves


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
        f'<svg viewBox="0 0 {frame.width} {frame.height}" preserveAspectRatio="none">',
        _others(behind, scale),
        *(_curve(one, scale, marks_all=len(everything) == 1) for one in shown),
        "</svg>",
        *_end_marks(shown, scale),
    ]


MOST_LABELS_ON_A_PHONE = 4  # of block sizes; of more, every other one is left out there


def legend_key(style: int) -> str:
    """A short piece of a curve for a legend, with dash and marker, 32 by 12."""
    return f"{_line('M0 6h32', style)}{_marks('M16 6h.01', style)}"


def percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"


def _extent(plotted: Sequence[Plotted]) -> list[float]:
    spots = [spot for one in plotted for spot in one.spots]
    return [value for spot in spots for value in spot[1:] if value is not None]


def _ground(scale: Scale, *, is_throughput: bool) -> str:
    """The background: the ranked range, gridlines with values, block sizes."""
    blocks, values, _ = scale
    left, right = (blocks.across(block_size) for block_size in RANKED_BLOCKS)
    label: Callable[[float], str] = throughput_label if is_throughput else latency_label
    parts = [f'<rect class="ranked" x="{percent(left)}" width="{percent(right - left)}" height="100%"/>']
    for value in values.ticks:
        y = percent(1 - values.up(value))
        parts.append(f'<line class="grid" x2="100%" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="-8" y="{y}" dy="4" text-anchor="end">{label(value)}</text>')
    css = ("", ' class="minor"' if len(blocks.ticks) > MOST_LABELS_ON_A_PHONE else "")
    parts.extend(
        f'<text{css[number % 2]} x="{percent(blocks.across(block_size))}" y="100%" dy="18" text-anchor="middle">'
        f"{format_block_size(block_size)}</text>"
        for number, block_size in enumerate(blocks.ticks)
    )
    parts.append(_ranked_name(left, right))
    parts.append('<text class="axis-name" x="100%" y="100%" dy="36" text-anchor="end">block size</text>')
    if is_throughput:
        parts.append('<text class="axis-name" x="-8" y="100%" dy="36" text-anchor="end">MiB/s</text>')
    return "".join(parts)


def _ranked_name(left: float, right: float) -> str:
    """The name of the ranked range, inside it or, if it is narrow, to the right."""
    if right - left < 0.1:
        return f'<text class="axis-name" x="{percent(right)}" dx="4" y="14">ranked</text>'
    middle = percent((left + right) / 2)
    return f'<text class="axis-name" x="{middle}" y="14" text-anchor="middle">ranked</text>'


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
        f"{_line(f'M{line}', style)}{_marks(dots, style)}</g>"
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


def _line(path: str, style: int) -> str:
    dash = " ".join(map(str, STYLES[style - 1].dash))
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="curve" d="{path}"{dashes}/>'


def _marks(dots: str, style: int) -> str:
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
    below = 1 + MARK_GAP
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
    return (
        f'<svg class="chart" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )


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
    name = (
        f'<svg class="chart key" viewBox="0 0 32 12" aria-hidden="true">{legend_key(style)}</svg>'
        f'<span class="name">{escape(f"{series.mark} {series.label}".strip())}</span>'
    )
    if url:
        hint = '<span class="visually-hidden"> (hidden)</span>' if is_hidden else ""
        name = (
            f'<a href="{escape(url)}#chart" rel="nofollow" data-key="{escape(series.key)}">{name}{hint}</a>'
        )
    return f'<li class="s{style}{" is-hidden" if is_hidden else ""}">{name}</li>'


LINES = "bar-lines"


def bar_lines(axis: ValueAxis) -> str:
    """The gridlines behind all bars of an axis, defined once per page."""
    lines = "".join(
        f'<line x1="{percent(axis.up(tick))}" x2="{percent(axis.up(tick))}" y2="100%"/>'
        for tick in axis.ticks
    )
    return f'<svg class="bar-lines" aria-hidden="true"><g id="{LINES}">{lines}</g></svg>'


def dot_bar(
    low: float, value: float, high: float, *, axis: ValueAxis, css: str, is_assumed: bool = False
) -> str:
    """A dot at `value` on a bar from `low` to `high`, without text; `css` are the classes of the dot."""
    left, dot, right = (round(100 * axis.up(one), 1) for one in (low, value, high))
    return (
        f'<svg class="interval{" assumed" if is_assumed else ""}" aria-hidden="true"><use href="#{LINES}"/>'
        f'<rect x="{left:g}%" width="{max(1, right - left):.3g}%"/><circle class="{css}" cx="{dot:g}%"/></svg>'
    )


_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def wear_chart(dots: Sequence[Dot], axis: WearAxis, *, title: str, description: str) -> str:
    """Render the chart as an SVG element; "" without a dot."""
    if not dots:
        return ""
    up = log_axis(dot.latency_us for dot in dots)
    rows = "".join(grid_row(percent(1 - up.up(tick)), latency_label(tick)) for tick in up.ticks)
    columns = "".join(
        f'<text x="{percent(share)}" y="100%" dy="18" text-anchor="middle">{escape(label)}</text>'
        for share, label in zip(_QUARTERS, axis.labels, strict=True)
    )
    spots = "".join(
        f'<circle class="unit" cx="{percent(dot.wear / axis.end)}" '
        f'cy="{percent(1 - up.up(dot.latency_us))}" r="5">'
        f"<title>{escape(dot.text)}</title></circle>"
        for dot in dots
    )
    return (
        f'<svg class="chart wear" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f'{rows}{columns}<text class="axis-name" x="100%" y="100%" dy="36" text-anchor="end">{escape(axis.name)}'
        f"</text>{spots}</svg>"
    )


LABEL_GAP = 0.07  # of the width: a label closer to the one before it is left out


def ladder_chart(steps: Sequence[Step], *, title: str, description: str) -> str:
    """Render writes per second over the number of writers; "" below two steps.

    The number of writers is on a logarithmic axis, and the values begin at zero.
    """
    if len(steps) < 2:
        return ""
    first, last = math.log2(steps[0].writers), math.log2(steps[-1].writers)
    positions = [(math.log2(step.writers) - first) / (last - first) for step in steps]
    up = linear_axis(step.iops for step in steps)
    rows = "".join(grid_row(percent(1 - up.up(tick)), iops_label(tick)) for tick in up.ticks)
    line = " ".join(
        f"{round(x * FRAME.width)} {round((1 - up.up(step.iops)) * FRAME.height)}"
        for x, step in zip(positions, steps, strict=True)
    )
    dots = "".join(
        f'<circle class="unit" cx="{percent(x)}" cy="{percent(1 - up.up(step.iops))}" r="5">'
        f"<title>{escape(step.text)}</title></circle>"
        for x, step in zip(positions, steps, strict=True)
    )
    return (
        f'<svg class="chart ladder" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{rows}{_writers_labels(positions, steps)}"
        '<text class="axis-name" x="100%" y="100%" dy="36" text-anchor="end">writers at the same time</text>'
        f'<svg viewBox="0 0 {FRAME.width} {FRAME.height}" preserveAspectRatio="none">'
        f'<g class="s1">{_line(f"M{line}", 1)}</g></svg>{dots}</svg>'
    )


def _writers_labels(positions: Sequence[float], steps: Sequence[Step]) -> str:
    labels, end = [], -LABEL_GAP
    for x, step in zip(positions, steps, strict=True):
        if x - end >= LABEL_GAP:
            labels.append(
                f'<text x="{percent(x)}" y="100%" dy="18" text-anchor="middle">{step.writers}</text>'
            )
            end = x
    return "".join(labels)


def grid_row(y: str, label: str) -> str:
    """A horizontal gridline with its value."""
    return (
        f'<line class="grid" x2="100%" y1="{y}" y2="{y}"/>'
        f'<text x="-8" y="{y}" dy="4" text-anchor="end">{label}</text>'
    )


def interval_bar(
    low_us: float, value_us: float, high_us: float, *, axis: ValueAxis, text: str, is_assumed: bool = False
) -> str:
    """An interval as a bar with a mark at the value; `text` states both ends. Dashed if its spread is assumed."""
    left, mark, right = (round(100 * axis.up(latency_us)) for latency_us in (low_us, value_us, high_us))
    return (
        f'<svg class="interval{" assumed" if is_assumed else ""}" role="img"><title>{escape(text)}</title>'
        f'<rect x="{left}%" width="{max(1, right - left)}%"/><rect x="{mark}%"/></svg>'
    )
