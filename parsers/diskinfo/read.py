"""FreeBSD's `diskinfo -wS`: a header per device, then latency by block size.

Printed by usr.sbin/diskinfo/diskinfo.c: the header in main(), the table in slogbench(). The layout is
`\t%-12s\t# comment` and `\t%4.4g kbytes: %8.1f usec/IO = %8.1f Mbytes/s`, but pastes lose blanks and tabs,
so lines are matched as complete lines and never by position.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from parsers.base.fillers import is_filler
from parsers.base.format import Block, Format, Outcome, ParseError
from parsers.base.readings import DiskinfoReading, LatencyPoint, LeftOut, Notice
from parsers.base.shell import own_commands
from parsers.diskinfo.checks import check_reading, is_complete
from parsers.diskinfo.header import (
    HEADER,
    IMPOSSIBLE,
    IMPOSSIBLE_CAPACITY,
    PRINTED_HEADER,
    SYNC_TITLE,
    WITHHELD,
    command_path,
    is_path,
)
from parsers.diskinfo.keep import keep, keep_command
from parsers.diskinfo.lines import (
    BLOCK_SIZES,
    DAMAGED_POINT,
    OTHER_TITLES,
    POINT,
    explain_error,
    is_error,
    is_usage,
)

MAX_UNKNOWN = 5  # notices about unknown lines per device; more would be noise


def starts(line: str) -> bool:
    """Whether diskinfo's output can begin here: header, table, point or error."""
    if "kbytes:" in line:
        return POINT.fullmatch(line) is not None
    return line.endswith("# sectorsize") or line.strip() == SYNC_TITLE or is_error(line)


@dataclass(slots=True)
class DiskDraft:
    """The state of one device while its lines are read."""

    fields: dict[str, Any] = field(default_factory=dict)
    points: list[LatencyPoint] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # of the lines that belong to it
    refusal: Notice | None = None  # why none of it is credible
    failure: Notice | None = None  # the first error message
    unknown: list[tuple[int, str]] = field(default_factory=list)  # seen since the last known line
    in_other_section: bool = False
    has_table: bool = False
    is_failed: bool = False

    def add_line(self, number: int) -> None:
        """Add a line to the device.

        Unknown lines between two such lines are reported: they should have been known.
        """
        self.numbers.append(number)
        if self.unknown:
            self._report_unknown()

    @property
    def was_run(self) -> bool:
        """Whether the test started, or refused to start."""
        return self.has_table or self.is_failed

    def left_out(self, why: Notice) -> LeftOut:
        """The run as one without a result."""
        lines = [*self.numbers, *(notice.line for notice in self.notices if notice.line is not None)]
        return why.as_left_out(min(lines), max(lines))

    def _report_unknown(self) -> None:
        for unknown, line in self.unknown[:MAX_UNKNOWN]:
            message = f"this line is not part of diskinfo's output and was skipped: {line.strip()[:80]!r}"
            self.notices.append(Notice("unknown_line", message, unknown))
        self.unknown.clear()


