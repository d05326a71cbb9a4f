"""What happens to a flush on its way to the medium, as the paste states it of a disk.

The kernel sends no flush to a disk that it believes to have no volatile cache (queue/write_cache), and neither does
anything need one where there is none (NVMe's VWC) or where it is off (WCE). The lines are those that
parsers.keep_outside keeps, in its form.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from parsers.base.readings import (
    DiskinfoReading,
    FioReading,
    FlushPath,
    PairedDevice,
    Reading,
    SmartctlReading,
)
from parsers.text.clean import lines_with

MAX_STATEMENTS = 500
_HINT = re.compile(
    r"write_cache:|fua:|cache_type:|write-caching|WCE|vwc|Volatile Write|write cache", re.IGNORECASE
)
_KERNEL_FILE = re.compile(
    r"(?:/sys/block/(?P<disk>[a-z0-9-]{1,20})/)?\S{0,60}?(?P<file>write_cache|fua|cache_type):(?P<state>.{1,40})"
)
_HDPARM = re.compile(r"write-caching\s*=\s*\d \((?P<state>on|off|not supported)\)")
_WCE = re.compile(r"WCE(?:\s++[:=]?|[:=])\s*+(?P<state>[01])\b.*")
_VWC = re.compile(r"vwc\s*:\s*(?P<state>(?:0x)?[0-9a-f]{1,4})")
_FEATURE = re.compile(r"get-feature: ?0x0?6 \(.{1,30}\), Current value: ?(?P<state>(?:0x)?[0-9a-f]{1,10})")
_FEATURE_IN_WORDS = re.compile(r"Volatile Write Cache Enable \(WCE\): (?P<state>En|Dis)abled")
_CAMCONTROL = re.compile(r"write cache\s+(?P<supported>yes|no)\s+(?P<state>yes|no)")
_DISK_LINE = re.compile(r"/dev/(?P<disk>[a-z0-9]{2,20}):")
_DISK = re.compile(r"(?:/dev/)?(?P<disk>nvme\d{1,4}|(?:s|v|xv|h)d[a-z]{1,3}|[a-z]{2,8}\d{1,4})\S{0,20}")
_THROUGH = ("write through", "none")  # none: no cache of writes, though one of reads


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a line states, and the disk that it names, if any."""

    disk: str | None
    values: dict[str, Any]


def state_flush_paths(
    devices: Sequence[PairedDevice], readings: Sequence[Reading], lines: Sequence[str]
) -> tuple[PairedDevice, ...]:
    """The devices with their flush paths.

    A line that names no disk is about the only device of the paste; the first line that states something counts.
    """
    statements = list(islice(_statements(lines), MAX_STATEMENTS))
    if not statements:
        return tuple(devices)
    is_only = len({one.unit or at for at, one in enumerate(devices)}) == 1
    return tuple(_with_path(one, _disks_of(one, readings), statements, is_only=is_only) for one in devices)


def _with_path(
    device: PairedDevice, disks: set[str], statements: Sequence[_Statement], *, is_only: bool
) -> PairedDevice:
    values: dict[str, Any] = {}
    for one in statements:
        is_its = one.disk in disks or (is_only and (one.disk is None or not disks))
        if is_its:
            values = one.values | values
    return replace(device, flush_path=FlushPath(**values)) if values else device


def _disks_of(device: PairedDevice, readings: Sequence[Reading]) -> set[str]:
    """The names of its disk by its readings: "sda", and "nvme0" for /dev/nvme0n1."""
    found = (readings[at] for at in (device.diskinfo, device.smartctl, device.fio) if at is not None)
    paths = (one.path for one in found if isinstance(one, DiskinfoReading | SmartctlReading | FioReading))
    return {name for path in paths if path and path.startswith("/dev/") and (name := _disk(path))}


def _disk(path: str) -> str | None:
    match = _DISK.fullmatch(path)
    return match["disk"] if match else None


def _statements(lines: Sequence[str]) -> Iterator[_Statement]:
    for at in lines_with(_HINT, "\n".join(lines)):
        line = lines[at].strip()
        values = _values(line)
        if values:
            yield _Statement(_disk_of_line(lines, at), values)


def _disk_of_line(lines: Sequence[str], at: int) -> str | None:
    """The disk that the line names, or hdparm's line above it."""
    kernel = _KERNEL_FILE.fullmatch(lines[at].strip())
    if kernel is not None:
        return _disk(kernel["disk"]) if kernel["disk"] else None
    above = (_DISK_LINE.fullmatch(line.strip()) for line in reversed(lines[max(at - 2, 0) : at]))
    named = next(filter(None, above), None)
    return _disk(named["disk"]) if named else None


def _values(line: str) -> dict[str, Any]:
    """What a line states, by the fields of FlushPath."""
    for shape, read in _READERS:
        match = shape.fullmatch(line)
        if match is not None:
            return read(match)
    return {}


def _of_kernel(match: re.Match[str]) -> dict[str, Any]:
    state = match["state"].removeprefix("temporary ")
    if match["file"] == "fua":
        return {"has_fua": state == "1"} if state in ("0", "1") else {}
    if state.startswith("write back"):
        return {"kernel_write_cache": "write back"}
    return {"kernel_write_cache": "write through"} if state in _THROUGH else {}


def _of_hdparm(match: re.Match[str]) -> dict[str, Any]:
    is_supported = match["state"] != "not supported"
    return {"write_cache_enabled": match["state"] == "on"} if is_supported else {"has_volatile_cache": False}


def _of_camcontrol(match: re.Match[str]) -> dict[str, Any]:
    is_supported = match["supported"] == "yes"
    enabled = {"write_cache_enabled": match["state"] == "yes"} if is_supported else {}
    return {"has_volatile_cache": is_supported, **enabled}


def _lowest_bit(match: re.Match[str]) -> bool:
    return int(match["state"], 16) % 2 == 1


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], dict[str, Any]]], ...] = (
    (_KERNEL_FILE, _of_kernel),
    (_HDPARM, _of_hdparm),
    (_VWC, lambda match: {"has_volatile_cache": _lowest_bit(match)}),
    (_FEATURE, lambda match: {"write_cache_enabled": _lowest_bit(match)}),
    (_WCE, lambda match: {"write_cache_enabled": _lowest_bit(match)}),
    (_FEATURE_IN_WORDS, lambda match: {"write_cache_enabled": match["state"] == "En"}),
    (_CAMCONTROL, _of_camcontrol),
)
