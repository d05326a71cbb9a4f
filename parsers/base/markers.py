"""Markers: what stands in a kept text in place of lines that were left out."""

import re
from dataclasses import dataclass

# Not "[12 lines left out]", which would be a section of a job file of fio
_MARKER = re.compile(
    r"\u2026 (?P<count>[0-9]{1,6}) lines?(?: of (?P<tool>[A-Za-z][A-Za-z+ ]{0,30}))? left out \u2026"
)
HISTOGRAM = "histogram"  # instead of a tool's name, for a histogram of an unknown tool
ROWS = "broken rows"  # the same, for rows that were joined or split
SIGN = "\u2026"  # every marker begins and ends with it


@dataclass(frozen=True, slots=True)
class Marker:
    """How many lines were left out, and of which tool, if one is recognized but not read."""

    count: int
    tool: str = ""

    def __str__(self) -> str:
        for_tool = f" of {self.tool}" if self.tool else ""
        return f"{SIGN} {self.count} line{'' if self.count == 1 else 's'}{for_tool} left out {SIGN}"


def read_marker(line: str) -> Marker | None:
    """The marker that a line is; None for any other line."""
    match = _MARKER.fullmatch(line.strip()) if SIGN in line else None
    return Marker(int(match["count"]), match["tool"] or "") if match else None


def is_broken_row(line: str) -> bool:
    """Whether a line stands for rows that were joined or split, so that what follows may belong anywhere."""
    marker = read_marker(line)
    return marker is not None and marker.tool == ROWS
