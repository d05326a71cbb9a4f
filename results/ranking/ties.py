"""Surely better, and what follows from it: places, rank ranges and ties, ordered by the worse end. Pure functions."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from operator import mul
from typing import NamedTuple, Self

from results.advice.comparison import ASSUMED_SPREAD, MEASURED_SPREAD

METHOD_FACTOR = 2.0  # an assumption, until MIN_COMPARED devices have been measured by two methods
MIN_COMPARED = 10
COMPARED_SHARE = 0.9  # the share of those devices whose two figures differ by less than the factor


def _floats(values: Iterable[float] = ()) -> "array[float]":
    """An array of the type in which PostgreSQL stores the ends of intervals: four bytes each."""
    return array("f", values)


class Span(NamedTuple):
    """A device's interval on a board, and the method that measured it."""

    method: str
    low: float
    high: float


def surely_better(span: Span, other: Span, factor: float) -> bool:
    """Whether it is better than `other` wherever in their intervals they are; `factor` is that between methods."""
    return span.high * _margin(span.method, other.method, factor) < other.low


def _margin(method: str, other: str, factor: float) -> float:
    return 1.0 if method == other else factor


def sureness(*, is_assumed: bool) -> str:
    """How sure a comparison is; `is_assumed` if one of the intervals rests on an assumed spread."""
    return (ASSUMED_SPREAD if is_assumed else MEASURED_SPREAD).beyond


class MethodEnds(NamedTuple):
    """The better and worse ends of the intervals by one method, each ascending."""

    lows: "array[float]"
    highs: "array[float]"

    @classmethod
    def none(cls) -> Self:
        return cls(_floats(), _floats())


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a board's intervals by method, where groups of ties begin, and the factor between methods."""

    by_method: Mapping[str, MethodEnds] = field(default_factory=dict)
    group_starts: "array[float]" = field(default_factory=_floats)
    factor: float = METHOD_FACTOR
    is_assumed: bool = False  # whether one of the methods has no measured spread

    def __len__(self) -> int:
        """The number of devices."""
        return sum(len(ends.highs) for ends in self.by_method.values())

    @property
    def limits(self) -> tuple[float, ...]:
        """The least and the largest end of all intervals; empty without devices."""
        shown = [ends for ends in self.by_method.values() if ends.lows and ends.highs]
        return (min(ends.lows[0] for ends in shown), max(ends.highs[-1] for ends in shown)) if shown else ()


class Place(NamedTuple):
    """A device's place: `rank` by the worse end, the range of possible ranks, its group of ties.

    All count from 1. No member of a group is surely behind the first of its group.
    """

    rank: int
    first_possible: int
    last_possible: int
    tie_group: int


def order_ends(spans: Iterable[Span], factor: float = METHOD_FACTOR) -> Ends:
    """The ends in which places are looked up."""
    ordered = sorted((_rounded(span) for span in spans), key=lambda span: span.high)
    return Ends(
        by_method={
            method: MethodEnds(
                lows=_floats(sorted(span.low for span in ordered if span.method == method)),
                highs=_floats(span.high for span in ordered if span.method == method),
            )
            for method in sorted({span.method for span in ordered})
        },
        group_starts=_group_starts(ordered, factor),
        factor=factor,
    )


def _rounded(span: Span) -> Span:
    """The ends, rounded as they are stored, so that comparisons agree to the last digit."""
    return Span(span.method, *_floats(span[1:]))


def _group_starts(ordered: Iterable[Span], factor: float) -> "array[float]":
    """The worse ends at which groups begin, each with the first that is surely behind the previous group's first.

    Chains of overlaps wouldn't work: on a board of hundreds, where each overlaps with a neighbor, they would put all
    of them into one group.
    """
    starts: list[Span] = []
    for span in ordered:
        if not starts or surely_better(starts[-1], span, factor):
            starts.append(span)
    return _floats(span.high for span in starts)


def replace_span(ends: Ends, old: Span | None, new: Span) -> Ends:
    """The board's ends with `old`, if present, replaced by `new`; without groups."""
    changed = dict(ends.by_method)
    if old is not None and (held := changed.get(old.method)):
        lows, highs = list(held.lows), list(held.highs)
        _, low, high = _rounded(old)
        if low in lows and high in highs:
            lows.remove(low)
            highs.remove(high)
            changed[old.method] = MethodEnds(_floats(lows), _floats(highs))
    lows, highs = (list(side) for side in changed.get(new.method, MethodEnds.none()))
    changed[new.method] = MethodEnds(_floats(sorted([*lows, new.low])), _floats(sorted([*highs, new.high])))
    return replace(ends, by_method=changed, group_starts=_floats())


def find_place(ends: Ends, span: Span) -> Place:
    """The place of a device that is on the board, or will be after its next pass."""
    return find_places(ends, [span])[0]


def find_places(ends: Ends, spans: Iterable[Span]) -> list[Place]:
    """The same for several devices: behind all that are surely better, ahead of all that are surely worse."""
    count, places = len(ends), []
    for span in map(_rounded, spans):
        rank = 1 + sum(bisect_left(for_method.highs, span.high) for for_method in ends.by_method.values())
        first = 1 + _count_ahead(ends, span)
        last = max(rank, count - _count_behind(ends, span))
        places.append(Place(rank, first, last, max(1, bisect_right(ends.group_starts, span.high))))
    return places


def count_behind(ends: Ends, span: Span) -> int:
    """How many devices are surely worse than this one."""
    return _count_behind(ends, _rounded(span))


def _count_ahead(ends: Ends, span: Span) -> int:
    """How many are surely better, by surely_better."""
    return sum(
        bisect_left(for_method.highs, span.low, key=partial(mul, _margin(method, span.method, ends.factor)))
        for method, for_method in ends.by_method.items()
    )


def _count_behind(ends: Ends, span: Span) -> int:
    """How many are surely worse, by surely_better."""
    return sum(
        len(for_method.lows)
        - bisect_right(for_method.lows, span.high * _margin(span.method, method, ends.factor))
        for method, for_method in ends.by_method.items()
    )


def format_places(place: Place) -> str:
    """The possible places of a device: "3" or "3–7"."""
    if place.first_possible == place.last_possible:
        return str(place.rank)
    return f"{place.first_possible}–{place.last_possible}"
