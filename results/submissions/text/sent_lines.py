"""Line numbers for answers to a sender: those of what was sent. Stored ones count the lines of the kept text."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace

from parsers.base.readings import LeftOut, Notice, ParsedPaste
from results.kinds.envelope import Runs

MARKER = "…"  # begins the line of a kept text that stands for left-out ones


def sent_notices(paste: ParsedPaste, found: Runs) -> list[Notice]:
    """The notices of a paste and its runs."""
    sent = (
        replace(notice, line=paste.sent_line(notice.line)) for notice in found.notices_with(paste.warnings)
    )
    return [_counted_by_file(notice, paste.file_lines) for notice in sent]


def _counted_by_file(notice: Notice, file_lines: Sequence[int]) -> Notice:
    """The notice with the line of its file, if several were sent."""
    file = bisect_left(file_lines, notice.line or 0)
    if len(file_lines) < 2 or not file:
        return notice
    line = (notice.line or 0) - file_lines[file - 1]
    return replace(notice, message=f"{notice.message} (line {line} of file {file})")


def sent_left_out(paste: ParsedPaste, left_out: Iterable[LeftOut]) -> list[LeftOut]:
    """The runs that were left out."""
    lines = paste.text.split("\n")
    ends = {line.first_line: line.last_line for line in paste.left_out_lines}

    def last_sent(line: int) -> int:
        sent = paste.sent_line(line) or line
        is_marker = line <= len(lines) and lines[line - 1].startswith(MARKER)
        return ends.get(sent, sent) if is_marker else sent

    return [
        replace(
            gap,
            first_line=paste.sent_line(gap.first_line) or gap.first_line,
            last_line=last_sent(gap.last_line),
        )
        for gap in left_out
    ]
