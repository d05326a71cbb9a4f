"""Numbers as programs print them in any locale: `1.600.321.314.816`, `12 000 138 625 024`, `5441,840`.

smartctl groups whole numbers by threes with whatever its locale says (`format_with_thousands_sep()`), and a paste may
turn that mark into something else again. A text that is not exactly such a number gives None, never a part of it.
"""

import re
from decimal import Decimal

from parsers.base.limits import LONGEST_NUMBER

# One mark throughout: up to three characters, because a narrow blank read in the wrong encoding becomes three.
_GROUPED = re.compile(r"\d{1,3}(?:([^\dA-Za-z:/=%()\[\]]{1,3})\d{3}(?:\1\d{3}){0,8})?", re.ASCII)
_DECIMAL = re.compile(r"(\d{1,24})(?:[.,](\d{1,6}))?", re.ASCII)
_TOO_LONG = re.compile(rf"(?:\d[\W_]?){{{LONGEST_NUMBER + 1}}}", re.ASCII)


def parse_grouped(text: str) -> int | None:
    """The whole number that `text` is, its groups of three parted by one and the same mark or by none."""
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= LONGEST_NUMBER else None
    match = _GROUPED.fullmatch(text)
    if match is None:
        return None
    return int(text.replace(match[1], "")) if match[1] else int(text)


def parse_decimal(text: str) -> Decimal | None:
    """The number that `text` is, ungrouped, with a point or a comma before its decimals."""
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    return Decimal(f"{match[1]}.{match[2] or 0}")


def is_too_long(text: str) -> bool:
    """Whether more digits follow each other, grouped or not, than any number of these tools has."""
    return _TOO_LONG.search(text) is not None
