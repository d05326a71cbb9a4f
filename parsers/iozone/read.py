"""Read iozone: a row of the table has a file size, a record size and a rate for each operation that was measured."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from parsers.base.dates import read_asctime
from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import IozoneReading, IozoneRow, Notice
from parsers.base.shell import LOOP, is_repeated, option_of, own_commands, unknown_command, words_after
from parsers.base.units import parse_decimal
from parsers.iozone.keep import keep, keep_command
from parsers.iozone.lines import (
    BANNER,
    CHILDREN,
    COMMAND,
    OPERATIONS,
    REPORTS,
    TESTS,
    IozoneLine,
    starts,
    walk,
)

TOOL = "iozone"
LARGEST = 10**12
NARROWEST = 60  # columns of a terminal
NO_RESULT = "iozone's output ends before its first figure: paste the complete output"
CUT = (
    "this row has fewer figures than the table has columns, and no command with -i says which: it is left out"
)
MICROSECONDS = "with -N iozone prints whole microseconds instead of rates: run it again without -N"
MIXED = "this figure has a different unit from those above it, so it is left out"
Key = tuple[int, int, int | None]  # file and record size, processes


@dataclass(slots=True)
class IozoneDraft:
    """One run while its lines are read."""

    numbers: list[int] = field(default_factory=list)
    stated: dict[str, str] = field(default_factory=dict)  # of the head
    command: str | None = None
    columns: list[tuple[str, int]] = field(default_factory=list)  # of the table, with their right edges
    rows: dict[Key, dict[str, Decimal]] = field(default_factory=dict)
    modes: set[str] = field(default_factory=set)
    notices: list[Notice] = field(default_factory=list)
    report: str = ""
    sizes: Sequence[int] = ()
    processes: int | None = None
    size: tuple[int, int] = (0, 0)  # of the file and the records in throughput mode
    # Rows: the number, and the lines of each
    printed: list[tuple[int, list[str]]] = field(default_factory=list)
    rows_by_size: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    is_in_row: bool = False
    tests: tuple[str, ...] = ()  # the operations that -i selects, in the order of the columns

    def state_command(self, command: str) -> None:
        """Note the command; it is split once, not for each row."""
        self.command = command
        words = words_after(command, TOOL)
        chosen = {words[at + 1] for at, word in enumerate(words[:-1]) if word == "-i"}
        self.tests = tuple(
            name for at, test in enumerate(TESTS) if not chosen or str(at) in chosen for name in test
        )


def read_block(block: Block) -> Outcome:
    """The runs of one block."""
    outcome = Outcome()
    drafts = list(_drafts(block))
    commands = own_commands(block.commands, drafts, _fits, is_repeated)
    for draft, command in zip(drafts, commands, strict=True):
        if draft.command is None and command is not None:
            draft.state_command(command.removeprefix(LOOP))
        elif draft.command is None and block.commands:
            draft.notices.append(unknown_command(TOOL, draft.numbers[0]))
        _name_rows(draft)
        outcome.notices += draft.notices
        if "microseconds" in draft.stated.get("unit", "") or "-N" in words_after(draft.command, TOOL):
            outcome.leave_out(Notice("microseconds", MICROSECONDS, draft.numbers[-1]), draft.numbers)
        elif draft.rows:
            outcome.readings.append(_reading(draft))
        else:
            none = Notice("no_result", NO_RESULT, draft.numbers[-1])
            outcome.leave_out(none, draft.numbers, reported=draft.notices[-1] if draft.notices else None)
    return outcome


def _drafts(block: Block) -> Iterator[IozoneDraft]:
    """Yield the runs: the head, the command or the table of another begins the next one."""
    draft = IozoneDraft()
    for number, (text, line, following) in zip(block.numbers, walk(block.lines), strict=True):
        if line is None:
            continue
        if (draft.rows or draft.notices or draft.printed) and _begins(line, following, draft):
            yield draft
            draft = IozoneDraft(columns=draft.columns if line.kind == "row" else [])
        draft.numbers.append(number)
        _read_line(draft, line, text, number)
    if draft.numbers:
        yield draft


def _fits(command: str, draft: IozoneDraft) -> bool:
    """Whether a command's sizes and number of processes match those of a run."""
    words = words_after(command, TOOL)
    sizes = [(int(file), int(record)) for file, record in draft.rows_by_size]
    sizes += [key[:2] for key in draft.rows]
    for at, option in enumerate(("-s", "-r")):
        stated = {_kilobytes(words[place + 1]) for place, word in enumerate(words[:-1]) if word == option}
        if stated - {0} and any(size[at] not in stated for size in sizes if size[at]):
            return False
    processes = option_of(words, "-t", "-t")
    return draft.processes is None or processes in (None, str(draft.processes))


