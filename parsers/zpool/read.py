"""Read the tables of zpool and zfs: one reading a table, of properties one a dataset, of iostat one a header."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import (
    Notice,
    Reading,
    ZfsPropertiesReading,
    ZpoolIostatReading,
    ZpoolIostatRow,
    ZpoolStatusReading,
    ZpoolVdev,
)
from parsers.base.shell import LOOP, own_commands, words_after
from parsers.base.units import KIBIBYTE, scaled
from parsers.zpool.keep import keep, keep_above, keep_command
from parsers.zpool.tables import (
    CAPTIONS,
    COLUMNS_OF_PLAIN,
    GROUP,
    MESSAGES,
    TableRow,
    fields_above,
    starts,
    walk,
)

TOOL = "zpool"
_STEP = 2  # blanks of a level
_NESTED = ("replacing", "spare", "sparing")
_LARGEST = 10**18  # fits 64 bits
_NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}
_FORMS = {"w": "latency_histogram", "r": "size_histogram"}  # by their flags
_REPEATS = re.compile(rf"{LOOP}| -\w*[wr]| [0-9]")  # an interval, a table for each device
_NUMBER = re.compile(r"(?P<figure>[0-9.,]+)(?P<unit>[A-Za-z]*)")
_HINT = re.compile(
    r"\s*(?:NAME|pool|vdev|latency|req_size|id:)\s|[^\n]{0,260}(?:capacity|total_wait|sync_read|syncq_read)\s"
    r"|[^\n]{0,260}(?:zpool|zfs|no such pool|no pools|ZFS|denied|does not exist|bad property|invalid option)"
)
NOT_IMPORTED = "zpool import lists a pool that isn't imported: paste the output of zpool status"
BROKEN = "a line of this table holds several rows, or a part of one: without its layout the table is left out"
NO_ROWS = "the table ends below its header: paste the complete output"


def read_block(block: Block) -> Outcome:
    """The tables of one block."""
    outcome = Outcome()
    stated = {row.name: row for row in fields_above(block.above)}  # the last ones above a table
    above = block.numbers[0] - len(block.above)  # the number of the first line above
    begin = above + min((row.at for row in stated.values()), default=len(block.above))
    for table in _tables(block.lines):
        head = table[0]
        if head.kind == "field":
            stated = {} if head.name == "pool" else stated
            begin = min(begin, block.numbers[head.at]) if stated else block.numbers[head.at]
            if head.name != "scan" or not _is_in_progress(stated):
                stated[head.name] = head
            if head.name == "config" and "id" in stated:
                outcome.notices.append(Notice("not_imported", NOT_IMPORTED, block.numbers[head.at]))
                stated = {}
            continue
        rows = [row for row in table if row.kind not in ("head", "groups", "ruler", "broken")]
        first, last = block.numbers[head.at], block.numbers[table[-1].at]
        fault = _fault_of(table, rows)
        if fault is not None:
            outcome.notices.append(Notice(*fault, first))
            stated = {}
        elif rows[0].kind == "status":
            outcome.readings.append(_status(rows, stated, begin if stated else first, last))
            stated = {}
        elif rows[0].kind == "property":
            outcome.readings += _properties(rows, block.numbers)
        else:
            outcome.readings.append(_iostat(table, rows, first, last))
    _state_commands(outcome.readings, block.commands)
    outcome.notices += MESSAGES.explain_all(block)
    return outcome


def _fault_of(table: Sequence[TableRow], rows: Sequence[TableRow]) -> tuple[str, str] | None:
    """The code and the message that say why a table can't be read."""
    if not rows:
        return "no_result", NO_ROWS
    is_broken = any(row.kind == "broken" for row in table) and rows[0].kind in ("status", "iostat")
    return ("broken_rows", BROKEN) if is_broken else None


def _state_commands(readings: list[Reading], commands: Sequence[str]) -> None:
    """Add the commands to the readings of `zpool iostat`."""
    tables = [(at, reading) for at, reading in enumerate(readings) if isinstance(reading, ZpoolIostatReading)]
    own = own_commands(
        [other for other in commands if words_after(other, TOOL)[:1] == ["iostat"]],
        [table for _at, table in tables],
        _fits,
        lambda command: _REPEATS.search(command) is not None,
    )
    for (at, table), command in zip(tables, own, strict=True):
        readings[at] = replace(table, command=command and command.removeprefix(LOOP))


