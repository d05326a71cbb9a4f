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

from parsers.smartctl_attributes import Attribute, is_wanted, says_written

SECTORS_WRITTEN = "Logical Sectors Written"
ENDURANCE_USED = "Percentage Used Endurance Indicator"
HOURS_IN_STATISTICS = "Power-on Hours"

MOST_CONTINUATIONS = 2  # a row is hardly ever wrapped into more than three lines
_STATISTICS = frozenset({SECTORS_WRITTEN, ENDURANCE_USED, HOURS_IN_STATISTICS})
_STATISTIC_FLAGS = re.compile(r"[-VNDCRS]{3,}")
_FLAGS = re.compile(r"[-POSRCK+]{4,}|0x[0-9a-f]{4}")
_NORMALIZED = re.compile(r"\d{1,3}|-{1,3}|0x[0-9a-f]{2}", re.ASCII)
_IDENTITY = re.compile(r"[1-9]\d{0,2}|0x[0-9a-f]{2}", re.ASCII)
_TYPES = frozenset({"Pre-fail", "Old_age"})
_WHEN_FAILED = frozenset({"-", "FAILING_NOW", "In_the_past", "NOW", "Past"})


@dataclass(slots=True)
class Tables:
    """The rows that fields are taken from; `faults` are those that could not be read, with their lines."""

    attributes: dict[int, Attribute] = field(default_factory=dict)
    written: list[Attribute] = field(default_factory=list)
    statistics: dict[str, tuple[str, int]] = field(default_factory=dict)
    faults: list[tuple[str, int]] = field(default_factory=list)


def read_tables(rows: Sequence[tuple[str, int]]) -> Tables:
    """Find the tables among rows without labels; the first row of an attribute or a statistic counts."""
    tables = Tables()
    for index, (line, number) in enumerate(rows):
        if not line[0].isdigit():
            continue
        words = line.split(None, 2)
        if len(words) < 3:
            continue
        if words[1].startswith("0x"):
            _read_statistic(tables, words[2], number)
        elif _IDENTITY.fullmatch(words[0]) and is_wanted(int(words[0], 0), words[1]):
            following = [text for text, _number in rows[index + 1 : index + 1 + MOST_CONTINUATIONS]]
            _read_attribute(tables, (int(words[0], 0), line, number), following)
    return tables


def _read_attribute(tables: Tables, row: tuple[int, str, int], following: Sequence[str]) -> None:
    identity, line, number = row
    _identity, name, *columns = line.split()
    if not _FLAGS.fullmatch(columns[0]):
        return  # a row of another table
    raw = _raw_value(columns)
    for text in following:
        if raw is not None or _is_attribute_row(text):
            break
        columns += text.split()
        raw = _raw_value(columns)
    if raw is None:
        tables.faults.append((line, number))
        return
    attribute = Attribute(name, raw, number)
    tables.attributes.setdefault(identity, attribute)
    if says_written(name):
        tables.written.append(attribute)


def _is_attribute_row(line: str) -> bool:
    words = line.split(None, 3)
    return (
        len(words) > 2
        and _IDENTITY.fullmatch(words[0]) is not None
        and _FLAGS.fullmatch(words[2]) is not None
    )


def _raw_value(columns: Sequence[str]) -> str | None:
    """What stands behind the columns of both layouts; None where they don't fit or there is nothing behind them."""
    failed_at = 6 if len(columns) > 4 and columns[4] in _TYPES else 4
    if len(columns) < failed_at + 2 or columns[failed_at] not in _WHEN_FAILED:
        return None
    if not all(_NORMALIZED.fullmatch(column) for column in columns[1:4]):
        return None
    return " ".join(columns[failed_at + 1 :])


def _read_statistic(tables: Tables, rest: str, number: int) -> None:
    """`6  33941679747  ---  Logical Sectors Written`; 6.x prints no flags, but a `~` behind a normalized value."""
    words = rest.split(None, 2)
    if len(words) < 3:
        return
    _size, value, description = words
    flags, _blank, words_behind = description.partition(" ")
    if _STATISTIC_FLAGS.fullmatch(flags):
        description = words_behind.strip()
    if description in _STATISTICS and value != "-":
        tables.statistics.setdefault(description, (value.removesuffix("~"), number))
