"""The strip chart: a strip per group of drives on one logarithmic axis, a mark per drive, names beside some of them.

Positions are percentages across and pixels down, so that text and marks have the same size at every width.
"""

from collections.abc import Mapping, Sequence
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
    """The measures of a strip in pixels, and the least distance of two marks or names across, as a share."""

    label: int = 26
    summary: int = 20  # a line below the label; without one it is beside it
    lane: int = 12
    names: int = 22
    gap_below: int = 14
    foot: int = 34
    radius: float = 4.5
    apart: float = 0.021
    most_lanes: int = 8  # then marks overlap
    letter: float = 0.0083  # a name's width is that of so many letters
    ring_name: int = 0  # the size of the words beside a ring; without one there are none


SCREEN = Measures()
CARD = Measures(
    label=40, summary=0, lane=17, names=0, gap_below=18, foot=34, radius=7, apart=0.0155, most_lanes=3
)
SMALL_CARD = Measures(
    label=34,
    summary=0,
    lane=14,
    names=0,
    gap_below=8,
    foot=30,
    radius=6,
    apart=0.013,
    most_lanes=2,
    ring_name=22,
)
_NAMES_A_STRIP = 5
_LONGEST_NAME = 25  # characters that fit on a phone
_FIRST_AND_LAST = 0.5  # of the width: so far apart are both named on a phone, too
_EDGE = 0.12


class _Spot(NamedTuple):
    mark: Mark
    across: float  # from 0 to 1
    lane: int


def strip_chart(strips: Sequence[Strip], *, title: str, ringed: Mapping[str, str] | None = None) -> str:
    """Render the strips as an SVG element with a link at each mark; "" without a mark.

    It is hidden from assistive technology, and the links from the keyboard: beside it belongs a list of the same
    drives. `ringed` has the keys of drives that get a ring, and what is written beside each.
    """
    parts, height = strip_parts(strips, SCREEN, ringed=ringed)
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
    ringed: Mapping[str, str] | None = None,
    has_links: bool = True,
) -> tuple[list[str], int]:
    """The elements, of any width, and their height; no elements without a mark."""
    latencies = [mark.latency_us for strip in strips for mark in strip.marks]
    if not latencies:
        return [], 0
    axis = log_axis(latencies)
    parts, top = [], 0
    for strip in strips:
        drawn, height = _strip(strip, axis, measures, top=top, ringed=ringed or {}, has_links=has_links)
        parts.append(drawn)
        top += height
    ticks = "".join(_tick(axis, latency_us, top) for latency_us in axis.ticks)
    return [ticks, *parts], top + measures.foot


def _tick(axis: ValueAxis, latency_us: float, height: int) -> str:
    share = axis.up(latency_us)
    anchor = "start" if share < _EDGE / 2 else "end" if share > 1 - _EDGE / 2 else "middle"
    x = percent(share)
    return (
        f'<line class="grid" x1="{x}" x2="{x}" y2="{height}"/>'
        f'<text x="{x}" y="{height}" dy="1.4em" text-anchor="{anchor}">{latency_label(latency_us)}</text>'
    )


def _strip(
    strip: Strip, axis: ValueAxis, measures: Measures, *, top: int, ringed: Mapping[str, str], has_links: bool
) -> tuple[str, int]:
    """A strip from `top` on, and its height."""
    spots = _spread(strip, axis, measures)
    lanes = max((spot.lane for spot in spots), default=0) + 1
    start = top + measures.label + measures.summary
    first = start + measures.lane // 2
    marks = "".join(
        _mark(
            spot,
            first + measures.lane * spot.lane,
            measures,
            ring=ringed.get(spot.mark.key),
            has_link=has_links,
        )
        for spot in sorted(spots, key=lambda spot: spot.mark.key in ringed)
    )
    below = start + measures.lane * lanes
    names = _names(spots, below + measures.names - 6) if measures.names else ""
    bottom = below + measures.names + measures.gap_below
    return f'<g class="{strip.tone}">{_label(strip, measures, top)}{marks}{names}</g>', bottom - top


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


def _mark(spot: _Spot, y: int, measures: Measures, *, ring: str | None, has_link: bool) -> str:
    """`ring` is what is written beside its ring; None without one."""
    mark, x, r = spot.mark, percent(spot.across), measures.radius
    title = f"<title>{escape(mark.text)}</title>"
    drawn = f'<circle class="{mark.how}" cx="{x}" cy="{y}" r="{r:g}">{title}</circle>'
    around = "" if ring is None else f'<circle class="ring" cx="{x}" cy="{y}" r="{2 * r:g}"/>'
    if ring and measures.ring_name:
        is_right = spot.across > 1 - 2 * _EDGE
        anchor, dx = ("end", -3 * r) if is_right else ("start", 3 * r)
        place = f'x="{x}" y="{y}" dx="{dx:g}" dy="{measures.ring_name // 3}" text-anchor="{anchor}"'
        around += f'<text class="ring-name" {place}>{escape(ring)}</text>'
    return (
        f'{around}<a href="{escape(mark.url)}" tabindex="-1">{drawn}</a>' if has_link else f"{around}{drawn}"
    )


def _names(spots: Sequence[_Spot], baseline: int) -> str:
    """Names of drives below their marks: the first, the last, and between them what has room."""
    if not spots:
        return ""
    ends = [spots[0], *([spots[-1]] if spots[-1].across - spots[0].across > _FIRST_AND_LAST else [])]
    chosen = list(ends)
    for spot in spots[1:]:
        if len(chosen) < _NAMES_A_STRIP and not any(_touch(spot, other) for other in chosen):
            chosen.append(spot)
    return "".join(_name(spot, baseline, is_always_shown=spot in ends) for spot in chosen)


def _touch(one: _Spot, other: _Spot) -> bool:
    """Whether their names touch in a chart of usual width."""
    (left, right), (start, end) = _reach(one), _reach(other)
    return (left < end and start < right) or one.mark.name == other.mark.name


def _reach(spot: _Spot) -> tuple[float, float]:
    width = SCREEN.letter * (len(spot.mark.short_name) + 4)
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[_anchor(spot)]
    return spot.across - width * share, spot.across + width * (1 - share)


def _anchor(spot: _Spot) -> str:
    return "start" if spot.across < _EDGE else "end" if spot.across > 1 - _EDGE else "middle"


def _name(spot: _Spot, baseline: int, *, is_always_shown: bool) -> str:
    css = "drive-name" if is_always_shown else "drive-name wide-only"
    return (
        f'<text class="{css}" x="{percent(spot.across)}" y="{baseline}" text-anchor="{_anchor(spot)}">'
        f"{escape(spot.mark.short_name)}</text>"
    )