def _fits(command: str, table: ZpoolIostatReading) -> bool:
    """Whether a table has the form that flags ask for, and all pools that a command names."""
    _subcommand, *words = words_after(command, TOOL)
    flags = "".join(word for word in words if word.startswith("-"))
    form_option = next((form for flag, form in _FORMS.items() if flag in flags), "")
    pools = {word for word in words if word.startswith("[pool-") and "/" not in word}
    fits_pools = table.form in _FORMS.values() or pools <= {row.name for row in table.rows}
    return fits_pools and (table.form == form_option or table.form not in _FORMS.values())


def _is_in_progress(stated: dict[str, TableRow]) -> bool:
    """Whether an earlier line says that something is in progress: a draid has a line for each of its two."""
    return "scan" in stated and stated["scan"].cells[0].endswith("in progress")


def _tables(lines: Sequence[str]) -> Iterator[list[TableRow]]:
    """Yield the tables, each with the lines of its header, and each field on its own."""
    table: list[TableRow] = []
    stated: dict[tuple[str, str], str] = {}  # the properties of the table
    for row in walk(lines):
        if table and _is_in_next(table, row, stated):
            yield table
            table, stated = [], {}
        follows_groups = row.kind == "head" and len(table) == 1 and table[0].kind == "groups"
        if row.kind == "field" or (row.kind in ("head", "groups") and not follows_groups):
            if table:
                yield table
            table, stated = [], {}
        if row.kind == "property":
            stated[row.name, row.cells[0]] = row.cells[1]
        if row.kind == "field":
            yield [row]
        else:
            table.append(row)
    if table:
        yield table


def _is_in_next(table: Sequence[TableRow], row: TableRow, stated: Mapping[tuple[str, str], str]) -> bool:
    """Whether a row begins a table whose header is missing: another pool's, or a property with another value."""
    if row.kind == "property":
        return stated.get((row.name, row.cells[0]), row.cells[1]) != row.cells[1]
    pool = next((line for line in table[:2] if line.kind == "status"), None)
    is_below = pool is not None and row.kind == "status" and row.indent <= pool.indent < table[-1].indent
    return is_below and _is_pool(row)


def _status(
    rows: Sequence[TableRow], stated: dict[str, TableRow], first: int, last: int
) -> ZpoolStatusReading:
    pool = rows[0]
    state, scan = (stated[name].cells[0] if name in stated else "" for name in ("state", "scan"))
    vdevs = tuple(_vdevs(rows[1:], _levels(rows)))
    return ZpoolStatusReading(
        first_line=first,
        last_line=last,
        pool=pool.name,
        state=state or (pool.cells[0] if pool.cells else None),
        scan=scan.removesuffix(" in progress") if scan.endswith("in progress") else None,
        vdevs=vdevs,
        complete=any(vdev.role == "data" for vdev in vdevs),
    )


def _levels(rows: Sequence[TableRow]) -> list[int | None]:
    """How deep each row is below the pool's; None for all if the text lost its blanks.

    The first line of what is quoted may have lost its blanks alone.
    """
    below = [row.indent for row in rows[1:]]
    base = rows[0].indent
    captions = [row.indent for row in rows[1:] if row.name in CAPTIONS]
    if captions and min(captions) > base:
        base = min(captions)
    elif below and min(below) > base + _STEP:
        base = min(below) - _STEP
    if any(row.indent <= base for row in rows[1:] if row.name not in CAPTIONS):
        return [None] * len(rows)
    return [0, *(max(round((indent - base) / _STEP), 0) for indent in below)]


def _vdevs(rows: Sequence[TableRow], levels: Sequence[int | None]) -> Iterator[ZpoolVdev]:
    """The top-level vdevs, in their order, with the devices below them."""
    role = "data"
    vdev: ZpoolVdev | None = None
    nested = 0  # rows below a replacing or a spare, in a text without blanks
    for row, level in zip(rows, levels[1:], strict=True):
        if row.name in CAPTIONS and level in (0, None):
            role = CAPTIONS[row.name]
            yield from [vdev] if vdev else []
            vdev = None
            continue
        group = GROUP.fullmatch(row.name)
        is_nested = group is not None and group["type"] in _NESTED
        if level is None:
            is_top = vdev is None or vdev.type == "disk" or (group is not None and not is_nested)
            depth = 1 if is_top else 3 if nested else 2
            nested = 2 if is_nested else max(nested - 1, 0)
        else:
            depth = max(level, 1)
        if depth == 1 or vdev is None:
            yield from [vdev] if vdev else []
            state = row.cells[0] if row.cells else None
            vdev = ZpoolVdev(
                role=role,
                type=group["type"] if group else "disk",
                members=0 if group else 1,
                state=state,
                devices=() if group else (row.name,),
            )
        else:
            devices = vdev.devices if group else (*vdev.devices, row.name)
            vdev = replace(vdev, members=vdev.members + (depth == _STEP), devices=devices)
    yield from [vdev] if vdev else []


