"""The capacities that model names and part numbers show."""

import re
from collections.abc import Collection

from parsers.base.units import GIGABYTE, TERABYTE

_NUMBER = re.compile(r"\d{2,4}", re.ASCII)
_OF_PART_NUMBER = re.compile(r"(?<=[A-Z])(?!0+[GT])(\d{3})([GT])(?=[A-Z]?[A-Z\d]?(?:\s|$))", re.ASCII)
# "480" or, in TB, "1T9" in MTFDDAK480TDS and MTFDDAK1T9TDS (Micron), MZ7LH480HAHQ and MZ7LH1T9HMLT (Samsung)
_OF_MICRON_OR_SAMSUNG = re.compile(r"(?:MTFD[A-Z]{3}|MZ[A-Z\d]{3})(\d{3}|\dT\d)(?=T[A-Z]|H)", re.ASCII)
_CUT = {"1T9": 1920, "3T8": 3840, "7T6": 7680}  # GB; the others are exact
_USABLE = 0.12  # at most this share is missing: a 16 GB Optane M10 has 14.4 GB


def capacities_in_name(name: str, capacities: Collection[int]) -> list[int]:
    """The capacities that a name shows: 400 GB in "SSDPEDMD400G4", 1.6 TB in "SSDPEDMD016T4"."""
    return [
        capacity
        for capacity in capacities
        if any(_shows(name.upper(), form) for form in _spellings(capacity))
    ]


def capacities_of_part_number(name: str) -> list[int]:
    """The capacity that a maker's part number states: 16 GB in "MEMPEK1J016GA", 1.5 TB in "SSDPED1K015TA"."""
    if match := _OF_MICRON_OR_SAMSUNG.search(name.upper()):
        stated = match[1]
        gigabytes = (
            int(stated) if stated.isdecimal() else _CUT.get(stated, int(stated.replace("T", "")) * 100)
        )
        return [gigabytes * GIGABYTE]
    return [
        int(digits) * (GIGABYTE if unit == "G" else TERABYTE // 10)
        for digits, unit in _OF_PART_NUMBER.findall(name.upper())
    ][:1]


def is_in_name(name: str, capacity_bytes: int) -> bool:
    """Whether a name shows about this capacity."""
    shown = (int(number) * GIGABYTE for number in _NUMBER.findall(name))
    is_shown = any(0 <= capacity - capacity_bytes <= _USABLE * capacity for capacity in shown)
    return is_shown or bool(capacities_in_name(name, [capacity_bytes]))


def _spellings(capacity_bytes: int) -> set[str]:
    """How names spell a capacity: "400", or for 1.92 TB "1920", "019T", "1T9" and "1.92T"."""
    spellings = {f"{capacity_bytes // GIGABYTE}"}
    if capacity_bytes >= TERABYTE:
        whole, tenths = divmod(capacity_bytes * 10 // TERABYTE, 10)
        rounded = f"{capacity_bytes / TERABYTE:.2f}".rstrip("0").rstrip(".")
        spellings |= {f"{whole:02}{tenths}T", f"{whole}T{tenths}", f"{rounded}T"}
    return spellings


def _shows(name: str, form: str) -> bool:
    """Whether a name has these letters and digits, not as part of a longer number."""
    return re.search(rf"(?<!\d){re.escape(form)}(?!(?<=\d)\d)", name, re.ASCII) is not None
