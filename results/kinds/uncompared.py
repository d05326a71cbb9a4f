"""Readings of tools that no kind of results takes yet: each is named, with what to run instead."""

from collections.abc import Iterator

from parsers.base.readings import LeftOut, Notice, ParsedPaste
from parsers.unread_tools import measured_instead
from results.kinds.definitions import Refused

CODE = "uncompared_tool"
TOOLS = {"iozone": "iozone"}  # by the kind of reading


def find_uncompared(paste: ParsedPaste) -> Iterator[Refused]:
    """One refusal per tool, from its first line to its last, so that no text with only such a run is stored."""
    for kind, tool in TOOLS.items():
        found = [reading for reading in paste.readings if reading.kind == kind]
        if found:
            message = f"This is {tool} output, which we can't compare yet. {measured_instead()}"
            left_out = LeftOut(CODE, message, found[0].first_line, found[-1].last_line)
            yield Refused(left_out, Notice(CODE, message, found[0].first_line))
