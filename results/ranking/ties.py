"""Order by the upper end of the interval, and what intervals leave open: rank ranges and ties. Pure."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
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

    All count from 1. Groups are apart: everything in one lies above everything in the one before.
    """

    rank: int
    first_possible: int
    last_possible: int
    tie_group: int


def order_ends(intervals: Iterable[Interval]) -> Ends:
    """What a board keeps to look places up in."""
    held = list(intervals)
    return _ends([one.low for one in held], [one.high for one in held])


def replace_interval(ends: Ends, old: Interval | None, new: Interval) -> Ends:
    """The ends of the same board with `new` on it, in the place of `old` where that stands there."""
    lows, highs = list(ends.lows), list(ends.highs)
    if old is not None and old.low in lows and old.high in highs:
        lows.remove(old.low)
        highs.remove(old.high)
    return _ends([*lows, new.low], [*highs, new.high])


def _ends(lows: Iterable[float], highs: Iterable[float]) -> Ends:
    ordered_lows, ordered_highs = sorted(lows), sorted(highs)
    return Ends(ordered_lows, ordered_highs, _group_starts(ordered_lows, ordered_highs))


def _group_starts(lows: Sequence[float], highs: Sequence[float]) -> list[float]:
    """The upper ends at which a group begins: where no more intervals have begun than have ended before."""
    begun_before = [0, *(bisect_right(lows, high) for high in highs)]
    return [high for index, high in enumerate(highs) if begun_before[index] == index]


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
