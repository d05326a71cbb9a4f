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

TOKEN = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|\Z)|[{}\[\]]', re.DOTALL)
OPENERS, CLOSERS = "{[", "}]"
MAX_LOST_BLANKS = 2  # blanks at the end of a line: asctime prints two
MIN_FULL_LINES = 5  # of equal width
WORD_ENDS, WORD_BEGINS = re.compile(r"[\w.+-]\Z"), re.compile(r"[\w.+-]")
# A line with a mask, or with the name of a device node, may have been put together when it was cleaned.
PUT_TOGETHER = re.compile(r"\[(?:serial|wwn|host|user)-[0-9]|/dev/")


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


def join_broken_json(text: str) -> str:
    """Return the text with the JSON document at its start joined.

    The line ends follow the joined line.

    Raises ParseError, its line counted from 1 in `text`, where a line end is within a string or a figure and
    nothing shows what was there.
    """
    end = text.find("\n", _end_of_document(text))
    end = len(text) if end < 0 else end
    lines = text[:end].split("\n")
    ends = _ends_of_one_line(lines)
    if ends is None:
        ends = _ends(lines, dict(broken_lines(lines)))
    return "".join(join_lines(lines, ends)) + text[end:]


def _ends_of_one_line(lines: Sequence[str]) -> dict[int, str] | None:
    """Return what each line break replaced if a terminal wrapped a single-line document, else None.

    Then all lines but the last have one width, less one or two where they ended with blanks ("Sun Jan  5").
    """
    full = [at for at, line in enumerate(lines[:-1]) if PUT_TOGETHER.search(line) is None]
    width = max((len(lines[at]) for at in full), default=0)
    short = [at for at in full if len(lines[at]) < width]
    if len(full) < MIN_FULL_LINES or 2 * len(short) > len(full):
        return None
    if len(lines[-1]) > width or any(len(lines[at]) < width - 2 for at in short):
        return None
    return dict.fromkeys(range(len(lines) - 1), "") | {at: " " * (width - len(lines[at])) for at in short}


def _end_of_document(text: str) -> int:
    """Where the bracket that the text begins with is closed, or the text ends."""
    depth = 0
    for token in TOKEN.finditer(text):
        depth += (token[0] in OPENERS) - (token[0] in CLOSERS)
        if depth <= 0:
            return token.start()
    return len(text)


def broken_lines(lines: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Yield lines that end where JSON can't, and whether within a string or word."""
    in_string = False
    for at, (line, following) in enumerate(pairwise(lines)):
        if (line.count('"') - line.count('\\"')) % 2:
            in_string = not in_string
        is_complete = line.endswith((",", "{", "[", "}", "]")) or following.lstrip()[:1] in ("}", "]", "")
        if in_string or not is_complete:
            is_word = WORD_ENDS.search(line) is not None and WORD_BEGINS.match(following) is not None
            yield at, in_string or is_word


def most_common_width(lines: Sequence[str], broken: Sequence[int]) -> int:
    """Return the width at which most of the lines were broken; 0 if none has most."""
    width, count = Counter(len(lines[at]) for at in broken).most_common(1)[0]
    return width if 2 * count > len(broken) else 0


def _ends(lines: Sequence[str], breaks: dict[int, bool]) -> dict[int, str]:
    """Return what each line break replaced.

    Raises ParseError where that is uncertain.
    """
    within = [at for at, is_within in breaks.items() if is_within]
    not_joined = [at for at in within if PUT_TOGETHER.search(lines[at]) is None]
    width = max((len(lines[at]) for at in not_joined), default=0)
    widest = max((len(line) for line in lines if PUT_TOGETHER.search(line) is None), default=0)
    ends = dict.fromkeys(breaks, "")
    if width == widest and all(len(lines[at]) >= width - 1 for at in not_joined):
        # a line that lacks one character ended with a blank
        return ends | dict.fromkeys((at for at in not_joined if len(lines[at]) == width - 1), " ")
    for at in not_joined:
        if len(lines[at]) + 1 + len(lines[at + 1].split(" ", 1)[0]) <= widest:
            message = "lines of this JSON are broken within words: paste it as the tool wrote it, or its file"
            raise ParseError(message, code="broken_json", line_number=at + 1)
    return ends | dict.fromkeys(not_joined, " ")


def join_lines(lines: Sequence[str], ends: dict[int, str]) -> Iterator[str]:
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


def lost_blanks(line: str, width: int) -> str:
    """The blanks at the end of a line that was broken at the width."""
    return " " * (width - len(line)) if 0 < width - len(line) <= MAX_LOST_BLANKS else ""
