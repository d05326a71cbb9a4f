"""The header that diskinfo prints of each device: its labels and their values."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from parsers.base.format import ParseError
from parsers.base.units import BLOCK_SIZE, CAPACITY, ROTATION_RATE, Limits, is_too_long
from parsers.privacy.masks import is_unit

WITHHELD = "\u2026"  # in place of a value that can't be one
SYNC_TITLE = "Synchronous random writes:"
PATH = re.compile(r"/[^\s#]{1,255}|(?=[^\s]*[0-9/.])[A-Za-z][\w.@+-]{0,60}(?:/[\w.@:+\[\]-]{1,120}){0,3}")
# Of FreeBSD's adapters, to which it attaches disks; each is named by its driver and a number
DRIVERS = (
    "(?:aacp?|aacraid|adv|adw|ahb|ahcich|ahc|ahd|ahciem|amr|arcmsr|asr|ata|bt|ciss|dpt|esp|fwohci|hpt(?:27xx|iop|mv|nr|rr)"
    "|ida|iir|ips|isci|iscsi|isp|mfip?|mly|mlx5?|mmc|mmcsd|mpi3mr|mpr|mps|mpt|mrsas|mvsch|mvs|ncr|nda|nvd|nvme|ocs_fc|pci"
    "|pmspcv|pvscsi|sbp|scbus|sdhci(?:_[a-z]{3,8}-slot|-slot)?|siisch|siis|smartpqi|storvsc|sym|trm|twa|twe|tws|ufshci"
    "|umass-sim|vtblk|vtscsi|xbd|xenbusb_front|camsim)[0-9]{1,4}"
)
# "id1,enc@n.../type@0/slot@4/elmdesc@Slot_07" of ses(4), or the path of a bus
PHYSICAL_PATH = re.compile(
    r"id[0-9]{1,3},enc@n?(?:[0-9a-fA-F]{1,32}|\[wwn-[0-9]{1,6}\])(?:/(?:(?:type|slot)@[0-9a-fA-F]{1,4}|elmdesc@[\w.,-]{1,40})){0,4}"
    rf"|{DRIVERS}(?:[:/](?:bus|target|lun)?[0-9]{{1,5}}){{1,6}}"
)
ZONE_MODE = re.compile(r"Not_Zoned|(?:Host|Drive)_(?:Aware|Managed)|Unknown(?:_zone_mode)?(?:_[0-9]{1,10})?")
IMPOSSIBLE = "impossible_figure"
IMPOSSIBLE_CAPACITY = "impossible_capacity"


def is_path(line: str) -> bool:
    """Whether a line is only a name of a device or file, as diskinfo prints first."""
    return PATH.fullmatch(line.strip()) is not None


def command_path(command: str | None) -> str | None:
    """The device that a command line names, if it names one."""
    words = {word for word in (command or "").split()[1:] if not word.startswith("-") and is_path(word)}
    words.discard("diskinfo")
    return words.pop() if len(words) == 1 else None


def _text(value: str) -> str | None:
    if "#" in value or value == WITHHELD:
        raise ParseError(f"lines ran together in it: {value[:40]!r}")
    return value or None


def _count(limits: Limits, code: str, value: str) -> int | None:
    """Parse an integer within limits.

    Raises ParseError, with the code for a figure that no device has: then nothing of the run is credible.
    """
    if not value.isascii() or not value.isdecimal():
        raise ParseError(f"not a whole number: {value[:40]!r}")
    if is_too_long(value):
        raise ParseError(f"a number of {len(value)} digits is none", code=code)
    if int(value) not in limits:
        raise ParseError(f"{value} is outside the range of {limits}", code=code)
    return int(value)


def _rotation_rate(value: str) -> int | None:
    """Parse a rotation rate: 0 does not rotate, None is not stated."""
    return None if value in ("Unknown", "Invalid") else _count(ROTATION_RATE, IMPOSSIBLE, value)


def _answer(value: str) -> bool | None:
    if value not in ("Yes", "No"):
        raise ParseError(f"neither Yes nor No: {value[:40]!r}")
    return value == "Yes"


def _complete(shape: re.Pattern[str], value: str) -> str | None:
    """A value of a known shape; None for part of one that a terminal broke."""
    if value and shape.fullmatch(value) is None:
        raise ParseError(f"not a whole value: {value[:40]!r}")
    return value or None


def _mask(value: str) -> str | None:
    return value if is_unit(value) else None


def _ignore(_value: str) -> None:
    return None


# The labels after the hash, without a figure in brackets: the field, and how to read its value.
HEADER: dict[str, tuple[str, Callable[[str], Any]]] = {
    "sectorsize": ("sector_size", partial(_count, BLOCK_SIZE, IMPOSSIBLE)),
    "mediasize in bytes": ("media_size", partial(_count, CAPACITY, IMPOSSIBLE_CAPACITY)),
    "mediasize in sectors": ("", _ignore),
    "stripesize": ("", _ignore),
    "stripeoffset": ("", _ignore),
    "Cylinders according to firmware.": ("", _ignore),
    "Heads according to firmware.": ("", _ignore),
    "Sectors according to firmware.": ("", _ignore),
    "Disk descr.": ("description", _text),
    "Disk ident.": ("serial", _mask),
    "Attachment": ("attachment", _text),
    "Physical path": ("physical_path", partial(_complete, PHYSICAL_PATH)),
    "TRIM/UNMAP support": ("trim_support", _answer),
    "Rotation rate in RPM": ("rotation_rate_rpm", _rotation_rate),
    "Zone Mode": ("zone_mode", partial(_complete, ZONE_MODE)),
}
PRINTED_HEADER = {
    f" {comment}": known for comment, known in HEADER.items()
}  # as printed, so that no blanks need normalizing
