"""The lines of iozone: its head, the table, the Excel-style report (-R) and throughput mode (iozone.c)."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

# The columns of the table, by the number of the test (-i) that fills them
TESTS = (
    ("write", "rewrite"), ("read", "reread"), ("random_read", "random_write"), ("bkwd_read",), ("record_rewrite",),
    ("stride_read",), ("fwrite", "frewrite"), ("fread", "freread"),
)  # fmt: skip
OPERATIONS = tuple(name for test in TESTS for name in test)
REPORTS = {
    "writer": "write", "re-writer": "rewrite", "reader": "read", "re-reader": "reread", "random read": "random_read",
    "random write": "random_write", "backward read": "bkwd_read", "record rewrite": "record_rewrite",
    "stride read": "stride_read", "fwrite": "fwrite", "re-fwrite": "frewrite", "fread": "fread",
    "re-fread": "freread",
}  # fmt: skip
CHILDREN = {
    "initial writers": "write", "rewriters": "rewrite", "readers": "read", "re-readers": "reread",
    "random readers": "random_read", "random writers": "random_write", "reverse readers": "bkwd_read",
    "stride readers": "stride_read", "fwriters": "fwrite", "freaders": "fread",
}  # fmt: skip
_UNIT = r"[kK][bB](?:ytes?)?"
_FIGURE = r"[0-9]{1,10}(?:[.,][0-9]{1,4})?"
_HEAD = re.compile(
    rf"\s*(?P<key>Iozone: Performance Test of File I/O|Version \$Revision: (?P<version>[0-9.]{{1,8}}) ?\$|Auto Mode"
    r"|(?P<sync>SYNC Mode\.?)|(?P<flush>Include fsync in write timing)|Include close in write timing"
    rf"|(?P<direct>O_DIRECT feature enabled)|Excel chart generation enabled|Record Size [0-9]{{1,9}} {_UNIT}"
    rf"|File size set to [0-9]{{1,12}} {_UNIT}"
    r"|Using (?:maximum|minimum) file size of [0-9]{1,12} kilobytes\."
    r"|(?:(?:OPS|Microseconds/op) Mode\. )?Output is in"
    r" (?P<unit>[kKM][bB]ytes/sec|operations per second|microseconds per operation)\.?"
    r"|(?P<complete>iozone test complete\.)|Excel output is below:"
    r"|File stride size set to [0-9]{1,4} \* record size\."
    r"|Run began: (?P<began>[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}[0-9]{1,2} [0-9:]{8} [0-9]{4}))\s*"
)
COMMAND = re.compile(r"\s*Command line used: (?P<command>\S{0,100}iozone\b[^\n]{0,1000})")
_COLUMNS = re.compile(r"\s*[kK][bB]\s+reclen(?P<columns>(?:\s+(?:re|f|fre)?(?:write|read)){1,13})\s*")
_REST_OF_COLUMNS = re.compile(
    r"\s*(?:(?:random|bkwd|record|stride)\s*){1,5}|(?:\s*(?:re|f|fre)?(?:write|read)){1,12}\s*"
)
_ROW = re.compile(rf"\s*[0-9]{{1,12}}\s+[0-9]{{1,7}}(?:\s+[0-9]{{1,12}}){{1,{len(OPERATIONS)}}}\s*")
_FIGURES = re.compile(r"\s*[0-9]{1,12}(?:\s+[0-9]{1,12}){0,12}\s*")
_REPORT = re.compile(r'\s*"(?P<name>[A-Za-z-]{5,9}(?: [a-z]{4,7})?) report"\s*')
_SIZES = re.compile(r'\s*"[0-9]{1,9}"(?:\s+"[0-9]{1,9}"){0,24}\s*')
_CELLS = re.compile(rf'\s*"[0-9]{{1,10}}"(?:\s+{_FIGURE}){{1,25}}\s*')
_PROCESSES = re.compile(r"\s*Throughput test with\s+(?P<count>[0-9]{1,6}) (?:process|thread)(?:es|s)?\s*")
_EACH = re.compile(
    rf"\s*Each (?:process|thread) writes a (?P<file>[0-9]{{1,12}}) {_UNIT} file"
    rf" in (?P<record>[0-9]{{1,9}}) {_UNIT} records\s*"
)
_CHILDREN_NAMES = "|".join((*CHILDREN, "mixed workload", "pwrite writers", "pread readers"))
_CHILDREN = re.compile(
    rf"\s*Children see throughput for\s+(?P<count>[0-9]{{1,6}}) (?P<name>{_CHILDREN_NAMES})\s*=\s*"
    rf"(?P<figure>{_FIGURE}) (?P<unit>{_UNIT}/sec|ops/sec)\s*"
)
KINDS = (
    ("head", _HEAD), ("command", COMMAND), ("columns", _COLUMNS), ("columns", _REST_OF_COLUMNS), ("row", _ROW),
    ("report", _REPORT), ("sizes", _SIZES), ("cells", _CELLS), ("processes", _PROCESSES), ("each", _EACH),
    ("children", _CHILDREN),
)  # fmt: skip
BEGINNINGS = frozenset({"command", "report", "processes", "children"})
BANNER = ("ozone", "Output is in", "Include fsync", "O_DIRECT feature", "SYNC Mode")  # words of the head
MAX_FOREIGN = 2  # lines within a table
MAX_LENGTH = 1200  # characters


class IozoneLine(NamedTuple):
    """What a line is, and its parts."""

    kind: str
    match: re.Match[str]


def read_line(line: str, table: str = "") -> IozoneLine | None:
    """What the line is; rows count only in a table, numbers alone where one is wrapped."""
    if not line.strip() or len(line) > MAX_LENGTH:
        return None
    for kind, shape in KINDS:
        is_possible = {"row": table == "row", "sizes": table == "report", "cells": table == "report"}.get(
            kind, True
        )
        match = shape.fullmatch(line) if is_possible else None
        if match is not None:
            if shape is _REST_OF_COLUMNS and table not in ("", "row"):
                continue
            return IozoneLine(kind, match)
    rest = _FIGURES.fullmatch(line) if table == "row" else None
    return IozoneLine("rest", rest) if rest else None


def walk(lines: Iterable[str]) -> Iterator[tuple[str, IozoneLine | None, str]]:
    """Yield each line, what it is, and the kind of table that the next lines can be of; some foreign ones end it."""
    table, foreign = "", 0
    for line in lines:
        found = read_line(line, table)
        foreign = 0 if found else foreign + bool(line)
        table = (
            table_behind(found, table)
            if found
            else table
            if foreign <= MAX_FOREIGN or table == "report"
            else ""
        )
        yield line, found, table


def table_behind(line: IozoneLine, table: str) -> str:
    """The kind of table that the next lines can be of."""
    if _COLUMNS.fullmatch(line.match[0]) or "stride size" in line.match[0]:
        return "row"  # also if the header is lost
    if line.kind == "report":
        return "report"
    return table if line.kind in ("row", "rest", "columns", "sizes", "cells") else ""


def starts(line: str) -> bool:
    """Whether output can begin at a line."""
    found = read_line(line)
    if found is None:
        return False
    is_banner = found.kind == "head" and any(word in line for word in BANNER)
    return is_banner or found.kind in BEGINNINGS or _COLUMNS.fullmatch(line) is not None
