"""What a comparison says first: one figure of each device with its meaning, and which is faster."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.compare.figures import Reading, mark_best
from results.compare.query import Compared
from results.core.formats import format_number
from results.models.choices import METHOD_LABELS, PROTECTED, Plp
from results.ranking.standing import span_of

UNSAFE = frozenset({Plp.NO, Plp.PARTIAL})


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
    """The ranked figure, else the most similar one that isn't ranked."""
    if ranking := one.ranking:
        meaning = f"{one.path_of_writes} ({METHOD_LABELS[ranking.method]})"
        return Headline(_text(ranking.score), meaning, ranking.score, ranking.low, ranking.high)
    if not one.unranked and one.sustained:
        return Headline("", "only sustained writes are known")
    if not one.unranked:
        return Headline("", "not measured yet" if one.is_product else "no ranked result")
    first = one.unranked[0]
    meaning = f"{first.where}, not ranked"
    return Headline(_text(first.latency_us) if first.latency_us else "", meaning, first.latency_us)


def _text(latency_us: float) -> str:
    return f"{format_number(latency_us)} µs"


def safety_verdict(compared: Sequence[Compared]) -> str:
    """Which of several are protected against power loss, in a sentence."""
    values = [one.device.plp_badge["value"] for one in compared]
    safe = [one.name for one, value in zip(compared, values, strict=True) if value in PROTECTED]
    is_pair = len(compared) == 2
    if len(safe) == len(compared):
        return f"{'Both' if is_pair else 'All of them'} are protected against power loss."
    known = "protected" if UNSAFE.issuperset(set(values) - PROTECTED) else "known to be protected"
    if not safe:
        return f"{'Neither' if is_pair else 'None'} of them is {known} against power loss."
    return f"Only {_joined(safe)} {'is' if len(safe) == 1 else 'are'} {known} against power loss."


def verdict(compared: Sequence[Compared]) -> str:
    """Which is surely faster, or why nobody can say."""
    ranked = [one for one in compared if one.ranking]
    if len(ranked) < 2:
        return f"Can’t say which is faster: {_why_not(compared)}."
    rankings = [one.ranking for one in ranked if one.ranking]
    readings = [Reading(span_of(row), format_number(row.score)) for row in rankings]
    marks = mark_best(readings, max(one.factor for one in ranked))
    leading = [one.name for one, mark in zip(ranked, marks, strict=True) if mark]
    others = [one.name for one in compared if not one.ranking]
    is_open = f" {_joined(others)} {'isn’t' if len(others) == 1 else 'aren’t'} ranked." if others else ""
    if len(leading) == 1:
        behind = [one.name for one in ranked if one.name not in leading]
        is_faster = f"faster than {behind[0]}" if len(behind) == 1 else "the fastest"
        return f"{leading[0]} is clearly {is_faster}.{is_open}"
    if len(leading) == len(ranked):
        return f"Too close to call{f' between {_joined(leading)}' if others else ''}.{is_open}"
    return f"{_joined(leading)} are the fastest, too close to call between them.{is_open}"


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
