"""The two ATA tables of smartctl: SMART attributes and device statistics.

Source: ataprint.cpp; names and units are those of smartmontools' drive database (drivedb.h) and of the formats of
atacmds.cpp.

    ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
      9 Power_On_Hours          0x0032   063   063   000    Old_age   Always       -       32608
    ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
      9 Power_On_Hours          -O--CK   063   063   000    -    32608
    Page  Offset Size        Value Flags Description
    0x01  0x018  6     33941679747  ---  Logical Sectors Written

Rows are distinguished by their words, never by columns: pastes squeeze blanks and wrap lines.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from parsers.base.vocabulary import read_words
from parsers.smartctl.fields import FigureLine, SmartctlDraft

POWER_ON_HOURS, POWER_CYCLES, AIRFLOW_TEMPERATURE, TEMPERATURE = 9, 12, 190, 194
WANTED_IDS = frozenset({POWER_ON_HOURS, POWER_CYCLES, AIRFLOW_TEMPERATURE, TEMPERATURE})

# Names of attributes that state wear or count writes, regardless of the vendor's meaning
WEAR = re.compile(r"Wear_Level|Wearout|Life(?:time)?_?(?:Left|Used|Remain)|Remaining_Life|Perc_Write/Erase")
WRITES = re.compile(r"(?<!Fly_)Writes|Written|_Wts_|Write_Sectors|Sector_Write|Nand_Gb")
_HINT = re.compile(r"Wri|Wea|Life|Wts|Nand")  # of either

_INTEGER = re.compile(r"(\d{1,20})(?![\d/.,x])", re.ASCII)
_HOURS = re.compile(r"(\d{1,9})(?:h(?:\+\d{1,2}m(?:\+\d{1,2}(?:\.\d{1,3})?s)?)?)?(?: .*)?", re.ASCII)
_DEGREES = re.compile(r"(-?\d{1,6})(?:\.\d)?(?: .*)?", re.ASCII)

SECTORS_WRITTEN = "Logical Sectors Written"
ENDURANCE_USED = "Percentage Used Endurance Indicator"
HOURS_IN_STATISTICS = "Power-on Hours"

# Attributes that only flash has, and those that only rotating disks have. Some early SSDs print the two that start
# and stop, too.
_FLASH_ATTRIBUTE = re.compile(
    r"Wear|SSD|NAND|Flash_|TLC_|SLC_|Erase|Program_(?:Fail|Page)|Rsvd_B|Reserv(?:e?d_(?:Space|Block)|e_Block)"
    r"|Percent_Life|Life(?:time)?_(?:Left|Remain|Used|Writes)|_32MiB|Spare_Block|RAIN_|Power_Loss_Cap|Unexpect_Power"
)
_SPINDLE_ATTRIBUTES = frozenset({"Spin_Up_Time", "Start_Stop_Count"})
_DISK_ATTRIBUTES = _SPINDLE_ATTRIBUTES | read_words(__file__, "disk_attributes.txt")
CAPACITOR_TEST = "Power_Loss_Cap_Test"
MAX_NORMALIZED = 255
MIN_DISK_ATTRIBUTES = 2  # names
SOLID_STATE = "Solid State Device Statistics"

_STATISTICS = (SECTORS_WRITTEN, ENDURANCE_USED, HOURS_IN_STATISTICS)
_STATISTIC_FLAGS = re.compile(r"[-VNDCRS]{3,}")
_FLAGS = re.compile(r"[-POSRCK+]{4,}|0x[0-9a-f]{4}")
ATTRIBUTE_START = re.compile(
    r"\s*(?:\d{1,3}|0x[0-9a-f]{2})\s+[A-Z][\w/.+-]{2,40}\s+(?:0x[0-9a-f]{4}|[-POSRCK+]{6,8})\s+"
)
# Behind name and flags: three normalized values, in one layout type and update, whether it failed, the raw value. A
# row that was wrapped before its "-", which then looked like the mark of a list, is without it.
COLUMNS = re.compile(
    r"(?P<value>\d{1,3}|-{1,3}|0x[0-9a-f]{2})\s+(?:(?:\d{1,3}|-{1,3}|0x[0-9a-f]{2})\s+){2}(?:(?:Pre-fail|Old_age)\s+\S+\s+)?"
    r"(?:(?:-|FAILING_NOW|In_the_past|NOW|Past)\s+(?P<raw>\S.*)|(?P<bare>\d.*))",
    re.ASCII,
)
_DIGITS = frozenset("0123456789")
_IDENTITIES = {word: identity for identity in range(1, 256) for word in (str(identity), f"0x{identity:02x}")}
_WANTED_WORDS = frozenset(word for word, identity in _IDENTITIES.items() if identity in WANTED_IDS)


class Attribute(NamedTuple):
    """One row of the attribute table.

    `raw` is the raw value as smartctl formats it, `line` the line of the row, `value` the normalized value.
    """

    name: str
    raw: str
    line: int
    identity: int | None
    value: int | None

    @property
    def source(self) -> FigureLine:
        """The label, the value and the line, as a notice about it states them."""
        return FigureLine(self.name, self.raw, self.line)


def states_wear_or_writes(name: str) -> bool:
    return WEAR.search(name) is not None or WRITES.search(name) is not None


def raw_count(raw: str) -> int | None:
    """The count that a raw value begins with: `36`, `385 (121 42 0)`."""
    match = _INTEGER.match(raw)
    return int(match[1]) if match else None


def raw_hours(attribute: Attribute) -> int | None:
    """Whole hours of attribute 9: `8177`, `385 (121 42 0)`, `27041h+02m+45.123s`.

    Minutes and seconds are printed with their `h`; a bare number under such a name has no certain unit.
    """
    match = _HOURS.fullmatch(attribute.raw)
    if match is None:
        return None
    is_bare = "h" not in attribute.raw.split(" ", 1)[0]
    return None if is_bare and not attribute.name.endswith("Hours") else int(match[1])


def raw_degrees(raw: str) -> int | None:
    """Whole degrees of attributes 190 and 194: `40 (Min/Max 36/47)`, `29.7`."""
    match = _DEGREES.fullmatch(raw)
    return int(match[1]) if match else None


@dataclass(slots=True)
class Tables:
    """The rows that fields are read from; `faults` are unreadable ones."""

    attributes: dict[int, Attribute] = field(default_factory=dict)
    vendors: list[Attribute] = field(default_factory=list)  # that state wear or count writes
    statistics: dict[str, tuple[str, int]] = field(default_factory=dict)
    faults: list[tuple[str, int]] = field(default_factory=list)

    def add(self, attribute: Attribute) -> None:
        """Add an attribute that a field is read from."""
        if attribute.identity in WANTED_IDS:
            self.attributes.setdefault(attribute.identity, attribute)
        if states_wear_or_writes(attribute.name):
            self.vendors.append(attribute)


def read_tables(rows: Sequence[tuple[str, int]]) -> Tables:
    """Find the tables among rows without labels; the first of two rows counts."""
    tables = Tables()
    for line, number in rows:
        if line[0] not in _DIGITS:
            continue
        is_wanted = (
            line.split(None, 1)[0] in _WANTED_WORDS or line.endswith(_STATISTICS) or _HINT.search(line)
        )
        if not is_wanted:
            continue  # nearly all rows
        words = line.split(None, 3)
        if len(words) < 4:
            continue
        if words[1].startswith("0x"):
            _read_statistic(tables, words[3], number)
        elif (words[0] in _WANTED_WORDS or states_wear_or_writes(words[1])) and _FLAGS.fullmatch(words[2]):
            columns = COLUMNS.match(words[3])
            if columns is None:
                tables.faults.append((line, number))
            else:
                raw = " ".join((columns["raw"] or columns["bare"]).split())
                identity, value = _IDENTITIES.get(words[0]), _normalized(columns["value"])
                tables.add(Attribute(words[1], raw, number, identity, value))
    return tables


def attribute_names(rows: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The names of the attributes among rows without labels."""
    for line, _number in rows:
        words = line.split(None, 3) if line[0] in _DIGITS else []
        if len(words) > 3 and _FLAGS.fullmatch(words[2]):
            yield words[1]


