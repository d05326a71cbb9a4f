"""smartctl's `--json`, of 6.7 to 7.5, whole, cut off or wrapped by a terminal.

Source: the `jglb[...]` assignments of smartctl.cpp, ataprint.cpp, nvmeprint.cpp and scsiprint.cpp.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from parsers.cut_json import read_json
from parsers.errors import ParseError
from parsers.kinds import Block, Format, Notice, Outcome, Reading
from parsers.smartctl_failures import find_failure
from parsers.smartctl_fields import Draft
from parsers.smartctl_json_fields import Object, messages, put_fields
from parsers.smartctl_reading import finish_reading

# Keys that a document of smartctl can begin with, in its own order or sorted
_FIRST_KEYS = ('"json_format_version"', '"smartctl":', '"device":', '"ata_', '"nvme_', '"scsi_')
_MARKS = ("json_format_version", "smartctl")
MOST_DOCUMENTS = 200  # a paste of more is no paste of a person


@dataclass(frozen=True, slots=True)
class _Document:
    """One JSON object of the block and the lines that it stands on; the fault, where it is not whole."""

    value: Object
    first_line: int
    last_line: int
    fault: Notice | None = None


def starts(line: str) -> bool:
    """Whether a line holds a key that only smartctl's JSON begins with."""
    return line.lstrip("{ \t").startswith(_FIRST_KEYS)


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
        if not any(mark in document.value for mark in _MARKS):
            continue
        draft = Draft()
        put_fields(draft, document.value, document.first_line)
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
    text = "\n".join(block.lines)
    if not text.lstrip().startswith("{"):
        text = "{" + text  # cut at its head
    position = text.find("{")
    line = text.count("\n", 0, position)
    for _turn in range(MOST_DOCUMENTS):
        rest = text[position:]
        value, end, fault = _read_document(rest)
        last = line + rest.count("\n", 0, end)
        yield _Document(value, block.numbers[line], block.numbers[last], _place(fault, block, line))
        between = rest[end : rest.find("{", end)] if "{" in rest[end:] else "end"
        if between.strip(", \n"):
            return
        position += end + len(between)
        line = last + between.count("\n")


def _place(fault: ParseError | None, block: Block, first: int) -> Notice | None:
    """The fault with its line in the paste instead of that in the document."""
    if fault is None:
        return None
    index = min(first + (fault.line_number or 1) - 1, len(block.numbers) - 1)
    return Notice(fault.code, str(fault), block.numbers[index])


def _read_document(text: str) -> tuple[Object, int, ParseError | None]:
    """The object that the text begins with, as far as it goes, where it ends, and what is wrong with it."""
    try:
        document = read_json(text)
    except ParseError as fault:
        whole = _read_whole(_unwrap(text))
        return (whole, len(text), None) if whole else (_read_before(text, fault), len(text), fault)
    if not document.is_cut:
        return _as_object(document.value), document.end, None
    whole = _read_whole(_unwrap(text))
    if whole:
        return whole, len(text), None
    cut = ParseError(
        "the JSON stops here, before its end", code="truncated_json", line_number=text.count("\n") + 1
    )
    return _as_object(document.value), len(text), cut


def _read_whole(text: str) -> Object:
    """The object, if all of it is there; else nothing."""
    try:
        document = read_json(text)
    except ParseError:
        return {}
    return {} if document.is_cut else _as_object(document.value)


def _read_before(text: str, fault: ParseError) -> Object:
    """What the lines before a broken one say: each member that is whole is as good as in a whole document."""
    lines = text.split("\n")[: (fault.line_number or 1) - 1]
    try:
        return _as_object(read_json("\n".join(lines)).value)
    except ParseError:
        return {}


def _unwrap(text: str) -> str:
    """Join what a terminal or mail broke: lines that end within a string or before the next mark of JSON."""
    lines = text.split("\n")
    width = max(map(len, lines))
    parts: list[str] = []
    in_string = False
    for line, following in zip(lines, [*lines[1:], "}"], strict=True):
        if (line.count('"') - line.count('\\"')) % 2:
            in_string = not in_string
        is_whole = line.endswith((",", "{", "[")) or following.lstrip()[:1] in ("}", "]", "")
        if is_whole and not in_string:
            parts.append(f"{line}\n")
        else:
            # a terminal breaks at its width, mail at a blank that went with it
            parts.append(line if len(line) == width else f"{line} ")
    return "".join(parts)


def _as_object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


FORMATS = (Format("smartctl_json", starts, read, several=True, leads=leads),)
