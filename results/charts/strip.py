"""The strip chart: a strip per group of drives on one logarithmic axis, a mark per drive, names beside some of them.

Positions are percentages across and pixels down, so that text and marks have the same size at every width.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from django.utils.safestring import SafeString

from results.charts.axes import ValueAxis, log_axis
from results.charts.labels import Anchor, Name, place_names, spaced
from results.charts.plot import (
    SHARES,
    Axis,
    Mark,
    Plot,
    Tick,
    bar,
    label,
    line,
    mark,
    percent,
    point,
    span,
    target,
)
from results.charts.svg import draw
from results.core.drive_names import DriveName
from results.core.formats import format_number, latency_label


class How(StrEnum):
    """How a figure was measured, which its mark shows."""

    FIO = "fio"
    DISKINFO = "diskinfo"
    SLOGPROBE = "slogprobe"


@dataclass(frozen=True, slots=True)
class StripMark:
    """A drive's 4 KiB latency in µs; `key` is its slug."""

    key: str
    name: DriveName
    url: str
    latency_us: float
    how: How
    digits: int | None = None  # shown of the latency (None: three)
    fame: int = 0  # those with the most are named

    @property
    def latency_number(self) -> str:
        return format_number(self.latency_us, self.digits)

    @property
    def latency(self) -> str:
        return f"{self.latency_number} µs"

    @property
    def text(self) -> str:
        """The tooltip."""
        return f"{self.name.full}: {self.latency}, {self.how}"


@dataclass(frozen=True, slots=True)
class Strip:
    """A group of drives; `tone` is the CSS class of its color, `summary` is written after the label."""

    tone: str
    label: str
    summary: str
    marks: Sequence[StripMark]

    @property
    def ordered(self) -> list[StripMark]:
        """The fastest first."""
        return sorted(self.marks, key=lambda mark: mark.latency_us)


class Measures(NamedTuple):
    """The measures of a strip in pixels, and the least distance of two marks across, as a share."""

    label: int = 26
    summary: int = 20  # a line below the label; without one it is beside it
    lane: int = 24
    gap_below: int = 14
    foot: int = 34
    radius: float = 5.5
    apart: float = 0.043  # 24 px in a chart of WIDE
    max_lanes: int = 6  # then marks overlap
    has_names: bool = False
    gap_name: int = 22  # a line above all strips
    has_ring_names: bool = False


SCREEN = Measures(has_names=True)
CARD = Measures(
    label=40, summary=0, gap_name=30, lane=17, gap_below=18, foot=34, radius=7, apart=0.0155, max_lanes=3
)
SMALL_CARD = Measures(
    label=38,
    summary=0,
    lane=12,
    gap_below=5,
    foot=30,
    radius=6,
    apart=0.013,
    max_lanes=2,
    has_ring_names=True,
)
WIDE, NARROW = 560, 240  # px: the least widths of a chart with many names, and of one with few
MAX_NAMES = {WIDE: 10, NARROW: 5}
_CSS = {WIDE: "wide-only", NARROW: "narrow-only"}
_NAME_LINE = 19  # px
_EDGE = 0.12
_RING_LETTER = 0.035  # of the width of a card: a letter beside a ring
_NARROW_LABEL = 0.2  # of the width of a narrow chart, for a label of the axis


class Gap(NamedTuple):
    """Where the chart has no mark of two groups, in µs, and how it is called."""

    low_us: float
    high_us: float
    name: str


def strip_chart(
    strips: Sequence[Strip],
    *,
    title: str,
    gap: Gap | None = None,
    ringed: Mapping[str, str] | None = None,
) -> SafeString:
    """Render the strips as an SVG element with a link at each mark; "" without a mark.

    It is hidden from assistive technology, and the links from the keyboard: beside it belongs a list of the same
    drives. `ringed` has the keys of drives that get a ring, and what is written beside each.
    """
    return draw(strip_plot(strips, SCREEN, gap=gap, ringed=ringed or {}), title=title)


def strip_plot(
    strips: Sequence[Strip],
    measures: Measures,
    *,
    gap: Gap | None = None,
    ringed: Mapping[str, str],
    has_links: bool = True,
) -> Plot | None:
    """The plot of these strips; None without a mark."""
    latencies = [mark.latency_us for strip in strips for mark in strip.marks]
    if not latencies:
        return None
    axis = log_axis(latencies)
    spread = [_spread(number, strip, axis, measures) for number, strip in enumerate(strips)]
    anchors = list(chain(*spread)) if measures.has_names else []
    names = {width: place_names(anchors, width, most) for width, most in MAX_NAMES.items()}
    drawn: list[Mark] = []
    top = measures.gap_name if gap else 0
    for number, strip in enumerate(strips):
        strip_names = {
            _CSS[width]: [name for name in placed if name.anchor.strip == number]
            for width, placed in names.items()
        }
        drawing = _Drawing(measures, strip, spread[number], strip_names, ringed, top)
        drawn.append(drawing.mark(has_links=has_links))
        top = drawing.bottom
    return Plot(
        css="chart strips",
        x=Axis(SHARES.scale, _ticks(axis), label_dy="1.4em", has_lines=True),
        ground=_gap(gap, axis, top, name_at=measures.gap_name - 6) if gap else [],
        front=drawn,
        height=top + measures.foot,
        foot=measures.foot,
        is_hidden=True,
    )


