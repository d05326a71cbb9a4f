"""The sections of a text without our headers: the output of single commands, one below the other.

Nothing marks where an output ends, so a table of `zpool status` counts only with the line below it, and counters only
below the line of `date +%s`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from parsers.live_log.counters import COUNTER, DISK, PARAMETER, TIME, gstat_cells
from parsers.live_log.keep import VERSION
from parsers.live_log.sections import Section

_SYSTEM = re.compile(r"Linux|FreeBSD")
_SMARTCTL = re.compile(
    r"(?:[^\n]{0,200}[#$%>] {0,4})?(?:sudo |doas )?smartctl [^\n]{0,200}?/dev/(?P<disk>[a-z0-9]{2,40})"
)
_POOL = re.compile(r"\s*pool: (?P<name>\S[^\n]{0,254})")
_ERRORS = re.compile(r"\s*errors: [^\n]{1,200}")
_LOGS = re.compile(r"\s*logs\s*")
_LIST_HEAD = re.compile(r"NAME +SIZE +ALLOC +FREE\b[^\n]{1,200}")
# Of all pools: with a name it prints only some
_LIST_COMMAND = re.compile(r"(?:[^\n]{0,400}[ ;#$%>])?zpool list(?: -[A-Za-z]{1,8})*")
_LIST_ROW = re.compile(
    r"(?P<name>\S{1,255}) +[0-9.]{1,8}[KMGTPE]?(?: +(?:[0-9.]{1,8}[KMGTPEx%]?|-)){2,8} +[A-Z]{5,9} +\S+"
)
_PROPERTIES = re.compile(r"NAME +PROPERTY +VALUE\b[^\n]{0,40}")
_IOSTAT = re.compile(r"pool +alloc +free\b[^\n]{0,400}")


def bare_sections(lines: Sequence[str]) -> dict[str, Section]:
    """The sections by the names that our headers give them; empty if the text has none of these outputs."""
    return {
        name: section for find in (_by_shape, _pools, _snapshots, _disks) for name, section in find(lines)
    }


def _by_shape(lines: Sequence[str]) -> Iterator[tuple[str, Section]]:
    """What the readers find among other lines, section by section."""
    for name, shape in (("parameters", PARAMETER), ("properties", _PROPERTIES), ("queues", _IOSTAT)):
        if any(map(shape.fullmatch, lines)):
            yield name, Section("", lines)
    if any(map(gstat_cells, lines)):
        yield "gstat", Section("", lines)
    if any(map(VERSION.fullmatch, lines)):
        yield "version", Section(next(filter(_SYSTEM.fullmatch, lines), ""), lines)


def _pools(lines: Sequence[str]) -> Iterator[tuple[str, Section]]:
    """The number of pools, if `zpool list` names all, and of those of `zpool status` the first one with a log.

    A single pool may be the only one that was asked for, unless the command is there.
    """
    heads = [at for at, line in enumerate(lines) if _LIST_HEAD.fullmatch(line)]
    listed = {row["name"] for at in heads for row in _rows(lines[at + 1 :])}
    starts = [at for at, line in enumerate(lines) if _POOL.fullmatch(line)]
    tables = [lines[at:end] for at, end in pairwise([*starts, len(lines)])]
    tables = [table[: end + 1] for table in tables if (end := _end(table))]
    names = [match["name"].strip() for table in tables if (match := _POOL.fullmatch(table[0]))]
    if listed and (len(listed.union(names)) > 1 or any(map(_LIST_COMMAND.fullmatch, lines))):
        yield "pools", Section(str(len(listed.union(names))), ())
    if tables:
        at = next((at for at, table in enumerate(tables) if any(map(_LOGS.fullmatch, table))), 0)
        yield "pool", Section(names[at], ())
        yield "status", Section("", tables[at])


def _rows(lines: Sequence[str]) -> Iterator[re.Match[str]]:
    """The rows right below the head of `zpool list`."""
    rows = takewhile(bool, map(_LIST_ROW.fullmatch, lines))
    return filter(None, rows)


def _end(table: Sequence[str]) -> int:
    """The index of the line below a table of `zpool status`; 0 if it was cut off."""
    return next((at for at, line in enumerate(table) if _ERRORS.fullmatch(line)), 0)


def _snapshots(lines: Sequence[str]) -> Iterator[tuple[str, Section]]:
    """The counters below the first and the second time; without times no rates follow from them."""
    times = [at for at, line in enumerate(lines) if TIME.fullmatch(line)]
    for name, (at, end) in zip(("before", "after"), pairwise([*times, len(lines)]), strict=False):
        yield name, Section(lines[at], lines[at + 1 : end])
    if not times and any(map(COUNTER.match, lines)):
        yield "before", Section("", lines)


def _disks(lines: Sequence[str]) -> Iterator[tuple[str, Section]]:
    """What smartctl prints below its commands, by disk."""
    commands = [(at, match["disk"]) for at, line in enumerate(lines) if (match := _SMARTCTL.fullmatch(line))]
    for (at, disk), (end, _) in pairwise([*commands, (len(lines), "")]):
        if DISK.fullmatch(disk):
            yield f"disk {disk}", Section(disk, lines[at:end])
