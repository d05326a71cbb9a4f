"""The strip chart: a strip per group of drives on one logarithmic axis, a mark per drive, names beside some of them.

Positions are percentages across and pixels down, so that text and marks have the same size at every width.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from results.charts.axes import ValueAxis, latency_label, log_axis
from results.charts.svg import escape, percent
from results.core.formats import format_number


class How(StrEnum):
    """How a figure was measured, which its mark shows."""

    FIO = "fio"
    DISKINFO = "diskinfo"


@dataclass(frozen=True, slots=True)
class Mark:
    """A drive's 4 KiB latency in µs; `key` is its slug."""

    key: str
    name: str
    url: str
    latency_us: float
    how: How
    capacity: str = ""
    digits: int | None = None  # shown of the latency (None: three)
    fame: int = 0  # those with the most are named

    @property
    def short_name(self) -> str:
        """As it is written beside the mark."""
        return self.name if len(self.name) <= _LONGEST_NAME else f"{self.name[: _LONGEST_NAME - 1].rstrip()}…"

    @property
    def full_name(self) -> str:
        return f"{self.name} {self.capacity}".rstrip()

    @property
    def latency_number(self) -> str:
        return format_number(self.latency_us, self.digits)

    @property
    def latency(self) -> str:
        return f"{self.latency_number} µs"

    @property
    def text(self) -> str:
        """The tooltip."""
        return f"{self.full_name}: {self.latency}, {self.how}"


@dataclass(frozen=True, slots=True)
class Strip:
    """A group of drives; `tone` is the CSS class of its color, `summary` is written after the label."""

    tone: str
    label: str
    summary: str
    marks: Sequence[Mark]

    @property
    def ordered(self) -> list[Mark]:
        """The fastest first."""
        return sorted(self.marks, key=lambda one: one.latency_us)


class Measures(NamedTuple):
    """The measures of a strip in pixels, and the least distance of two marks across, as a share."""

    label: int = 26
    summary: int = 20  # a line below the label; without one it is beside it
    lane: int = 24
    gap_below: int = 14
    foot: int = 34
    radius: float = 5.5
    apart: float = 0.043  # 24 px in a chart of WIDE
    most_lanes: int = 6  # then marks overlap
    has_names: bool = False
    gap_name: int = 22  # a line above all strips
    has_ring_names: bool = False


SCREEN = Measures(has_names=True)
CARD = Measures(
    label=40, summary=0, gap_name=30, lane=17, gap_below=18, foot=34, radius=7, apart=0.0155, most_lanes=3
)
SMALL_CARD = Measures(
    label=38,
    summary=0,
    lane=12,
    gap_below=5,
    foot=30,
    radius=6,
    apart=0.013,
    most_lanes=2,
    has_ring_names=True,
)
WIDE, NARROW = 560, 240  # px: the least widths of a chart with many names, and of one with few
_MOST_NAMES = {WIDE: 10, NARROW: 5}
_CSS = {WIDE: "wide-only", NARROW: "narrow-only"}
_NAME_ROWS = 5
_NAME_LINE, _LETTER, _POLE = (
    19,
    9.2,
    4,
)  # px: a row of names, the widest usual letter, from a line to its name
_BETWEEN_NAMES = 8  # px
_LONGEST_NAME = 25  # characters that fit on a phone
_EDGE = 0.12
_RING_LETTER = 0.035  # of the width of a card: a letter beside a ring
_NARROW_LABEL = 0.2  # of the width of a narrow chart, for a label of the axis


class Gap(NamedTuple):
    """Where the chart has no mark of two groups, in µs, and how it is called."""

    low_us: float
    high_us: float
    name: str


class _Spot(NamedTuple):
    mark: Mark
    across: float  # from 0 to 1
    lane: int


class Name(NamedTuple):
    """A name below its mark, in a row of its strip, with the pixels that it takes across.

    A line leads down to it from its mark, past the rows above; the name is on its right, or left if `is_left`.
    """

    strip: int
    spot: _Spot
    row: int
    at: float
    left: float
    right: float
    is_left: bool

    def touches(self, other: "Name") -> bool:
        """Whether the names overlap, or the line of one crosses the other."""
        if self.strip != other.strip:
            return False
        if self.row == other.row:
            return self.left < other.right + _BETWEEN_NAMES and other.left < self.right + _BETWEEN_NAMES
        upper, lower = (self, other) if self.row < other.row else (other, self)
        return upper.left - _POLE <= lower.at <= upper.right + _POLE


