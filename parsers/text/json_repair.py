"""Read JSON that was cut off, that other text follows, or whose lines were broken.

A terminal breaks lines at its width, mail at a blank: within strings, names and figures. A line end within a
string is never the tool's, since JSON writes those as escapes.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from parsers.base.format import ParseError

MAX_INTEGER_DIGITS = 18  # digits; nothing that these tools count is longer
FRACTION = re.compile(r"-?\d{1,24}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
NO_NUMBER = Decimal("Infinity")  # in no range
STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],]|"', re.DOTALL)
CLOSER = {"{": "}", "[": "]"}
MEMBER = re.compile(r'"\s*:')

MAX_LOST_BLANKS = 2  # blanks at the end of a line: asctime prints two
WORD_ENDS, WORD_BEGINS = re.compile(r"[\w.+-]\Z"), re.compile(r"[\w.+-]")


def _integer(digits: str) -> int | Decimal:
    """The integer; NO_NUMBER for more digits than any count has."""
    return int(digits) if len(digits) <= MAX_INTEGER_DIGITS else NO_NUMBER


def _fraction(text: str) -> Decimal:
    """Return the number; NO_NUMBER for more digits or a larger exponent than any."""
    return Decimal(text) if FRACTION.fullmatch(text) else NO_NUMBER


def _decoder(*, strict: bool) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_float=_fraction, parse_int=_integer, parse_constant=lambda _name: None, strict=strict
    )


STRICT, LENIENT = _decoder(strict=True), _decoder(strict=False)


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A value, its end in the text, and whether the text ends before the value."""

    value: object
    end: int
    is_cut: bool


def read_json(text: str, decoder: json.JSONDecoder = LENIENT) -> JsonDocument:
    """Read the JSON value at the start of the text; fractions as Decimal.

    The lenient decoder takes a string with a line end in it, the strict one calls it broken.

    Raises ParseError, its line counted from 1 in `text`, where it is broken in the middle: what precedes a
    break may belong to another run than what follows it.
    """
    try:
        value, end = decoder.raw_decode(text)
    except json.JSONDecodeError as error:
        return _read_cut(text, decoder, error)
    except RecursionError as error:
        raise ParseError("this JSON is nested deeper than the tools' output", code="broken_json") from error
    return JsonDocument(value, end, is_cut=False)


def _read_cut(text: str, decoder: json.JSONDecoder, error: json.JSONDecodeError) -> JsonDocument:
    broken = ParseError(f"the JSON is broken here: {error.msg}", code="broken_json", line_number=error.lineno)
    closed = _close(text, error.pos)
    if closed is None or MEMBER.search(text, error.pos + 1):
        raise broken from error
    try:
        value = decoder.decode(text[: closed[0]] + closed[1])
    except (json.JSONDecodeError, RecursionError) as second:
        raise broken from second
    return JsonDocument(value, closed[0], is_cut=True)


def _close(text: str, end: int) -> tuple[int, str] | None:
    """Return the end of the last complete member and the brackets that close it.

    Both as of `end`.
    """
    open_brackets: list[str] = []
    complete = 0
    for token in STRUCTURE.finditer(text, 0, end):
        mark = token[0]
        if mark in CLOSER:
            open_brackets.append(CLOSER[mark])
        elif mark in ("}", "]") and (not open_brackets or open_brackets.pop() != mark):
            return None
        if mark == ",":
            complete = token.start()
        elif len(mark) == 1 and mark != '"':
            complete = token.end()
    return (complete, "".join(reversed(open_brackets))) if complete else None


def join_document(lines: Sequence[str]) -> Sequence[str]:
    """Join the first document's lines that a terminal broke at its width, or mail at a blank.

    The number of lines stays the same: empty ones follow a joined one. Lines aren't joined if nothing shows what was
    at the break.
    """
    text = "\n".join(lines)
    begin = max(text.find("{"), 0)
    breaks = dict(_breaks(lines))
    if not breaks or _read_joined(text[begin:]) is not None:
        return lines
    width = _most_common_width([len(lines[at]) for at in breaks])
    within = [at for at, is_within in breaks.items() if is_within]
    if not width and 2 * sum(_has_room(lines, at) for at in within) > len(within):
        return lines
    joined = "".join(_join_lines(lines, {at: _lost_blanks(lines[at], width) for at in breaks}))
    document = _read_joined(joined[begin:])
    if document is None or not (isinstance(document.value, dict) and (width or not document.is_cut)):
        return lines
    joined_lines = joined.split("\n")
    end = joined.count("\n", 0, begin + document.end) + 1
    while end < len(lines) and not joined_lines[end]:
        end += 1
    return [*joined_lines[:end], *lines[end:]]


def _read_joined(text: str) -> JsonDocument | None:
    try:
        return read_json(text if text.startswith("{") else f"{{{text}", STRICT)
    except ParseError:
        return None


def _breaks(lines: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Yield lines that end where JSON can't, and whether within a string or word."""
    in_string = False
    for at, (line, following) in enumerate(pairwise(lines)):
        if (line.count('"') - line.count('\\"')) % 2:
            in_string = not in_string
        is_complete = line.endswith((",", "{", "[", "}", "]")) or following.lstrip()[:1] in ("}", "]", "")
        if in_string or not is_complete:
            is_word = WORD_ENDS.search(line) is not None and WORD_BEGINS.match(following) is not None
            yield at, in_string or is_word


def _most_common_width(widths: Sequence[int]) -> int:
    """The width that most of the broken lines have; 0 if there is none."""
    width, count = Counter(widths).most_common(1)[0]
    return width if 2 * count > len(widths) else 0


def _has_room(lines: Sequence[str], at: int) -> bool:
    """Whether the first word of the next line would have fitted: mail doesn't break a line there."""
    word = lines[at + 1].split(" ", 1)[0]
    widest = max((len(line) for line in lines if " " in line.strip()), default=0)
    return len(lines[at]) + len(f" {word}") <= widest


def _join_lines(lines: Sequence[str], ends: dict[int, str]) -> Iterator[str]:
    """Yield the lines, those with an end joined to the next by it; the line ends follow the joined line."""
    missing = 0
    for at, line in enumerate(lines):
        yield line
        if at in ends:
            yield ends[at]
            missing += 1
        elif at < len(lines) - 1:
            yield "\n" * (missing + 1)
            missing = 0
    yield "\n" * missing


def _lost_blanks(line: str, width: int) -> str:
    """The blanks at the end of a line that was broken at the width; without one, mail broke it at a blank."""
    if not width:
        return " "
    return " " * (width - len(line)) if 0 < width - len(line) <= MAX_LOST_BLANKS else ""
