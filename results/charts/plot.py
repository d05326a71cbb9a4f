"""The plot area of a curve chart: what lies under the curves, the curves, and the marks at their ends.

Text and gridlines stand at percentages of the area, the curves in an inner frame of FRAME_WIDTH by FRAME_HEIGHT
that is stretched over it; strokes do not scale.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from results.charts.axes import (
    RANKED_BLOCKS,
    BlockAxis,
    ValueAxis,
    latency_label,
    throughput_label,
    value_axis,
)
from results.charts.series import Series, Spot, View, drawn_series
from results.charts.xml_text import escape
from results.presentation import format_block_size

FRAME_WIDTH = 700
FRAME_HEIGHT = 400
HOLLOW_STYLES = (3, 4, 7, 8)
MARK_GAP = 0.06  # of the height: two marks at the end of curves keep this distance


class Plotted(NamedTuple):
    """A curve as this view shows it, and the style that its place among all curves gives it."""

    style: int
    series: Series
    spots: list[Spot]


class Scale(NamedTuple):
    """Both axes."""

    blocks: BlockAxis
    values: ValueAxis

    def place(self, block_size: int, value: float) -> str:
        """Where a value stands in the frame, as a path writes it."""
        x = round(self.blocks.across(block_size) * FRAME_WIDTH)
        return f"{x} {round((1 - self.values.up(value)) * FRAME_HEIGHT)}"


def plot_parts(series: Sequence[Series], view: View) -> list[str]:
    """The contents of the plot area; nothing where no curve has a point in this view."""
    everything = [
        Plotted(style, one, spots)
        for style, one in enumerate(drawn_series(series), 1)
        if (spots := view.spots(one))
    ]
    if not everything:
        return []
    shown = [one for one in everything if not view.hides(one.series)]
    values = _extent(shown or everything)
    scale = Scale(view.block_axis, value_axis(values, is_linear=view.is_linear))
    return [
        _ground(scale, is_throughput=view.is_throughput),
        f'<svg viewBox="0 0 {FRAME_WIDTH} {FRAME_HEIGHT}" preserveAspectRatio="none">',
        *(_curve(one, scale, marks_all=len(everything) == 1) for one in shown),
        "</svg>",
        *_end_marks(shown, scale),
    ]


def legend_key(style: int) -> str:
    """A short piece of a curve, for its name in a legend: the dash and the marker in a box of 32 by 12."""
    return f'<path class="curve" d="M0 6h32"/>{_marks("M16 6h.01", style)}'


def percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"


def _extent(plotted: Sequence[Plotted]) -> list[float]:
    spots = [spot for one in plotted for spot in one.spots]
    return [value for spot in spots for value in spot[1:] if value is not None]


def _ground(scale: Scale, *, is_throughput: bool) -> str:
    """What lies under the curves: the ranked range, gridlines with the values, block sizes."""
    blocks, values = scale
    left, right = (blocks.across(block_size) for block_size in RANKED_BLOCKS)
    label: Callable[[float], str] = throughput_label if is_throughput else latency_label
    parts = [f'<rect class="ranked" x="{percent(left)}" width="{percent(right - left)}" height="100%"/>']
    for value in values.ticks:
        y = percent(1 - values.up(value))
        parts.append(f'<line class="grid" x2="100%" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="-8" y="{y}" dy="4" text-anchor="end">{label(value)}</text>')
    parts.extend(
        f'<text x="{percent(blocks.across(block_size))}" y="100%" dy="18" text-anchor="middle">'
        f"{format_block_size(block_size)}</text>"
        for block_size in blocks.ticks
    )
    parts.append(_ranked_name(left, right))
    parts.append('<text class="axis-name" x="100%" y="100%" dy="36" text-anchor="end">block size</text>')
    if is_throughput:
        parts.append('<text class="axis-name" x="-8" y="100%" dy="36" text-anchor="end">MiB/s</text>')
    return "".join(parts)


def _ranked_name(left: float, right: float) -> str:
    """The name of the ranked range, in it or, where it is narrow, right of it."""
    if right - left < 0.1:
        return f'<text class="axis-name" x="{percent(right)}" dx="4" y="14">ranked</text>'
    middle = percent((left + right) / 2)
    return f'<text class="axis-name" x="{middle}" y="14" text-anchor="middle">ranked</text>'


def _curve(plotted: Plotted, scale: Scale, *, marks_all: bool) -> str:
    style, series, spots = plotted
    first, last = RANKED_BLOCKS
    places = [(spot.block_size, scale.place(spot.block_size, spot.value)) for spot in spots]
    line = " ".join(place for _, place in places)
    # Not 0: in a PDF, as a browser prints it, a line without a length has no square ends.
    dots = "".join(f"M{place}h.01" for size, place in places if marks_all or first <= size <= last)
    return (
        f'<g class="s{style}"><title>{escape(series.label)}</title>{_band(spots, scale)}'
        f'<path class="curve" d="M{line}"/>{_marks(dots, style)}</g>'
    )


def _marks(dots: str, style: int) -> str:
    if not dots:
        return ""
    hole = f'<path class="holes" d="{dots}"/>' if style in HOLLOW_STYLES else ""
    return f'<path class="marks" d="{dots}"/>{hole}'


def _band(spots: Sequence[Spot], scale: Scale) -> str:
    lows = [scale.place(spot.block_size, spot.low) for spot in spots if spot.low is not None]
    highs = [scale.place(spot.block_size, spot.high) for spot in spots if spot.high is not None]
    if not lows or lows == highs:
        return ""
    return f'<path class="band" d="M{" ".join([*highs, *reversed(lows)])}z"/>'


def _end_marks(shown: Sequence[Plotted], scale: Scale) -> list[str]:
    """The marks right of the curves' ends, moved apart where curves end close together."""
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
    """These ascending heights, pushed down and then back up until all are MARK_GAP apart."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + MARK_GAP) if placed else height)
    below = 1 + MARK_GAP
    for index in reversed(range(len(placed))):
        placed[index] = below = min(placed[index], below - MARK_GAP)
    return placed