def strip_chart(
    strips: Sequence[Strip],
    *,
    title: str,
    gap: Gap | None = None,
    ringed: Mapping[str, str] | None = None,
) -> str:
    """Render the strips as an SVG element with a link at each mark; "" without a mark.

    It is hidden from assistive technology, and the links from the keyboard: beside it belongs a list of the same
    drives. `ringed` has the keys of drives that get a ring, and what is written beside each.
    """
    parts, height = strip_parts(strips, SCREEN, gap=gap, ringed=ringed)
    if not parts:
        return ""
    return (
        f'<svg class="chart strips" aria-hidden="true" height="{height}"><title>{escape(title)}</title>'
        f"{''.join(parts)}</svg>"
    )


def strip_parts(
    strips: Sequence[Strip],
    measures: Measures,
    *,
    gap: Gap | None = None,
    ringed: Mapping[str, str] | None = None,
    has_links: bool = True,
) -> tuple[list[str], int]:
    """The elements, of any width, and their height; no elements without a mark."""
    latencies = [mark.latency_us for strip in strips for mark in strip.marks]
    if not latencies:
        return [], 0
    axis = log_axis(latencies)
    spread = [_spread(strip, axis, measures) for strip in strips]
    names = {width: place_names(spread, width) for width in _MOST_NAMES} if measures.has_names else {}
    parts, top = [], measures.gap_name if gap else 0
    for number, (strip, spots) in enumerate(zip(strips, spread, strict=True)):
        of_strip = {width: [one for one in placed if one.strip == number] for width, placed in names.items()}
        drawn, height = _strip(
            strip, spots, of_strip, measures, top=top, ringed=ringed or {}, has_links=has_links
        )
        parts.append(drawn)
        top += height
    behind = [_gap(gap, axis, top, name_at=measures.gap_name - 6)] if gap else []
    return [*behind, *_ticks(axis, top), *parts], top + measures.foot


def _gap(gap: Gap, axis: ValueAxis, height: int, *, name_at: int) -> str:
    left, right = axis.up(gap.low_us), axis.up(gap.high_us)
    middle = (left + right) / 2
    anchor = "start" if middle < 2 * _EDGE else "end" if middle > 1 - 2 * _EDGE else "middle"
    return (
        f'<rect class="gap" x="{percent(left)}" width="{percent(right - left)}" height="{height}"/>'
        f'<text class="gap-name" x="{percent(middle)}" y="{name_at}" text-anchor="{anchor}">{escape(gap.name)}</text>'
    )


def _ticks(axis: ValueAxis, height: int) -> Iterator[str]:
    """Lines with their labels, which a narrow chart only has at powers of ten, as many as fit."""
    last = -1.0
    for latency_us in axis.ticks:
        share = axis.up(latency_us)
        anchor = "start" if share < _EDGE / 2 else "end" if share > 1 - _EDGE / 2 else "middle"
        x, css = percent(share), f' class="{_CSS[WIDE]}"'
        if f"{latency_us:e}".startswith("1.0") and share - last > _NARROW_LABEL:
            last, css = share, ""
        yield (
            f'<line class="grid" x1="{x}" x2="{x}" y2="{height}"/>'
            f'<text{css} x="{x}" y="{height}" dy="1.4em" text-anchor="{anchor}">{latency_label(latency_us)}</text>'
        )


def _strip(
    strip: Strip,
    spots: Sequence[_Spot],
    names: Mapping[int, Sequence[Name]],
    measures: Measures,
    *,
    top: int,
    ringed: Mapping[str, str],
    has_links: bool,
) -> tuple[str, int]:
    """A strip from `top` on, and its height."""
    lanes = max((spot.lane for spot in spots), default=0) + 1
    start = top + measures.label + measures.summary
    first = start + measures.lane // 2
    marks = "".join(
        _mark(
            spot,
            first + measures.lane * spot.lane,
            measures,
            has_ring=spot.mark.key in ringed,
            has_link=has_links,
        )
        for spot in sorted(spots, key=lambda spot: spot.mark.key in ringed)
    )
    below = start + measures.lane * lanes
    named = "".join(
        f'<g class="{_CSS[width]}">{"".join(_name(one, first, below, measures) for one in placed)}</g>'
        for width, placed in names.items()
        if placed
    )
    rows = max((one.row + 1 for placed in names.values() for one in placed), default=0)
    bottom = below + _NAME_LINE * rows + measures.gap_below
    beside = _ring_names(spots, first, measures, ringed) if measures.has_ring_names else ""
    return f'<g class="{strip.tone}">{_label(strip, measures, top)}{named}{marks}{beside}</g>', bottom - top


def _label(strip: Strip, measures: Measures, top: int) -> str:
    beside, baseline = ('dx="8"', top + measures.label - 8)
    if measures.summary:
        beside = f'x="0" dy="{measures.summary}"'
    return (
        f'<text class="strip-name" y="{baseline}">{escape(strip.label)}'
        f'<tspan class="strip-sum" {beside}>{escape(strip.summary)}</tspan></text>'
    )