def _properties(rows: Sequence[TableRow], numbers: Sequence[int]) -> Iterator[ZfsPropertiesReading]:
    by_name: defaultdict[str, list[TableRow]] = defaultdict(list)
    for row in rows:
        by_name[row.name].append(row)
    for name, for_name in by_name.items():
        yield ZfsPropertiesReading(
            first_line=numbers[for_name[0].at],
            last_line=numbers[for_name[-1].at],
            name=name,
            properties={row.cells[0]: row.cells[1] for row in for_name},
            complete=True,
        )


def _iostat(table: Sequence[TableRow], rows: Sequence[TableRow], first: int, last: int) -> ZpoolIostatReading:
    head = next(row.head for row in rows if row.head)
    is_whole = len(head.columns) >= COLUMNS_OF_PLAIN and all(
        len(row.cells) == len(head.columns) for row in rows if row.name not in CAPTIONS
    )
    if rows[0].kind == "histogram":
        bound = "high_ns" if head.form == "latency_histogram" else "low_bytes"
        return ZpoolIostatReading(
            first_line=first,
            last_line=last,
            form=head.form,
            name=table[0].name or None if table[0].kind == "groups" else None,
            buckets=tuple({bound: _figure(row.name)} | _figures(row) for row in rows),
            complete=is_whole,
        )
    made = tuple(_iostat_rows(rows))
    form = "verbose" if head.form == "plain" and any(row.role != "pool" for row in made) else head.form
    return ZpoolIostatReading(first_line=first, last_line=last, form=form, rows=made, complete=is_whole)


def _iostat_rows(rows: Sequence[TableRow]) -> Iterator[ZpoolIostatRow]:
    base = rows[0].indent
    is_flat = (
        len(rows) > 1 and all(row.indent == base for row in rows) and any(not _is_pool(row) for row in rows)
    )
    role: str | None = "data"
    for row in rows:
        level = round((row.indent - base) / _STEP)
        is_pool = row.is_first or (not is_flat and level <= 0 and _is_pool(row))
        if row.name in CAPTIONS and level <= 0 and not is_pool:
            role = CAPTIONS[row.name]
            continue
        role = "data" if is_pool else role
        yield ZpoolIostatRow(
            role="pool" if is_pool else None if is_flat and role == "data" else role,
            depth=0 if is_pool and not is_flat else None if is_flat or level <= 0 else level,
            name=row.name,
            figures=_figures(row),
        )


def _is_pool(row: TableRow) -> bool:
    """Whether the name may be a pool's, as it is kept."""
    return row.name.startswith("[pool-")


def _figures(row: TableRow) -> dict[str, Decimal | None]:
    columns = row.head.columns if row.head else ()
    return {name: _figure(cell) for name, cell in zip(columns, row.cells, strict=False)}


def _figure(cell: str) -> Decimal | None:
    """A number with its unit: powers of 1024, nanoseconds; None for what no pool has."""
    match = _NUMBER.fullmatch(cell)
    if match is None:
        return None
    figure, unit = match["figure"].replace(",", "."), match["unit"]
    value = (
        Decimal(figure) * _NANOSECONDS[unit] if unit in _NANOSECONDS else scaled(figure, unit, kilo=KIBIBYTE)
    )
    return value if value < _LARGEST else None


MARKERS = (
    "CKSUM", "bandwidth", "PROPERTY", "req_size", "total_wait", "alloc", "avail ", "id: ", "zpool", "zfs",
    "ZFS mod",
    "no such pool", "no pools", "does not exist", "denied", "bad property", "invalid option",
)  # fmt: skip
FORMAT = Format(
    TOOL,
    lambda line: starts(line) or MESSAGES.include(line),
    keep,
    read_block,
    markers=MARKERS,
    hint=_HINT,
    keep_command=keep_command,
    keep_above=keep_above,
    names=("zpool", "zfs"),
    is_indented=True,
)
