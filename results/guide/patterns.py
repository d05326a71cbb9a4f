"""Access patterns that a paper printed, side by side: one file system against five, as IOzone wrote to them.

Source: DDRdrive, "ZIL Accelerator: DRAM or Flash?", OpenStorage Summit 2010: both tables of iopattern and both pairs
of seeksize. It states no interval, so rates aren't known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from results.core.lines import DATA, FileLine, Stated, read_lines
from results.kinds.envelope import payload_of
from results.kinds.metric import Metric, Payload
from results.kinds.registry import KINDS
from results.kinds.result_kind import Shown

PATTERNS = KINDS["access_pattern"]
SOURCE = "DDRdrive, “ZIL Accelerator: DRAM or Flash?”, OpenStorage Summit 2010"
SOURCE_URL = "https://www.ddrdrive.com"
PUBLISHED_ON = "2010-10"
SHOWN = ("random_percent", "zero_seek_percent", "mean_write_kib", "smallest_write_kib", "largest_write_kib")
_TABLE: Any = PATTERNS.table
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
class PaperPattern:
    """A table of the paper, as the payload of an access pattern."""

    key: str
    method: str
    file_systems: int
    payload: Payload

    @property
    def title(self) -> str:
        """By file systems and tool: "Five file systems, by iopattern"."""
        count = {1: "One file system", 5: "Five file systems"}[self.file_systems]
        return f"{count}, by {self.method}"


class Paper(NamedTuple):
    """The patterns of a paper, each with its key.

    `compared` has the value of a metric for each number of file systems.
    """

    patterns: Sequence[tuple[str, Shown]]
    compared: Sequence[tuple[Metric, Sequence[str]]]
    source: str = SOURCE
    source_url: str = SOURCE_URL


@cache
def read_patterns() -> tuple[PaperPattern, ...]:
    """All tables, in the order of the paper."""
    lines = [line for _number, line in read_lines(DATA / "access_patterns.csv", PatternLine)]
    return tuple(_pattern(key, list(group)) for key, group in groupby(lines, key=attrgetter("pattern")))


def _pattern(key: str, lines: Sequence[PatternLine]) -> PaperPattern:
    first, rows = lines[0], [line.row for line in lines]
    is_seeks = "sectors" in first.row
    if not is_seeks:
        rows = [{**row, "percent_sequential": 100 - row["percent_random"]} for row in rows]
    figures = {
        "observed": "log",
        "file_systems": first.file_systems,
        "seeks" if is_seeks else "rows": rows,
    }
    payload = {**payload_of(_TABLE, figures), "writers": None}
    return PaperPattern(key, first.method, first.file_systems, payload)


def read_paper() -> Paper:
    patterns = read_patterns()
    return Paper(
        [(pattern.key, PATTERNS.shown(pattern.payload, pattern.title)) for pattern in patterns],
        _compared(patterns),
    )


def _compared(patterns: Sequence[PaperPattern]) -> list[tuple[Metric, list[str]]]:
    counts = sorted({pattern.file_systems for pattern in patterns})
    figures: dict[int, dict[str, float]] = {count: {} for count in counts}
    for pattern in patterns:
        figures[pattern.file_systems] |= PATTERNS.compute(pattern.payload)
    metrics = PATTERNS.metrics
    return [
        (metrics[key], [metrics[key].format(figures[count].get(key)) for count in counts]) for key in SHOWN
    ]