def _kilobytes(size: str) -> int:
    match = re.fullmatch(r"([0-9]{1,12})([kmg]?)", size.lower())
    return int(match[1]) * 1024 ** max("kmg".find(match[2]), 0) if match else 0


def _begins(line: IozoneLine, table: str, draft: IozoneDraft) -> bool:
    if line.kind == "row" and not _continues(draft, line, line.match[0]):
        row = line.match[0].split()
        return draft.rows_by_size.get((row[0], row[1]), row) != row
    if line.kind == "head":
        return re.match("iozone test|Excel output|Output is|File stride", line.match["key"]) is None
    return line.kind == "command" or (
        line.kind == "columns" and table == "row" and "auto" in draft.modes and "reclen" in line.match[0]
    )


def _read_line(draft: IozoneDraft, line: IozoneLine, text: str, number: int) -> None:
    if _continues(draft, line, text):
        draft.printed[-1][1].append(text)
        return
    draft.is_in_row = line.kind == "row"
    if line.kind == "row":
        draft.printed.append((number, [text]))
        row = text.split()
        draft.rows_by_size[row[0], row[1]] = row
        draft.modes.add("auto")
    elif line.kind in ("head", "command"):
        _read_head(draft, line, text)
    elif line.kind in ("report", "sizes", "cells"):
        _read_report(draft, line, text)
    elif line.kind == "columns" and "random" not in text:
        names = [match for match in re.finditer(r"\S+", text) if match[0] not in ("kB", "KB", "reclen")]
        begun = len(draft.columns)
        draft.columns += [(name, match.end()) for name, match in zip(OPERATIONS[begun:], names, strict=False)]
    else:
        _read_throughput(draft, line, number)


def _continues(draft: IozoneDraft, line: IozoneLine, text: str) -> bool:
    return draft.is_in_row and (
        line.kind == "rest" or (line.kind == "row" and _is_rest(draft.printed[-1][1], text))
    )


def _is_rest(lines: Sequence[str], text: str) -> bool:
    """Whether a line of figures is the rest of a row that a terminal broke; a number may be broken, too."""
    count = len(" ".join([*lines, text]).split()) - len(("file", "record"))
    is_next = text.split()[0] == lines[0].split()[0]
    return not is_next and len(lines[-1]) >= NARROWEST and count - len(OPERATIONS) in (0, 1)


def _read_head(draft: IozoneDraft, line: IozoneLine, text: str) -> None:
    stated = COMMAND.fullmatch(text)
    if stated is not None:
        draft.state_command(stated["command"])
    draft.stated |= {
        name: value
        for name, value in line.match.groupdict().items()
        if value and name not in ("key", "command")
    }


def _read_report(draft: IozoneDraft, line: IozoneLine, text: str) -> None:
    if line.kind == "report":
        draft.report = REPORTS.get(line.match["name"].lower(), "")
        draft.modes.add("excel")
    elif line.kind == "sizes":
        draft.sizes = [int(word.strip('"')) for word in text.split()]
    elif draft.report:
        file_size, *figures = text.split()
        for size, figure in zip(draft.sizes, figures, strict=False):
            _set(draft, (int(file_size.strip('"')), size, None), {draft.report: figure})


def _read_throughput(draft: IozoneDraft, line: IozoneLine, number: int) -> None:
    match = line.match
    if line.kind == "processes":
        draft.processes = int(match["count"])
    elif line.kind == "each":
        draft.size = int(match["file"]), int(match["record"])
    elif line.kind == "children":
        draft.modes.add("throughput")
        unit = match["unit"].lower()
        if draft.stated.setdefault("per", unit) != unit:
            draft.notices.append(Notice("mixed_units", MIXED, number))
            return
        name = CHILDREN.get(match["name"].strip())
        if name:
            _set(draft, (*draft.size, draft.processes or int(match["count"])), {name: match["figure"]})


