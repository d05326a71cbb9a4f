"""Output of benchmarks that we recognize by its lines but can't read yet."""

import re

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.format import Block, Format, KeptLines, Masker, Outcome
from parsers.base.markers import SIGN, read_marker
from parsers.base.readings import Notice

CODE = "unread_tool"
# Lines that only this tool prints, and a word from each of them.
_TOOLS: dict[str, tuple[str, tuple[str, ...]]] = {
    "bonnie++": (
        r"Version +\S+ +-+Sequential Output-+.*|Using uid:\d+, gid:\d+\.|bonnie\+\+ .*"
        r"|Writing (?:a byte at a time|with putc\(\)|intelligently)\.\.\..*",
        ("Sequential Output", "uid:", "bonnie++", "Writing "),
    ),
    "sysbench": (
        r"sysbench \d+\.\d++[^\s:(]*+ ?(?:\(using |: +multi-threaded).*",
        ("(using ", "multi-threaded"),
    ),
    "CrystalDiskMark": (
        r"(?:\S+ )?CrystalDiskMark \d.*|(?:SEQ|RND) *\d+[KM]iB \(Q= *\d+, T= *\d+\): .*MB/s.*"
        r"|(?:Sequential|Random) (?:Read|Write) .{0,40}: +[\d.,]+ MB/s.*",
        ("CrystalDiskMark", "MB/s"),
    ),
    "KDiskMark": (r"KDiskMark \(.*", ("KDiskMark",)),
    "ATTO Disk Benchmark": (r"ATTO Disk ?Benchmark.*", ("ATTO Disk",)),
    "AS SSD Benchmark": (r"AS SSD Benchmark.*", ("AS SSD",)),
    "hdparm": (r"Timing (?:buffered disk|cached|O_DIRECT (?:disk|cached)) reads:.*", ("Timing ",)),
    "ioping": (
        r"--- .{1,200} ioping statistics ---|\d+(?:\.\d+)? [KM]?i?B (?:<<<|>>>|from|to) .{1,200}: request=\d+ .*",
        ("ioping", "request="),
    ),
    "DiskSpd": (r"Command Line: .{0,200}diskspd.*", ("iskspd",)),
    "GNOME Disks": (r"Average (?:Read|Write) Rate:? +[\d.,]+ .B/s.*", ("Average ",)),
}
_NAMES = tuple(_TOOLS)
NOW_READ = frozenset(
    {"dd", "iozone"}
)  # markers of their lines are in texts that were stored before we could read them
NAMES = frozenset({*_NAMES, *NOW_READ})
_LINE = re.compile(
    r"\s*+(?:" + "|".join(f"(?P<t{at}>{_TOOLS[name][0]})" for at, name in enumerate(_NAMES)) + ")", re.ASCII
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
        outcome.leave_out(Notice(CODE, _message(tool), numbers[0]), numbers)
    return outcome


def _message(tool: str) -> str:
    if tool in NOW_READ:
        return f"These lines of {tool} weren't stored, since we couldn't read them then: send them again."
    return f"This is {tool} output, which we can't read yet. {HOW_TO_MEASURE}"


MARKERS = (SIGN, *dict.fromkeys(word for _lines, words in _TOOLS.values() for word in words))
FORMAT = Format("unread", starts, keep, read, markers=MARKERS, hint=_HINT, is_benchmark=True)
