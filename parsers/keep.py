"""Keep what the tools printed, their commands, and what dates and explains it; leave out everything else.

What is kept is a text like the one before: line by line, identifiers masked. A marker stands for each run of lines
that were left out. Keeping a kept text again changes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from parsers.base.markers import ROWS, SIGN, Marker, read_marker
from parsers.base.readings import LeftOutLines
from parsers.blocks import Span, block_of, split_blocks
from parsers.keep_commands import ShellLine, find_commands, stored_line
from parsers.keep_outside import asctime, day_of_shell, keep_outside
from parsers.privacy.free_text import has_address
from parsers.privacy.masks import Masks
from parsers.registry import FORMATS
from parsers.text.clean import CleanText
from parsers.text.remarks import SPLITS, WAYS, Way, is_row
from parsers.unread_tools import NAMES as UNREAD_TOOLS

NEAR = 4  # lines
MAX_LENGTH = 400  # characters of a line of joined rows


@dataclass(frozen=True, slots=True)
class StoredText:
    """The kept lines, the line of what was sent that each came from, and what was left out."""

    lines: Sequence[str]
    source_lines: tuple[int, ...]
    left_out: tuple[LeftOutLines, ...]


@dataclass(slots=True)
class _LinesDraft:
    """What is kept of each line so far: None is nothing yet."""

    lines: list[str | None]
    unread: dict[int, str] = field(default_factory=dict)  # the tools that no parser reads, by line
    has_output: bool = False
    indented: set[int] = field(default_factory=set)  # lines whose blanks in front have a meaning
    refused: list[Sequence[str]] = field(default_factory=list)  # other texts: two ways often give the same


def keep(cleaned: CleanText, masks: Masks) -> StoredText:
    """Keep the lines of a cleaned text that a tool printed. Without any of those nothing is kept."""
    draft = _keep_blocks(cleaned, masks)
    joined: set[str] = set()
    for way in WAYS:
        cleaned, draft = _keep_bare(way, cleaned, draft, masks, joined)
    lines = cleaned.lines
    draft.has_output |= bool({*draft.unread.values()} - {ROWS}) or any(map(_is_tool_marker, lines))
    if draft.has_output:
        _keep_rest(lines, masks, draft)
        if has_address("\n".join(filter(None, draft.lines))):
            draft.lines = [None if line and has_address(line) else line for line in draft.lines]
    else:
        draft.lines = [None] * len(lines)
    return _assemble(draft, cleaned)


def _keep_bare(
    way: Way, cleaned: CleanText, draft: _LinesDraft, masks: Masks, joined: set[str]
) -> tuple[CleanText, _LinesDraft]:
    """Retry lines that weren't kept, or only in part: without the remarks next to them, or as two rows.

    Those that are two rows of a table that needs its blanks stay `joined`, and aren't kept.
    """
    parts: list[Sequence[str]] = [
        way(line)
        if line and masked != line and line not in joined and _is_lacking(masked, line, way)
        else (line,)
        for masked, line in zip(draft.lines, cleaned.lines, strict=True)
    ]
    tried = cleaned.split(parts)
    if tried.lines in (cleaned.lines, *draft.refused):
        return cleaned, draft
    found = _keep_blocks(tried, masks)
    draft.refused.append(tried.lines)
    end = 0
    for at, masked in enumerate(draft.lines):
        begin, end = end, end + len(parts[at])
        for_line = found.lines[begin:end]
        is_more = not masked or len(" ".join(filter(None, for_line)).split()) > len(masked.split())
        is_displaced = end - begin > 1 and (at in draft.indented or begin in found.indented)
        if is_displaced and all(for_line):
            joined.add(cleaned.lines[at])
        if is_displaced or not (is_more and all(for_line)):
            parts[at] = (cleaned.lines[at],)
    better = cleaned.split(parts)
    if better.lines == cleaned.lines:
        return cleaned, draft
    return better, found if better.lines == tried.lines else _keep_blocks(better, masks)


def _is_lacking(masked: str | None, line: str, way: Way) -> bool:
    """Whether a line isn't kept or, if it may be two rows, not in full; "" is kept with the line above."""
    return masked is None or (way in SPLITS and masked != "" and len(masked.split()) < len(line.split()))


def _keep_blocks(cleaned: CleanText, masks: Masks) -> _LinesDraft:
    lines = cleaned.lines
    shell = find_commands(lines, FORMATS)
    draft = _LinesDraft([None] * len(lines))
    commands: Mapping[int, ShellLine | None] = {
        at: line if line.commands else None for at, line in shell.items()
    }
    for span in split_blocks(lines, FORMATS, commands):
        _keep_block(span, cleaned, shell, masks, draft)
    _note_broken_rows(lines, shell, draft)
    return draft


