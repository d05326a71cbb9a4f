"""Line numbers for answers to a sender: those of what was sent. Stored ones count the lines of the kept text."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from parsers.base.readings import LeftOut, LeftOutLines, Notice, ParsedPaste
from results.kinds.envelope import Runs

MARKER = "…"  # begins the line of a kept text that stands for left-out ones


def sent_notices(paste: ParsedPaste, found: Runs) -> list[Notice]:
    """The notices of a paste and its runs."""
    return [
        replace(notice, line=paste.sent_line(notice.line)) for notice in found.notices_with(paste.warnings)
    ]


def sent_left_out(paste: ParsedPaste, left_out: Iterable[LeftOut]) -> list[LeftOut]:
    """The runs that were left out."""
    lines = paste.text.split("\n")
    ends = {one.first_line: one.last_line for one in paste.left_out_lines}

    def last_sent(line: int) -> int:
        sent = paste.sent_line(line) or line
        is_marker = line <= len(lines) and lines[line - 1].startswith(MARKER)
        return ends.get(sent, sent) if is_marker else sent

    return [
        replace(
            one,
            first_line=paste.sent_line(one.first_line) or one.first_line,
            last_line=last_sent(one.last_line),
        )
        for one in left_out
    ]


def left_out_records(left_out_lines: Iterable[LeftOutLines]) -> list[dict[str, Any]]:
    """LeftOutLinesSerializer's shape: where the lines are, not the lines themselves, since answers are remembered."""
    return [
        {"first_line": one.first_line, "last_line": one.last_line, "tool": one.tool} for one in left_out_lines
    ]
