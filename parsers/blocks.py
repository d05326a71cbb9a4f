"""Cut the cleaned lines of a paste into blocks, each of one format."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parsers.kinds import Block, Format

# "root@nas:~ # ", "[root@nas ~]$ ", "nas% ", "PS C:\\> ", "# " and the command of a tool behind it, or behind another
COMMAND = re.compile(
    r"\s*(?:[^\n]{0,160}?(?:[#$%>;]|&&)\s*)?"
    r"(?P<command>(?:sudo |doas )?(?:\S{0,60}[/\\])?(?:smartctl|diskinfo|fio)(?:\.exe)? +[-/\w].*)"
)
PROMPT = re.compile(r"\[?\S{1,40}@\S.{0,80}?[#$%>](?: |$)")
OPTION = re.compile(r"\s*--?[a-z]")  # on a line of its own: a command that goes on
TOOLS = ("smartctl", "diskinfo", "fio")
# "smartctl 7.2 2020-12-30 ..." is the first line of the output, not a command
BANNER = re.compile(r"\S+ (?:version |pre-)?\d")


@dataclass(slots=True)
class OpenBlock:
    """The block that is being collected."""

    format: Format
    first: int
    command: str | None


def find_command(line: str) -> str | None:
    """The command that a prompt line runs; "" for a prompt with anything else; None for other lines."""
    if any(tool in line for tool in TOOLS):
        match = COMMAND.match(line)
        if match is not None and BANNER.match(match["command"]) is None:
            return match["command"].strip()
    if "@" in line and PROMPT.match(line) is not None:
        return ""
    return None


def _continue_command(command: str | None, line: str) -> str | None:
    """The command with a line more of it, where the line is one: after a backslash, or wrapped at an option."""
    if not command or not (command.endswith("\\") or OPTION.match(line)):
        return None
    return command.removesuffix("\\").rstrip() + " " + line.strip()


def _first_line(lines: Sequence[str], start: int, format_: Format) -> int:
    """Where a block begins whose start was seen: the line above it, past empty ones, may lead it in."""
    if format_.leads is None:
        return start
    above = start - 1
    while above > start - 4 and above >= 0 and not lines[above]:
        above -= 1
    return above if above >= 0 and lines[above] and format_.leads(lines[above]) else start


def split_blocks(
    lines: Sequence[str], numbers: Sequence[int], formats: Sequence[Format]
) -> Iterator[tuple[Format, Block]]:
    """Each block with its format, in the order of the paste."""
    command: str | None = None
    block: OpenBlock | None = None

    def close(end: int) -> Iterator[tuple[Format, Block]]:
        if block is not None:
            span = slice(block.first, end)
            yield block.format, Block(tuple(lines[span]), tuple(numbers[span]), block.command)

    for index, line in enumerate(lines):
        if not line or line.isspace():
            continue
        continued = _continue_command(command, line) if block is None else None
        if continued is not None:
            command = continued
            continue
        found = find_command(line)
        if found is not None:
            yield from close(index)
            block, command = None, found or None
            continue
        starting = next((each for each in formats if each.starts(line)), None)
        if starting is None or (block is not None and block.format is starting and starting.several):
            continue
        first = _first_line(lines, index, starting)
        yield from close(first)
        block = OpenBlock(starting, first, command)
        command = None
    yield from close(len(lines))