class DiskinfoReader:
    """Reads the lines of one block and splits them by device."""

    def __init__(self, commands: Sequence[str]) -> None:
        self.finished: list[DiskDraft] = []
        self.draft = DiskDraft()
        self._path_above: tuple[int, str] | None = None
        self._commands = commands

    def feed(self, number: int, line: str) -> None:
        """Take the next line."""
        if "kbytes:" in line and self._read_point(number, line):
            return
        if "#" in line and self._read_header(number, line):
            return
        if line and not self._read_title(number, line.strip()):
            self._read_other(number, line)

    def _read_title(self, number: int, text: str) -> bool:
        if text == SYNC_TITLE:
            self._open(number, is_new=self.draft.has_table)
            self.draft.has_table = True
            self.draft.in_other_section = False
        elif text in OTHER_TITLES:
            self.draft.add_line(number)
            self.draft.in_other_section = True
        else:
            return False
        return True

    def _read_other(self, number: int, line: str) -> None:
        self._path_above = None
        if is_error(line):
            self._read_error(number, line)
        elif is_path(line):
            self._path_above = (number, line.strip())
        elif self.draft.numbers and not self.draft.in_other_section:
            self.draft.unknown.append((number, line))

    def _open(self, number: int, *, is_new: bool) -> None:
        """Assign the line to the current device, or start the next one with it."""
        if is_new:
            self.close()
        self.draft.add_line(number)

    def close(self) -> None:
        """End the current device."""
        if self.draft.numbers or self.draft.notices:
            self.finished.append(self.draft)
        self.draft = DiskDraft()

    def _read_header(self, number: int, line: str) -> bool:
        value, _, comment = line.rpartition("#")
        known = PRINTED_HEADER.get(comment) or HEADER.get(comment.partition("(")[0].strip())
        if known is None:
            return False
        name, read = known
        draft = self.draft
        is_first = name == "sector_size"
        self._open(number, is_new=bool(draft.points or draft.has_table or (is_first and draft.fields)))
        if is_first and self._path_above is not None:
            self.draft.fields["path"] = self._path_above[1]
            self.draft.numbers.insert(0, self._path_above[0])
        self._path_above = None
        try:
            found = None if value.strip() != WITHHELD and is_filler(value) else read(value.strip())
        except ParseError as error:
            self._read_fault(number, comment.strip(), error)
            return True
        if name and found is not None:
            self.draft.fields[name] = found
        return True

    def _read_fault(self, number: int, comment: str, error: ParseError) -> None:
        draft = self.draft
        if error.code in (IMPOSSIBLE, IMPOSSIBLE_CAPACITY):
            message = f"impossible value of {comment!r}: {error}"
            draft.notices.append(Notice(error.code, message, number))
            draft.refusal = draft.refusal or draft.notices[-1]
        else:
            message = f"the value of {comment!r} can't be read: {error}"
            draft.notices.append(Notice("unreadable_field", message, number))

    def _read_point(self, number: int, line: str) -> bool:
        match = POINT.fullmatch(line)
        block_size = BLOCK_SIZES.get(match[1]) if match else None
        if match is None or block_size is None:
            return self._read_other_row(number, line)
        draft = self.draft
        same = next((point for point in draft.points if point.block_size == block_size), None)
        if same and (same.latency_us != Decimal(match[2]) or (same is draft.points[0] and draft.points[1:])):
            self.close()  # another table, whose title is missing
            draft = self.draft
        draft.add_line(number)
        draft.has_table = True
        draft.points.append(LatencyPoint(block_size, Decimal(match[2]), Decimal(match[3]), number))
        return True

    def _read_other_row(self, number: int, line: str) -> bool:
        """Take a row with a size that is no point: it is of another section, failed, cut off, or damaged."""
        if self.draft.in_other_section or not self.draft.has_table:
            return False
        if is_error(line):
            self._read_error(number, line)
        elif DAMAGED_POINT.fullmatch(line):
            self.draft.add_line(number)
            self.draft.is_failed = True
            message = f"not a whole line of the sync write table: {line.strip()[:80]!r}"
            self.draft.notices.append(Notice("unreadable_point", message, number))
        else:
            return False
        return True

    def _read_error(self, number: int, line: str) -> None:
        if self.draft.has_table:
            self.draft.add_line(number)
        if not self.draft.is_failed or not is_usage(line):
            error = explain_error(line, number)
            self.draft.notices.append(error)
            self.draft.failure = self.draft.failure or error
        self.draft.is_failed = True

    def readings(self) -> Outcome:
        """The outcome of all lines."""
        self.close()
        outcome = Outcome()
        paths = own_commands(list(map(command_path, self._commands)), self.finished, _fits)
        for draft, path in zip(self.finished, paths, strict=True):
            draft.fields = {"path": path} | draft.fields
            outcome.notices += draft.notices
            why = draft.refusal or draft.failure
            if why is not None and (draft.refusal or not draft.points) and draft.was_run:
                outcome.left_out.append(draft.left_out(why))
            if draft.numbers and draft.refusal is None:
                reading = self._reading(draft)
                outcome.readings.append(reading)
                outcome.notices += check_reading(reading, draft.points, is_failed=draft.is_failed)
        return outcome

    def _reading(self, draft: DiskDraft) -> DiskinfoReading:
        points = {point.block_size: point for point in reversed(draft.points)}  # the first of a size counts
        curve = tuple(points[size] for size in sorted(points))
        return DiskinfoReading(
            first_line=draft.numbers[0],
            last_line=draft.numbers[-1],
            points=curve,
            complete=is_complete(curve, draft.fields.get("sector_size")),
            **draft.fields,
        )


def _fits(path: str | None, draft: DiskDraft) -> bool:
    return path in (None, draft.fields.get("path", path))


def read_diskinfo(block: Block) -> Outcome:
    """The devices of one block, each with its points by ascending block size."""
    reader = DiskinfoReader(block.commands)
    for line, number in block.numbered:
        reader.feed(number, line)
    return reader.readings()


MARKERS = ("# sectorsize", "usec/IO", SYNC_TITLE, "diskinfo")
FORMAT = Format(
    "diskinfo",
    starts,
    keep,
    read_diskinfo,
    precedes=is_path,
    markers=MARKERS,
    keep_command=keep_command,
    is_benchmark=True,
)