def _set(draft: IozoneDraft, key: Key, figures: Mapping[str, str]) -> None:
    """Add figures to a row; 0 stands for a test that wasn't run."""
    row = draft.rows.setdefault(key, {})
    for name, text in figures.items():
        value = parse_decimal(text)
        if value and value < LARGEST:
            row.setdefault(name, value)


def _name_rows(draft: IozoneDraft) -> None:
    """Give the figures of the rows their columns; those of reports follow."""
    reports, draft.rows = draft.rows, {}
    for number, lines in draft.printed:
        _name_figures(draft, number, lines)
    for key, figures in reports.items():
        draft.rows[key] = figures | draft.rows.get(key, {})


def _name_figures(draft: IozoneDraft, number: int, lines: Sequence[str]) -> None:
    file_size, record, *figures = " ".join(lines).split()
    if len(figures) > len(OPERATIONS):  # a terminal broke a number
        file_size, record, *figures = "".join(lines).split()
    names = _names(draft, lines, len(figures))
    if names is None:
        draft.notices.append(Notice("missing_cells", CUT, number))
        return
    _set(draft, (int(file_size), int(record), None), dict(zip(names, figures, strict=False)))


def _names(draft: IozoneDraft, lines: Sequence[str], count: int) -> Sequence[str] | None:
    """The operations of a row's figures: all columns, those below which they stand, or those that -i selects."""
    columns = [name for name, _edge in draft.columns] or list(OPERATIONS)
    tests = [name for name in draft.tests if name in columns]
    if count >= len(columns):
        return columns
    edges = [edge for _name, edge in draft.columns]
    if len(lines) == 1 and edges and edges[0] > len("kB reclen write") and edges == sorted(edges):
        return _names_by_edges(draft.columns, lines[0])
    if tests and (count <= len(tests)):
        return tests
    return None


def _names_by_edges(columns: Sequence[tuple[str, int]], line: str) -> list[str] | None:
    """The column below whose right edge each figure ends; None if two end below the same."""
    ends = [match.end() for match in re.finditer(r"\S+", line)][2:]
    names = [min(columns, key=lambda column: abs(column[1] - end))[0] for end in ends]
    return names if len(set(names)) == len(names) else None


def _reading(draft: IozoneDraft) -> IozoneReading:
    words = set(words_after(draft.command, TOOL))
    is_known = bool(draft.command) or "unit" in draft.stated
    flags = {name: name in draft.stated or option in words for name, option in _FLAGS.items()}
    began = read_asctime(draft.stated.get("began", "").strip())
    is_ops = "-O" in words or "op" in draft.stated.get("unit", "") or draft.stated.get("per") == "ops/sec"
    return IozoneReading(
        first_line=draft.numbers[0],
        last_line=draft.numbers[-1],
        tool_version=draft.stated.get("version"),
        command=draft.command,
        mode="throughput" if "throughput" in draft.modes else "+".join(sorted(draft.modes)),
        unit="ops/s" if is_ops else "kB/s",
        is_sync=flags["sync"] if is_known or flags["sync"] else None,
        includes_flush=flags["flush"] if is_known or flags["flush"] else None,
        is_direct=flags["direct"] if is_known or flags["direct"] else None,
        rows=tuple(
            IozoneRow(file_kb=file_kb or None, reclen_kb=record or None, processes=processes, figures=figures)
            for (file_kb, record, processes), figures in draft.rows.items()
            if figures
        ),
        complete="complete" in draft.stated and not draft.notices,
        measured_on=began,
    )


_FLAGS = {"sync": "-o", "flush": "-e", "direct": "-I"}
FORMAT = Format(
    TOOL,
    starts,
    keep,
    read_block,
    markers=(*BANNER, "reclen", 'report"', "Children see"),
    keep_command=keep_command,
    is_benchmark=True,
)
