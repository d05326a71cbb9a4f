"""What any comparison says: what differs, which is better, by how much, how sure that is, and in which words.

Callers supply the comparables. One is better than another if their intervals are further apart than equal
measurements may be; how far that is depends on the noise of their figures.
"""

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from statistics import NormalDist, geometric_mean
from typing import Generic, Literal, NamedTuple, TypeVar

from results.core.formats import format_times, join_words

NINE_IN_TEN = 0.9
SAME = 1.005  # ratios below are shown as 1
ABOUT_EQUAL = 1.1  # where the noise is unknown, smaller ratios count as equal
MAX_STATED = 4  # points that a sentence names

Mark = Literal["best", "tie", ""]
Key = TypeVar("Key", bound=Hashable)
Subject = TypeVar("Subject")


def pair_factor(spread: float) -> float:
    """Nine in ten pairs of figures whose logarithms have this standard deviation differ by less."""
    return math.exp(NormalDist().inv_cdf((1 + NINE_IN_TEN) / 2) * math.sqrt(2) * spread)


class Noise(NamedTuple):
    """The factor by which equal measurements may differ (None if unknown), and how to word a difference."""

    factor: float | None = 1.0
    beyond: str = ""
    within: str = ""
    unknown: str = ""
    is_assumed: bool = False