def put_capacitor_tests(draft: SmartctlDraft) -> None:
    """Put the self-tests of the capacitors among the rows of attributes.

    `175 Power_Loss_Cap_Test     0x0033   001   001   010    Pre-fail  Always   FAILING_NOW 0`
    """
    for line, _number in draft.rows:
        words = line.split()
        if len(words) > 6 and words[1] == CAPACITOR_TEST and _FLAGS.fullmatch(words[2]):
            value, threshold = words[3], words[5]
            if value.isdecimal() and threshold.isdecimal():
                put_capacitor_test(draft, int(value), int(threshold))


def put_capacitor_test(draft: SmartctlDraft, value: int, threshold: int) -> None:
    """Put whether the capacitors pass: above the threshold, without which it says nothing."""
    if 0 < threshold <= MAX_NORMALIZED and 0 <= value <= MAX_NORMALIZED:
        name = "protection_fault" if value <= threshold else "protection_evidence"
        draft.put(name, f"{CAPACITOR_TEST} {value}, threshold {threshold}")


def shows_flash(names: Iterable[str], *, is_solid: bool = False) -> bool | None:
    """Whether a drive with attributes of these names is flash, not a rotating disk.

    None where they don't show it, or show both. `is_solid` is whether it has statistics of solid state devices.
    """
    known = set(names)
    for_disks = known & _DISK_ATTRIBUTES
    has_disks = len(for_disks) >= MIN_DISK_ATTRIBUTES and not for_disks <= _SPINDLE_ATTRIBUTES
    has_flash = is_solid or any(_FLASH_ATTRIBUTE.search(name) for name in known)
    return None if has_flash == has_disks else has_flash


def _normalized(printed: str) -> int | None:
    """The normalized value, printed as `095`, `0x5f`, or `---` where the drive has none."""
    if printed.startswith("-"):
        return None
    return int(printed, 16) if printed.startswith("0x") else int(printed)


def is_attribute_row(line: str) -> bool:
    words = line.split(None, 3)
    return len(words) > 2 and words[0].isalnum() and _FLAGS.fullmatch(words[2]) is not None


def _read_statistic(tables: Tables, rest: str, number: int) -> None:
    """Read `33941679747  ---  Logical Sectors Written`.

    6.x prints no flags, but a `~` after a normalized value.
    """
    value, _blank, description = rest.partition(" ")
    flags, _blank, behind_flags = description.lstrip().partition(" ")
    if _STATISTIC_FLAGS.fullmatch(flags):
        description = behind_flags
    if description.strip() in _STATISTICS and value != "-":
        tables.statistics.setdefault(description.strip(), (value.removesuffix("~"), number))
