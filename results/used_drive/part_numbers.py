"""The capacities that model names and part numbers show."""

import re
from collections.abc import Collection

from parsers.base.units import GIGABYTE, TERABYTE

_NUMBER = re.compile(r"\d{2,4}", re.ASCII)
_DIGITS = re.compile(r"\d+", re.ASCII)
_USABLE = 0.12  # at most this share is missing: a 16 GB Optane M10 has 14.4 GB

# How part numbers of makers begin, with the gigabytes that their number counts; "1T9" is 1.9 TB whatever they count.
# The first that is found decides.
_FAMILIES = [
    (re.compile(rf"(?<![A-Z\d]){pattern}", re.ASCII), gigabytes)
    for pattern, gigabytes in (
        (r"[MC]TFD[A-Z]{3}(\d{3}|\d{1,2}T\d)(?=[A-Z]{3})", 1),  # Micron: MTFDDAK480TDS
        (r"MZ[A-Z\d]{3}(\d{3}|\d{1,2}T\d)(?=H)", 1),  # Samsung: MZ7LH1T9HMLT
        (r"HF[SM](\d{3}|\dT\d)G", 1),  # SK hynix: HFS960GD0MEE
        (r"K(?:CD|CM|PM)[A-Z\d]{5}(\d{1,2}T\d{1,2})", 1),  # Kioxia: KCD6XLUL1T92
        (r"PX0\d[A-Z]{3}(\d{3})", 10),  # Toshiba: PX05SMB040
        (r"CT(\d{3,4})[A-Z]{1,2}\d", 1),  # Crucial: CT500MX500SSD1
        (r"S(?:A|KC|EDC)\d+[A-Z]{0,2}(?:M8|S37)(\d{3,4})G", 1),  # Kingston: SA400S37240G
        (r"SEDC\d+[A-Z]{1,2}(\d{3,4})G", 1),  # SEDC1500M3840G
        (r"WDS(\d{3})G", 1),  # Western Digital: WDS500G2B0A
        (r"WDS(\d{3})T", 10),  # WDS100T3X0C
        (r"SD[A-Z\d]{5,6}-(\d{3})G-", 1),  # SanDisk: SDLF1DAR-480G-1HA1
        (r"LT(\d{4})[A-Z]{2}", 1),  # LT0400WM
        (r"X[APS](\d{3,5})[A-Z]E\d", 1),  # Seagate: XS1600LE70084
        (r"Z[AP](\d{3,4})[A-Z]M\d", 1),  # ZP4000GM30023
        (r"ST(\d{3,5})[A-Z]{2}\d", 1),  # ST400FM0053
        (r"(?:EO|LO|MK|MO|VK|VO)(\d{6})[A-Z]{5}", 1),  # HPE: VK000480GWSRR
        (r"SSDS[AC][A-Z\d]{2,3}(\d{3})[AGH]\d", 1),  # Intel: SSDSC2BA200G3
        # Others end alike: "016G" in MEMPEK1J016GA, 1.5 TB as "015T" in SSDPED1K015TA
        (r"\S*(?<=[A-Z])(?!0+G)(\d{3})G(?=[A-Z]?[A-Z\d]?(?:\s|$))", 1),
        (r"\S*(?<=[A-Z])(?!0+T)(\d{3})T(?=[A-Z]?[A-Z\d]?(?:\s|$))", 100),
    )
]
_CUT = {1900: 1920, 3800: 3840, 7600: 7680, 15300: 15360, 30700: 30720}  # GB; the others are exact
# HGST and Western Digital have codes: HUSMM1680ASS204, WUS4BA119DSP3X1. Others, such as 10, mean several capacities.
_OF_HGST = re.compile(r"(?:HUS[MPST][A-Z]\d\d|WUST[A-Z]\d\d|WUS\d[A-Z][A-Z\d]\d)(\d\d)[A-Z]", re.ASCII)
_HGST_CODES = {
    code: gigabytes
    for gigabytes, code in (
        *((200, "20"), (400, "40"), (480, "48"), (800, "80"), (960, "96"), (1600, "16"), (1920, "19")),
        *((3200, "32"), (3840, "38"), (6400, "64"), (7680, "76")),
    )
}


def possible_capacities(name: str, called: Collection[str], capacities: Collection[int]) -> Collection[int]:
    """The capacities that a drive of this name may have; empty if it may have any.

    `called` are its product's names, `capacities` those that sources state for it. A name with another number may be
    a part number that we can't read; and if sources state only one capacity, there may be others.
    """
    own = {digits for each in called for digits in _DIGITS.findall(each)}
    alone = _DIGITS.sub(lambda found: "" if found[0] in own else found[0], name)
    if stated := capacities_of_part_number(name) or capacities_in_name(alone, capacities):
        return stated
    return [] if _DIGITS.search(alone) or len(capacities) == 1 else capacities


def capacities_in_name(name: str, capacities: Collection[int]) -> list[int]:
    """The capacities that a name shows: 400 GB in "SSDPEDMD400G4", 1.6 TB in "SSDPEDMD016T4"."""
    return [
        capacity
        for capacity in capacities
        if any(_shows(name.upper(), form) for form in _spellings(capacity))
    ]


def capacities_of_part_number(name: str) -> list[int]:
    """The capacity that a maker's part number states: 16 GB in "MEMPEK1J016GA", 1.5 TB in "SSDPED1K015TA"."""
    capitals = name.upper()
    if code := _OF_HGST.search(capitals):
        return [_HGST_CODES[code[1]] * GIGABYTE] if code[1] in _HGST_CODES else []
    stated = ((found[1], counted) for pattern, counted in _FAMILIES if (found := pattern.search(capitals)))
    return [_bytes(number, counted) for number, counted in stated][:1]


def _bytes(number: str, counted: int) -> int:
    """The bytes of "480" or "1T9"."""
    whole, _, tenths = number.partition("T")
    gigabytes = int(whole) * 1000 + int(f"{tenths:0<3}") if tenths else int(whole) * counted
    return _CUT.get(gigabytes, gigabytes) * GIGABYTE


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
