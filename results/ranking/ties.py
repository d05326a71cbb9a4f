"""Order by the upper end of the interval, and what intervals leave open: rank ranges and ties. Pure."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from results.ranking.intervals import Interval


def _floats(values: Iterable[float] = ()) -> "array[float]":
    """As PostgreSQL stores the ends of intervals: four bytes each."""
    return array("f", values)


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of all intervals of a board, each in ascending order, and where groups of ties begin."""

    lows: "array[float]" = field(default_factory=_floats)
    highs: "array[float]" = field(default_factory=_floats)
    group_starts: "array[float]" = field(default_factory=_floats)


class Place(NamedTuple):
    """A device's place: `rank` by the upper end, the range that the intervals leave open, its group of ties.

    All count from 1. None of a group is surely behind the first of its group.
    """

    rank: int
    first_possible: int
    last_possible: int
    tie_group: int


def order_ends(intervals: Iterable[tuple[float, float]]) -> Ends:
    """What a board keeps to look places up in; `intervals` are pairs of ends, the lower one first."""
    ordered = sorted(intervals, key=lambda ends: ends[1])
    return ends_in_order(_floats(low for low, _ in ordered), _floats(high for _, high in ordered))


def ends_in_order(lows: "array[float]", highs: "array[float]") -> Ends:
    """The same of intervals that are in the order of their upper ends already."""
    return Ends(lows=_floats(sorted(lows)), highs=highs, group_starts=_group_starts(lows, highs))


def _group_starts(lows: "array[float]", highs: "array[float]") -> "array[float]":
    """The upper ends at which a group begins: with the first that is surely behind the first of the group before.

    Chains of overlaps would not do: on a board of hundreds, where everybody overlaps with a neighbour, they make one
    group of all.
    """
    starts, start = _floats(), -1.0
    for low, high in zip(lows, highs, strict=True):
        if low > start:
            start = high
            starts.append(high)
    return starts


def replace_interval(ends: Ends, old: Interval | None, new: Interval) -> Ends:
    """The ends of the board with `new` on it in the place of `old`, if that stands there; without groups."""
    lows, highs = list(ends.lows), list(ends.highs)
    if old is not None:
        low, high = _floats(old)
        if low in lows and high in highs:
            lows.remove(low)
            highs.remove(high)
    return Ends(lows=_floats(sorted([*lows, new.low])), highs=_floats(sorted([*highs, new.high])))


def find_place(ends: Ends, interval: Interval) -> Place:
    """Where an interval stands that is on the board, or will be after its next pass."""
    return find_places(ends, [interval])[0]


def find_places(ends: Ends, intervals: Sequence[Interval]) -> list[Place]:
    """The same of several.

    Ahead for sure is what ends below the interval's lower end; behind for sure what begins above its upper end.
    """
    lows, highs = _floats(low for low, _ in intervals), _floats(high for _, high in intervals)
    places = []
    for low, high in zip(lows, highs, strict=True):
        rank = bisect_left(ends.highs, high) + 1
        first = bisect_left(ends.highs, low) + 1
        last = max(rank, bisect_right(ends.lows, high))
        places.append(Place(rank, first, last, max(1, bisect_right(ends.group_starts, high))))
    return places


def count_behind(ends: Ends, interval: Interval) -> int:
    """How many of a board begin above the interval's upper end: those that are surely behind it."""
    _, high = _floats(interval)
    return len(ends.lows) - bisect_right(ends.lows, high)


def format_places(place: Place) -> str:
    """The places that a device may hold as far as its interval tells: "3" or "3–7"."""
    if place.first_possible == place.last_possible:
        return str(place.rank)
    return f"{place.first_possible}–{place.last_possible}"
