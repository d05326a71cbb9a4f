"""Order by the upper end of the interval, and what intervals leave open: rank ranges and ties. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from results.ranking.intervals import Interval


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of all intervals of a board, each in ascending order, and where groups of ties begin."""

    lows: list[float] = field(default_factory=list)
    highs: list[float] = field(default_factory=list)
    group_starts: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Place:
    """A device's place: `rank` by the upper end, the range that the intervals leave open, its group of ties.

    All count from 1. None of a group is surely behind the first of its group.
    """

    rank: int
    first_possible: int
    last_possible: int
    tie_group: int


def order_ends(intervals: Iterable[tuple[float, float]]) -> Ends:
    """What a board keeps to look places up in; `intervals` are pairs of ends, the lower one first."""
    ordered = sorted(intervals, key=lambda ends: (ends[1], -ends[0]))
    return Ends(
        lows=sorted(low for low, _ in ordered),
        highs=[high for _, high in ordered],
        group_starts=_group_starts(ordered),
    )


def _group_starts(ordered: Iterable[tuple[float, float]]) -> list[float]:
    """The upper ends at which a group begins: with the first that is surely behind the first of the group before.

    Chains of overlaps would not do: on a board of hundreds, where everybody overlaps with a neighbour, they make one
    group of all.
    """
    starts: list[float] = []
    for low, high in ordered:
        if not starts or low > starts[-1]:
            starts.append(high)
    return starts


def replace_interval(ends: Ends, old: Interval | None, new: Interval) -> Ends:
    """The ends of the board with `new` on it in the place of `old`, if that stands there; without groups."""
    lows, highs = list(ends.lows), list(ends.highs)
    if old is not None and old.low in lows and old.high in highs:
        lows.remove(old.low)
        highs.remove(old.high)
    return Ends(lows=sorted([*lows, new.low]), highs=sorted([*highs, new.high]))


def find_place(ends: Ends, interval: Interval) -> Place:
    """Where an interval stands that is on the board, or will be after its next pass.

    Ahead for sure is what ends below the interval's lower end; behind for sure what begins above its upper end.
    """
    rank = bisect_left(ends.highs, interval.high) + 1
    return Place(
        rank=rank,
        first_possible=bisect_left(ends.highs, interval.low) + 1,
        last_possible=max(rank, bisect_right(ends.lows, interval.high)),
        tie_group=max(1, bisect_right(ends.group_starts, interval.high)),
    )
