"""Access patterns that a paper printed: one file system against five, as IOzone wrote to them.

Source: DDRdrive, "ZIL Accelerator: DRAM or Flash?", OpenStorage Summit 2010: both tables of iopattern and both pairs
of seeksize. It states no interval, so rates aren't known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any

from results.core.lines import DATA, FileLine, Stated, read_lines
from results.kinds.access_pattern.models import LOG, AccessPattern
from results.kinds.access_pattern.read import IOPATTERN
from results.kinds.envelope import payload_of

SOURCE = "DDRdrive, “ZIL Accelerator: DRAM or Flash?”, OpenStorage Summit 2010"
SOURCE_URL = "https://www.ddrdrive.com"
PUBLISHED_ON = "2010-10"
_COLUMNS = [
    "percent_random",
    "sectors",
    "count",
    "min_bytes",
    "max_bytes",
    "mean_bytes",
    "read_kb",
    "write_kb",
]


@dataclass(frozen=True, slots=True)
class PatternLine(FileLine):
    """A row of a table: one of iopattern, or of seeksize, which has `sectors` and `count`."""

    pattern: str
    method: str
    file_systems: int
    row: Annotated[Stated, dict.fromkeys(_COLUMNS, int)]


@dataclass(frozen=True, slots=True)
class ShippedPattern:
    """A table of the paper, as the payload of an access pattern."""

    key: str
    method: str
    file_systems: int
    payload: Mapping[str, Any]

    @property
    def title(self) -> str:
        """By file systems and tool: "Five file systems, by iopattern"."""
        count = {1: "One file system", 5: "Five file systems"}[self.file_systems]
        return f"{count}, by {self.method}"


@cache
def read_shipped() -> tuple[ShippedPattern, ...]:
    """All tables, in the order of the paper."""
    lines = [line for _number, line in read_lines(DATA / "access_patterns.csv", PatternLine)]
    return tuple(_pattern(key, list(group)) for key, group in groupby(lines, key=attrgetter("pattern")))


def _pattern(key: str, lines: Sequence[PatternLine]) -> ShippedPattern:
    first, rows = lines[0], [line.row for line in lines]
    if first.method == IOPATTERN:
        rows = [{**row, "percent_sequential": 100 - row["percent_random"]} for row in rows]
    figures = {
        "observed": LOG,
        "file_systems": first.file_systems,
        "rows" if first.method == IOPATTERN else "seeks": rows,
    }
    payload = {**payload_of(AccessPattern, figures), "writers": None}
    return ShippedPattern(key, first.method, first.file_systems, payload)
