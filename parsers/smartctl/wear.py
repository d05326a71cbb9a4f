"""Wear and writes by vendors' SMART attributes: one table, and how its rows are read.

Source: drivedb.h, smartmontools' drive database, in release 7.3; for Maxio, Hosin and ATP in its main branch
(commit 0364a91). An attribute's meaning depends on the vendor: a row applies to an attribute by its id, its name and
the "Model Family", which smartctl prints only for drives that the database knows. Families, ids and names are those
of the database's entries and their presets; a comment completes an entry's name, or adds to it.

Attributes without a row are shown as printed: we don't know their meaning, so nothing is derived from them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from parsers.base.units import GIBIBYTE, GIGABYTE, MEBIBYTE
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


_INTEL = r"Intel(?:/Solidigm)? "
_MICRON = r"(?:Crucial/Micron .*Client|Micron (?:5100|M500DC))"
_SEAGATE_SSD = r"Seagate (?:IronWolf 110|Nytro) SATA SSD"
_HARD_DISK = r"(?!.*SSD)(?:Seagate|Western Digital|WD|Toshiba|HGST|Hitachi)\b"
# By what they count, and the bytes of one count of writes (None for logical blocks): family, id, name
_TABLE: dict[tuple[Meaning, int | None], tuple[tuple[str, int, str], ...]] = {
    (Meaning.LIFE_LEFT, None): (
        (_INTEL, 233, "Media_Wearout_Indicator"),  # 730, DC S35x0/3610/3700: the preset is the default
        (_MICRON, 202, "Percent_Lifetime_Remain"),  # Crucial/Micron Client SSDs
        (_MICRON, 202, "Percent_Lifetime_Used"),  # its former name, of MX100/MX200/M5x0/M600 to 6.5
        ("Crucial/Micron RealSSD m4", 202, "Perc_Rated_Life_Used"),  # Crucial/Micron RealSSD m4/C400/P400
        ("Samsung based SSDs", 177, "Wear_Leveling_Count"),  # the preset is the default
        ("SandForce Driven SSDs", 231, "SSD_Life_Left"),
        ("Phison Driven", 231, "SSD_Life_Left"),
        ("Maxio based SSDs", 231, "SSD_Life_Left"),
        ("Kingston SSDNow UV", 231, "SSD_Life_Left"),  # Kingston SSDNow UV400/500
        ("Silicon Motion based", 231, "SSD_Life_Left"),  # KINGSTON SKC600256G/S4500105
        ("Supermicro SATA DOM", 231, "SSD_Life_Left"),  # Supermicro SATA DOM (SuperDOM)
        ("SK hynix SATA SSDs", 231, "SSD_Life_Left"),
        (_SEAGATE_SSD, 231, "SSD_Life_Left"),  # Seagate Nytro SATA SSD; its raw value is packed
        ("Seagate IronWolf Pro 125", 231, "SSD_Life_Left"),
        ("Seagate Nytro XF1230", 231, "SSD_Life_Left_Perc"),  # Seagate Nytro XF1230 SATA SSD
        ("Indilinx Barefoot 3|OCZ Intrepid", 233, "Remaining_Lifetime_Perc"),  # Barefoot 3 based SSDs
    ),
    (Meaning.RAW_LIFE_LEFT, None): (
        ("Indilinx Barefoot based", 209, "Remaining_Lifetime_Perc"),  # has no normalized values
        ("Silicon Motion based", 169, "Remaining_Lifetime_Perc"),  # normalized 100 of a drive with raw 97
        ("Dell Certified Intel", 245, "Percent_Life_Remaining"),  # S4x00/D3-S4x10 Series SSDs
    ),
    (Meaning.HOST_WRITES, UNITS_32_MIB): (
        (_INTEL, 225, "Host_Writes_32MiB"),  # Intel 320 Series SSDs
        (_INTEL, 241, "Host_Writes_32MiB"),  # Intel 730 and DC S35x0/3610/3700 Series SSDs
        ("Dell Certified Intel", 225, "Host_Writes_32MiB"),  # Dell Certified Intel S3520 Series SSDs
        ("Kingston branded X25-V", 225, "Host_Writes_32MiB"),
        ("Silicon Motion based", 225, "Host_Writes_32MiB"),  # FW 20140402
        ("Silicon Motion based", 241, "Host_Writes_32MiB"),
        ("Inno[Dd]isk", 241, "Host_Writes_32MiB"),  # Innodisk 1IE3/3IE3/3ME3/3IE4/3ME4 SSDs
        ("Plextor M3", 241, "Host_Writes_32MiB"),  # Plextor M3/M5/M6/M7 Series SSDs
        ("StorFly CFast", 241, "Host_Writes_32MiB"),  # StorFly CFast SATA 6Gbps SSDs
        ("Hosin Global HG2259", 241, "Host_Writes_32MiB"),  # Hosin Global HG2259 based SSDs
    ),
    (Meaning.HOST_WRITES, MEBIBYTE): (
        ("Apple SD/SM/TS", 175, "Host_Writes_MiB"),  # Apple SD/SM/TS...E/F/G SSDs
    ),
    (Meaning.HOST_WRITES, GIBIBYTE): (
        ("Apple MacBook Air SSD", 241, "Host_Writes_GiB"),
        ("Indilinx Barefoot 3|OCZ Intrepid", 199, "Host_Writes_GiB"),  # OCZ Intrepid 3000 SSDs
        ("Indilinx Barefoot 3", 241, "Host_Writes_GiB"),  # Indilinx Barefoot 3 based SSDs; M00/M10
        ("Kingston SSDNow UV", 241, "Host_Writes_GiB"),  # Kingston SSDNow UV400/500
        ("WD Blue", 241, "Host_Writes_GiB"),  # WD Blue / Red / Green SSDs
        ("Seagate IronWolf Pro 125", 241, "Host_Writes_GiB"),
        ("Xmore Industrial", 241, "Host_Writes_GiB"),  # Xmore Industrial SATA SSDs
        ("ATP SATA III Value Line", 241, "Host_Writes_GiB"),
        ("Hosin Global HG2258", 241, "Host_Writes_GiB"),  # Hosin Global HG2258 based SSDs
        ("SandForce Driven SSDs", 241, "Lifetime_Writes_GiB"),
        ("Phison Driven", 241, "Lifetime_Writes_GiB"),
        ("Maxio based SSDs", 241, "Lifetime_Writes_GiB"),
        ("Supermicro SATA DOM", 241, "Lifetime_Writes_GiB"),  # Supermicro SATA DOM (SuperDOM)
        ("SK hynix SATA SSDs", 241, "Lifetime_Writes_GiB"),
        ("Marvell based SanDisk", 241, "Total_Writes_GiB"),
        ("Seagate Nytro XF1230", 241, "Total_Writes_GiB"),  # Seagate Nytro XF1230 SATA SSD
    ),
    (Meaning.HOST_WRITES, GIGABYTE): (
        ("SK hynix SATA SSDs", 241, "Total_Writes_GB"),  # SC31: ~GB, not GiB (#1517)
        (_SEAGATE_SSD, 241, "Lifetime_Wts_Frm_Hst_GB"),  # Seagate IronWolf 110 SATA SSD
    ),
    (Meaning.HOST_WRITES, None): (
        ("Samsung based SSDs", 241, "Total_LBAs_Written"),  # the preset is the default
        (_MICRON, 246, "Total_LBAs_Written"),  # Crucial/Micron Client SSDs
        (_MICRON, 246, "Total_Host_Sector_Write"),  # its former name, of MX100/MX200/M5x0/M600 to 6.5
        ("Dell Certified Intel", 233, "Total_LBAs_Written"),  # S4x00/D3-S4x10 Series SSDs
        (_HARD_DISK, 241, "Total_LBAs_Written"),  # the preset is the default
    ),
    (Meaning.FLASH_WRITES, UNITS_32_MIB): (
        (_INTEL, 243, "NAND_Writes_32MiB"),  # Intel S3520 Series SSDs
        ("Silicon Motion based", 245, "TLC_Writes_32MiB"),  # FW N0815B, N1114H
        ("Silicon Motion based", 246, "SLC_Writes_32MiB"),
    ),
    (Meaning.FLASH_WRITES, GIBIBYTE): (
        (_INTEL, 249, "NAND_Writes_1GiB"),  # Intel 520 Series SSDs
        ("Samsung based SSDs", 249, "NAND_Writes_1GiB"),  # CM871a, PM871
        ("Phison Driven", 233, "Flash_Writes_GiB"),
        ("Marvell based SanDisk", 233, "Total_NAND_Writes_GiB"),
    ),
    (Meaning.FLASH_WRITES, GIGABYTE): (
        (_SEAGATE_SSD, 233, "Lifetime_Wts_To_Flsh_GB"),  # Seagate IronWolf 110 SATA SSD
        ("Seagate Nytro XF1230", 234, "Lifetime_Nand_Gb"),  # Seagate Nytro XF1230 SATA SSD
    ),
}
KNOWN_ATTRIBUTES = tuple(
    KnownAttribute(*row, meaning, unit_bytes)
    for (meaning, unit_bytes), rows in _TABLE.items()
    for row in rows
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
