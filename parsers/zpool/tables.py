"""The tables of `zpool status`, `zpool iostat` with its histograms, `zfs get` and `zpool get`, line by line.

Formats: cmd/zpool/zpool_main.c and lib/libzfs of OpenZFS, and the older ones of Solaris and FreeBSD.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from parsers.base.markers import is_broken_row
from parsers.text.messages import read_messages

CAPTIONS = {
    "logs": "log", "log": "log", "cache": "cache", "spares": "spare", "special": "special", "dedup": "dedup",
}  # fmt: skip
GROUP = re.compile(
    r"(?P<type>mirror|raidz[123]?|draid[123]?|replacing|spare|sparing|indirect|hole|missing|root)"
    r"(?P<layout>(?::[0-9]{1,4}[dcs]){0,4})(?:-[0-9]{1,4})?"
)
STATES = r"ONLINE|DEGRADED|FAULTED|OFFLINE|UNAVAIL|REMOVED|AVAIL|INUSE|SPLIT|SUSPENDED|CANT_OPEN"
_FIELD = re.compile(
    r"\s*(?P<label>pool|state|scan|scrub|errors|id|config): ?(?P<value>[^\n]{0,200})|\s*(?P<empty>config):",
    re.ASCII,
)
_STATUS_HEAD = re.compile(r"\s*NAME\s+STATE\s+READ\s+WRITE\s+CKSUM(?:\s+SLOW)?(?:\s+[A-Z]{3,12}){0,4}")
_STATUS_ROW = re.compile(
    rf"\s*(?P<name>\S{{1,200}})\s+(?P<state>{STATES})"
    r"(?:(?P<counts>(?:\s+(?:[0-9][0-9.,]{0,6}[KMGTPE]?|-)){3,5})(?P<behind>\s.{0,200})?|\s+currently in use.{0,60})?"
)
_PROPERTY_HEAD = re.compile(r"\s*NAME\s+PROPERTY\s+VALUE(?:\s+SOURCE)?")
_PROPERTY_ROW = re.compile(
    r"\s*(?P<name>\S{1,255})\s+(?P<property>[a-z][a-z0-9_@:.-]{0,80})\s+(?P<value>\S.{0,200}?)"
    r"(?:\s+(?P<source>-|local|default|temporary|received|none|inherited(?: from \S.{0,255})?))?"
)
_CELL = re.compile(r"-|[0-9]{1,16}(?:[.,][0-9]{1,3})?(?:[KMGTPEZ]|ns|us|ms|s)?")
_POWERS = [str(2**power - less) for power in range(13, 38) for less in (0, 1)]  # bounds with -p
_BOUND = re.compile("|".join([r"[0-9]{1,4}(?:[KMG]|ns|us|ms|s)?", *_POWERS]))
_RULER = re.compile(r"\s*-{3,300}(?:\s+-{3,20}){0,40}")
ELIDED = re.compile(r"\s*(?:\.{3,5}|\[\.{3}\]|\u2026)\s*")
_WAITS = ("total_wait", "disk_wait", "syncq_wait", "asyncq_wait")
MESSAGES = read_messages(__file__, "zpool")  # of zpool, zfs and the shell
_SINGLE = ("scrub", "trim", "rebuild")
_QUEUES = (
    "syncq_read", "syncq_write", "asyncq_read", "asyncq_write", "scrubq_read", "trimq_write", "rebuildq_write"
)  # fmt: skip
_SIZES = ("sync_read", "sync_write", "async_read", "async_write", *_SINGLE)
_PLAIN = ("capacity", "operations", "bandwidth")
_GROUPS = frozenset({*_PLAIN, *_WAITS, *_QUEUES, *_SIZES})
_FIRST = {"pool": "iostat", "vdev": "iostat", "latency": "latency_histogram", "req_size": "size_histogram"}
_LABELS = frozenset("alloc free used avail read write wait pend activ ind agg scrub trim rebuild".split())  # noqa: SIM905
_RENAMED = {
    "capacity alloc": "alloc_bytes", "capacity used": "alloc_bytes", "capacity free": "free_bytes",
    "capacity avail": "free_bytes", "operations read": "read_ops_s", "operations write": "write_ops_s",
    "bandwidth read": "read_bytes_s", "bandwidth write": "write_bytes_s",
}  # fmt: skip
COLUMNS_OF_PLAIN = 6
IMPORT_ID = re.compile(r"\s*id: (?:[0-9]{10,20}|\u2026)")
LINES_OF_FIELDS = 16  # above a table, with what status and action say
MIN_CELLS = 4  # of a row that is cut
MAX_FOREIGN = 2  # lines within a table


@dataclass(frozen=True, slots=True)
class Head:
    """The second line of a header of `zpool iostat`: the form and the names of the columns as a reading has them."""

    form: str
    columns: Sequence[str]


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of a table.

    `kind`: "field" (pool, state, scan, errors, id), "status", "iostat", "histogram", "property", or what begins or
    parts tables: "head", "groups", "ruler"; "broken" stands for rows that couldn't be kept. `indent` counts blanks, a
    tab up to the next eighth column.
    """

    at: int
    kind: str
    name: str = ""
    indent: int = 0
    cells: Sequence[str] = ()
    head: Head | None = None
    is_first: bool = False  # below a header or a ruler


