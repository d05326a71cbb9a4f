"""What a comparison says first: one figure of each device with its meaning, and which is faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

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
    names = [one.name for one in safe]
    return f"Only {_joined(names)} {'is' if len(safe) == 1 else 'are'} {known} against power loss."


class Winner(NamedTuple):
    """The fastest device, and how sure that is in a word."""

    compared: Compared
    sureness: str


def find_winner(compared: Sequence[Compared]) -> Winner | None:
    """The fastest; None if nobody can say which it is, or if others are protected but it isn't."""
    ranked = [one for one in compared if one.ranking]
    leading, ahead = _leading(ranked), _far_ahead(compared)
    if 1 < len(ranked) < len(compared):  # faster than another, but perhaps not than those without a figure
        return None
    if len(leading) == 1:
        found = Winner(leading[0], _sureness(ranked))
    elif len(ranked) < 2 and ahead:
        found = Winner(ahead[0][0], "almost certainly")
    else:
        return None
    safe = _protected(compared)
    return None if safe and found.compared not in safe else found


def verdict(compared: Sequence[Compared]) -> str:
    """Which is surely faster, or why nobody can say."""
    ranked = [one for one in compared if one.ranking]
    if len(ranked) < 2:
        return _between_ways(compared) or f"Can’t say which is faster: {_why_not(compared)}."
    found = _leading(ranked)
    leading = [one.name for one in found]
    others = [one.name for one in compared if not one.ranking]
    is_open = f" {_joined(others)} {'isn’t' if len(others) == 1 else 'aren’t'} ranked." if others else ""
    if len(leading) == 1:
        behind = [one.name for one in ranked if one not in found]
        is_faster = f"faster than {behind[0]}" if len(behind) == 1 else "the fastest"
        return f"{leading[0]} is {_sureness(ranked)} {is_faster}.{is_open}"
    if len(leading) == len(ranked):
        return f"Too close to call{f' between {_joined(leading)}' if others else ''}.{is_open}"
    return f"{_joined(leading)} are the fastest, too close to call between them.{is_open}"


def _leading(ranked: Sequence[Compared]) -> list[Compared]:
    """The ranked ones that share the lead; none of a single one."""
    rankings = [one.ranking for one in ranked if one.ranking]
    readings = [Reading(span_of(row), format_number(row.score, row.digits)) for row in rankings]
    marks = mark_best(readings, max((one.factor for one in ranked), default=1))
    return [one for one, mark in zip(ranked, marks, strict=True) if mark]


def _sureness(ranked: Sequence[Compared]) -> str:
    return sureness(is_assumed=any(one.ranking.assumed_spread for one in ranked if one.ranking))


def _protected(compared: Sequence[Compared]) -> list[Compared]:
    return [one for one in compared if one.device.plp_badge["value"] in PROTECTED]


_Measured = tuple[Compared, Headline]


def _far_ahead(compared: Sequence[Compared]) -> tuple[_Measured, _Measured] | None:
    """Of two the faster and the slower, if they differ so much that it hardly matters how they were measured."""
    found = sorted(((one, headline(one)) for one in compared), key=lambda two: two[1].value or inf)
    if len(found) != 2:
        return None
    (_, figure), (_, other) = faster, slower = found
    if figure.value is None or other.value is None:
        return None
    is_far = (figure.high or figure.value) * WAYS_FACTOR <= (other.low or other.value)
    return (faster, slower) if is_far else None


def _between_ways(compared: Sequence[Compared]) -> str:
    """Which of two is far ahead; "" if neither is."""
    ahead = _far_ahead(compared)
    if ahead is None:
        return ""
    (faster, figure), (slower, other) = ahead
    who, too = ("It", " too") if _protected(compared) == [faster] else (faster.name, "")
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
