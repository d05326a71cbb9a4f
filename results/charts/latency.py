"""Latency over block size as an SVG that is the plot area itself.

Text and gridlines stand at percentages and the curves in a stretched inner frame whose strokes do not scale,
so one drawing is right at every width. Its look is in static/css/charts.css: the site forbids inline style.
"""

from collections.abc import Iterable, Sequence
from html import escape

from results.charts.axes import (
    LARGEST_BLOCK,
    RANKED_BLOCKS,
    SMALLEST_BLOCK,
    LatencyAxis,
    across,
    latency_axis,
    latency_label,
)
from results.charts.series import STYLES, CurvePoint, Series
from results.presentation import format_block_size

FRAME_WIDTH = 700
FRAME_HEIGHT = 400
LABELLED_BLOCKS = (SMALLEST_BLOCK, *RANKED_BLOCKS, 1024**2, LARGEST_BLOCK)
HOLLOW_STYLES = (3, 4, 7, 8)
MARK_GAP = 0.05  # of the height: two marks at the end of curves keep this distance


def latency_chart(series: Sequence[Series], *, title: str, description: str) -> str:
    """The chart as an SVG element, or "" where no series has a point. At most eight series are drawn."""
    drawn = [one for one in series if one.points][:STYLES]
    if not drawn:
        return ""
    axis = latency_axis(_extent(point for one in drawn for point in one.points))
    has_one_curve = len(drawn) == 1
    parts = [
        f'<svg class="chart" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>',
        _ground(axis),
        f'<svg viewBox="0 0 {FRAME_WIDTH} {FRAME_HEIGHT}" preserveAspectRatio="none">',
        *(_curve(one, style, axis=axis, marks_all=has_one_curve) for style, one in enumerate(drawn, 1)),
        "</svg>",
        *_end_marks(drawn, axis),
        "</svg>",
    ]
    return "".join(parts)


def chart_legend(series: Sequence[Series]) -> str:
    """The list that names the curves of a chart of several, in its order and in its dashes and markers."""
    drawn = [one for one in series if one.points][:STYLES]
    items = (
        f'<li class="s{style}"><svg class="chart key" viewBox="0 0 32 12" aria-hidden="true">'
        f'<path class="curve" d="M0 6h32"/>{_marks("M16 6h0", style)}</svg>'
        f'<span class="name">{escape(f"{one.mark} {one.label}".strip())}</span></li>'
        for style, one in enumerate(drawn, 1)
    )
    return f'<ol class="legend">{"".join(items)}</ol>'


def _extent(points: Iterable[CurvePoint]) -> list[float]:
    return [
        value
        for point in points
        for value in (point.latency_us, point.low_us, point.high_us)
        if value is not None
    ]


def _ground(axis: LatencyAxis) -> str:
    """What lies under the curves: the ranked range, gridlines with the latencies, block sizes."""
    left, right = (across(block_size) for block_size in RANKED_BLOCKS)
    parts = [f'<rect class="ranked" x="{_percent(left)}" width="{_percent(right - left)}" height="100%"/>']
    for latency_us in axis.ticks_us:
        y = _percent(1 - axis.up(latency_us))
        parts.append(f'<line class="grid" x2="100%" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="-8" y="{y}" dy="4" text-anchor="end">{latency_label(latency_us)}</text>')
    parts.extend(
        f'<text x="{_percent(across(block_size))}" y="100%" dy="18" text-anchor="middle">'
        f"{format_block_size(block_size)}</text>"
        for block_size in LABELLED_BLOCKS
    )
    middle = _percent((left + right) / 2)
    parts.append(f'<text class="axis-name" x="{middle}" y="14" text-anchor="middle">ranked</text>')
    parts.append('<text class="axis-name" x="100%" y="100%" dy="36" text-anchor="end">block size</text>')
    return "".join(parts)


def _curve(series: Series, style: int, *, axis: LatencyAxis, marks_all: bool) -> str:
    spots = [(point, *_spot(point.block_size, point.latency_us, axis)) for point in series.points]
    line = " ".join(f"{x} {y}" for _, x, y in spots)
    first, last = RANKED_BLOCKS
    dots = "".join(f"M{x} {y}h0" for point, x, y in spots if marks_all or first <= point.block_size <= last)
    return (
        f'<g class="s{style}"><title>{escape(series.label)}</title>{_band(series.points, axis)}'
        f'<path class="curve" d="M{line}"/>{_marks(dots, style)}</g>'
    )


def _marks(dots: str, style: int) -> str:
    if not dots:
        return ""
    hole = f'<path class="holes" d="{dots}"/>' if style in HOLLOW_STYLES else ""
    return f'<path class="marks" d="{dots}"/>{hole}'


def _band(points: Sequence[CurvePoint], axis: LatencyAxis) -> str:
    lows = [_spot(p.block_size, p.low_us, axis) for p in points if p.low_us is not None]
    highs = [_spot(p.block_size, p.high_us, axis) for p in points if p.high_us is not None]
    if not lows or lows == highs:
        return ""
    outline = " ".join(f"{x} {y}" for x, y in [*highs, *reversed(lows)])
    return f'<path class="band" d="M{outline}z"/>'


def _end_marks(drawn: Sequence[Series], axis: LatencyAxis) -> list[str]:
    """The marks right of the curves' ends, moved apart where curves end close together."""
    ends = [
        (1 - axis.up(one.points[-1].latency_us), style, one)
        for style, one in enumerate(drawn, 1)
        if one.mark and one.points[-1].block_size == LARGEST_BLOCK
    ]
    ends.sort(key=lambda end: end[0])
    return [
        f'<text class="end s{style}" x="100%" dx="9" y="{_percent(y)}" dy="4">{escape(one.mark)}</text>'
        for y, (_, style, one) in zip(_apart([end[0] for end in ends]), ends, strict=True)
    ]


def _apart(heights: Sequence[float]) -> list[float]:
    """These ascending heights, pushed down and then back up until all are MARK_GAP apart."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + MARK_GAP) if placed else height)
    below = 1 + MARK_GAP
    for index in reversed(range(len(placed))):
        placed[index] = below = min(placed[index], below - MARK_GAP)
    return placed


def _spot(block_size: int, latency_us: float, axis: LatencyAxis) -> tuple[int, int]:
    return round(across(block_size) * FRAME_WIDTH), round((1 - axis.up(latency_us)) * FRAME_HEIGHT)


def _percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"
