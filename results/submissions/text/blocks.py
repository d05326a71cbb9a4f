"""A text as numbered lines, in blocks that were read as a run or weren't."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from parsers.base.readings import LeftOutLines, ParsedPaste
from parsers.text.samples import is_sample_row
from results.submissions.text.sent_lines import MARKER

FEW_LINES = 12  # longer blocks of unread lines are folded
SHOWN_SAMPLES = 20  # at each end of a log

Range = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a stored text; `sent` is the number shown with it, `left_out` the lines that it stands for."""

    number: int
    text: str
    sent: int
    left_out: LeftOutLines | None = None
    anchor: str = ""  # none for the second of several lines that come from one line of what was sent


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines of a text that were read as a run, or weren't; or a line that stands for those left out."""

    lines: Sequence[TextLine]
    is_read: bool
    is_folded: bool = False

    @property
    def left_out(self) -> LeftOutLines | None:
        return self.lines[0].left_out

    @property
    def first(self) -> int:
        return self.lines[0].sent

    @property
    def label(self) -> str:
        return line_range(self.first, self.left_out.last_line if self.left_out else self.lines[-1].sent)


def text_blocks(
    text: str, read: Iterable[Range], *, folds: bool = False, unfolded: Collection[int] = ()
) -> list[TextBlock]:
    """The lines of `text`, numbered from 1, in blocks that were read as a run (ranges are inclusive) or not.

    With `folds` a long unread block is folded, unless it contains one of the lines `unfolded`.
    """
    blocks = _blocks(_shortened(TextLine(number, line, number) for number, line in _numbered(text)), read)
    if not folds:
        return blocks
    return [
        replace(
            block,
            is_folded=not block.is_read
            and len(block.lines) > FEW_LINES
            and not any(line.number in unfolded for line in block.lines),
        )
        for block in blocks
    ]


def sent_blocks(paste: ParsedPaste, read: Iterable[Range]) -> list[TextBlock]:
    """The same for a paste that isn't stored, with the line numbers of what was sent.

    The lines that a marker stands for are shown in its place.
    """
    left_out: dict[int, list[LeftOutLines]] = defaultdict(list)  # several may come from one line
    for other in paste.left_out_lines:
        left_out[other.first_line].append(other)
    lines = []
    for number, line in _numbered(paste.text):
        sent = paste.sent_line(number) or number
        found = left_out[sent] if line.startswith(MARKER) else []
        lines.append(TextLine(number, line, sent, found.pop(0) if found else None))
    return _blocks(_shortened(lines), read)


def _shortened(lines: Iterable[TextLine]) -> list[TextLine]:
    """The lines, with only the first and the last of a long run of samples, and a line that counts the others."""
    found: list[TextLine] = []
    for is_sample, group in groupby(lines, key=lambda line: is_sample_row(line.text)):
        run = list(group)
        left_out = len(run) - 2 * SHOWN_SAMPLES
        if is_sample and left_out > 1:
            middle = replace(run[SHOWN_SAMPLES], text=f"… {left_out:,} more samples …")
            run = [*run[:SHOWN_SAMPLES], middle, *run[-SHOWN_SAMPLES:]]
        found += run
    return found


def _numbered(text: str) -> Iterable[tuple[int, str]]:
    # Like the parsers: form feeds don't end a line.
    return enumerate(text.removesuffix("\n").split("\n") if text else [], start=1)


def _blocks(lines: Iterable[TextLine], read: Iterable[Range]) -> list[TextBlock]:
    numbers = {
        number for first, last in read if first and last is not None for number in range(first, last + 1)
    }
    anchored: set[int] = set()
    found: list[TextLine] = []
    for line in lines:
        found.append(line if line.sent in anchored else replace(line, anchor=f"L{line.sent}"))
        anchored.add(line.sent)
    blocks = groupby(found, key=lambda line: (line.number in numbers, line.left_out))
    return [TextBlock(list(block), is_read) for (is_read, _), block in blocks]


def line_range(first: int, last: int) -> str:
    return f"Line {first}" if first == last else f"Lines {first} to {last}"
