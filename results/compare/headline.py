"""What a comparison says first: one figure of each device with its meaning, and which is faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from results.compare.figures import Reading, mark_best
from results.compare.query import Compared
from results.core.formats import format_number
from results.models.choices import METHOD_LABELS, NOT_FULLY, PROTECTED
from results.ranking.standing import span_of
from results.ranking.ties import WAYS_FACTOR, sureness


@dataclass(frozen=True, slots=True)
class Headline:
    """A device's sync write in µs, and how it was measured; without a figure, why.

    A ranked one has an interval.
    """

    text: str
    meaning: str
    value: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return f"{self.text} {self.meaning}".strip()


def compare_title(names: Sequence[str]) -> str:
    """Two names, or the first and the number of others."""
    return f"{names[0]} and {len(names) - 1} others" if len(names) > 2 else " vs. ".join(names)


def headline(one: Compared) -> Headline:
    """The ranked figure, else one through a file system; withheld figures aren't headlines."""
    if ranking := one.ranking:
        meaning = f"{one.path_of_writes} ({METHOD_LABELS[ranking.method]})"
        return Headline(
            _text(ranking.score, ranking.digits), meaning, ranking.score, ranking.low, ranking.high
        )
    if not one.unranked and one.sustained:
        return Headline("", "only sustained writes are known")
    if not one.unranked:
        return Headline("", "not measured yet" if one.is_product else "no ranked result")
    first = one.through_file_system
    if first is None:
        return Headline("", f"not ranked: {one.unranked[0].reason}".rstrip(": ."))
    return Headline(
        _text(first.latency_us or 0, first.digits), f"{first.where}, not ranked", first.latency_us
    )


def _text(latency_us: float, digits: int | None = None) -> str:
    return f"{format_number(latency_us, digits)} µs"


def safety_verdict(compared: Sequence[Compared]) -> str:
    """Which of several are protected against power loss, in a sentence."""
    values = {one.device.plp_badge["value"] for one in compared}
    safe = _protected(compared)
    is_pair = len(compared) == 2
    if len(safe) == len(compared):
        return f"{'Both' if is_pair else 'All of them'} are protected against power loss."
    known = "protected" if values - PROTECTED <= NOT_FULLY else "known to be protected"
    if not safe:
        return f"{'Neither' if is_pair else 'None'} of them is {known} against power loss."
    return f"Only {_joined(safe)} {'is' if len(safe) == 1 else 'are'} {known} against power loss."


def verdict(compared: Sequence[Compared]) -> str:
    """Which is surely faster, or why nobody can say."""
    ranked = [one for one in compared if one.ranking]
    if len(ranked) < 2:
        return _between_ways(compared) or f"Can’t say which is faster: {_why_not(compared)}."
    rankings = [one.ranking for one in ranked if one.ranking]
    readings = [Reading(span_of(row), format_number(row.score, row.digits)) for row in rankings]
    marks = mark_best(readings, max(one.factor for one in ranked))
    leading = [one.name for one, mark in zip(ranked, marks, strict=True) if mark]
    others = [one.name for one in compared if not one.ranking]
    is_open = f" {_joined(others)} {'isn’t' if len(others) == 1 else 'aren’t'} ranked." if others else ""
    if len(leading) == 1:
        behind = [one.name for one in ranked if one.name not in leading]
        is_faster = f"faster than {behind[0]}" if len(behind) == 1 else "the fastest"
        surely = sureness(is_assumed=any(row.assumed_spread for row in rankings))
        return f"{leading[0]} is {surely} {is_faster}.{is_open}"
    if len(leading) == len(ranked):
        return f"Too close to call{f' between {_joined(leading)}' if others else ''}.{is_open}"
    return f"{_joined(leading)} are the fastest, too close to call between them.{is_open}"


def _protected(compared: Sequence[Compared]) -> list[str]:
    """The names of those that are protected."""
    return [one.name for one in compared if one.device.plp_badge["value"] in PROTECTED]


def _between_ways(compared: Sequence[Compared]) -> str:
    """Which of two is so much faster that it hardly matters how they were measured; "" if neither is."""
    found = [(one, headline(one)) for one in compared]
    if len(found) != 2:
        return ""
    (faster, figure), (slower, other) = sorted(found, key=lambda two: two[1].value or inf)
    if figure.value is None or other.value is None:
        return ""
    if (figure.high or figure.value) * WAYS_FACTOR > (other.low or other.value):
        return ""
    who, too = ("It", " too") if _protected(compared) == [faster.name] else (faster.name, "")
    figures = f"{_in_short(faster, figure)} against {_in_short(slower, other)}"
    return f"{who} is almost certainly much faster{too}: {figures} (different tests)."


def _in_short(one: Compared, figure: Headline) -> str:
    """A ranked figure, or as in "about 1,600 µs through ext4"."""
    if one.ranking or figure.value is None:
        return figure.text
    return f"about {_text(float(f'{figure.value:.2g}'))} {one.path_of_writes}"


def _why_not(compared: Sequence[Compared]) -> str:
    measured = [one for one in compared if headline(one).value is not None]
    if len(measured) == len(compared):
        return "they weren’t measured the same way"
    if not measured:
        return f"there is no sync-write figure for {'either' if len(compared) == 2 else 'any'} of them"
    return (
        f"there is no sync-write figure for {_joined([one.name for one in compared if one not in measured])}"
    )


def _joined(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
