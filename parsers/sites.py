"""A stretch of text that states an identifier, and how such stretches are found by patterns."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Site(NamedTuple):
    """A stretch of the text that states an identifier."""

    start: int
    end: int
    kind: str
    value: str
    is_number: bool = False  # a bare number in JSON
    line_ends: int = 0  # that a terminal broke it with


class Statement(NamedTuple):
    """A way in which identifiers are stated: `needle` must be in the text, the groups named v… are the values."""

    needle: str
    pattern: re.Pattern[str]
    kind: str


# What names nobody: the administrator, and what is the same on every machine.
COMMON_USERS = frozenset({"root", "admin", "administrator", "user", "truenas_admin", "public"})
# Put in the place of a value by a tool that has none or by a person who hid it.
NO_VALUE = re.compile(
    r"[\W_]*|[0\W_]+|(.)\1*|[Xx*#.?_ -]+|.*\[(?:serial|wwn|host|user)-[0-9]+\].*"
    r"|\W*(?:redacted|removed|hidden|masked|censored|deleted|omitted|private|none|null|n/?a|unknown|s/?n|id|serial"
    r"|serial ?n(?:umber|o)|snip(?:ped)?|not available|no information found|my ?serial)\W*",
    re.IGNORECASE | re.DOTALL,
)
# Of "5 0014ee ..." only the maker is left: six hexadecimal digits name nobody's device.
MIN_NAME_DIGITS = 8
NO_HEX_DIGITS = re.compile(r"[^0-9a-fA-F]+")


def find_statements(text: str, statements: tuple[Statement, ...]) -> Iterator[Site]:
    """Where one of the statements fits and the value names somebody or something."""
    for needle, pattern, kind in statements:
        if needle not in text:
            continue
        for match in pattern.finditer(text):
            group = match.lastgroup or "v1"
            value = match[group].rstrip()
            if is_value(value, kind):
                start = match.start(group)
                yield Site(start, start + len(value), kind, value)


def is_value(value: str, kind: str) -> bool:
    """Whether a value is not what stands in the place of one."""
    if NO_VALUE.fullmatch(value):
        return False
    if kind == "user":
        return value.lower() not in COMMON_USERS
    return kind != "wwn" or len(NO_HEX_DIGITS.sub("", value)) >= MIN_NAME_DIGITS
