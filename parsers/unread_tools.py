"""Output of benchmarks that we recognize by its lines but can't read yet."""

import re
from collections.abc import Iterator

from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import LeftOut, Notice
from parsers.fio.slog import RIGHT_COMMAND

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
    "iozone": (
        r"Iozone: Performance Test of File I/O.*|Command line used: \S*iozone .*|iozone test complete\..*"
        r"|Output is in (?:[kK]b|kB)ytes/sec.*",
        ("Iozone:", "iozone", "Output is in"),
    ),
    "dd": (
        r"\d+\+\d+ records (?:in|out)|\d+ bytes (?:\([^()]{1,60}\) ){0,2}copied, .{3,60}/s.*"
        r"|\d+ bytes transferred in [\d.,]+ secs \(\d+ bytes/sec\).*",
        ("records in", "records out", "copied, ", "bytes transferred"),
    ),
    "hdparm": (r"Timing (?:buffered disk|cached|O_DIRECT (?:disk|cached)) reads:.*", ("Timing ",)),
    "ioping": (
        r"--- .{1,200} ioping statistics ---|\d+(?:\.\d+)? [KM]?i?B (?:<<<|>>>|from|to) .{1,200}: request=\d+ .*",
        ("ioping", "request="),
    ),
    "DiskSpd": (r"Command Line: .{0,200}diskspd.*", ("iskspd",)),
    "GNOME Disks": (r"Average (?:Read|Write) Rate:? +[\d.,]+ .B/s.*", ("Average ",)),
}
_NAMES = tuple(_TOOLS)
_LINE = re.compile(
    r"\s*+(?:" + "|".join(f"(?P<t{at}>{_TOOLS[name][0]})" for at, name in enumerate(_NAMES)) + ")", re.ASCII
)


def tool_of(line: str) -> str | None:
    """The tool that prints this line, or None."""
    match = _LINE.fullmatch(line)
    return _NAMES[int((match.lastgroup or "")[1:])] if match else None


def starts(line: str) -> bool:
    """Whether output of one of the tools can begin at a line."""
    return tool_of(line) is not None


def read(block: Block) -> Outcome:
    """A notice for each tool in the block, at its first recognized line."""
    left_out = tuple(_outputs(block))
    notices = tuple(Notice(one.code, one.message, one.first_line) for one in left_out)
    return Outcome(notices=notices, left_out=left_out)


def _outputs(block: Block) -> Iterator[LeftOut]:
    lines: dict[str, list[int]] = {}
    for line, number in zip(block.lines, block.numbers, strict=True):
        tool = tool_of(line)
        if tool is not None:
            lines.setdefault(tool, []).append(number)
    for tool, numbers in lines.items():
        yield LeftOut(CODE, _message(tool), numbers[0], numbers[-1])


def _message(tool: str) -> str:
    return (
        f"This is {tool} output, which we can't read yet. This command measures what we compare, on an empty "
        f"disk: diskinfo -wS /dev/EMPTY_DISK on FreeBSD; on Linux {RIGHT_COMMAND}"
    )


MARKERS = tuple(dict.fromkeys(word for _lines, words in _TOOLS.values() for word in words))
FORMATS = (Format("unread", starts, read, several=True, markers=MARKERS, hint=_LINE, is_benchmark=True),)
