"""The interface of a format, the block of lines that it reads, and its exception."""

import re
from collections.abc import Callable
from dataclasses import dataclass

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
    """A run of cleaned and masked lines that one format reads.

    `numbers[i]` is the line of the paste, from 1, that `lines[i]` came from; `command` is the command line of
    the prompt right above, where there was one ("smartctl -a /dev/ada0"), `above` are the last lines in front of it.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    command: str | None = None
    above: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of reading a block with a format; `left_out` are runs without a reading."""

    readings: tuple[Reading, ...] = ()
    notices: tuple[Notice, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """One format that a paste can contain.

    `starts` is a cheap test whether a block can begin at a line.

    A block ends where any format starts or at the next command line. With `several`, another start of this format
    does not end it: `read` separates the devices. `precedes` tests whether the line above a start belongs to the
    block. Every text with such a block contains one of its `markers`, and `hint` matches every line at which one
    starts.
    """

    name: str
    starts: Callable[[str], bool]
    read: Callable[[Block], Outcome]
    several: bool = False
    precedes: Callable[[str], bool] | None = None
    markers: tuple[str, ...] = ()
    hint: re.Pattern[str] | None = None
    is_benchmark: bool = False  # unreadable blocks of it are runs that were left out
