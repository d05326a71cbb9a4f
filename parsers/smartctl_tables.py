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

from parsers.smartctl_attributes import WANTED_IDS, Attribute, says_written

SECTORS_WRITTEN = "Logical Sectors Written"
ENDURANCE_USED = "Percentage Used Endurance Indicator"
HOURS_IN_STATISTICS = "Power-on Hours"

MOST_CONTINUATIONS = 2  # a row is hardly ever wrapped into more than three lines
_STATISTICS = frozenset({SECTORS_WRITTEN, ENDURANCE_USED, HOURS_IN_STATISTICS})
_STATISTIC_FLAGS = re.compile(r"[-VNDCRS]{3,}")
_FLAGS = re.compile(r"[-POSRCK+]{4,}|0x[0-9a-f]{4}")
_NORMALIZED = re.compile(r"\d{1,3}|-{1,3}|0x[0-9a-f]{2}", re.ASCII)
_IDENTITIES = {word: identity for identity in WANTED_IDS for word in (str(identity), f"0x{identity:02x}")}
_TYPES = frozenset({"Pre-fail", "Old_age"})
_WHEN_FAILED = frozenset({"-", "FAILING_NOW", "In_the_past", "NOW", "Past"})


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
        words = line.split(None, 3) if line[0].isdigit() else ()
        if len(words) < 4:
            continue
        if words[1].startswith("0x"):
            _read_statistic(tables, words[3], number)
        elif (words[0] in _IDENTITIES or says_written(words[1])) and _FLAGS.fullmatch(words[2]):
            following = [text for text, _number in rows[index + 1 : index + 1 + MOST_CONTINUATIONS]]
            _read_attribute(tables, (line, number), following)
    return tables


def _read_attribute(tables: Tables, row: tuple[str, int], following: Sequence[str]) -> None:
    line, number = row
    identity, name, _flags, *columns = line.split()
    raw = _raw_value(columns)
    for text in following:
        if raw is not None or _is_attribute_row(text):
            break
        columns += text.split()
        raw = _raw_value(columns)
    if raw is None:
        tables.faults.append((line, number))
    else:
        tables.add(_IDENTITIES.get(identity), Attribute(name, raw, number))


def _is_attribute_row(line: str) -> bool:
    words = line.split(None, 3)
    return len(words) > 2 and words[0].isalnum() and _FLAGS.fullmatch(words[2]) is not None


def _raw_value(columns: Sequence[str]) -> str | None:
    """What stands behind the columns of both layouts; None where they don't fit or there is nothing behind them."""
    failed_at = 5 if len(columns) > 3 and columns[3] in _TYPES else 3
    if len(columns) <= failed_at or not all(_NORMALIZED.fullmatch(column) for column in columns[:3]):
        return None
    if columns[failed_at] in _WHEN_FAILED:
        return " ".join(columns[failed_at + 1 :]) or None
    # wrapped before its "-", which then looked like the mark of a list and is gone
    return " ".join(columns[failed_at:]) if columns[failed_at][0].isdigit() else None


def _read_statistic(tables: Tables, rest: str, number: int) -> None:
    """`33941679747  ---  Logical Sectors Written`; 6.x prints no flags, but a `~` behind a normalized value."""
    value, _blank, description = rest.partition(" ")
    flags, _blank, behind_flags = description.lstrip().partition(" ")
    if _STATISTIC_FLAGS.fullmatch(flags):
        description = behind_flags
    if description.strip() in _STATISTICS and value != "-":
        tables.statistics.setdefault(description.strip(), (value.removesuffix("~"), number))