def _note_broken_rows(lines: Sequence[str], shell: Mapping[int, ShellLine], draft: _LinesDraft) -> None:
    """Note the lines near output that aren't kept but look like rows: they may be several, or parts of one."""
    output = -NEAR
    for at, line in enumerate(lines):
        is_left_out = line and draft.lines[at] is None and at not in draft.unread and at not in shell
        if is_left_out and ((at - output < NEAR and is_row(line)) or holds_start(line)):
            draft.unread[at] = ROWS
        output = at if draft.lines[at] or draft.unread.get(at) == ROWS else output if line else -NEAR


def holds_start(line: str) -> bool:
    """Whether output of a tool begins behind a wide gap, or before one."""
    splits = [split(line) for split in SPLITS] if len(line) <= MAX_LENGTH else []
    return any(each.starts(part) for parts in splits if parts[1:] for part in parts for each in FORMATS[:-1])


def _marker_at(line: str) -> Marker | None:
    """A marker of ours: one with any other name isn't."""
    marker = read_marker(line) if SIGN in line else None
    return marker if marker and marker.tool in ("", ROWS, *UNREAD_TOOLS) else None


def _is_tool_marker(line: str) -> bool:
    marker = _marker_at(line)
    return marker is not None and marker.tool not in ("", ROWS)


def _keep_block(
    span: Span, cleaned: CleanText, shell: Mapping[int, ShellLine], masks: Masks, draft: _LinesDraft
) -> None:
    """Keep the lines of a block, the command above it, and what belongs to it in the lines above."""
    block = block_of(span, cleaned.lines, cleaned.numbers, {})
    masked_lines = span.format.keep(block, masks)
    draft.unread |= {span.first + at: tool for at, tool in masked_lines.unread.items()}
    if not any(masked_lines.lines):
        return
    draft.has_output = True
    if span.format.is_indented and any(line[:1].isspace() for line in block.lines[1:]):
        draft.indented.update(range(span.first, span.end))
    for at, line in zip(range(span.first, span.end), masked_lines.lines, strict=True):
        draft.lines[at] = line
    first = span.first - len(block.above)
    for at, line in span.format.keep_above(block.above, masks).items():
        if draft.lines[first + at] is None:
            draft.lines[first + at] = line
    for at in span.commands_at:
        if any(command.format.tool == span.format.tool for command in shell[at].commands):
            _keep_command(at, cleaned.lines, shell[at], masks, draft)


def _keep_command(at: int, lines: Sequence[str], shell: ShellLine, masks: Masks, draft: _LinesDraft) -> None:
    """Keep a command above a block, with the day that its prompt states."""
    day = day_of_shell(lines, at)
    line = stored_line(shell.commands, masks)
    draft.lines[at] = f"{asctime(day)}\n{line}" if day else line
    draft.lines[at + 1 : at + 1 + shell.lines_below] = [""] * shell.lines_below


def _keep_rest(lines: Sequence[str], masks: Masks, draft: _LinesDraft) -> None:
    """Keep what is known by its shape wherever it stands, and the markers that are in the text."""
    outside = keep_outside(lines, masks)
    for at, line in enumerate(lines):
        if draft.lines[at] is None and line:
            marker = _marker_at(line)
            draft.lines[at] = str(marker) if marker else outside(at)


def _assemble(draft: _LinesDraft, cleaned: CleanText) -> StoredText:
    """Put the kept lines together, with a marker for each run of the others; one empty line separates as before."""
    text: list[str] = []
    sources: list[int] = []
    left_out: list[LeftOutLines] = []
    for tool, run in _runs(draft, cleaned):
        if tool is not None:
            numbers = cleaned.numbers[run[0]], cleaned.numbers[run[-1]]
            for_tool = "" if tool == ROWS else tool
            left_out.append(LeftOutLines(*numbers, tuple(cleaned.lines[at] for at in run), for_tool))
        for at in run if tool is None else run[:1] if draft.has_output else ():
            masked = str(Marker(len(run), tool)) if tool is not None else draft.lines[at] or ""
            if text and at and not cleaned.lines[at - 1]:
                masked = f"\n{masked}"
            text += map(str.rstrip, masked.split("\n"))
            sources += [cleaned.numbers[at]] * (len(text) - len(sources))
    return StoredText(text, tuple(sources), tuple(left_out))


def _runs(draft: _LinesDraft, cleaned: CleanText) -> Iterator[tuple[str | None, list[int]]]:
    """Yield runs of lines that aren't empty: None and kept ones, or the tool, if known, and those left out."""
    present = (at for at, line in enumerate(cleaned.lines) if line and draft.lines[at] != "")
    for tool, run in groupby(
        present, lambda at: draft.unread.get(at, "") if draft.lines[at] is None else None
    ):
        yield tool, list(run)