def _spread(strip: Strip, axis: ValueAxis, measures: Measures) -> list[_Spot]:
    """The marks in order, each in the first lane in which it doesn't touch the one before it, else the freest."""
    ends: list[float] = []
    spots = []
    for mark in strip.ordered:
        across = axis.up(mark.latency_us)
        lane = next((number for number, end in enumerate(ends) if across - end >= measures.apart), len(ends))
        if lane == measures.most_lanes:
            lane = ends.index(min(ends))
        ends[lane : lane + 1] = [across]
        spots.append(_Spot(mark, across, lane))
    return spots


def _ring_names(spots: Iterable[_Spot], first: int, measures: Measures, ringed: Mapping[str, str]) -> str:
    """What is written beside rings: beside the last of those that are too close for a name each."""
    placed: list[tuple[_Spot, str]] = []
    for spot in spots:
        if name := ringed.get(spot.mark.key, ""):
            if placed and spot.across - placed[-1][0].across < _RING_LETTER * len(placed[-1][1]):
                name = f"{placed.pop()[1]} {name}"
            placed.append((spot, name))
    drawn = []
    for spot, name in placed:
        anchor, dx = ("end", -3) if spot.across > 1 - 2 * _EDGE else ("start", 3)
        place = f'x="{percent(spot.across)}" y="{first + measures.lane * spot.lane}"'
        drawn.append(
            f'<text class="ring-name" {place} dx="{dx * measures.radius:g}" dy="9" text-anchor="{anchor}">'
            f"{escape(name)}</text>"
        )
    return "".join(drawn)


def _mark(spot: _Spot, y: int, measures: Measures, *, has_ring: bool, has_link: bool) -> str:
    mark, x, r = spot.mark, percent(spot.across), measures.radius
    title = f"<title>{escape(mark.text)}</title>"
    drawn = f'<circle class="{mark.how}" cx="{x}" cy="{y}" r="{r:g}">{title}</circle>'
    around = f'<circle class="ring" cx="{x}" cy="{y}" r="{2 * r:g}"/>' if has_ring else ""
    if not has_link:
        return f"{around}{drawn}"
    target = f'<ellipse cx="{x}" cy="{y}" rx="{percent(measures.apart / 2)}" ry="{measures.lane // 2}"/>'
    return f'{around}<a href="{escape(mark.url)}" tabindex="-1">{target}{drawn}</a>'


def place_names(spread: Sequence[Sequence[_Spot]], width: int) -> list[Name]:
    """The best known drives whose names have room in a chart of this width, and so in a wider one."""
    spots = [(number, spot) for number, of_strip in enumerate(spread) for spot in of_strip]
    placed: dict[int, list[Name]] = {}
    named: set[str] = set()
    for number, spot in sorted(spots, key=lambda one: -one[1].mark.fame):
        if len(named) == _MOST_NAMES[width]:
            break
        if spot.mark.name in named:
            continue
        others = [one.spot for one in placed.get(number, ())]
        if arranged := _arrange(number, [*others, spot], width):
            placed[number] = arranged
            named.add(spot.mark.name)
    return [one for of_strip in placed.values() for one in of_strip]


def _arrange(strip: int, spots: Sequence[_Spot], width: int) -> list[Name]:
    """The names of a strip in rows; none if they don't all have room.

    From the middle of the chart to each side a name goes below those that its own would cover the line of.
    """
    names = [_at_a_side(strip, spot, width) for spot in spots]
    if not all(names):
        return []
    placed: list[Name] = []
    for one in sorted(filter(None, names), key=lambda one: (one.is_left, one.at if one.is_left else -one.at)):
        rows = (one._replace(row=row) for row in range(_NAME_ROWS))
        free = next((name for name in rows if not any(name.touches(other) for other in placed)), None)
        if free is None:
            return []
        placed.append(free)
    return placed


def _at_a_side(strip: int, spot: _Spot, width: int) -> Name | None:
    """The name on the right of its line if the chart is wide enough, else on the left, else None."""
    at, length = spot.across * width, _POLE + _LETTER * len(spot.mark.short_name)
    if at + length <= width:
        return Name(strip, spot, 0, at, at, at + length, is_left=False)
    return Name(strip, spot, 0, at, at - length, at, is_left=True) if at >= length else None


def _name(name: Name, first: int, below: int, measures: Measures) -> str:
    x, y = percent(name.spot.across), below + _NAME_LINE * (name.row + 1) - 4
    top = first + measures.lane * name.spot.lane
    anchor, dx = ("end", -_POLE) if name.is_left else ("start", _POLE)
    return (
        f'<line class="leader" x1="{x}" x2="{x}" y1="{top}" y2="{y}"/>'
        f'<text class="drive-name" x="{x}" y="{y}" dx="{dx}" text-anchor="{anchor}">'
        f"{escape(name.spot.mark.short_name)}</text>"
    )
