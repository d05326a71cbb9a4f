"""Find identifiers in tables by their column heading.

For instance of lsblk, nvme-cli, storcli and ps; also in CSV and Markdown.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from parsers.privacy.names import PART, is_chosen_name
from parsers.privacy.rules import COMMON_USERS, FILLER, Haystack, Site, is_mixed, is_value
from parsers.privacy.table import HEADINGS, begins, spelled
from parsers.privacy.words import NO_NAME

WMIC = {"host": "|node(?=,)"}
# What the column "Name" of a table with one of these headings holds: machines, guests and jails
_GUESTS = (
    r"vmid|nodeid|datastore|cpuusage|autostart|autoboot|jid|ipv?4|power ?state|vcpus|swarm|brand|eligibility|rcboot"
    r"|cpu\(cores\)|guest os|os type|ip_addr|roles|votes"
)
GUESTS = re.compile(rf"(?<![\w/.-])(?:(?:{_GUESTS})(?![\w/:-])|id +name +state[ \t]*$)")
ADDRESS_HEAD = re.compile(r"ip(?:v?[46])(?!\w)", re.IGNORECASE)
GUEST = re.compile(r"(?<![\w/.:-])name(?![\w/:(=.-]| \w)")
NO_GUEST = re.compile(r"(?:domain|dom)-?0|global|localhost|name|.*\.(?:service|mount|socket)", re.IGNORECASE)
GUEST_WORD = "name"
WORDS = sorted({*begins(*chain.from_iterable(HEADINGS.values())), GUEST_WORD})
HEAD = re.compile(
    "|".join(
        rf"(?P<{kind}>(?<![\w/.-])(?:{spelled(*labels)}{WMIC.get(kind, '')})(?![\w/:=\[-]|\.\w))"
        for kind, labels in HEADINGS.items()
    )
)
RULER = re.compile(r"[\s=+|\u2500-\u257f:-]*[=+|\u2500-\u257f-][\s=+|\u2500-\u257f:-]*")
DELIMITERS = ("|", "\u2502", "\u2503", "\u250a", "\u2506", "\t", ";", ",")
NO_HEAD = re.compile(r"[0-9@=\0]|: |:$")
GAP = re.compile(r"[^ \t][ \t]{2,}[^ \t]")
TOKEN = re.compile(r"\S+")
QUANTITY = re.compile(
    r"[0-9]+(?:[.,][0-9]+)?(?:[kmgtpe]i?b?|ms|us|ns|s|gb|mb|rpm|hz|w|v|c|x)?", re.IGNORECASE
)
SERIAL = re.compile(r"(?=[^0-9]*[0-9])[0-9A-Za-z][\w./-]{2,62}[0-9A-Za-z]")
NAMES = ("host", "user", "pool")
FEWEST_WORDS = 2
LONGEST_HEAD = 300
HEX_DIGITS = re.compile(r"(?:0x|eui\.|naa\.|uuid\.)?[0-9a-fA-F][0-9a-fA-F:.-]{7,60}")
POOL = re.compile(PART)
NAME = re.compile(r"[A-Za-z_][\w.-]{1,31}[+$]?")


class Column(NamedTuple):
    """A column of identifiers: where its heading is, its number from both ends."""

    kind: str
    start: int
    end: int
    number: int
    behind: int


class Head(NamedTuple):
    """A table's header: its delimiter, its number of cells, the columns to mask.

    An empty delimiter means blanks.
    """

    delimiter: str
    cells: int
    is_aligned: bool
    columns: tuple[Column, ...]


def find_in_columns(hay: Haystack) -> Iterator[Site]:
    """Find the cells below headings of identifiers, up to an empty line or header."""
    heads = sorted({place: head for word in WORDS for place, head in _heads(hay, word)}.items())
    for number, (start, head) in enumerate(heads):
        end = heads[number + 1][0] if number + 1 < len(heads) else len(hay.text)
        yield from _rows(hay.text, start, end=end, head=head)


def _heads(hay: Haystack, word: str) -> Iterator[tuple[int, Head]]:
    """Find the headers that contain the word; yield each with its next line's place."""
    place = hay.lower.find(word)
    while place >= 0:
        start = hay.lower.rfind("\n", max(place - LONGEST_HEAD, 0), place) + 1
        end = hay.lower.find("\n", place, start + LONGEST_HEAD)
        if end < 0:  # the last line isn't a header, nor is a long one
            place = hay.lower.find(word, place + 1)
            continue
        head = _head_of(hay.text[start:end], hay.lower[start:end])
        if head is not None:
            yield end + 1, head
        place = hay.lower.find(word, end)


