"""The two tables of smartctl on ATA devices: SMART attributes and device statistics, of ataprint.cpp.

    ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
      9 Power_On_Hours          0x0032   063   063   000    Old_age   Always       -       32608
    ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
      9 Power_On_Hours          -O--CK   063   063   000    -    32608
    Page  Offset Size        Value Flags Description
    0x01  0x018  6     33941679747  ---  Logical Sectors Written

Rows are told apart by their words, never by columns: pastes squeeze blanks and wrap lines.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from parsers.smartctl.attributes import WANTED_IDS, Attribute, says_written

SECTORS_WRITTEN = "Logical Sectors Written"
ENDURANCE_USED = "Percentage Used Endurance Indicator"
HOURS_IN_STATISTICS = "Power-on Hours"

MOST_CONTINUATIONS = 2  # a row is hardly ever wrapped into more than three lines
_STATISTICS = (SECTORS_WRITTEN, ENDURANCE_USED, HOURS_IN_STATISTICS)
_STATISTIC_FLAGS = re.compile(r"[-VNDCRS]{3,}")
_FLAGS = re.compile(r"[-POSRCK+]{4,}|0x[0-9a-f]{4}")
# Behind name and flags: three normalized values, in one layout type and update, whether it failed, the raw value. A
# row that was wrapped before its "-", which then looked like the mark of a list, is without it.
_COLUMNS = re.compile(
    r"(?:(?:\d{1,3}|-{1,3}|0x[0-9a-f]{2})\s+){3}(?:(?:Pre-fail|Old_age)\s+\S+\s+)?"
    r"(?:(?:-|FAILING_NOW|In_the_past|NOW|Past)\s+(?P<raw>\S.*)|(?P<bare>\d.*))",
    re.ASCII,
)
_DIGITS = frozenset("0123456789")
_IDENTITIES = {word: identity for identity in WANTED_IDS for word in (str(identity), f"0x{identity:02x}")}


@dataclass(slots=True)
class Tables:
    """The rows that fields are taken from; `faults` are those that could not be read, with their lines."""

    attributes: dict[int, Attribute] = field(default_factory=dict)
    written: list[Attribute] = field(default_factory=list)
    statistics: dict[str, tuple[str, int]] = field(default_factory=dict)
    faults: list[tuple[str, int]] = field(default_factory=list)

    def add(self, identity: int | None, attribute: Attribute) -> None:
        """Keep an attribute for what it is: one that a field is taken from, a count of writes, or both."""
        if identity in WANTED_IDS:
            self.attributes.setdefault(identity, attribute)
        if says_written(attribute.name):
            self.written.append(attribute)


def read_tables(rows: Sequence[tuple[str, int]]) -> Tables:
    """Find the tables among rows without labels; the first row of an attribute or a statistic counts."""
    tables = Tables()
    for index, (line, number) in enumerate(rows):
        if line[0] not in _DIGITS:
            continue
        is_wanted = "Writ" in line or line.split(None, 1)[0] in _IDENTITIES or line.endswith(_STATISTICS)
        if not is_wanted:
            continue  # nearly all rows
        words = line.split(None, 3)
        if len(words) < 4:
            continue
        if words[1].startswith("0x"):
            _read_statistic(tables, words[3], number)
        elif (words[0] in _IDENTITIES or says_written(words[1])) and _FLAGS.fullmatch(words[2]):
            raw = _raw_value(words[3], rows[index + 1 : index + 1 + MOST_CONTINUATIONS])
            if raw is None:
                tables.faults.append((line, number))
            else:
                tables.add(_IDENTITIES.get(words[0]), Attribute(words[1], raw, number))
    return tables


def _raw_value(columns: str, below: Sequence[tuple[str, int]]) -> str | None:
    """What stands behind the columns of both layouts, in the row or a line that it was wrapped to."""
    match = _COLUMNS.match(columns)
    for text, _number in below:
        if match is not None or _is_attribute_row(text):
            break
        columns += f" {text}"
        match = _COLUMNS.match(columns)
    return None if match is None else " ".join((match["raw"] or match["bare"]).split())


def _is_attribute_row(line: str) -> bool:
    words = line.split(None, 3)
    return len(words) > 2 and words[0].isalnum() and _FLAGS.fullmatch(words[2]) is not None


def _read_statistic(tables: Tables, rest: str, number: int) -> None:
    """`33941679747  ---  Logical Sectors Written`; 6.x prints no flags, but a `~` behind a normalized value."""
    value, _blank, description = rest.partition(" ")
    flags, _blank, behind_flags = description.lstrip().partition(" ")
    if _STATISTIC_FLAGS.fullmatch(flags):
        description = behind_flags
    if description.strip() in _STATISTICS and value != "-":
        tables.statistics.setdefault(description.strip(), (value.removesuffix("~"), number))
