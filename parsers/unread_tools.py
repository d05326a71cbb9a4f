"""Output that we recognize by its lines but can't read: from other tools, or without what makes it a result.

The answer says what to run, or what to add. Output that only describes a disk or a pool is answered only if nothing
else in the text could be read.
"""

import re

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.format import Block, Format, KeptLines, Masker, Outcome
from parsers.base.markers import HISTOGRAM, SIGN, read_marker
from parsers.base.readings import Notice
from parsers.base.vocabulary import read_lines

CODE = "unread_tool"
DESCRIBES = "describing_tool"  # the code of notices that only matter if nothing was read
# What tools show that measure no sync writes, and what to run instead
INSTEAD = {
    "layout": "sizes, not speed. zpool status shows the layout of a pool, zpool iostat -v 10 its load",
    "drive": "drives, not their speed. smartctl -a /dev/\u2026 describes one, with its wear and its cache",
    "load": "load, not how long a sync write takes. zpool iostat -l 10 shows that of a pool",
}
_UNNAMED = (
    "This histogram doesn't say which tool printed it: paste the line above it as well, for instance `Tracing block"
    " device I/O...` of biolatency, or the command."
)
_TOOLS = {
    name: fields for name, *fields in (line.split("\t") for line in read_lines(__file__, "unread_tools.txt"))
}
_NAMES = tuple(_TOOLS)
# Markers of their lines are in texts that were stored before we could read them
NOW_READ = frozenset({"dd", "iozone"})
NAMES = frozenset({*_NAMES, *NOW_READ, HISTOGRAM})
_LINE = re.compile(
    r"\s*+(?:" + "|".join(f"(?P<t{at}>{_TOOLS[name][2]})" for at, name in enumerate(_NAMES)) + ")", re.ASCII
)
_HINT = re.compile(rf"{_LINE.pattern}|\s*{SIGN} ", re.ASCII)
MAX_GAP = 3  # lines from an empty one to the next recognized one of the same output


def tool_of(line: str) -> str | None:
    """The tool that prints this line, or None."""
    match = _LINE.fullmatch(line)
    return _NAMES[int((match.lastgroup or "")[1:])] if match else None


def starts(line: str) -> bool:
    """Whether output of one of the tools can begin at a line, or was left out there."""
    return _tool_at(line) is not None


def _tool_at(line: str) -> str | None:
    marker = read_marker(line)
    return tool_of(line) if marker is None else marker.tool if marker.tool in NAMES else None


def keep(block: Block, _masks: Masker) -> KeptLines:
    """Nothing is kept: a line belongs to the tool that was recognized last, until a paragraph without any begins."""
    recognized = {at: tool for at, line in enumerate(block.lines) if (tool := tool_of(line))}
    unread: dict[int, str] = {}
    tool = ""
    for at, line in enumerate(block.lines):
        tool = recognized.get(at, tool)
        if not line and not any(below in recognized for below in range(at + 1, at + 1 + MAX_GAP)):
            tool = ""
        elif tool and line and read_marker(line) is None:
            unread[at] = tool
    return KeptLines([None] * len(block.lines), unread=unread)


def read(block: Block) -> Outcome:
    """A notice for each tool in the block, at the first marker of its lines."""
    outcome = Outcome()
    lines: dict[str, list[int]] = {}
    for line, number in block.numbered:
        tool = _tool_at(line)
        if tool is not None:
            lines.setdefault(tool, []).append(number)
    for tool, numbers in lines.items():
        code = "no_result" if tool == HISTOGRAM else DESCRIBES if _TOOLS.get(tool, [""])[0] else CODE
        notice = Notice(code, _message(tool), numbers[0])
        if code == CODE:
            outcome.leave_out(notice, numbers)
        else:
            outcome.notices.append(notice)
    return outcome


def _message(tool: str) -> str:
    if tool in NOW_READ:
        return f"These lines of {tool} weren't stored, since we couldn't read them then: send them again."
    if tool == HISTOGRAM:
        return _UNNAMED
    if shown := _TOOLS[tool][0]:
        return f"{tool} shows {INSTEAD[shown]}. {HOW_TO_MEASURE}"
    instead = "Run fio or, on FreeBSD, diskinfo instead."
    return f"This is {tool} output, which we can't read yet. {instead} {HOW_TO_MEASURE}"


MARKERS = (SIGN, *{word for _shown, words, _lines in _TOOLS.values() for word in words.split(";")})
FORMAT = Format("unread", starts, keep, read, markers=MARKERS, hint=_HINT, is_benchmark=True)