def _rows(text: str, start: int, *, end: int, head: Head) -> Iterator[Site]:
    rows = 0
    while start < end:
        line = text[start : _end_of_line(text, start)]
        if not line.strip():
            if rows:
                return
        elif not RULER.fullmatch(line):
            rows += 1
            for site in _cells(line, head):
                yield site._replace(start=start + site.start, end=start + site.end)
        start += len(line) + 1


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _head_of(line: str, lower: str) -> Head | None:
    if NO_HEAD.search(ADDRESS_HEAD.sub("ip", line)):
        return None
    matches = list(HEAD.finditer(lower))
    if "name" in lower and GUESTS.search(lower):
        matches += GUEST.finditer(lower)
    if not matches:
        return None
    delimiter = next((one for one in DELIMITERS if one in line.strip()), "")
    cells = _split(line, delimiter)
    is_aligned = GAP.search(line.strip()) is not None
    words = line.split()
    if len(cells) < FEWEST_WORDS or not (
        (delimiter and delimiter not in ",;")
        or is_aligned
        or line.isupper()
        or _is_list(cells, words, delimiter)
    ):
        return None
    columns = []
    for match in matches:
        begin, end = match.span()
        number = next((at for at, (first, last) in enumerate(cells) if first <= begin < last), None)
        if number is not None:
            columns.append(Column(match.lastgroup or "host", begin, end, number, len(cells) - number))
    return Head(delimiter, len(cells), is_aligned, tuple(columns))


def _is_list(cells: Sequence[tuple[int, int]], words: Sequence[str], delimiter: str) -> bool:
    """Whether it is only short words, not a sentence."""
    if delimiter:
        return len(words) <= 2 * len(cells) and all(last - first <= 20 for first, last in cells)
    return all(word[0].isupper() for word in words) and not words[-1].endswith((".", "!", "?", ":"))


def _split(line: str, delimiter: str) -> list[tuple[int, int]]:
    """The positions of the cells; the empty ends of a row of pipes don't count."""
    if not delimiter:
        return [match.span() for match in TOKEN.finditer(line)]
    cells, start = [], 0
    for part in line.split(delimiter):
        cells.append((start, start + len(part)))
        start += len(part) + 1
    return cells


def _cells(line: str, head: Head) -> Iterator[Site]:
    cells = _split(line, head.delimiter)
    is_of_other_table = not head.delimiter and 2 * len(cells) < head.cells
    for column in head.columns:
        if is_of_other_table and column.kind in NAMES:
            continue
        for first, last in _candidates(line, cells, head=head, column=column):
            value = line[first:last].strip(" \t\"'`*.")
            if _fits(value, column.kind):
                begin = line.index(value, first)
                yield Site(begin, begin + len(value), column.kind, value)


def _candidates(
    line: str, cells: list[tuple[int, int]], *, head: Head, column: Column
) -> Iterator[tuple[int, int]]:
    """Return the column's cell: by delimiter, below its heading, or by its number.

    It is counted from either end if blanks were lost.
    """
    if head.delimiter:
        yield from cells[column.number : column.number + 1]
    elif FILLER not in line and (below := _below(line, cells, head=head, column=column)):
        yield from below
    elif len(cells) == head.cells:
        yield cells[column.number]
    elif FILLER in line:  # masks have moved what follows them
        return
    elif len(cells) > head.cells and column.kind in ("serial", "wwn"):
        for number in {column.number, len(cells) - column.behind}:
            if is_mixed(line[slice(*cells[number])]):
                yield cells[number]


def _below(line: str, cells: list[tuple[int, int]], *, head: Head, column: Column) -> list[tuple[int, int]]:
    """The cells below the column's heading, if they look like what it names."""
    if not head.is_aligned:
        return []
    below = [cell for cell in cells if cell[0] < column.end and cell[1] > column.start]
    return below if any(_fits(line[slice(*cell)], column.kind) for cell in below) else []


def _fits(value: str, kind: str) -> bool:
    if not value or not is_value(value, kind):
        return False
    if kind == "serial":
        return (SERIAL.fullmatch(value) is not None and QUANTITY.fullmatch(value) is None) or _is_long_number(
            value
        )
    if kind in ("wwn", "address"):
        return HEX_DIGITS.fullmatch(value) is not None
    if kind == "host" and (NO_GUEST.fullmatch(value) or value.lower() in NO_NAME):
        return False
    if kind == "pool":
        return POOL.fullmatch(value) is not None and is_chosen_name(None, value)
    return NAME.fullmatch(value) is not None and value.lower() not in COMMON_USERS


def _is_long_number(value: str) -> bool:
    return value.isdigit() and len(value) >= 6
