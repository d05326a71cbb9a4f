"""Cut a text into blocks, each the output of one format."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from parsers.base.format import Block, Format
from parsers.base.shell import LOOP
from parsers.text.tool_lines import TOOL_NAMES

LINES_ABOVE = 80  # a job file of fio is above the prompt that runs it
MAX_LINES_ABOVE = 3  # empty lines between a block's start and the line above it that belongs to it
COMMAND_SIGN = "$ "  # in front of a command in a kept text
_BETWEEN = re.compile(rf"; (?=(?:{LOOP})?(?:{TOOL_NAMES})(?: |\Z))")  # the commands of one line


class Span(NamedTuple):
    """A block: its format, its first line, the line after its last, and the lines of the commands above it."""

    format: Format
    first: int
    end: int
    commands_at: tuple[int, ...]


def split_blocks(
    lines: Sequence[str], formats: Iterable[Format], commands: Mapping[int, object]
) -> Iterator[Span]:
    """Each block in the order of the text. It ends at any start of another, or at a line of `commands`.

    Of these, one that is None is a prompt without a command of a tool.
    """
    text = "\n".join(lines)
    present = [each for each in formats if _may_contain(text, lines, each)]
    start: tuple[Format, int, tuple[int, ...]] | None = None
    commands_at: tuple[int, ...] = ()
    candidates = present
    for at, line in enumerate(lines):
        if at in commands:
            if start is not None:
                yield Span(start[0], start[1], at, start[2])
            start, candidates = None, present
            commands_at = () if commands[at] is None else (*commands_at, at)
        elif line and (starting := _which_starts(line, candidates)):
            first = _first_line(lines, at, starting)
            if start is not None and start[1] < first:
                yield Span(start[0], start[1], first, start[2])
            start, commands_at = (starting, first, commands_at), ()
            candidates = [each for each in present if each is not starting]
    if start is not None:
        yield Span(start[0], start[1], len(lines), start[2])


def block_of(
    span: Span,
    lines: Sequence[str],
    numbers: Sequence[int],
    commands: Mapping[int, Sequence[str]],
    runs: Mapping[str, Sequence[str]] | None = None,
) -> Block:
    """The block at a span."""
    above = tuple(lines[max(span.first - LINES_ABOVE, 0) : span.first])
    here = slice(span.first, span.end)
    own = tuple(
        name
        for at in span.commands_at
        for name in commands.get(at, ())
        if name.removeprefix(LOOP).partition(" ")[0] == span.format.tool
    )
    return Block(tuple(lines[here]), tuple(numbers[here]), own, above=above, runs=runs or {})


def stored_commands(lines: Sequence[str]) -> dict[int, list[str]]:
    """The commands of a kept text, by the index of their line."""
    return {
        at: _BETWEEN.split(line.removeprefix(COMMAND_SIGN))
        for at, line in enumerate(lines)
        if line.startswith(COMMAND_SIGN)
    }


def _may_contain(text: str, lines: Sequence[str], format_: Format) -> bool:
    """Whether the text contains a marker of the format, and a line that its hint matches."""
    if format_.markers and not any(map(text.__contains__, format_.markers)):
        return False
    return format_.hint is None or any(map(format_.hint.match, lines))


def _which_starts(line: str, formats: Sequence[Format]) -> Format | None:
    for each in formats:
        if (each.hint is None or each.hint.match(line)) and each.starts(line):
            return each
    return None


def _first_line(lines: Sequence[str], start: int, format_: Format) -> int:
    """Return the first line of a block whose start was found.

    The line above it, past empty ones, may belong to it.
    """
    if format_.precedes is None:
        return start
    above = start - 1
    while above >= max(start - MAX_LINES_ABOVE, 0) and not lines[above]:
        above -= 1
    return above if above >= 0 and lines[above] and format_.precedes(lines[above]) else start
