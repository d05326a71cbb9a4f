"""The interface of a format, the block of lines that it reads, and its exception."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from parsers.base.readings import LeftOut, Notice, Reading


class ParseError(Exception):
    """A line that states a field, or a block of output, that can't be read.

    `code` is stable and meant for programs, `line_number` counts from 1 in the paste as it was received
    (None where no single line is at fault), the message is a sentence for the person who pasted.
    """

    def __init__(self, message: str, *, code: str = "unreadable", line_number: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.line_number = line_number


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines that one format keeps or reads.

    `numbers[i]` is the line of the text, from 1, that `lines[i]` is or begins with; `commands` are its tool's between
    the previous block and this one ("smartctl -a /dev/ada0"), `above` are the last lines before it.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    commands: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)  # rows of the lines that stand for many

    @property
    def numbered(self) -> Iterator[tuple[str, int]]:
        """Each line with its number."""
        return zip(self.lines, self.numbers, strict=True)


class Masker(Protocol):
    """Assigns masks to identifiers, and notes the sender's own words."""

    def mask(self, kind: str, value: str) -> str:
        """The mask of an identifier of a kind: serial, wwn, host or pool."""

    def pool(self, name: str) -> str:
        """The mask of a pool's name, by which it is masked in paths as well."""

    def own_word(self, word: str) -> str:
        """Note a name that the sender chose, and return it."""


@dataclass(frozen=True, slots=True)
class KeptLines:
    """What is kept of lines, one by one: None is left out, "" is part of a line above it.

    `unread` are the tools, by index, of lines that are left out because no parser reads them yet.
    """

    lines: Sequence[str | None]
    unread: Mapping[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """The outcome of reading a block with a format; `left_out` are runs without a reading."""

    readings: list[Reading] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def leave_out(self, why: Notice, numbers: Sequence[int], *, reported: Notice | None = None) -> None:
        """Leave out the run on these lines, and say why, unless a notice has `reported` so already."""
        if reported is None:
            self.notices.append(why)
        self.left_out.append((reported or why).as_left_out(numbers[0], numbers[-1]))


@dataclass(frozen=True, slots=True)
class Format:
    """One format that a paste can contain.

    `starts` is a cheap test whether a block can begin at a line. `keep` says what of a block is the tool's, with its
    identifiers masked: that is all that `read` sees, and all that is stored. What is kept of kept lines is the same.

    A block ends where any other format starts or at the next command line: `read` separates the devices. `precedes`
    tests whether the line above a start belongs to the block. Every text with such a block contains one of its
    `markers`, and `hint` matches every line at which one starts.
    """

    tool: str  # whose commands belong to it
    starts: Callable[[str], bool]
    keep: Callable[[Block, Masker], KeptLines]
    read: Callable[[Block], Outcome]
    precedes: Callable[[str], bool] | None = None
    markers: tuple[str, ...] = ()
    hint: re.Pattern[str] | None = None
    # Its arguments; None: no command
    keep_command: Callable[[Sequence[str], Masker], str | None] | None = None
    # Of the lines above a block, by index
    keep_above: Callable[[Sequence[str], Masker], Mapping[int, str | None]] = lambda _lines, _masks: {}
    names: tuple[str, ...] = ()  # of its tools, where they aren't `tool` alone
    is_indented: bool = False  # the blanks in front of its lines have a meaning
    is_benchmark: bool = False  # unreadable blocks of it are runs that were left out
