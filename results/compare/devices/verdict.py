"""What a comparison says first: one figure of each device with its meaning, and which is faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from results.advice.comparison import OTHER_TEST, Comparable, Comparison, Reading
from results.compare.devices.figures import ranked_reading
from results.compare.devices.query import ComparedDevice
from results.core.formats import format_number, join_words
from results.models.choices import METHOD_LABELS, NOT_FULLY, PROTECTED

LATENCY = "latency"


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


def headline(drive: ComparedDevice) -> Headline:
    """The ranked figure, else one through a file system; withheld figures aren't headlines."""
    if ranking := drive.ranking:
        meaning = f"{drive.path_of_writes} ({METHOD_LABELS[ranking.method]})"
        return Headline(
            _text(ranking.score, ranking.digits), meaning, ranking.score, ranking.low, ranking.high
        )
    if not drive.unranked and drive.sustained:
        return Headline("", "only sustained writes are known")
    if not drive.unranked:
        return Headline("", "not measured yet" if drive.is_product else "no ranked result")
    first = drive.through_file_system
    if first is None:
        return Headline("", f"not ranked: {drive.unranked[0].reason}".rstrip(": ."))
    return Headline(
        _text(first.latency_us or 0, first.digits), f"{first.where}, not ranked", first.latency_us
    )


def _text(latency_us: float, digits: int | None = None) -> str:
    return f"{format_number(latency_us, digits)} µs"


def safety_verdict(compared: Sequence[ComparedDevice]) -> str:
    """Which of several are protected against power loss, in a sentence."""
    values = {drive.device.plp_badge.value for drive in compared}
    safe = _protected(compared)
    is_pair = len(compared) == 2
    if len(safe) == len(compared):
        return f"{'Both' if is_pair else 'All of them'} are protected against power loss."
    known = "protected" if values - PROTECTED <= NOT_FULLY else "known to be protected"
    if not safe:
        return f"{'Neither' if is_pair else 'None'} of them is {known} against power loss."
    names = [drive.name for drive in safe]
    return f"Only {join_words(names)} {'is' if len(safe) == 1 else 'are'} {known} against power loss."


class Winner(NamedTuple):
    """The fastest device, and how sure we are, in a word."""

    compared: ComparedDevice
    sureness: str


def find_winner(compared: Sequence[ComparedDevice]) -> Winner | None:
    """The fastest; None if nobody can say which it is, or if others are protected but it isn't."""
    comparison = _compare_latency(compared)
    leaders = [leader.subject for leader in comparison.leaders(LATENCY)]
    if len(leaders) != 1 or len(comparison.known(LATENCY)) < len(compared):
        return None
    safe = _protected(compared)
    return None if safe and leaders[0] not in safe else Winner(leaders[0], comparison.certainty(LATENCY))


def verdict(compared: Sequence[ComparedDevice]) -> str:
    """Which is clearly faster, or why nobody can say."""
    comparison = _compare_latency(compared)
    known = comparison.known(LATENCY)
    is_same_test = all(comparable.subject.ranking for comparable in known)
    if not is_same_test and len(leaders := comparison.leaders(LATENCY)) == 1:
        return _across_tests(*sorted(known, key=lambda comparable: comparable not in leaders))
    if not is_same_test or len(known) < 2:
        return f"Can’t say which is faster: {_why_not(compared)}."
    others = [comparable.label for comparable in comparison.comparables if comparable not in known]
    verb = "isn’t" if len(others) == 1 else "aren’t"
    is_open = f" {join_words(others)} {verb} ranked." if others else ""
    return f"{comparison.verdict(LATENCY)}{is_open}"


def _compare_latency(compared: Sequence[ComparedDevice]) -> Comparison[ComparedDevice, str]:
    """Compare ranked figures; if only two are compared and either isn't ranked, use figures from other tests, too."""
    is_loose = len(compared) == 2 and not all(drive.ranking for drive in compared)
    comparables = []
    for drive in compared:
        reading, shown = ranked_reading(drive.ranking) if drive.ranking else None, headline(drive)
        if reading is None and is_loose and (value := shown.value):
            reading = Reading(value, value, value, True, OTHER_TEST, text=shown.text)
        comparables.append(Comparable(drive.name, drive, {LATENCY: reading} if reading else {}))
    return Comparison(comparables, max((drive.factor for drive in compared if drive.ranking), default=1.0))


def _protected(compared: Sequence[ComparedDevice]) -> list[ComparedDevice]:
    return [drive for drive in compared if drive.device.plp_badge.value in PROTECTED]


def _across_tests(faster: Comparable[ComparedDevice, str], slower: Comparable[ComparedDevice, str]) -> str:
    """Say that one is far ahead although they were measured by different tests."""
    both = (faster.subject, slower.subject)
    who, too = ("It", " too") if _protected(both) == [faster.subject] else (faster.label, "")
    figures = " against ".join(_brief(drive, headline(drive)) for drive in both)
    return f"{who} is {OTHER_TEST.beyond} much faster{too}: {figures} (different tests)."


def _brief(drive: ComparedDevice, figure: Headline) -> str:
    """A ranked figure, or as in "about 1,600 µs through ext4"."""
    if drive.ranking or figure.value is None:
        return figure.text
    return f"about {_text(float(f'{figure.value:.2g}'))} {drive.path_of_writes}"


def _why_not(compared: Sequence[ComparedDevice]) -> str:
    unmeasured = [drive.name for drive in compared if headline(drive).value is None]
    if not unmeasured:
        return "they weren’t measured the same way"
    every = f"{'either' if len(compared) == 2 else 'any'} of them"
    names = every if len(unmeasured) == len(compared) else join_words(unmeasured)
    return f"there is no sync-write figure for {names}"
