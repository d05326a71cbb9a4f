"""The life that a drive has left, for each capacity that it may have."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from parsers.base.readings import SmartctlReading
from results.advice.lifetime import LONG_YEARS, WARRANTY_YEARS, LifeLeft, life_left, lifetime, years_of
from results.catalogue.purchase_options import Facts
from results.core.formats import format_capacity, format_count
from results.models.fact import is_same_capacity
from results.used_drive.oddities import WORN_FROM, Code, Finding, Tone

_MONTHS_A_YEAR = 12
_MIN_YEARS = 1  # with less left at the buyer's writes, a drive isn't worth buying
_NO_FIGURES = "the wear and the bytes written are missing, so ask for smartctl -x"
_UNKNOWN = "unknown: we don’t know its rating, and an estimate needs the bytes written and at least 5 % wear"


class Left(NamedTuple):
    """The rating and the writes left at a capacity; None if unknown, in bytes."""

    capacity_bytes: int | None
    rated_bytes: int | None
    left: LifeLeft | None


@dataclass(frozen=True, slots=True)
class Life:
    """The writes left at each possible capacity, the least first, and the buyer's daily writes."""

    possible: Sequence[Left]
    gb_a_day: Decimal | None

    @property
    def is_of_one(self) -> bool:
        """Whether only one capacity is possible."""
        return len(self.possible) == 1

    @property
    def capacities(self) -> list[int]:
        """The possible ones that are known."""
        return [left.capacity_bytes for left in self.possible if left.capacity_bytes is not None]

    @property
    def known(self) -> list[Left]:
        return [left for left in self.possible if left.left is not None]

    @property
    def least(self) -> LifeLeft | None:
        """The writes left at the capacity with the lowest rating."""
        return self.known[0].left if self.known else None

    def writes_of(self, capacity_bytes: int | None, *, is_left: bool) -> int | None:
        """The writes left at a capacity, or its rating, in bytes."""
        for left in self.possible:
            if self.is_of_one or is_same_capacity(left.capacity_bytes, capacity_bytes):
                writes = left.left and left.left.bytes_left if is_left else left.rated_bytes
                if writes is not None:
                    return writes
        return None

    def in_words(self) -> str:
        """As in "about 900 TB of writes: its rating minus what was written"."""
        if self.known:
            amounts = [(left.capacity_bytes, left.left.bytes_left) for left in self.known if left.left]
            basis = self.least.basis if self.least else ""
            if not amounts[-1][1]:
                return f"none: {basis}"
            return f"about {_range(amounts)} of writes: {basis}"
        if not self._rating:
            return _UNKNOWN
        return f"at most {self._rating} of writes, as rated: {_NO_FIGURES}"

    @property
    def _rating(self) -> str:
        """The ratings of all possible capacities; "" if none is known."""
        rated = [(left.capacity_bytes, left.rated_bytes) for left in self.possible if left.rated_bytes]
        return _range(rated) if rated else ""

    def years_in_words(self) -> str:
        """How long it lasts at the buyer's writes, or the daily writes it lasts five years at; "" if unknown."""
        if self.least is None or not self.least.bytes_left:
            return ""
        if self.gb_a_day is None:
            a_day = lifetime(self.least.bytes_left, a_day_bytes=1).a_day_bytes
            return f"lasts five years at {format_capacity(a_day)} a day"
        ends = [years_of(left.left.bytes_left, gb_a_day=self.gb_a_day) for left in self.known if left.left]
        first, last = _show_years(ends[0]), _show_years(ends[-1])
        lasts = first if first == last else f"{first.removesuffix(' years')} to {last}, by capacity,"
        return f"lasts {lasts} at {self._use}"

    @property
    def _use(self) -> str:
        return "" if self.gb_a_day is None else f"{self.gb_a_day.normalize():,f} GB a day"

    def judge(self) -> Finding:
        """The life as a clause of the verdict."""
        if self.least is None:
            if not self._rating:
                return Finding(Tone.WARN, Code.LIFE_UNKNOWN, "we don’t know how much life is left")
            ask = f"ask about its wear first (it’s rated for {self._rating} of writes)"
            return Finding(Tone.WARN, Code.WEAR_UNKNOWN, ask)
        judged = self._judge(self.least.bytes_left)
        if judged.tone != Tone.INFO and not self.is_of_one:
            return Finding(Tone.WARN, judged.code, f"{judged.text} if it has {self._smallest}")
        return judged

    @property
    def _smallest(self) -> str:
        """The capacity with the least life left."""
        return format_capacity(self.known[0].capacity_bytes)

    def _judge(self, bytes_left: int) -> Finding:
        at_least = "" if self.is_of_one else "at least "
        if not bytes_left:
            headline = "Don’t buy it: its rating is used up."
            return Finding(Tone.BAD, Code.RATING_USED_UP, "its rating is used up", headline)
        rated = self.known[0].rated_bytes
        used = 100 - 100 * bytes_left // rated if rated else 0
        if used >= WORN_FROM:
            text = f"{used} % of its rated writes are used up"
            return Finding(Tone.BAD, Code.WORN, text, f"Too worn for a log: {text}.")
        if self.gb_a_day is None:
            text = f"{at_least or 'about '}{format_capacity(bytes_left)} of writes left"
            return Finding(Tone.INFO, Code.OK, text)
        years = years_of(bytes_left, gb_a_day=self.gb_a_day)
        shown = f"{_show_years(years)} of life left at {self._use}"
        if years >= WARRANTY_YEARS:
            return Finding(Tone.INFO, Code.OK, f"{at_least}{shown}")
        if years < _MIN_YEARS:
            return Finding(Tone.BAD, Code.SHORT_LIFE, f"only {shown}", f"Too worn: only {shown}.")
        return Finding(Tone.WARN, Code.SHORT_LIFE, f"only {shown}")


def find_life(
    reading: SmartctlReading,
    capacities: Collection[int | None],
    facts: Facts | None,
    gb_a_day: Decimal | None,
) -> Life:
    """The life left according to the reading, at each capacity that the drive may have."""
    possible = []
    for capacity in capacities:
        marketed = facts.marketed(capacity) if facts and capacity else None
        rated = facts.rated_bytes(marketed) if facts else None
        left = life_left(
            rated, host_bytes_written=reading.host_bytes_written, wear_percent=reading.wear_percent
        )
        possible.append(Left(marketed or capacity, rated, left))
    possible.sort(key=lambda at: (at.left.bytes_left if at.left else 0, at.rated_bytes or 0))
    return Life(possible, gb_a_day)


def _range(amounts: Sequence[tuple[int | None, int]]) -> str:
    """The least and the most, each with its capacity: "2 PB (100 GB) to 8 PB (400 GB)"."""
    (first, least), (last, most) = amounts[0], amounts[-1]
    if least == most:
        return format_capacity(least)
    ends = ((least, first), (most, last))
    return " to ".join(
        f"{format_capacity(amount)} ({format_capacity(capacity)})" for amount, capacity in ends
    )


def _show_years(years: Decimal) -> str:
    if years > LONG_YEARS:
        return f"over {LONG_YEARS} years"
    if years >= 1:
        return f"{years:.1f} years"
    months = int(years * _MONTHS_A_YEAR)
    return format_count(months, "month") if months else "under a month"