@dataclass(slots=True)
class _Walk:
    """Where in a table the lines are."""

    table: str = ""
    groups: Sequence[str] = ()
    head: Head | None = None
    is_first: bool = False
    foreign: int = field(default=0)


def walk(lines: Sequence[str]) -> Iterator[TableRow]:
    """Yield the lines that are of tables; others within one are skipped, and after some the table has ended."""
    state = _Walk()
    for at, line in enumerate(lines):
        if not line.strip() or len(line) > 1000 or ELIDED.fullmatch(line):
            continue
        broken = TableRow(at, "broken") if state.table and is_broken_row(line) else None
        row = broken or _head_at(state, at, line) or _row_at(state, at, line)
        if row is not None:
            state.foreign = 0
            state.is_first = row.kind in ("head", "ruler")
            yield row
            continue
        state.foreign += 1
        if state.foreign > MAX_FOREIGN:
            state.table = ""


def starts(line: str) -> bool:
    """Whether tables can begin at a line, or the list of `zpool import`."""
    return _head_at(_Walk(), 0, line) is not None or (
        "id: " in line and IMPORT_ID.fullmatch(line) is not None
    )


def fields_above(lines: Sequence[str]) -> list[TableRow]:
    """The fields of the pool whose table begins below these lines: pool, state, scan."""
    first = max(len(lines) - LINES_OF_FIELDS, 0)
    rows = [replace(row, at=first + row.at) for row in walk(lines[first:]) if row.kind == "field"]
    begin = max((at for at, row in enumerate(rows) if row.name == "pool"), default=len(rows))
    return rows[begin:]


def _head_at(state: _Walk, at: int, line: str) -> TableRow | None:
    words = line.split()
    if "CKSUM" in line and _STATUS_HEAD.fullmatch(line):
        state.table = "status"
        return TableRow(at, "head", words[0], _indent(line), words[1 : 6 if "SLOW" in words else 5])
    if "PROPERTY" in line and _PROPERTY_HEAD.fullmatch(line):
        state.table = "property"
        return TableRow(at, "head", words[0], _indent(line), words[1:])
    named = words[1:] if words[0] not in _GROUPS else words
    if len(named) >= 2 and all(word in _GROUPS for word in named) and not set(named) <= set(_SINGLE):
        state.table, state.groups = "", named
        return TableRow(at, "groups", "" if named is words else words[0], _indent(line), named)
    kind = _FIRST.get(words[0])
    if kind is not None and len(words) > MIN_CELLS and all(word in _LABELS for word in words[1:]):
        state.head = Head(_form(kind, state.groups, words), _columns(kind, state.groups, words[1:]))
        state.table = "iostat" if kind == "iostat" else "histogram"
        state.groups = ()
        return TableRow(at, "head", words[0], _indent(line), words[1:], state.head)
    return None


