"""One device's output as diskinfo prints it, whole: one pattern reads its header and its table at once.

It fits the lines in the order and with the blanks of diskinfo.c only, and values of which none can be taken for
anything else. Whatever else a block holds is read line by line (parsers.diskinfo), which gives the same for such a
block: `tests/parsers/test_diskinfo_whole.py` wants that.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from parsers.diskinfo_checks import SIZE_MIB_US, check_reading, is_complete
from parsers.diskinfo_header import HEADER, SYNC_TITLE, path_of_command
from parsers.kinds import Block, DiskinfoReading, LatencyPoint, Outcome

# A shorter number is padded with blanks: in front of a tab it could be the number of a line.
_NUMBER = r"(?:[0-9]{1,11}+(?= )|[0-9]{12,16}+)"
# Names as vendors write them: of a sentence, a label or a message, some word would begin with a small letter.
_NAME = (
    r"(?![^\t]*(?:erial|0x|(?i:smart)|diskinfo|fio))"
    r"[A-Z][A-Za-z0-9_+-]{0,40}+(?: {1,8}+[A-Z0-9][A-Za-z0-9_+-]{0,40}+){0,7}+"
)
NODE = r"[a-z]{2,8}+[0-9]{1,4}+"
_ENCLOSURE_PATH = (
    r"id[0-9]{1,3}+,enc@n(?P<enclosure>[0-9a-fA-F]{8,32}+|\[wwn-[0-9]{1,6}+\])"
    r"/type@[0-9a-f]{1,2}+/slot@[0-9a-f]{1,3}+(?:/elmdesc@[A-Z][A-Za-z]{0,20}+_?[0-9]{0,4}+)?"
)
# What stands behind the hash, in the order of the output, and the value in front.
_PRINTED = {
    "sectorsize": r"(?:5|40|41)[0-9]{2}+(?= )",
    "mediasize in bytes": _NUMBER,
    "mediasize in sectors": _NUMBER,
    "stripesize": _NUMBER,
    "stripeoffset": _NUMBER,
    "Cylinders according to firmware.": _NUMBER,
    "Heads according to firmware.": _NUMBER,
    "Sectors according to firmware.": _NUMBER,
    "Disk descr.": _NAME,
    "Disk ident.": r"[A-Z0-9][A-Z0-9_-]{5,39}+|\[serial-[0-9]{1,6}+\]",
    "Attachment": r"[a-z]{2,10}+(?:-sim)?[0-9]{1,3}+",
    "Physical path": _ENCLOSURE_PATH,
    "TRIM/UNMAP support": "Yes|No",
    "Rotation rate in RPM": r"[0-9]{1,4}+(?= )|Unknown|Invalid",
    "Zone Mode": r"[A-Z][a-z]{2,8}+_[A-Z][a-z]{2,8}+",
}
_FIRST = "sectorsize"
_IN_BRACKETS = {"mediasize in bytes": r" \([0-9.]{1,5}+[KMGTPE]?\)"}
_READERS = dict(HEADER[comment] for comment in _PRINTED if HEADER[comment][0])
_NAMES = tuple(_READERS)
_SMALLEST = ("0.5", "1", "2")  # printed for sectors of 512 bytes only
_OTHERS = tuple(str(1 << power) for power in range(2, 14))
_BLOCK_SIZES = tuple(SIZE_MIB_US)  # of all these
_FIGURES = 2 * len(_BLOCK_SIZES)


def _header_line(comment: str) -> str:
    name, _read = HEADER[comment]
    value = f"(?P<{name}>{_PRINTED[comment]})" if name else f"(?:{_PRINTED[comment]})"
    line = rf"\t{value} *+\t# {re.escape(comment)}{_IN_BRACKETS.get(comment, '')}\n"
    return line if comment == _FIRST else f"(?:{line})?"


def _row(size: str) -> str:
    latency, throughput = r"([0-9]{1,12}+\.[0-9])", r"([0-9]{1,9}+\.[0-9])"
    return rf"\t {{0,3}}{re.escape(size)} kbytes: {{1,8}}+{latency} usec/IO = {{1,8}}+{throughput} Mbytes/s"


# The figures are the last groups.
OUTPUT = (
    rf"(?:(?P<path>(?:/dev/)?{NODE})\n)?"
    + "".join(map(_header_line, _PRINTED))
    + rf"\n{SYNC_TITLE}\n"
    + rf"(?:{''.join(_row(size) + chr(10) for size in _SMALLEST)})?"
    + "\n".join(map(_row, _OTHERS))
    + r"\n*+"
)
_OUTPUT = re.compile(OUTPUT)


def read_whole(block: Block) -> Outcome | None:
    """The device of a block that holds nothing else; None for any other block."""
    match = _OUTPUT.fullmatch("\n".join(block.lines))
    if match is None:
        return None
    last = match.string.count("\n", 0, match.end(match.re.groups))
    lines = block.numbers[: last + 1]
    return read_match(match, printed_values(match), lines=lines, command=block.command)


def printed_values(match: re.Match[str]) -> dict[str, str | None]:
    """The values of the header as printed, by field; None where their line is not there."""
    return dict(zip(_NAMES, match.group(*_NAMES), strict=True))


def read_match(
    match: re.Match[str], printed: Mapping[str, str | None], *, lines: Sequence[int], command: str | None
) -> Outcome:
    """The device that OUTPUT fits on these lines, with the values that were printed of it."""
    values: dict[str, Any] = {
        name: _READERS[name](value) for name, value in printed.items() if value is not None
    }
    points = _points(match, lines)
    reading = DiskinfoReading(
        first_line=lines[0],
        last_line=lines[-1],
        path=match["path"] or path_of_command(command),
        points=points,
        complete=is_complete(points, values["sector_size"]),
        **values,
    )
    return Outcome((reading,), tuple(check_reading(reading, points, is_failed=False)))


def _points(match: re.Match[str], lines: Sequence[int]) -> tuple[LatencyPoint, ...]:
    numbers, sizes = match.groups()[-_FIGURES:], _BLOCK_SIZES
    if numbers[0] is None:
        numbers, sizes = numbers[2 * len(_SMALLEST) :], sizes[len(_SMALLEST) :]
    rows = lines[-len(sizes) :]
    return tuple(map(LatencyPoint, sizes, map(Decimal, numbers[0::2]), map(Decimal, numbers[1::2]), rows))
