"""PostgreSQL's `pg_test_fsync`: how many times a second each sync method can make a write to a file durable.

A run has five sections, each of rows of a method and its rate; see lines.py for how they look.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import Notice, PgTestFsyncReading, PgTestFsyncRow, Section
from parsers.base.shell import option_of, own_commands, words_after
from parsers.base.units import KIBIBYTE
from parsers.pg_test_fsync import lines
from parsers.pg_test_fsync.keep import keep, keep_command
from parsers.pg_test_fsync.lines import DESCRIPTOR_NAMES, NAMES, PrintedRow, Title

TOOL = "pg_test_fsync"
NO_RESULT = "pg_test_fsync's output ends before its first result: paste the complete output"
METHODS = {
    Section.ONE_WRITE: NAMES,
    Section.TWO_WRITES: NAMES,
    Section.OPEN_SYNC_SIZES: ("open_sync",),
    Section.DIFFERENT_DESCRIPTOR: DESCRIPTOR_NAMES,
    Section.NON_SYNCED: ("write",),
}
WRITTEN = 16 * KIBIBYTE  # by each row of open_sync_sizes
WRITES = {Section.ONE_WRITE: 1, Section.TWO_WRITES: 2}
STAGES = {section: max(at - 1, 0) for at, section in enumerate(Section)}
MIN_ROWS = {Section.OPEN_SYNC_SIZES: 5, Section.DIFFERENT_DESCRIPTOR: 2}  # of a complete section


@dataclass(slots=True)
class FsyncDraft:
    """One run while its lines are read."""

    numbers: list[int] = field(default_factory=list)  # of the lines that belong to it
    rows: list[PgTestFsyncRow] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    titles: list[Section] = field(default_factory=list)
    title: Title | None = None
    stage: int = 0  # its progress, an index into STAGES
    seconds_per_test: int | None = None
    direct_io: bool | None = None
    error: Notice | None = None
    has_head: bool = False

    def section_of(self, row: PrintedRow) -> Section | None:
        """The section that the row is in; None where its title is lost: each method occurs once per section."""
        section = self.title.section if self.title else None
        if section is None or not self._fits(row, section) or self._count(row, section):
            return None
        return section

    @staticmethod
    def _fits(row: PrintedRow, section: Section) -> bool:
        is_old = row.write_size is not None and row.writes is None  # of 9.0, with its size in each row
        return row.method in METHODS[section] and (
            is_old or _is_sized(row) == (section is Section.OPEN_SYNC_SIZES)
        )

    def _count(self, row: PrintedRow, section: Section | None) -> int:
        return sum(
            line.section is section
            and line.method == row.method
            and (row.write_size is None or line.write_size == row.write_size)
            for line in self.rows
        )

    def is_over_before(self, row: PrintedRow) -> bool:
        """Say whether a row without a section belongs to the next run: it is out of order or a repetition."""
        stage = _stage_of(row)
        max_rows = 2 if stage == 0 else 1  # one write, two writes
        return stage < self.stage or self._count(row, None) >= max_rows

    def add(self, row: PrintedRow, section: Section | None, number: int) -> None:
        self.stage = max(self.stage, _stage_of(row))
        writes = row.writes or (WRITES.get(section) if section else None)
        if section is Section.OPEN_SYNC_SIZES and row.write_size:
            writes = writes or WRITTEN // row.write_size
        self.rows.append(
            PgTestFsyncRow(
                section=section,
                method=row.method,
                write_size=row.write_size or (self.title.write_size if section and self.title else None),
                writes=writes,
                ops_s=row.ops_s,
                usecs_per_op=row.usecs_per_op,
                line=number,
            )
        )


def _is_sized(row: PrintedRow) -> bool:
    return row.writes is not None


def _stage_of(row: PrintedRow) -> int:
    """The stage of a run that a row belongs to; the first two sections have the same rows."""
    if _is_sized(row):
        return STAGES[Section.OPEN_SYNC_SIZES]
    return next(STAGES[section] for section, methods in METHODS.items() if row.method in methods)


class FsyncReader:
    """Reads the lines of one block and splits them into runs."""

    def __init__(self, block: Block) -> None:
        self.drafts = [FsyncDraft()]
        self._block = block

    @property
    def _draft(self) -> FsyncDraft:
        return self.drafts[-1]

    def read(self) -> list[FsyncDraft]:
        for line, number in self._block.numbered:
            if line:
                self._read_line(line, number)
        return [draft for draft in self.drafts if draft.numbers or draft.error]

    def _read_line(self, line: str, number: int) -> None:
        if self._read_row(line, number) or self._read_title(line, number):
            return
        seconds = lines.read_seconds(line)
        if seconds is not None or lines.is_head(line):
            is_new = bool(self._draft.rows or self._draft.titles or self._draft.seconds_per_test)
            self._open(number, is_new=is_new)
            self._draft.seconds_per_test = seconds or None
            self._draft.has_head = lines.is_head(line)
            return
        direct_io = lines.read_direct_io(line)
        if direct_io is not None and self._draft.numbers and not self._draft.rows:
            self._draft.direct_io = direct_io
            self._draft.numbers.append(number)
        elif lines.MESSAGES.include(line):
            self._draft.error = lines.MESSAGES.explain(line, number)
            self._draft.numbers.append(number)
            self._draft.notices.append(self._draft.error)

    def _open(self, number: int, *, is_new: bool) -> None:
        if is_new:
            self.drafts.append(FsyncDraft())
        self._draft.numbers.append(number)

    def _read_title(self, line: str, number: int) -> bool:
        title = lines.read_title(line)
        if title is None:
            return False
        begins_unsynced = self._draft.titles == [Section.NON_SYNCED]  # as 9.0 does
        is_back = STAGES[title.section] < self._draft.stage and not begins_unsynced
        self._open(number, is_new=is_back or title.section in self._draft.titles)
        self._draft.titles.append(title.section)
        self._draft.stage = STAGES[title.section]
        self._draft.title = title
        return True

    def _read_row(self, line: str, number: int) -> bool:
        if not lines.starts_row(line):
            return False
        row = lines.read_row(line) or lines.read_cut_row(line)
        if row is None:
            is_cut = any(map(str.isdigit, line)) and bool(self._draft.numbers)
            if is_cut:
                self._warn("unreadable_row", "this row of pg_test_fsync is incomplete", line, number)
            return is_cut
        section = self._draft.section_of(row)
        if section is None:
            if self._draft.is_over_before(row):
                self._open(number, is_new=True)
            self._draft.title = None
        self._draft.numbers.append(number)
        self._draft.add(row, section, number)
        if row.fault is not None:
            self._warn("impossible_figure", f"this row can't be right, because {row.fault}", line, number)
        return True

    def _warn(self, code: str, message: str, line: str, number: int) -> None:
        self._draft.notices.append(Notice(code, f"{message}: {line.strip()[:80]!r}", number))


def starts(line: str) -> bool:
    """Say whether output can begin here: its head, a section, a row with figures, an error."""
    text = lines.plain(line)
    if lines.is_head(text) or lines.MESSAGES.include(text):
        return True
    if lines.starts_row(text):
        row = lines.read_row(text) or lines.read_cut_row(text)
        return row is not None and (row.is_available or not text.strip().startswith(("fsync ", "write ")))
    title = lines.read_title(text)
    if title is not None and (title.section in WRITES or text.strip().startswith(lines.WRAPPED_TITLE)):
        return True
    is_unsynced = title is not None and title.section is Section.NON_SYNCED
    return is_unsynced or lines.read_seconds(text) is not None


def read_block(block: Block) -> Outcome:
    """The runs of one block."""
    outcome = Outcome()
    drafts = FsyncReader(block).read()
    commands = own_commands(block.commands, drafts, _fits)
    for draft, command in zip(drafts, commands, strict=True):
        outcome.notices += draft.notices
        if draft.rows:
            reading = _reading(draft, option_of(words_after(command, TOOL), "-f", "--filename"))
            outcome.readings.append(reading)
            outcome.notices += _explain_missing(draft, reading)
        elif draft.error or draft.has_head or block.commands:
            none = Notice("no_result", NO_RESULT, draft.numbers[-1])
            outcome.leave_out(none, draft.numbers, reported=draft.error)
    return outcome


def _fits(command: str, draft: FsyncDraft) -> bool:
    seconds = option_of(words_after(command, TOOL), "-s", "--secs-per-test")
    return None in (seconds, draft.seconds_per_test) or seconds == str(draft.seconds_per_test)


def _reading(draft: FsyncDraft, path: str | None) -> PgTestFsyncReading:
    return PgTestFsyncReading(
        first_line=min(draft.numbers),
        last_line=max(draft.numbers),
        path=path,
        seconds_per_test=draft.seconds_per_test,
        direct_io=draft.direct_io,
        complete=not draft.notices and not list(_incomplete(draft)),
        rows=tuple(draft.rows),
    )


def _incomplete(draft: FsyncDraft) -> Iterator[Section]:
    """Yield the sections that are missing or end early."""
    for section in Section:
        rows = sum(row.section is section for row in draft.rows)
        if rows < MIN_ROWS.get(section, 1):
            yield section


def _explain_missing(draft: FsyncDraft, reading: PgTestFsyncReading) -> Iterator[Notice]:
    missing = list(_incomplete(draft))
    if not missing:
        return
    if all(row.section is None for row in draft.rows):
        message = (
            "the lines that name pg_test_fsync's sections are missing: paste the output from its first line"
        )
        yield Notice("sections_unknown", message, reading.first_line)
        return
    names = ", ".join(section.value.replace("_", " ") for section in missing)
    present = [section for section in Section if section not in missing]
    is_cut = not present or list(Section).index(missing[0]) > list(Section).index(present[-1])
    message = f"these sections of pg_test_fsync are missing or incomplete: {names}"
    yield Notice("truncated" if is_cut else "section_missing", message, reading.last_line)


MARKERS = (
    "pg_test_fsync", "pg\\_test\\_fsync", "fsync", "open_sync", "open\\_sync", "datasync", "per test", "write",
    "open output file",
)  # fmt: skip
FORMAT = Format(
    TOOL,
    starts,
    keep,
    read_block,
    precedes=lines.may_be_title,
    markers=MARKERS,
    keep_command=keep_command,
    is_benchmark=True,
)
