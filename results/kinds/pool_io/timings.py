"""Timings that the sender took by hand: "Windows installation took 5:31", "boot: 1 min 20 s"."""

import re
from dataclasses import dataclass

from results.models import lengths

LONGEST_S = 30 * 86_400  # nobody watches a pool for longer
_CLOCK = r"(?:(?P<hours>\d{1,3}):)?(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d(?:[.,]\d{1,3})?)"
_UNITS = (
    r"(?:(?P<h>\d{1,6}(?:[.,]\d{1,3})?)\s*(?:h|hrs?|hours?)\b)?\s*"
    r"(?:(?P<m>\d{1,6}(?:[.,]\d{1,3})?)\s*(?:m|mins?|minutes?)\b)?\s*"
    r"(?:(?P<s>\d{1,9}(?:[.,]\d{1,3})?)\s*(?:s|secs?|seconds?)\b)?"
)
_LONGER = re.compile(r"\d\s*(?:days?|d|weeks?|months?|years?|yrs?|y)$", re.IGNORECASE)
_TIMING = re.compile(
    rf"(?P<work>.*?\S)(?:\s+took|\s+takes|\s*[:=])\s*(?:{_CLOCK}|{_UNITS})\s*(?:min(?:utes)?)?\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Timing:
    """A piece of work, and how long it took."""

    number: int  # of its line in the box
    work: str
    seconds: float


class TimingError(ValueError):
    """A line isn't a timing; the message says why and at which line."""


def read_timing(line: str, number: int) -> Timing:
    """The timing of a line; raises TimingError."""
    shown = f"“{line[:60]}”"
    match = _TIMING.fullmatch(line)
    if match is None:
        if _LONGER.search(line.rstrip(". ")):
            raise TimingError(f"Timing {number}: {shown} is longer than 30 days, so it can’t be a timing.")
        raise TimingError(
            f"Timing {number}: we can’t read {shown}. Write what was done and how long it took, such as "
            "“Windows installation took 5:31” or “boot: 80 s”."
        )
    seconds = _seconds(match)
    if not seconds:
        raise TimingError(f"Timing {number}: {shown} states no time above zero.")
    if seconds > LONGEST_S:
        raise TimingError(f"Timing {number}: {shown} is longer than 30 days, so it can’t be a timing.")
    return Timing(number, match["work"].strip(" -–:")[: lengths.CONDITION], seconds)


def _seconds(match: re.Match[str]) -> float:
    parts = (
        (match["hours"], 3600),
        (match["minutes"], 60),
        (match["seconds"], 1),
        (match["h"], 3600),
        (match["m"], 60),
        (match["s"], 1),
    )
    return sum(float(text.replace(",", ".")) * factor for text, factor in parts if text)