def _row_at(state: _Walk, at: int, line: str) -> TableRow | None:
    labeled = _FIELD.fullmatch(line)
    if labeled is not None:
        return TableRow(
            at, "field", labeled["label"] or labeled["empty"], _indent(line), [labeled["value"] or ""]
        )
    if state.table == "status":
        return _status_row(state, at, line)
    if state.table == "property":
        match = _PROPERTY_ROW.fullmatch(line)
        cells = [match["property"], match["value"].strip(), match["source"] or ""] if match else []
        return TableRow(at, "property", match["name"], cells=cells) if match else None
    if state.table and _RULER.fullmatch(line):
        return TableRow(at, "ruler")
    if state.table and state.head is not None:
        name, *cells = line.split()
        is_bound = _BOUND.fullmatch(name) is not None or (state.table == "iostat" and name != "-")
        cells, behind = cells[: len(state.head.columns)], cells[len(state.head.columns) :]
        # Else any of them may not be a cell, or these are two rows
        is_whole = not (behind and _CELL.fullmatch(behind[0])) and not _is_row(behind)
        if is_bound and is_whole and len(cells) >= MIN_CELLS and all(map(_CELL.fullmatch, cells)):
            return TableRow(at, state.table, name, _indent(line), cells, state.head, state.is_first)
        if name in CAPTIONS and not cells:
            return TableRow(at, state.table, name, _indent(line), (), state.head)
    return None


def _status_row(state: _Walk, at: int, line: str) -> TableRow | None:
    match = _STATUS_ROW.fullmatch(line)
    if match is not None and not _is_row((match["behind"] or "").split()):
        cells = [match["state"], *(match["counts"] or "").split()]
        return TableRow(at, "status", match["name"], _indent(line), cells, is_first=state.is_first)
    name = line.strip()
    return TableRow(at, "status", name, _indent(line)) if name in CAPTIONS else None


def _is_row(words: Sequence[str]) -> bool:
    """Whether words behind a row may be another one, which was joined to it."""
    return (
        any(word in CAPTIONS or re.fullmatch(STATES, word) for word in words)
        or sum(map(bool, map(_CELL.fullmatch, words))) > 1
    )


def _indent(line: str) -> int:
    text = line.expandtabs()
    return len(text) - len(text.lstrip())


def _form(kind: str, groups: Sequence[str], words: Sequence[str]) -> str:
    if kind != "iostat":
        return kind
    if "pend" in words or set(groups) & set(_QUEUES):
        return "queue"
    return "latency" if len(words) > COLUMNS_OF_PLAIN + 1 else "plain"


def _columns(kind: str, groups: Sequence[str], labels: Sequence[str]) -> list[str]:
    """The name of each column; without the line of the groups they are the usual ones."""
    usual = {
        "iostat": (*_PLAIN, *(_QUEUES if "pend" in labels else (*_WAITS, *_SINGLE))),
        "latency_histogram": _WAITS,
        "size_histogram": _SIZES,
    }
    named = []
    waiting = list(groups or usual[kind])
    taken = 0
    for label in labels:
        group = waiting[0] if waiting else ""
        named.append(_column(kind, group, label))
        taken += 1
        if taken == (1 if label == "wait" else 2):
            taken = 0
            del waiting[:1]
    return named


def _column(kind: str, group: str, label: str) -> str:
    if label in _SINGLE or not group:
        return label
    if label == "wait":
        return f"{group}_wait_ns"
    name = _RENAMED.get(f"{group} {label}") or f"{group}_{label}"
    if kind == "iostat" and group in _WAITS:
        return f"{name}_ns"
    return name.replace("_pend", "_pending").replace("_activ", "_active")
