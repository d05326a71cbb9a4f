"""Access patterns that a paper printed: one file system against five, as IOzone wrote to them.

Source: DDRdrive, "ZIL Accelerator: DRAM or Flash?", OpenStorage Summit 2010: both tables of iopattern and both pairs
of seeksize. It states no interval, so rates aren't known.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from results.kinds.access_pattern.models import LOG, AccessPattern
from results.kinds.access_pattern.read import IOPATTERN, SEEKSIZE
from results.kinds.envelope import payload_of

FILE = Path(__file__).resolve().parent.parent.parent / "data" / "access_patterns.csv"
SOURCE = "DDRdrive, “ZIL Accelerator: DRAM or Flash?”, OpenStorage Summit 2010"
SOURCE_URL = "https://www.ddrdrive.com"
PUBLISHED_ON = "2010-10"
_ROW = ("percent_random", "count", "min_bytes", "max_bytes", "mean_bytes", "read_kb", "write_kb")


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
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return tuple(_pattern(key, list(group)) for key, group in groupby(rows, key=lambda row: row["pattern"]))


def _pattern(key: str, rows: list[dict[str, str]]) -> ShippedPattern:
    method, count = rows[0]["method"], int(rows[0]["file_systems"])
    figures: dict[str, Any] = {"observed": LOG, "file_systems": count}
    if method == IOPATTERN:
        figures["rows"] = [
            {
                **{name: int(row[name]) for name in _ROW},
                "percent_sequential": 100 - int(row["percent_random"]),
            }
            for row in rows
        ]
    elif method == SEEKSIZE:
        figures["seeks"] = [{"sectors": int(row["sectors"]), "count": int(row["count"])} for row in rows]
    return ShippedPattern(key, method, count, {**payload_of(AccessPattern, figures), "writers": None})
