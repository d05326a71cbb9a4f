"""Order by the interval's upper end, with rank ranges and ties. Pure functions."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from results.ranking.intervals import Interval


def _floats(values: Iterable[float] = ()) -> "array[float]":
    """An array of the type in which PostgreSQL stores the ends of intervals: four bytes each."""
    return array("f", values)


@dataclass(frozen=True, slots=True)
class Ends:
    """The lower and upper ends of a board's intervals, each ascending, and where groups of ties begin."""

    lows: "array[float]" = field(default_factory=_floats)
    highs: "array[float]" = field(default_factory=_floats)
    group_starts: "array[float]" = field(default_factory=_floats)


class Place(NamedTuple):
    """A device's place: `rank` by the upper end, the range of possible ranks, its group of ties.

    All count from 1. No member of a group is certainly behind the first of its group.
    """

    rank: int
    first_possible: int
    last_possible: int
    tie_group: int


def order_ends(intervals: Iterable[tuple[float, float]]) -> Ends:
    """The ends in which places are looked up; `intervals` are pairs of ends, the lower one first."""
    ordered = sorted(intervals, key=lambda ends: ends[1])
    return ends_in_order(_floats(low for low, _ in ordered), _floats(high for _, high in ordered))


def ends_in_order(lows: "array[float]", highs: "array[float]") -> Ends:
    """The same for intervals that are already ordered by their upper ends."""
    return Ends(lows=_floats(sorted(lows)), highs=highs, group_starts=_group_starts(lows, highs))


def _group_starts(lows: "array[float]", highs: "array[float]") -> "array[float]":
    """The upper ends at which groups begin, each with the first that is certainly behind the previous group's first.

    Chains of overlaps wouldn't work: on a board of hundreds, where each overlaps with a neighbor, they would put all
    of them into one group.
    """
    starts, start = _floats(), -1.0
    for low, high in zip(lows, highs, strict=True):
        if low > start:
            start = high
            starts.append(high)
    return starts


def replace_interval(ends: Ends, old: Interval | None, new: Interval) -> Ends:
    """The board's ends with `old`, if present, replaced by `new`; without groups."""
    lows, highs = list(ends.lows), list(ends.highs)
    if old is not None:
        low, high = _floats(old)
        if low in lows and high in highs:
            lows.remove(low)
            highs.remove(high)
    return Ends(lows=_floats(sorted([*lows, new.low])), highs=_floats(sorted([*highs, new.high])))


def find_place(ends: Ends, interval: Interval) -> Place:
    """The place of an interval that is on the board, or will be after its next pass."""
    return find_places(ends, [interval])[0]


def find_places(ends: Ends, intervals: Sequence[Interval]) -> list[Place]:
    """The same for several intervals.

    Certainly ahead are intervals that end below its lower end; certainly behind those that begin above its upper end.
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
    """How many intervals begin above this one's upper end, and are therefore certainly behind it."""
    _, high = _floats(interval)
    return len(ends.lows) - bisect_right(ends.lows, high)


def format_places(place: Place) -> str:
    """The possible places of a device: "3" or "3–7"."""
    if place.first_possible == place.last_possible:
        return str(place.rank)
    return f"{place.first_possible}–{place.last_possible}"
