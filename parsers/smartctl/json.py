"""smartctl's `--json`, of 6.7 to 7.5, whole, cut off or wrapped by a terminal.

Source: the `jglb[...]` assignments of smartctl.cpp, ataprint.cpp, nvmeprint.cpp and scsiprint.cpp.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from parsers.base.format import ParseError
from parsers.base.readings import Block, Format, Notice, Outcome, Reading
from parsers.smartctl.failures import find_failure
from parsers.smartctl.fields import Draft
from parsers.smartctl.json_fields import Object, Path, messages, put_fields, value_at
from parsers.smartctl.reading import finish_reading
from parsers.text.broken_json import broken_lines, most_common_width
from parsers.text.json_repair import read_json

# Keys that a document of smartctl can begin with, in its own order or sorted
_FIRST_KEYS = ('"json_format_version"', '"smartctl":', '"device":', '"ata_', '"nvme_', '"scsi_')
_START = re.compile(rf"[{{ \t]*+(?:{'|'.join(_FIRST_KEYS)})")
# What every document of smartctl holds; cut down to some of its members it still says how the device was opened
_MARKS: tuple[Path, ...] = (("json_format_version",), ("smartctl",), ("device", "info_name"))
_QUOTED = re.compile(r'"([^"\\\n]{1,80})"')
MOST_DOCUMENTS = 200  # a paste of more is no paste of a person


@dataclass(frozen=True)
class _Document:
    """One JSON object of the block and the lines that it stands on; the fault, where it is not whole."""

    value: Object
    lines: Sequence[str]
    numbers: Sequence[int]  # of the lines in the paste
    fault: Notice | None = None

    @property
    def first_line(self) -> int:
        return self.numbers[0]

    @property
    def last_line(self) -> int:
        return self.numbers[-1]

    @cached_property
    def _words(self) -> dict[str, list[int]]:
        """Where each word in quotes stands, as indices into the lines."""
        words: dict[str, list[int]] = {}
        for at, line in enumerate(self.lines):
            for word in _QUOTED.findall(line):
                words.setdefault(word, []).append(at)
        return words

    def line_of(self, path: Path) -> int:
        """The line of the paste where the value at the end of a path stands, as far as its words tell."""
        found = 0
        for word in path:
            places = self._words.get(str(word), [])
            at = bisect_left(places, found)
            if at < len(places):
                found = places[at]
        return self.numbers[found]


def starts(line: str) -> bool:
    """Whether a line holds a key that only smartctl's JSON begins with."""
    return _START.match(line) is not None


def leads(line: str) -> bool:
    """Whether the line above such a key opens the document."""
    return line.strip() == "{"


def read(block: Block) -> Outcome:
    """Read every document of a block; what stands before a cut or a break is read, and the fault said."""
    readings: list[Reading] = []
    notices: list[Notice] = []
    for document in _documents(block):
        if document.fault is not None:
            notices.append(document.fault)
        if all(value_at(document.value, mark) is None for mark in _MARKS):
            continue
        draft = Draft()
        put_fields(draft, document.value, document.line_of)
        readings.append(
            finish_reading(
                draft, first_line=document.first_line, last_line=document.last_line, text_format="json"
            )
        )
        notices += draft.notices
        failures = (find_failure(message, document.first_line) for message in messages(document.value))
        notices += [failure for failure in failures if failure is not None][:1]
    return Outcome(tuple(readings), tuple(notices))


def _documents(block: Block) -> Iterator[_Document]:
    lines = "\n".join(block.lines).rstrip().split("\n")
    lines[0] = lines[0].lstrip()
    if not lines[0].startswith("{"):
        lines[0] = "{" + lines[0]  # cut at its head
    broken = [at for at, _is_within in broken_lines(lines)]
    whole = _read_whole(_join_lines(lines, broken)) if broken else {}
    if whole:
        yield _Document(whole, lines, block.numbers[: len(lines)])
    else:
        yield from _unwrapped_documents(lines, block)


def _unwrapped_documents(lines: list[str], block: Block) -> Iterator[_Document]:
    text = "\n".join(lines)
    position = line = 0
    for _turn in range(MOST_DOCUMENTS):
        value, end, fault = _read_document(text[position:])
        last = line + text.count("\n", position, position + end)
        yield _Document(
            value, lines[line : last + 1], block.numbers[line : last + 1], _place(fault, block, line)
        )
        following = text.find("{", position + end)
        if following < 0 or text[position + end : following].strip(", \n"):
            return
        line = last + text.count("\n", position + end, following)
        position = following


def _place(fault: ParseError | None, block: Block, first: int) -> Notice | None:
    """The fault with its line in the paste instead of that in the document."""
    if fault is None:
        return None
    return Notice(fault.code, str(fault), block.numbers[first + (fault.line_number or 1) - 1])


def _read_document(text: str) -> tuple[Object, int, ParseError | None]:
    """The object that the text begins with, as far as it goes, where it ends, and what is wrong with it."""
    try:
        document = read_json(text)
    except ParseError as fault:
        return _read_before(text, fault), len(text), fault
    value = document.value if isinstance(document.value, dict) else {}
    if not document.is_cut:
        return value, document.end, None
    line_number = text.count("\n") + 1
    cut = ParseError("the JSON stops here, before its end", code="truncated_json", line_number=line_number)
    return value, len(text), cut


def _read_whole(text: str) -> Object:
    """The object, if all of it is there; else nothing."""
    try:
        document = read_json(text)
    except ParseError:
        return {}
    return document.value if isinstance(document.value, dict) and not document.is_cut else {}


def _read_before(text: str, fault: ParseError) -> Object:
    """What the lines before a broken one say: each member that is whole is as good as in a whole document."""
    lines = text.split("\n")[: (fault.line_number or 1) - 1]
    try:
        value = read_json("\n".join(lines)).value
    except ParseError:
        return {}
    return value if isinstance(value, dict) else {}


def _join_lines(lines: list[str], broken: list[int]) -> str:
    """Join what a terminal broke at its width, or mail at a blank, which went with the line end."""
    width = most_common_width(lines, broken)
    ends = dict.fromkeys(broken, " ")
    if width:  # a line that lacks one character ended with a blank
        ends = {at: " " if len(lines[at]) == width - 1 else "" for at in broken}
    return "".join(line + ends.get(at, "\n") for at, line in enumerate(lines))


FORMATS = (Format("smartctl_json", starts, read, several=True, leads=leads, markers=('"',), hint=_START),)