MEASURED_SPREAD = Noise(beyond="clearly")
ASSUMED_SPREAD = Noise(beyond="probably", is_assumed=True)
# For figures not measured the way ranked ones are
OTHER_TEST = Noise(10.0, "almost certainly", is_assumed=True)
UNITS = Noise(
    None,
    "Two units of one device usually differ by less.",
    "Two units of one device can differ by as much, so this may be chance.",
    "We don’t know how much single runs vary here, so this may be chance.",
)
REPEATS = Noise(
    None,
    "Beyond the noise: repeated runs in this set differ by less.",
    "Within the noise: repeated runs in this set differ by as much.",
    "Single runs, so we can’t rule out chance.",
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure with the ends of its interval and its noise; `is_lower_better` is None where neither end is better.

    Figures of two methods may differ more (Comparison.between_methods). Those with the same text are tied.
    """

    value: float
    low: float
    high: float
    is_lower_better: bool | None = False
    noise: Noise = MEASURED_SPREAD
    method: str = ""
    text: str = ""

    def is_better(self, other: "Reading", between_methods: float = 1.0) -> bool:
        """Whether it is better by more than the noise, wherever in the intervals the true values are."""
        factor = greater_noise(self, other).factor or ABOUT_EQUAL
        if self.method != other.method:
            factor = max(factor, between_methods)
        lower, higher = (self, other) if self.is_lower_better else (other, self)
        return lower.high * factor < higher.low


def greater_noise(*readings: Reading) -> Noise:
    """The noise of the least certain reading."""
    noises = (reading.noise for reading in readings)
    return max(noises, key=lambda noise: (noise.factor or math.inf, noise.is_assumed))


@dataclass(frozen=True, slots=True, eq=False)
class Comparable(Generic[Subject, Key]):
    """What is compared: its name in sentences, what it is, its figures, and the conditions that it states."""

    label: str
    subject: Subject
    readings: Mapping[Key, Reading]
    conditions: Mapping[str, str | Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of what is compared: the values that each states, if any; what isn't stated equals nothing."""

    key: str
    label: str
    values: tuple[tuple[str, ...], ...]

    @property
    def stated(self) -> tuple[str, ...]:
        """What each states, "" if nothing."""
        return tuple(" and ".join(values) for values in self.values)

    @property
    def differs(self) -> bool:
        return len({value.casefold() for values in self.values for value in values}) > 1

    @property
    def is_unknown(self) -> bool:
        """Whether at least one doesn't state it, so that it may differ."""
        return not all(self.values)

    def __str__(self) -> str:
        """As in "recordsize (128 KiB, 16 KiB)"."""
        return f"{self.label} ({', '.join(self.stated)})"


class Conditions(tuple[Condition, ...]):
    """The conditions of what is compared."""

    __slots__ = ()

    @property
    def differences(self) -> list[Condition]:
        return [condition for condition in self if condition.differs]

    @property
    def unknowns(self) -> list[Condition]:
        return [condition for condition in self if condition.is_unknown]

    @property
    def equal(self) -> list[Condition]:
        return [condition for condition in self if not (condition.differs or condition.is_unknown)]

    @property
    def has_one_difference(self) -> bool:
        """Whether exactly one condition differs and none is unknown."""
        return len(self.differences) == 1 and not self.unknowns


def compare_conditions(
    stated: Sequence[Mapping[str, str | Sequence[str]]], labels: Mapping[str, str] | None = None
) -> Conditions:
    """The conditions with what each states, by key, in the order of the labels, or by label as they come."""
    shown = labels or {label: label for conditions in stated for label in conditions}
    return Conditions(
        Condition(key, label, tuple(_values(conditions.get(key, ())) for conditions in stated))
        for key, label in shown.items()
    )


def _values(stated: str | Sequence[str]) -> tuple[str, ...]:
    return (stated,) if isinstance(stated, str) and stated else tuple(stated)


@dataclass(frozen=True, slots=True)
class Ratio(Generic[Subject, Key]):
    """How many times a figure of one comparable is that of another, and under which conditions."""

    metric: Key
    base: Comparable[Subject, Key]
    other: Comparable[Subject, Key]
    conditions: Conditions = field(default_factory=Conditions)

    @property
    def readings(self) -> tuple[Reading, Reading]:
        return self.base.readings[self.metric], self.other.readings[self.metric]

    @property
    def ratio(self) -> float:
        base, other = self.readings
        return other.value / base.value

    @property
    def gain(self) -> float:
        """How many times as good the other one is."""
        base, _ = self.readings
        return 1 / self.ratio if base.is_lower_better else self.ratio

    @property
    def noise(self) -> Noise:
        return greater_noise(*self.readings)

    @property
    def change(self) -> int:
        """1 if the other one is better, -1 if it is worse, 0 if it's too close to call."""
        base, other = self.readings
        return other.is_better(base) - base.is_better(other)

    @property
    def exceeds_noise(self) -> bool | None:
        """Whether the figures differ by more than the noise; None if that is unknown."""
        return None if self.noise.factor is None else self.change != 0

    @property
    def certainty(self) -> str:
        noise = self.noise
        return {True: noise.beyond, False: noise.within, None: noise.unknown}[self.exceeds_noise]

    def describe(self) -> str:
        """Which is better, or has more where neither end is: "A is 3 times better"."""
        base, _ = self.readings
        times = max(self.gain, 1 / self.gain)
        if times < SAME:
            return "the same"
        better = (self.other if self.gain > 1 else self.base).label
        if base.is_lower_better is None:
            return f"{times:.3g} times as much in {better}"
        return f"{better} is {times:.3g} times better"

    @property
    def gain_in_words(self) -> str:
        """ "5.6×"; "no gain" if it’s indistinguishable from 1; below 1 "0.5× (slower)"."""
        times = format_times(self.gain)
        return {1: times, 0: "no gain", -1: f"{times} (slower)"}[self.change]


def find_ratios(base: Comparable[Subject, Key], other: Comparable[Subject, Key]) -> list[Ratio[Subject, Key]]:
    """The ratios of the figures that both have, in the order of the base's."""
    conditions = compare_conditions([base.conditions, other.conditions])
    return [Ratio(key, base, other, conditions) for key in base.readings if key in other.readings]


@dataclass(frozen=True, slots=True)
class Comparison(Generic[Subject, Key]):
    """Comparables side by side; `between_methods` is how many times figures of two methods may differ."""

    comparables: Sequence[Comparable[Subject, Key]]
    between_methods: float = 1.0

    def leaders(self, metric: Key) -> list[Comparable[Subject, Key]]:
        """Those that no other is better than, and those displayed with the same figure as the first.

        Empty if fewer than two have the figure.
        """
        known = self.known(metric)
        if len(known) < 2:
            return []
        readings = known.values()
        first = min(readings, key=lambda reading: reading.high if reading.is_lower_better else -reading.low)
        return [
            comparable
            for comparable, reading in known.items()
            if (reading.text and reading.text == first.text)
            or not any(other.is_better(reading, self.between_methods) for other in readings)
        ]

    def known(self, metric: Key) -> dict[Comparable[Subject, Key], Reading]:
        """The comparables that have this figure, with their readings."""
        return {found: found.readings[metric] for found in self.comparables if metric in found.readings}

    def marks(self, metric: Key) -> tuple[Mark, ...]:
        """A sole leader is the "best"; several are a "tie"."""
        leaders = self.leaders(metric)
        mark: Mark = "best" if len(leaders) == 1 else "tie"
        return tuple(mark if comparable in leaders else "" for comparable in self.comparables)

    def certainty(self, metric: Key) -> str:
        """How sure we are that a sole leader is better, in a word."""
        return greater_noise(*self.known(metric).values()).beyond

    def verdict(self, metric: Key) -> str:
        """Which is the fastest, or that it's too close to call, in a sentence."""
        known, leaders = self.known(metric), self.leaders(metric)
        names = join_words(comparable.label for comparable in leaders)
        if len(leaders) == 1:
            behind = [comparable.label for comparable in known if comparable not in leaders]
            is_faster = f"faster than {behind[0]}" if len(behind) == 1 else "the fastest"
            return f"{names} is {self.certainty(metric)} {is_faster}."
        if len(leaders) == len(known):
            return f"Too close to call{'' if len(known) == len(self.comparables) else f' between {names}'}."
        return f"{names} are the fastest; it’s too close to call between them."


def join_points(points: Sequence[tuple[int, str]], noun: str) -> str:
    """What holds where, as in "5.6× at 1 thread, 2× at 4 and 8 and no gain at 16"; of many the ends and the middle.

    Just what holds if the only point is 1.
    """
    if [number for number, _ in points] == [1]:
        return points[0][1]
    if len(points) > MAX_STATED:
        points = [points[0], points[len(points) // 2], points[-1]]
    grouped = [(text, [number for number, _ in group]) for text, group in groupby(points, itemgetter(1))]
    words = [f"{text} at {join_words(map(str, numbers))}" for text, numbers in grouped]
    words[0] += f" {noun}" if grouped[0][1] == [1] else f" {noun}s"
    return join_words(words)


class Axis(NamedTuple):
    """Sizes or counts at which things are compared, in words: "at 64 KiB", "8 of 13 record sizes"."""

    noun: str
    plural: str
    preposition: str
    format: Callable[[int], str]

    def at(self, point: int) -> str:
        return f"{self.preposition} {self.format(point)}"


def describe_ratios(ratios: Sequence[Ratio[Subject, int]], base: str, axis: Axis) -> str:
    """How fast a comparable is relative to the base.

    One figure where most points agree, else where it is faster or slower.
    """
    signs = [ratio.change for ratio in ratios]
    points = [ratio.metric for ratio in ratios]
    only = f" {axis.at(points[0])}" if len(points) == 1 else ""
    if not any(signs):
        return f"about as fast as {base}{only}"
    if {1, -1} <= set(signs):
        faster, slower = (_where(points, signs, sign, axis) for sign in (1, -1))
        return f"faster than {base} {faster}, and slower {slower}: which is faster depends on the {axis.noun}"
    sign = next(filter(None, signs))
    every = [ratio.gain**sign for ratio in ratios]
    apart = [times for times, is_apart in zip(every, signs, strict=True) if is_apart]
    how = f"{'as fast as' if sign > 0 else 'slower than'} {base}"
    if len(apart) * 2 <= len(every):
        up_to = "up to " if len(apart) > 1 else ""
        where = _where(points, signs, sign, axis)
        return f"{up_to}{format_times(max(apart))} {how} {where}, and about as fast otherwise"
    low, high = min(every), max(every)
    spread = f" ({format_times(low)} to {format_times(high)})" if high / low > ABOUT_EQUAL else ""
    return f"{format_times(geometric_mean(every))} {how}{only}{spread}"


def _where(points: Sequence[int], signs: Sequence[int], sign: int, axis: Axis) -> str:
    """The points with that sign: "at 64 KiB", "from 256 KiB on", "up to 128 KiB", "at 3 of 8 record sizes"."""
    chosen = [point for point, found in zip(points, signs, strict=True) if found == sign]
    if len(chosen) == 1:
        return axis.at(chosen[0])
    if chosen == list(points[-len(chosen) :]):
        return f"from {axis.format(chosen[0])} on"
    if chosen == list(points[: len(chosen)]):
        return f"up to {axis.format(chosen[-1])}"
    return f"at {len(chosen)} of {len(points)} {axis.plural}"
