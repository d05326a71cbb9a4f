"""Wear and writes by vendors' SMART attributes: one table, and how its rows are read.

Source: drivedb.h, smartmontools' drive database, of release 7.3; of its main branch (commit 0364a91) Maxio, Hosin
and ATP. An attribute's meaning depends on the vendor: a row applies to an attribute by its id, its name and the
"Model Family", which smartctl prints only for drives that the database knows. `source` is the family's entry and the
preset that names the attribute; `//` as there, where the preset is the default and the entry only confirms it.

Attributes that no row applies to are shown as printed: their meaning isn't known, and nothing is derived.
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
    unit_bytes: int | None  # of one count of writes; None for logical blocks, and for percentages
    source: str


def _left(families: str, identity: int, name: str, source: str) -> KnownAttribute:
    return KnownAttribute(families, identity, name, Meaning.LIFE_LEFT, None, source)


def _raw_left(families: str, identity: int, name: str, source: str) -> KnownAttribute:
    return KnownAttribute(families, identity, name, Meaning.RAW_LIFE_LEFT, None, source)


def _host(families: str, identity: int, name: str, unit_bytes: int | None, source: str) -> KnownAttribute:
    return KnownAttribute(families, identity, name, Meaning.HOST_WRITES, unit_bytes, source)


def _flash(families: str, identity: int, name: str, unit_bytes: int | None, source: str) -> KnownAttribute:
    return KnownAttribute(families, identity, name, Meaning.FLASH_WRITES, unit_bytes, source)


# fmt: off
_INTEL = r"Intel(?:/Solidigm)? "
_MICRON = r"(?:Crucial/Micron .*Client|Micron (?:5100|M500DC))"
_SEAGATE_SSD = r"Seagate (?:IronWolf 110|Nytro) SATA SSD"
KNOWN_ATTRIBUTES = (
    # The wear of its flash, as the life that is left
    _left(_INTEL, 233, "Media_Wearout_Indicator",
          'Intel 730 and DC S35x0/3610/3700 Series SSDs: // -v 233,raw48,Media_Wearout_Indicator'),
    _left(_MICRON, 202, "Percent_Lifetime_Remain",  # norm = max(100-raw,0); raw = percent_lifetime_used
          "Crucial/Micron Client SSDs: -v 202,raw48,Percent_Lifetime_Remain"),
    _left(_MICRON, 202, "Percent_Lifetime_Used",  # the former name of the same attribute
          "Crucial/Micron MX100/MX200/M5x0/M600 Client SSDs, to 6.5: -v 202,raw48,Percent_Lifetime_Used"),
    _left(r"Crucial/Micron RealSSD m4", 202, "Perc_Rated_Life_Used",
          "Crucial/Micron RealSSD m4/C400/P400: -v 202,raw48,Perc_Rated_Life_Used"),
    _left(r"Samsung based SSDs", 177, "Wear_Leveling_Count",
          "Samsung based SSDs: // -v 177,raw48,Wear_Leveling_Count"),
    _left(r"SandForce Driven SSDs", 231, "SSD_Life_Left",
          "SandForce Driven SSDs: -v 231,raw48,SSD_Life_Left"),
    _left(r"Phison Driven", 231, "SSD_Life_Left",
          "Phison Driven SSDs: -v 231,raw48,SSD_Life_Left"),
    _left(r"Maxio based SSDs", 231, "SSD_Life_Left",
          "Maxio based SSDs: -v 231,raw48,SSD_Life_Left"),
    _left(r"Kingston SSDNow UV", 231, "SSD_Life_Left",
          "Kingston SSDNow UV400/500: -v 231,raw48,SSD_Life_Left"),
    _left(r"Silicon Motion based", 231, "SSD_Life_Left",
          "Silicon Motion based SSDs: -v 231,raw48,SSD_Life_Left // KINGSTON SKC600256G/S4500105"),
    _left(r"Supermicro SATA DOM", 231, "SSD_Life_Left",
          "Supermicro SATA DOM (SuperDOM): -v 231,raw48,SSD_Life_Left"),
    _left(r"SK hynix SATA SSDs", 231, "SSD_Life_Left",
          "SK hynix SATA SSDs: -v 231,raw48,SSD_Life_Left"),
    _left(_SEAGATE_SSD, 231, "SSD_Life_Left",  # its raw value is packed
          "Seagate Nytro SATA SSD: -v 231,hex56,SSD_Life_Left"),
    _left(r"Seagate IronWolf Pro 125", 231, "SSD_Life_Left",
          "Seagate IronWolf Pro 125 SSDs: -v 231,raw48,SSD_Life_Left"),
    _left(r"Seagate Nytro XF1230", 231, "SSD_Life_Left_Perc",
          "Seagate Nytro XF1230 SATA SSD: -v 231,raw48,SSD_Life_Left_Perc"),
    _left(r"Indilinx Barefoot 3|OCZ Intrepid", 233, "Remaining_Lifetime_Perc",
          "Indilinx Barefoot 3 based SSDs: -v 233,raw48,Remaining_Lifetime_Perc"),
    _raw_left(r"Indilinx Barefoot based", 209, "Remaining_Lifetime_Perc",  # has no normalized values
              "Indilinx Barefoot based SSDs: -v 209,raw64,Remaining_Lifetime_Perc"),
    _raw_left(r"Silicon Motion based", 169, "Remaining_Lifetime_Perc",  # normalized 100 of a drive with raw 97
              "Silicon Motion based SSDs: -v 169,raw48,Remaining_Lifetime_Perc"),
    _raw_left(r"Dell Certified Intel", 245, "Percent_Life_Remaining",
              "Dell Certified Intel S4x00/D3-S4x10 Series SSDs: -v 245,raw48,Percent_Life_Remaining"),
    # What the host wrote
    _host(_INTEL, 225, "Host_Writes_32MiB", UNITS_32_MIB,
          "Intel 320 Series SSDs: -v 225,raw48,Host_Writes_32MiB"),
    _host(_INTEL, 241, "Host_Writes_32MiB", UNITS_32_MIB,
          "Intel 730 and DC S35x0/3610/3700 Series SSDs: -v 241,raw48,Host_Writes_32MiB"),
    _host(r"Dell Certified Intel", 225, "Host_Writes_32MiB", UNITS_32_MIB,
          "Dell Certified Intel S3520 Series SSDs: -v 225,raw48,Host_Writes_32MiB"),
    _host(r"Kingston branded X25-V", 225, "Host_Writes_32MiB", UNITS_32_MIB,
          "Kingston branded X25-V SSDs: -v 225,raw48,Host_Writes_32MiB"),
    _host(r"Silicon Motion based", 225, "Host_Writes_32MiB", UNITS_32_MIB,
          "Silicon Motion based SSDs: -v 225,raw48,Host_Writes_32MiB // FW 20140402"),
    _host(r"Silicon Motion based", 241, "Host_Writes_32MiB", UNITS_32_MIB,
          "Silicon Motion based SSDs: -v 241,raw48,Host_Writes_32MiB"),
    _host(r"Inno[Dd]isk", 241, "Host_Writes_32MiB", UNITS_32_MIB,
          "Innodisk 1IE3/3IE3/3ME3/3IE4/3ME4 SSDs: -v 241,raw48,Host_Writes_32MiB"),
    _host(r"Plextor M3", 241, "Host_Writes_32MiB", UNITS_32_MIB,
          "Plextor M3/M5/M6/M7 Series SSDs: -v 241,raw48,Host_Writes_32MiB"),
    _host(r"StorFly CFast", 241, "Host_Writes_32MiB", UNITS_32_MIB,
          "StorFly CFast SATA 6Gbps SSDs: -v 241,raw48,Host_Writes_32MiB"),
    _host(r"Hosin Global HG2259", 241, "Host_Writes_32MiB", UNITS_32_MIB,
          "Hosin Global HG2259 based SSDs: -v 241,raw48,Host_Writes_32MiB"),
    _host(r"Apple SD/SM/TS", 175, "Host_Writes_MiB", MEBIBYTE,
          "Apple SD/SM/TS...E/F/G SSDs: -v 175,raw48,Host_Writes_MiB"),
    _host(r"Apple MacBook Air SSD", 241, "Host_Writes_GiB", GIBIBYTE,
          "Apple MacBook Air SSD: -v 241,raw48,Host_Writes_GiB"),
    _host(r"Indilinx Barefoot 3|OCZ Intrepid", 199, "Host_Writes_GiB", GIBIBYTE,
          "OCZ Intrepid 3000 SSDs: -v 199,raw48,Host_Writes_GiB"),
    _host(r"Indilinx Barefoot 3", 241, "Host_Writes_GiB", GIBIBYTE,
          "Indilinx Barefoot 3 based SSDs: -v 241,raw48,Host_Writes_GiB // M00/M10"),
    _host(r"Kingston SSDNow UV", 241, "Host_Writes_GiB", GIBIBYTE,
          "Kingston SSDNow UV400/500: -v 241,raw48,Host_Writes_GiB"),
    _host(r"WD Blue", 241, "Host_Writes_GiB", GIBIBYTE,
          "WD Blue / Red / Green SSDs: -v 241,raw48,Host_Writes_GiB"),
    _host(r"Seagate IronWolf Pro 125", 241, "Host_Writes_GiB", GIBIBYTE,
          "Seagate IronWolf Pro 125 SSDs: -v 241,raw48,Host_Writes_GiB"),
    _host(r"Xmore Industrial", 241, "Host_Writes_GiB", GIBIBYTE,
          "Xmore Industrial SATA SSDs: -v 241,raw48,Host_Writes_GiB"),
    _host(r"ATP SATA III Value Line", 241, "Host_Writes_GiB", GIBIBYTE,
          "ATP SATA III Value Line SSDs: -v 241,raw48,Host_Writes_GiB"),
    _host(r"Hosin Global HG2258", 241, "Host_Writes_GiB", GIBIBYTE,
          "Hosin Global HG2258 based SSDs: -v 241,raw48,Host_Writes_GiB"),
    _host(r"SandForce Driven SSDs", 241, "Lifetime_Writes_GiB", GIBIBYTE,
          "SandForce Driven SSDs: -v 241,raw48,Lifetime_Writes_GiB"),
    _host(r"Phison Driven", 241, "Lifetime_Writes_GiB", GIBIBYTE,
          "Phison Driven SSDs: -v 241,raw48,Lifetime_Writes_GiB"),
    _host(r"Maxio based SSDs", 241, "Lifetime_Writes_GiB", GIBIBYTE,
          "Maxio based SSDs: -v 241,raw48,Lifetime_Writes_GiB"),
    _host(r"Supermicro SATA DOM", 241, "Lifetime_Writes_GiB", GIBIBYTE,
          "Supermicro SATA DOM (SuperDOM): -v 241,raw48,Lifetime_Writes_GiB"),
    _host(r"SK hynix SATA SSDs", 241, "Lifetime_Writes_GiB", GIBIBYTE,
          "SK hynix SATA SSDs: -v 241,raw48,Lifetime_Writes_GiB"),
    _host(r"SK hynix SATA SSDs", 241, "Total_Writes_GB", GIGABYTE,
          "SK hynix SATA SSDs: -v 241,raw48,Total_Writes_GB // SC31: ~GB, not GiB (#1517)"),
    _host(r"Marvell based SanDisk", 241, "Total_Writes_GiB", GIBIBYTE,
          "Marvell based SanDisk SSDs: -v 241,raw48,Total_Writes_GiB"),
    _host(r"Seagate Nytro XF1230", 241, "Total_Writes_GiB", GIBIBYTE,
          "Seagate Nytro XF1230 SATA SSD: -v 241,raw48,Total_Writes_GiB"),
    _host(_SEAGATE_SSD, 241, "Lifetime_Wts_Frm_Hst_GB", GIGABYTE,
          "Seagate IronWolf 110 SATA SSD: -v 241,raw48,Lifetime_Wts_Frm_Hst_GB"),
    _host(r"Samsung based SSDs", 241, "Total_LBAs_Written", None,
          "Samsung based SSDs: // -v 241,raw48,Total_LBAs_Written"),
    _host(_MICRON, 246, "Total_LBAs_Written", None,
          "Crucial/Micron Client SSDs: -v 246,raw48,Total_LBAs_Written"),
    _host(_MICRON, 246, "Total_Host_Sector_Write", None,  # the former name of the same attribute
          "Crucial/Micron MX100/MX200/M5x0/M600 Client SSDs, to 6.5: -v 246,raw48,Total_Host_Sector_Write"),
    _host(r"Dell Certified Intel", 233, "Total_LBAs_Written", None,
          "Dell Certified Intel S4x00/D3-S4x10 Series SSDs: -v 233,raw48,Total_LBAs_Written"),
    _host(r"(?!.*SSD)(?:Seagate|Western Digital|WD|Toshiba|HGST|Hitachi)\b", 241, "Total_LBAs_Written", None,
          "DEFAULT, of the makers of hard disks: -v 241,raw48,Total_LBAs_Written"),
    # What the drive wrote to its flash
    _flash(_INTEL, 243, "NAND_Writes_32MiB", UNITS_32_MIB,
           "Intel S3520 Series SSDs: -v 243,raw48,NAND_Writes_32MiB"),
    _flash(_INTEL, 249, "NAND_Writes_1GiB", GIBIBYTE,
           "Intel 520 Series SSDs: -v 249,raw48,NAND_Writes_1GiB"),
    _flash(r"Samsung based SSDs", 249, "NAND_Writes_1GiB", GIBIBYTE,
           "Samsung based SSDs: -v 249,raw48,NAND_Writes_1GiB // CM871a, PM871"),
    _flash(r"Silicon Motion based", 245, "TLC_Writes_32MiB", UNITS_32_MIB,
           "Silicon Motion based SSDs: -v 245,raw48,TLC_Writes_32MiB // FW N0815B, N1114H"),
    _flash(r"Silicon Motion based", 246, "SLC_Writes_32MiB", UNITS_32_MIB,
           "Silicon Motion based SSDs: -v 246,raw48,SLC_Writes_32MiB"),
    _flash(r"Phison Driven", 233, "Flash_Writes_GiB", GIBIBYTE,
           "Phison Driven SSDs: -v 233,raw48,Flash_Writes_GiB"),
    _flash(_SEAGATE_SSD, 233, "Lifetime_Wts_To_Flsh_GB", GIGABYTE,
           "Seagate IronWolf 110 SATA SSD: -v 233,raw48,Lifetime_Wts_To_Flsh_GB"),
    _flash(r"Seagate Nytro XF1230", 234, "Lifetime_Nand_Gb", GIGABYTE,
           "Seagate Nytro XF1230 SATA SSD: -v 234,raw48,Lifetime_Nand_Gb"),
    _flash(r"Marvell based SanDisk", 233, "Total_NAND_Writes_GiB", GIBIBYTE,
           "Marvell based SanDisk SSDs: -v 233,raw48,Total_NAND_Writes_GiB"),
)
# fmt: on

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