def _gap(gap: Gap, axis: ValueAxis, height: int, *, name_at: int) -> list[Mark]:
    left, right = axis.up(gap.low_us), axis.up(gap.high_us)
    middle = (left + right) / 2
    name = label(gap.name, middle, name_at, "gap-name", text_anchor=_anchor(middle, 2 * _EDGE))
    return [bar("gap", (left, right), (0, height)), name]


def _anchor(share: float, edge: float) -> str:
    return "start" if share < edge else "end" if share > 1 - edge else "middle"


def _ticks(axis: ValueAxis) -> list[Tick]:
    """Labels, of which a narrow chart only has those of powers of ten, as many as fit."""
    shares = {axis.up(value): value for value in axis.ticks}
    narrow = spaced(
        [share for share, value in shares.items() if f"{value:e}".startswith("1.0")], _NARROW_LABEL
    )
    return [
        Tick(share, latency_label(value), "" if share in narrow else _CSS[WIDE], _anchor(share, _EDGE / 2))
        for share, value in shares.items()
    ]


def _spread(number: int, strip: Strip, axis: ValueAxis, measures: Measures) -> list[Anchor]:
    """The marks in order, each in the first lane in which it doesn't touch the one before it, else the freest."""
    ends: list[float] = []
    spots = []
    for drive in strip.ordered:
        across = axis.up(drive.latency_us)
        lane = next((lane for lane, end in enumerate(ends) if across - end >= measures.apart), len(ends))
        if lane == measures.max_lanes:
            lane = ends.index(min(ends))
        ends[lane : lane + 1] = [across]
        spots.append(Anchor(number, across, lane, drive.name.short, drive.fame))
    return spots


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A strip from `top` on, with the names in it by the CSS class of the width that they are for."""

    measures: Measures
    strip: Strip
    spots: Sequence[Anchor]  # of its marks in their order
    names: Mapping[str, Sequence[Name]]
    ringed: Mapping[str, str]
    top: int

    def _lane(self, lane: int) -> int:
        """The middle of a lane."""
        start = self.top + self.measures.label + self.measures.summary
        return start + self.measures.lane // 2 + self.measures.lane * lane

    @property
    def _foot(self) -> int:
        """Below its lanes, where names begin."""
        lanes = max((spot.lane for spot in self.spots), default=0) + 1
        return self._lane(lanes) - self.measures.lane // 2

    @property
    def bottom(self) -> int:
        rows = max((name.row + 1 for placed in self.names.values() for name in placed), default=0)
        return self._foot + _NAME_LINE * rows + self.measures.gap_below

    def mark(self, *, has_links: bool) -> Mark:
        return mark(
            "g",
            self.strip.tone,
            self._label(),
            *(mark("g", css, *self._names(placed)) for css, placed in self.names.items() if placed),
            *self._marks(has_links=has_links),
            *(self._ring_names() if self.measures.has_ring_names else ()),
        )

    @property
    def _marked(self) -> list[tuple[StripMark, Anchor]]:
        return list(zip(self.strip.ordered, self.spots, strict=True))

    def _label(self) -> Mark:
        below = self.measures.summary
        place = {"x": "0", "dy": f"{below}"} if below else {"dx": "8"}
        summary = span(self.strip.summary, "strip-sum", **place)
        return label(self.strip.label, None, self.top + self.measures.label - 8, "strip-name", summary)

    def _names(self, placed: Iterable[Name]) -> Iterator[Mark]:
        for name in placed:
            x, y = name.anchor.across, self._foot + _NAME_LINE * (name.row + 1) - 4
            side = "end" if name.is_left else "start"
            yield line("leader", x, x, self._lane(name.anchor.lane), y)
            yield label(name.anchor.text, x, y, "drive-name", dx=name.dx, text_anchor=side)

    def _marks(self, *, has_links: bool) -> Iterator[Mark]:
        radius, lane = self.measures.radius, self.measures.lane
        for drive, spot in sorted(self._marked, key=lambda marked: marked[0].key in self.ringed):
            x, y = spot.across, self._lane(spot.lane)
            if drive.key in self.ringed:
                yield point("ring", x, y, 2 * radius)
            drawn = point(drive.how, x, y, radius, drive.text)
            area = target(x, y, percent(self.measures.apart / 2), lane // 2)
            yield mark("a", "", area, drawn, href=drive.url, tabindex="-1") if has_links else drawn

    def _ring_names(self) -> Iterator[Mark]:
        """What is written beside rings: beside the last of those that are too close for a name each."""
        placed: list[tuple[Anchor, str]] = []
        for drive, spot in self._marked:
            if name := self.ringed.get(drive.key, ""):
                if placed and spot.across - placed[-1][0].across < _RING_LETTER * len(placed[-1][1]):
                    name = f"{placed.pop()[1]} {name}"
                placed.append((spot, name))
        for spot, name in placed:
            anchor, side = ("end", -3) if spot.across > 1 - 2 * _EDGE else ("start", 3)
            y, dx = self._lane(spot.lane), side * self.measures.radius
            yield label(name, spot.across, y, "ring-name", dx=dx, dy=9, text_anchor=anchor)
