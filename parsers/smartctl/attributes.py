"""SMART attributes of ATA devices: what their raw values mean, as text rows and as smartctl's JSON give them.

Names and units are those of smartmontools' drive database (drivedb.h) and of the formats of atacmds.cpp.
"""

import re
from typing import NamedTuple

POWER_ON_HOURS, POWER_CYCLES, AIRFLOW_TEMPERATURE, TEMPERATURE = 9, 12, 190, 194
WANTED_IDS = frozenset({POWER_ON_HOURS, POWER_CYCLES, AIRFLOW_TEMPERATURE, TEMPERATURE})

# Names that only the drive database gives and that say their unit. What is written to the flash
# (NAND_Writes_..., Flash_Writes_..., TLC_Writes_...) is not what the host wrote.
_WRITTEN_WITH_UNIT = re.compile(
    r"(?:Host|Lifetime|Total|Total_Host)_(?:Writes?|Written)_(?P<count>\d{0,3})(?P<unit>MiB|GiB|TiB)",
    re.ASCII,
)
_UNITS = {"MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
# The name that every unknown drive's attribute 241 gets, whatever it counts: to be believed of known drives only,
# and not where that many blocks are next to nothing for the drive's age: then it counts something bigger
WRITTEN_BLOCKS = "Total_LBAs_Written"
LEAST_AN_HOUR = 2**20  # bytes; a system's log alone writes more

_WHOLE = re.compile(r"(\d{1,20})(?![\d/.,x])", re.ASCII)
_HOURS = re.compile(r"(\d{1,9})(?:h(?:\+\d{1,2}m(?:\+\d{1,2}(?:\.\d{1,3})?s)?)?)?(?: .*)?", re.ASCII)
_DEGREES = re.compile(r"(-?\d{1,6})(?:\.\d)?(?: .*)?", re.ASCII)


class Attribute(NamedTuple):
    """One row of the attribute table; `raw` is the raw value as smartctl formats it, `line` where it stands."""

    name: str
    raw: str
    line: int

    @property
    def source(self) -> tuple[str, str, int]:
        """The label, the value and the line, as a notice about it states them."""
        return self


def says_written(name: str) -> bool:
    """Whether an attribute of this name counts what the host wrote."""
    return "Writ" in name and (name == WRITTEN_BLOCKS or written_unit(name) is not None)


def written_unit(name: str) -> int | None:
    """Bytes of one count of such an attribute, where its name says so."""
    if "Writ" not in name:
        return None
    match = _WRITTEN_WITH_UNIT.fullmatch(name)
    return int(match["count"] or 1) * _UNITS[match["unit"]] if match else None


def whole_raw(raw: str) -> int | None:
    """The count that a raw value begins with: `36`, `385 (121 42 0)`."""
    match = _WHOLE.match(raw)
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


def bytes_written(attribute: Attribute) -> int | None:
    """What the host wrote, where the attribute's name says its unit."""
    count, unit = whole_raw(attribute.raw), written_unit(attribute.name)
    return None if count is None or unit is None else count * unit


def blocks_written(attribute: Attribute, block_size: int, hours: int | None) -> int | None:
    """The bytes of a count of blocks, as far as a drive of that age can have written so few."""
    count = whole_raw(attribute.raw)
    if count is None or attribute.name != WRITTEN_BLOCKS:
        return None
    written = count * block_size
    return written if written >= (hours or 0) * LEAST_AN_HOUR else None
