"""Runs of samples, of which an uploaded log has 100,000: each is one line of the text that is cleaned and kept.

Samples are rows of fio's logs, "time in ms, value, direction, block size" and up to two more columns, and those of
CSV with a header of two known columns.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from parsers.text.numbered import Edit, Numbered

MAX_SAMPLES = 100_000
SAMPLE = re.compile(
    r"[ \t]{0,8}(?P<time>-?[0-9]{1,15}), ?(?P<value>-?[0-9]{1,18}|-?inf|-?nan), ?(?P<direction>[012]), ?[0-9]{1,12}"
    r"(?:, ?[0-9]{1,20}){0,2}[ \t]{0,8}"
)
CSV_HEAD = re.compile(
    r"[ \t]*\"?seconds\"?[ \t]?[,;\t][ \t]?\"?(?P<metric>iops|latency_us)\"?[ \t]*", re.IGNORECASE
)
CSV_SAMPLE = re.compile(
    r"[ \t]{0,8}(?P<time>-?[0-9]{1,12}(?:\.[0-9]{1,9})?)[,;\t][ \t]?"
    r"(?P<value>-?[0-9]{1,15}(?:\.[0-9]{1,9})?|-?inf|-?nan)[ \t]{0,8}"
)
_MIN_RUN = 40  # rows: less isn't worth it
_CSV_RUN = re.compile(
    rf"(?:^{CSV_SAMPLE.pattern.replace('?P<time>', '?:').replace('?P<value>', '?:')}\n)*+", re.MULTILINE
)
_RUN = re.compile(rf"(?:^{re.sub(r'[?]P<[a-z]+>', '?:', SAMPLE.pattern)}\n)++", re.MULTILINE)
SIGN = "\ufdd0"  # no character of any text
_PLACE = re.compile(rf"{SIGN}[0-9]{{1,6}}{SIGN}")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text whose runs of samples are one line each; `runs` has their rows by that line."""

    plain: Numbered
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def unfold(self, line: str) -> Sequence[str]:
        """The rows of a run; any other line itself."""
        return self.runs.get(line, (line,))


def fold(text: str) -> Folded:
    """Put each run of samples on one line."""
    if SIGN in text:
        text = text.replace(SIGN, "\ufffd")
    runs: dict[str, Sequence[str]] = {}
    edits: list[Edit] = []
    for first, last in _runs(text):
        line = f"{SIGN}{len(runs)}{SIGN}"
        runs[line] = [row.strip() for row in text[first : last - 1].split("\n")]
        edits.append((first, last - 1, line))
    return Folded(Numbered.of(text).edit(edits), runs)


def is_run(line: str) -> bool:
    """Whether a line stands for a run."""
    return line[:1] == SIGN and _PLACE.fullmatch(line) is not None


def is_sample_row(line: str) -> bool:
    """Whether a line of a text is a row of a log or of CSV."""
    return SAMPLE.fullmatch(line) is not None or CSV_SAMPLE.fullmatch(line) is not None


def without_samples(text: str) -> str:
    """The text without its runs of samples, for limits to its size."""
    return fold(text).plain.text


def _runs(text: str) -> list[tuple[int, int]]:
    """Where runs begin and end, in order; each ends with a line end."""
    # Matched at any length, once each: a pattern with a least length would begin again at each row of a shorter one
    runs = _RUN.finditer(text) if "," in text else ()
    found = [run.span() for run in runs if run[0].count("\n") >= _MIN_RUN]
    for head in (
        re.finditer(rf"^{CSV_HEAD.pattern}\n", text, re.MULTILINE | re.IGNORECASE) if "econds" in text else ()
    ):
        run = _CSV_RUN.match(text, head.end())
        if run and run[0].count("\n") >= _MIN_RUN:
            found.append(run.span())
    return sorted(found)
