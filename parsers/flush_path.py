"""What happens to a flush on its way to the medium, as the paste states it for a disk.

The kernel sends no flush to a disk that it believes has no volatile cache (queue/write_cache). A disk without one
(NVMe's VWC), or with it turned off (WCE), needs no flush. parsers.keep_outside keeps what is read here.
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
    SlogprobeReading,
    SmartctlReading,
)
from parsers.text.clean import lines_with

MAX_STATEMENTS = 500
HINT = re.compile(r"write.cach|wce|vwc|volatile write|fua|cache_type")  # in lower case: ignoring it is slow
_STATE = r"(?P<state>write back(?:, no read \(daft\))?|write through|none|temporary|0|1)"
_FILE = r"(?P<folder>/sys/\S{1,200}/|queue/)?(?P<file>write_cache|fua|cache_type)"
_KERNEL = re.compile(rf"{_FILE}\s*[:=]\s*{_STATE}")
_CAT = re.compile(rf".*\bcat {_FILE}['\"]?\s*")
_KERNEL_STATE = re.compile(_STATE)
_FOLDER_OF_DISK = re.compile(r"(?:sd|vd|nvme|md|dm-|da|hd)[a-z0-9]{1,12}")
_SCSI_ADDRESS = re.compile(r"[0-9]{1,3}(?::[0-9]{1,3}){3}")
DISK_LINE = re.compile(r"/dev/(?P<disk>[a-z0-9]{2,20}):")  # above the answers of hdparm
_DISK = re.compile(r"(?:/dev/)?(?P<disk>nvme\d{1,4}|(?:s|v|xv|h)d[a-z]{1,3}|[a-z]{2,8}\d{1,4})\S{0,20}")
_WRITE_THROUGH_STATES = ("write through", "none")  # none: no cache of writes, though one of reads


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
    is_only = len({device.unit or at for at, device in enumerate(devices)}) == 1
    return tuple(
        _with_path(device, _disks_of(device, readings), statements, is_only=is_only) for device in devices
    )


def _with_path(
    device: PairedDevice, disks: set[str], statements: Sequence[_Statement], *, is_only: bool
) -> PairedDevice:
    values: dict[str, Any] = {}
    for statement in statements:
        is_its = statement.disk in disks or (is_only and (statement.disk is None or not disks))
        if is_its:
            values = statement.values | values
    return replace(device, flush_path=FlushPath(**values)) if values else device


def _disks_of(device: PairedDevice, readings: Sequence[Reading]) -> set[str]:
    """The names of its disk by its readings: "sda", and "nvme0" for /dev/nvme0n1."""
    found = (readings[at] for at in (device.diskinfo, device.smartctl, device.node_run) if at is not None)
    paths = (
        reading.path
        for reading in found
        if isinstance(reading, DiskinfoReading | SmartctlReading | FioReading | SlogprobeReading)
    )
    return {name for path in paths if path and path.startswith("/dev/") and (name := _disk(path))}


def _disk(path: str) -> str | None:
    match = _DISK.fullmatch(path)
    return match["disk"] if match else None


def _statements(lines: Sequence[str]) -> Iterator[_Statement]:
    for at in lines_with(HINT, "\n".join(lines).lower()):
        line = lines[at].strip()
        kernel = _KERNEL.fullmatch(line)
        values = read_state(line) if kernel is None else _for_kernel(kernel)
        if values:
            named = _disk_above(lines, at) if kernel is None else _folder_of_disk(kernel)
            yield _Statement(_disk(named) if named else None, values)


def _disk_above(lines: Sequence[str], at: int) -> str | None:
    """The disk that hdparm's line above names."""
    above = (DISK_LINE.fullmatch(line.strip()) for line in reversed(lines[max(at - 2, 0) : at]))
    named = next(filter(None, above), None)
    return named["disk"] if named else None


def _folder_of_disk(file: re.Match[str]) -> str | None:
    names = (file["folder"] or "").split("/")
    return next((name for name in names if _FOLDER_OF_DISK.fullmatch(name)), None)


def kernel_state(line: str, above: str) -> str | None:
    """What a file of the kernel's states, as it is kept ("/sys/block/sda/queue/fua:1"); `cat` may be above."""
    file = state = _KERNEL.fullmatch(line)
    if file is None:
        state = _KERNEL_STATE.fullmatch(line)
        file = _CAT.match(above) if state else None
    if file is None or state is None:
        return None
    disk = _folder_of_disk(file)
    address = next(filter(_SCSI_ADDRESS.fullmatch, (file["folder"] or "").split("/")), None)
    folder = f"/sys/class/scsi_disk/{address}/" if address else ""
    return f"{f'/sys/block/{disk}/queue/' if disk else folder}{file['file']}:{state['state']}"


def read_state(line: str) -> dict[str, Any]:
    """What a line other than the kernel's states, by the fields of FlushPath."""
    for shape, read in _READERS:
        match = shape.fullmatch(line)
        if match is not None:
            return read(match)
    return {}


def _for_kernel(match: re.Match[str]) -> dict[str, Any]:
    state = match["state"]
    if match["file"] == "fua":
        return {"has_fua": state == "1"} if state in ("0", "1") else {}
    if state.startswith("write back"):
        return {"kernel_write_cache": "write back"}
    return {"kernel_write_cache": "write through"} if state in _WRITE_THROUGH_STATES else {}


def _for_hdparm(match: re.Match[str]) -> dict[str, Any]:
    is_supported = match["state"] != "not supported"
    return {"write_cache_enabled": match["state"] == "on"} if is_supported else {"has_volatile_cache": False}


def _for_camcontrol(match: re.Match[str]) -> dict[str, Any]:
    is_supported = match["supported"] == "yes"
    enabled = {"write_cache_enabled": match["state"] == "yes"} if is_supported else {}
    return {"has_volatile_cache": is_supported, **enabled}


def _for_nvme(match: re.Match[str]) -> dict[str, Any]:
    return {"has_volatile_cache": _is_odd(match["state"])}


def _for_feature(match: re.Match[str]) -> dict[str, Any]:
    return {"write_cache_enabled": _is_odd(match["state"])}


def _is_odd(state: str) -> bool:
    return int(state, 16) % 2 == 1


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], dict[str, Any]]], ...] = tuple(
    (re.compile(shape), read)
    for shape, read in (
        # hdparm -W, camcontrol identify, nvme id-ctrl, nvme get-feature -f 6, the same with -H, sdparm --get=WCE
        (r"write-caching\s*=\s*\d \((?P<state>on|off|not supported)\)", _for_hdparm),
        (r"write cache\s+(?P<supported>yes|no)\s+(?P<state>yes|no)", _for_camcontrol),
        (r"vwc\s*:\s*(?P<state>(?:0x)?[0-9a-f]{1,4})", _for_nvme),
        (
            r"get-feature: ?0x0?6 \(Volatile Write Cache\), Current value: ?(?P<state>(?:0x)?[0-9a-f]{1,10})",
            _for_feature,
        ),
        (
            r"Volatile Write Cache Enable \(WCE\): (?P<state>En|Dis)abled",
            lambda match: {"write_cache_enabled": match["state"] == "En"},
        ),
        (
            r"WCE(?:\s++[:=]?|[:=])\s*+(?P<state>[01])"
            r"(?:\s+\[(?:(?:cha|def|sav|changeable|default|saved):\s{0,3}[01ny](?:,\s{0,3})?){1,3}\])?",
            _for_feature,
        ),
    )
)
