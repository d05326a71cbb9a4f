"""Read a JSON document that other text follows or that was cut off, and tell that from one that is broken."""

import json
import re
from dataclasses import dataclass
from decimal import Decimal

from parsers.base.format import ParseError

LONGEST_INTEGER = 18  # digits; nothing that these tools count is longer
FRACTION = re.compile(r"-?\d{1,24}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
NO_NUMBER = Decimal("Infinity")  # in no range
STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],]|"', re.DOTALL)
CLOSER = {"{": "}", "[": "]"}
MEMBER = re.compile(r'"\s*:')


def _integer(digits: str) -> int | Decimal:
    """The integer; NO_NUMBER for more digits than any count has."""
    return int(digits) if len(digits) <= LONGEST_INTEGER else NO_NUMBER


def _fraction(text: str) -> Decimal:
    """The number; NO_NUMBER for more digits, or a larger exponent, than any figure has."""
    return Decimal(text) if FRACTION.fullmatch(text) else NO_NUMBER


def _decoder(*, strict: bool) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_float=_fraction, parse_int=_integer, parse_constant=lambda _name: None, strict=strict
    )


STRICT, LENIENT = _decoder(strict=True), _decoder(strict=False)


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A value, how far it goes in the text, and whether the text ends before the value does."""

    value: object
    end: int
    is_cut: bool


def read_json(text: str, decoder: json.JSONDecoder = LENIENT) -> JsonDocument:
    """Read the JSON value that the text begins with, as far as it goes; fractions as Decimal.

    The lenient decoder takes a string with a line end in it, the strict one calls it broken.

    Raises ParseError, its line counted from 1 in `text`, where it is broken in the middle: what stands before a
    break may belong to another run than what stands behind it.
    """
    try:
        value, end = decoder.raw_decode(text)
    except json.JSONDecodeError as error:
        return _read_cut(text, decoder, error)
    except RecursionError as error:
        raise ParseError("this JSON is nested deeper than any tool writes it", code="broken_json") from error
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
    """Return where the last complete member before `end` ends, and the brackets that are open there, closed."""
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
