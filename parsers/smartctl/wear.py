"""Wear and writes by vendors' SMART attributes: how the rows of one table (wear.txt) are read.

Source: drivedb.h, smartmontools' drive database, in release 7.3; for Maxio, Hosin and ATP in its main branch
(commit 0364a91). An attribute's meaning depends on the vendor: a row applies to an attribute by its id, its name and
the "Model Family", which smartctl prints only for drives that the database knows. Families, ids and names are those
of the database's entries and their presets.

Attributes without a row are shown as printed: we don't know their meaning, so nothing is derived from them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from parsers.base.units import GIBIBYTE, GIGABYTE, MEBIBYTE
from parsers.base.vocabulary import read_lines
from parsers.smartctl.tables import Attribute, raw_count

UNITS_32_MIB = 32 * MEBIBYTE
# A count that is far too small for the drive's age doesn't count logical blocks but a larger unit: a system's log
# alone writes more
MIN_BYTES_PER_HOUR = MEBIBYTE
WHOLE_LIFE = 100  # percent; some vendors' normalized values begin at 200 or 253 and are no percentage
MAX_SHOWN_LENGTH = 100  # characters of the attributes that are shown as printed


class Meaning(Enum):
    """What an attribute counts, and in which column."""

    LIFE_LEFT = auto()  # percent, as the normalized value
    RAW_LIFE_LEFT = auto()  # percent, as the raw value, where the normalized one is no percentage
    HOST_WRITES = auto()  # units, as the raw value
    FLASH_WRITES = auto()  # the same, but written to the flash: never what the host wrote


@dataclass(frozen=True, slots=True)
class KnownAttribute:
    """A vendor's attribute; `families` is a pattern for the beginning of the model family."""

    families: str
    identity: int
    name: str
    meaning: Meaning
    unit_bytes: int | None


_UNITS = {"-": None, "blocks": None, "32MiB": UNITS_32_MIB, "MiB": MEBIBYTE, "GiB": GIBIBYTE, "GB": GIGABYTE}
KNOWN_ATTRIBUTES = tuple(
    KnownAttribute(families, int(identity), name, Meaning[meaning], _UNITS[unit])
    for line in read_lines(__file__, "wear.txt")
    for meaning, unit, identity, name, families, *_comment in [line.split("\t")]
)

_BY_NAME: dict[tuple[int, str], list[tuple[re.Pattern[str], KnownAttribute]]] = defaultdict(list)
for _known in KNOWN_ATTRIBUTES:
    _BY_NAME[_known.identity, _known.name].append((re.compile(_known.families), _known))


def find_known(attribute: Attribute, family: str | None) -> KnownAttribute | None:
    """Return the row that applies to an attribute of a drive of that family.

    Without a family, as where only the attributes were pasted, those apply whose name states the unit: none of
    smartctl's default names does, so the database knew the drive.
    """
    if attribute.identity is None:
        return None
    rows = _BY_NAME.get((attribute.identity, attribute.name), ())
    if family is None:
        return next((known for _, known in rows if known.unit_bytes is not None), None)
    return next((known for families, known in rows if families.match(family)), None)


def derive_wear(attribute: Attribute, family: str | None) -> tuple[int, str] | None:
    """Return the percentage of life used and what it is derived from: 3, "Media_Wearout_Indicator 97"."""
    known = find_known(attribute, family)
    if known is None:
        return None
    if known.meaning is Meaning.LIFE_LEFT:
        left, source = attribute.value, f"{attribute.name} {attribute.value}"
    elif known.meaning is Meaning.RAW_LIFE_LEFT:
        left = raw_count(attribute.raw)
        source = f"{attribute.name} raw {left}"
    else:
        return None
    return None if left is None or not 0 <= left <= WHOLE_LIFE else (WHOLE_LIFE - left, source)


def derive_written(
    attribute: Attribute, family: str | None, *, block_size: int | None, hours: int | None
) -> int | None:
    """Return the bytes that the host wrote.

    None for logical blocks of unknown size, and where a drive of that age can't have written so few.
    """
    known, count = find_known(attribute, family), raw_count(attribute.raw)
    if known is None or known.meaning is not Meaning.HOST_WRITES or count is None:
        return None
    if known.unit_bytes is not None:
        return count * known.unit_bytes
    if block_size is None or count * block_size < (hours or 0) * MIN_BYTES_PER_HOUR:
        return None
    return count * block_size


def is_flash_counter(attribute: Attribute, family: str | None) -> bool:
    """Whether the attribute is known to count what was written to the flash."""
    known = find_known(attribute, family)
    return known is not None and known.meaning is Meaning.FLASH_WRITES


def show_raw(attributes: Iterable[Attribute]) -> str | None:
    """Return attributes as printed, as many as fit: "Wear_Leveling_Count 95, raw 123"."""
    shown = ""
    for attribute in attributes:
        value = "" if attribute.value is None else f" {attribute.value},"
        longer = f"{shown}; " if shown else ""
        longer += f"{attribute.name}{value} raw {attribute.raw}"
        if len(longer) <= MAX_SHOWN_LENGTH:
            shown = longer
    return shown or None
