"""Labels that fit, and stay apart from each other."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeVar

_NARROW = re.compile(r"[ijlrtfI1.,:;|()\[\]'! ]")
_WIDE = re.compile(r"[A-HJ-Zmw%@µ–…]")


class Letters(NamedTuple):
    """The widths of a font's letters."""

    narrow: float
    other: float
    wide: float

    def width(self, text: str) -> float:
        narrow, wide = len(_NARROW.findall(text)), len(_WIDE.findall(text))
        return narrow * self.narrow + wide * self.wide + (len(text) - narrow - wide) * self.other


INTER = Letters(0.3, 0.6, 0.73)  # relative to the font size
VERDANA = Letters(4.3, 6.9, 8.6)  # at 11 px


def cut(text: str, longest: int) -> str:
    """The text, cut to at most `longest` characters."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


Number = TypeVar("Number", int, float)


def spaced(places: Collection[Number], gap: float, start: Number | None = None) -> set[Number]:
    """The places at least `gap` from the previous one, in both directions from `start` (default: the first)."""
    if not places:
        return set()
    middle = min(places) if start is None else start
    found: set[Number] = set()
    last = {True: middle, False: middle}
    for place in sorted(places, key=lambda place: abs(place - middle)):
        is_after = place > middle
        if place == middle or abs(place - last[is_after]) >= gap:
            found.add(place)
            last[is_after] = place
    return found


def apart(heights: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Space ascending heights, measured from the top, at least `gap` apart and above the lowest."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + gap) if placed else height)
    below = lowest + gap
    for index in reversed(range(len(placed))):
        placed[index] = below = min(placed[index], below - gap)
    return placed


_POLE = 4  # px between a leader line and its name
_LETTER = 9.2  # px: the widest usual letter of a name
_BETWEEN_NAMES = 8  # px
_NAME_ROWS = 5
_LONGEST_NAME = 25  # characters that fit on a phone


class Anchor(NamedTuple):
    """What can be named: its strip, its share of the width and its lane; those of more `fame` come first."""

    strip: int
    across: float
    lane: int
    name: str
    fame: int

    @property
    def text(self) -> str:
        return cut(self.name, _LONGEST_NAME)


class Name(NamedTuple):
    """A name below its anchor, in a row of its strip, with the pixels that it takes across.

    A line leads down to it from its anchor, past the rows above; the name is on its right, or left if `is_left`.
    """

    anchor: Anchor
    row: int
    at: float
    left: float
    right: float
    is_left: bool

    @property
    def dx(self) -> int:
        """From its line to the name."""
        return -_POLE if self.is_left else _POLE

    def touches(self, other: "Name") -> bool:
        """Whether the names overlap, or the line of one crosses the other."""
        if self.row == other.row:
            return self.left < other.right + _BETWEEN_NAMES and other.left < self.right + _BETWEEN_NAMES
        upper, lower = (self, other) if self.row < other.row else (other, self)
        return upper.left - _POLE <= lower.at <= upper.right + _POLE


def place_names(anchors: Sequence[Anchor], width: int, most: int) -> list[Name]:
    """At most `most` names that fit in a chart of this width in pixels, and so in a wider one."""
    placed: dict[int, list[Name]] = {}
    named: set[str] = set()
    for anchor in sorted(anchors, key=lambda anchor: -anchor.fame):
        if len(named) == most:
            break
        others = [name.anchor for name in placed.get(anchor.strip, ())]
        if anchor.name not in named and (arranged := _arrange([*others, anchor], width)):
            placed[anchor.strip] = arranged
            named.add(anchor.name)
    return [name for names in placed.values() for name in names]


def _arrange(anchors: Sequence[Anchor], width: int) -> list[Name]:
    """The names of a strip in rows; none if they don't all have room.

    From the middle of the chart to each side a name goes below those that its own would cover the line of.
    """
    names = [_at_a_side(anchor, width) for anchor in anchors]
    if not all(names):
        return []
    placed: list[Name] = []
    for name in sorted(
        filter(None, names), key=lambda name: (name.is_left, name.at if name.is_left else -name.at)
    ):
        rows = (name._replace(row=row) for row in range(_NAME_ROWS))
        free = next((name for name in rows if not any(name.touches(other) for other in placed)), None)
        if free is None:
            return []
        placed.append(free)
    return placed


def _at_a_side(anchor: Anchor, width: int) -> Name | None:
    """The name on the right of its line if the chart is wide enough, else on the left, else None."""
    at, length = anchor.across * width, _POLE + _LETTER * len(anchor.text)
    if at + length <= width:
        return Name(anchor, 0, at, at, at + length, is_left=False)
    return Name(anchor, 0, at, at - length, at, is_left=True) if at >= length else None
