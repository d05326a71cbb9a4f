"""A whole paste that is diskinfo's output as printed: one pattern tells what is found by cleaning, masking, reading.

It fits nothing but one device's header and whole table, in the order and with the blanks of diskinfo.c, below root's
prompt or not, and values of which none can be taken for markup, a label of another tool or a further identifier. In
such a text there is nothing to clean, and identifiers stand in three places. All else goes the general way, which
says what is right: `tests/parsers/test_untouched.py` wants the same of both.
"""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from parsers.diskinfo import HEADER, SYNC_TITLE, path_of_command
from parsers.diskinfo_checks import SIZE_MIB_US, check_reading, is_complete
from parsers.kinds import DiskinfoReading, LatencyPoint, Outcome
from parsers.sites import Site, is_value
from parsers.traced import Edit, apply_edits

# A shorter number is padded with blanks: in front of a tab it could be the number of a line.
_NUMBER = r"(?:[0-9]{1,11}+(?= )|[0-9]{12,16}+)"
# Names as vendors write them: of a sentence, a label or a message, some word would begin with a small letter.
_NAME = (
    r"(?![^\t]*(?:erial|0x|(?i:smart)|diskinfo|fio))"
    r"[A-Z][A-Za-z0-9_+-]{0,40}+(?: {1,8}+[A-Z0-9][A-Za-z0-9_+-]{0,40}+){0,7}+"
)
_DEVICE = r"(?:/dev/)?[a-z]{2,8}+[0-9]{1,4}+"
# As FreeBSD's shells and TrueNAS print it: "root@nas:~ # " and "root@nas[~]# "
_PROMPT = (
    r"root@(?P<host>(?![^\n]*(?:erial|lunid))[a-z][a-z0-9-]{0,40}(?<!-)|\[host-[0-9]{1,6}+\])(?::~ ?|\[~\] ?| )# "
    rf"(?P<command>diskinfo -wS {_DEVICE})\n"
)
_ENCLOSURE_PATH = (
    r"id[0-9]{1,3}+,enc@n(?P<enclosure>[0-9a-fA-F]{8,32}+|\[wwn-[0-9]{1,6}+\])"
    r"/type@[0-9a-f]{1,2}+/slot@[0-9a-f]{1,3}+(?:/elmdesc@[A-Z][A-Za-z]{0,20}+_?[0-9]{0,4}+)?"
)
# What stands behind the hash, in the order of the output, and the value in front.
_PRINTED = {
    "sectorsize": r"[1-9][0-9]{2,3}+(?= )",
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
    "Rotation rate in RPM": r"[0-9]{1,5}+(?= )|Unknown|Invalid",
    "Zone Mode": r"[A-Z][a-z]{2,8}+_[A-Z][a-z]{2,8}+",
}
_FIRST = "sectorsize"
_IN_BRACKETS = {"mediasize in bytes": r" \([0-9.]{1,5}+[KMGTPE]?\)"}
_READERS = dict(HEADER[comment] for comment in _PRINTED if HEADER[comment][0])
_SMALLEST = ("0.5", "1", "2")  # printed for sectors of 512 bytes only
_OTHERS = tuple(str(1 << power) for power in range(2, 14))
_BLOCK_SIZES = tuple(SIZE_MIB_US)  # of all these


def _header_line(comment: str) -> str:
    name, _read = HEADER[comment]
    value = f"(?P<{name}>{_PRINTED[comment]})" if name else f"(?:{_PRINTED[comment]})"
    line = rf"\t{value} *+\t# {re.escape(comment)}{_IN_BRACKETS.get(comment, '')}\n"
    return line if comment == _FIRST else f"(?:{line})?"


def _row(size: str) -> str:
    latency, throughput = r"([0-9]{1,12}+\.[0-9])", r"([0-9]{1,9}+\.[0-9])"
    return rf"\t {{0,3}}{re.escape(size)} kbytes: {{1,8}}+{latency} usec/IO = {{1,8}}+{throughput} Mbytes/s"


_OUTPUT = re.compile(
    rf"(?:{_PROMPT})?(?:(?P<path>{_DEVICE})\n)?"
    + "".join(map(_header_line, _PRINTED))
    + rf"\n{SYNC_TITLE}\n"
    + rf"(?:{''.join(_row(size) + chr(10) for size in _SMALLEST)})?"
    + "\n".join(map(_row, _OTHERS))
    + r"\n*+"
)
_NAMES = tuple(_READERS)
_MASKED = ("serial", "physical_path")
_FIRST_NUMBER = _OUTPUT.groups - 2 * len(_BLOCK_SIZES)


class Untouched(NamedTuple):
    """Such a text, as the pattern fits it, and the masks that were put in."""

    match: re.Match[str]
    edits: Sequence[Edit] = ()

    @property
    def text(self) -> str:
        """The text with the masks."""
        return apply_edits(self.match.string, self.edits)

    def masked(self, edits: Sequence[Edit]) -> "Untouched":
        """The same with masks in place of what `sites` gave."""
        return Untouched(self.match, edits)

    def sites(self) -> Iterator[Site]:
        """Where identifiers are stated."""
        for name, kind in (("host", "host"), ("serial", "serial"), ("enclosure", "wwn")):
            value = self.match[name]
            if value is not None and (value[0] != "[" if kind == "host" else is_value(value, kind)):
                yield Site(*self.match.span(name), kind, value)

    def read(self) -> Outcome:
        """The device of the masked text, and what is to be said of it."""
        match = self.match
        points = self._points()
        values = self._values()
        reading = DiskinfoReading(
            first_line=1 if match["command"] is None else 2,
            last_line=match.string.count("\n", 0, match.end(_OUTPUT.groups)) + 1,
            path=match["path"] or path_of_command(match["command"]),
            points=points,
            complete=is_complete(points, values["sector_size"]),
            **values,
        )
        return Outcome((reading,), tuple(check_reading(reading, points, is_failed=False)))

    def _points(self) -> tuple[LatencyPoint, ...]:
        numbers, sizes = self.match.groups()[_FIRST_NUMBER:], _BLOCK_SIZES
        if numbers[0] is None:
            numbers, sizes = numbers[2 * len(_SMALLEST) :], sizes[len(_SMALLEST) :]
        return tuple(map(LatencyPoint, sizes, map(Decimal, numbers[0::2]), map(Decimal, numbers[1::2])))

    def _values(self) -> dict[str, Any]:
        text, printed = self.match.string, dict(zip(_NAMES, self.match.group(*_NAMES), strict=True))
        for start, end, mask in self.edits:
            for name in _MASKED:
                first, last = self.match.span(name)
                if first <= start < last:
                    printed[name] = text[first:start] + mask + text[end:last]
        return {name: _READERS[name](value) for name, value in printed.items() if value is not None}


def find_untouched(text: str) -> Untouched | None:
    """The text as diskinfo's output, if it is nothing else and holds it whole."""
    match = _OUTPUT.fullmatch(text)
    return None if match is None else Untouched(match)
