"""A stretch of text that states an identifier, and how such stretches are found by patterns."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from parsers.sketch import sketches


class Site(NamedTuple):
    """A stretch of the text that states an identifier."""

    start: int
    end: int
    kind: str
    value: str
    is_number: bool = False  # a bare number in JSON
    line_ends: int = 0  # that a terminal broke it with


class Statement(NamedTuple):
    """A way in which identifiers are stated: the groups of the pattern that are named v… are the values.

    An empty group, `REST` or `WRAPPED`, is where a value begins that goes up to the end of its line.
    One of `words`, which are sketches, is in the sketch of any text that the pattern fits; blanks are in no sketch.
    """

    words: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: str


# Up to the end of the line, or to the next label where line ends were lost; a terminal may have wrapped a long one,
# and then a piece of it stands alone on the line below.
REST = r"(?P<rest>(?=[^\s\"']))"
WRAPPED = r"(?P<wrapped>(?=[^\s\"']))"
LONGEST_REST = 200
REST_END = re.compile(r"(?<![ \t])[ \t]*+(?:[\n\"]|\Z|(?<=[ \t])[A-Z][\w /.-]{2,30}+:[ \t])")
PIECE = re.compile(r"\n[0-9A-Za-z-]{1,60}(?=\n|\Z)")


def statement(kind: str, *words: str, fits: str, flags: re.RegexFlag = re.NOFLAG) -> Statement:
    """A statement of identifiers of a kind; whatever its pattern fits has to hold one of the words."""
    return Statement(sketches(*words), re.compile(fits, flags), kind)


# What names nobody: the administrator, and what is the same on every machine.
COMMON_USERS = frozenset({"root", "admin", "administrator", "user", "truenas_admin", "public"})
# Put in the place of a value by a tool that has none or by a person who hid it.
NO_VALUE = re.compile(
    r"[\W_]*|[0\W_]+|(.)\1*|[Xx*#.?_ -]+|.*\[(?:serial|wwn|host|user)-[0-9]+\].*"
    r"|\W*(?:redacted|removed|hidden|masked|censored|deleted|omitted|private|none|null|n/?a|unknown|s/?n|id|serial"
    r"|serial ?n(?:umber|o)|snip(?:ped)?|not available|no information found|my ?serial)\W*",
    re.IGNORECASE | re.DOTALL,
)
# What holds a figure other than 0 and no mask, and is no repetition of one character, is never what NO_VALUE fits.
NAMING_FIGURE = re.compile(r"[^1-9\[]*+[1-9][^\[]*+\Z")
# Of "5 0014ee ..." only the maker is left: six hexadecimal digits name nobody's device.
MIN_NAME_DIGITS = 8
NO_HEX_DIGITS = re.compile(r"[^0-9a-fA-F]+")


def find_statements(text: str, sketched: str, statements: tuple[Statement, ...]) -> Iterator[Site]:
    """Where one of the statements fits and the value names somebody or something."""
    for words, pattern, kind in statements:
        for word in words:
            if word in sketched:
                break
        else:
            continue
        for start, end in _value_spans(text, pattern):
            value = text[start:end].rstrip()
            if is_value(value, kind):
                yield Site(start, start + len(value), kind, value)


def _value_spans(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the values stand. The next end of a rest is kept, so all of them are found in one walk over the text."""
    rest_end = 0
    match = pattern.search(text)
    while match is not None:
        start, end = match.span(match.lastgroup or "v1")
        if start < end:
            yield start, end
            behind = match.end()
        else:
            if rest_end <= start:
                ending = REST_END.search(text, start + 1)
                rest_end = ending.start() if ending else len(text)
            behind = match.start() + 1  # what has no end near by is no value
            if rest_end - start <= LONGEST_REST:
                piece = PIECE.match(text, rest_end) if match.lastgroup == "wrapped" else None
                behind = piece.end() if piece else rest_end
                yield start, behind
        match = pattern.search(text, behind)


def is_value(value: str, kind: str) -> bool:
    """Whether a value is not what stands in the place of one."""
    is_name = NAMING_FIGURE.match(value) is not None and value.count(value[0]) < len(value)
    if not is_name and NO_VALUE.fullmatch(value):
        return False
    if kind == "user":
        return value.lower() not in COMMON_USERS
    return kind != "wwn" or len(NO_HEX_DIGITS.sub("", value)) >= MIN_NAME_DIGITS
