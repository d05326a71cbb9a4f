"""What a benchmark wrote through, where the paste states it: a file system, a zvol, the disk of a guest.

`df -T`, `mount`, `findmnt` and /proc/mounts print a mount point with its file system; the deepest one that holds the
file counts. Missing lines prove nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from parsers.base.readings import FioReading, PgTestFsyncReading, PveperfReading, Reading
from parsers.base.target import FILE_SYSTEMS, Target
from parsers.text.clean import lines_with

NAMES_FILE_SYSTEM = re.compile(rf"[\s(](?:{FILE_SYSTEMS})(?![\w/])")
_POINT = r"(?P<point>/[^\s,;()]{0,200})"
_MOUNTS = tuple(
    re.compile(shape)
    for shape in (
        # mount: Linux, then FreeBSD and macOS
        rf"\s*\S{{1,300}} on {_POINT} type (?P<type>{FILE_SYSTEMS})(?![\w.]).*",
        rf"\s*\S{{1,300}} on {_POINT} \((?P<type>{FILE_SYSTEMS})[,)].*",
        # df -T
        rf"\s*\S{{1,300}}\s+(?P<type>{FILE_SYSTEMS})\s+[\d.,]{{1,20}}[KMGTPi]{{0,2}}\s+\S{{1,20}}\s+\S{{1,20}}\s+[\d-]{{1,3}}%?\s+{_POINT}\s*",
        # /proc/mounts and fstab
        rf"\s*\S{{1,300}}\s+{_POINT}\s+(?P<type>{FILE_SYSTEMS})\s+\S{{1,300}}\s+[0-9]\s+[0-9]\s*",
        # findmnt, with the lines of its tree
        rf"[\s|`\u2500-\u257f-]{{0,40}}{_POINT}\s+\S{{1,300}}\s+(?P<type>{FILE_SYSTEMS})\s+(?:rw|ro)\b.*",
    )
)
_GUEST_DISK = re.compile(r"/dev/(?:x?vd[a-z]{1,3}[0-9]{0,3}|vtbd[0-9]{1,3}\w{0,8}|xbd[0-9]{1,3}\w{0,8})")
MAX_MOUNTS = 500
GUEST, ZVOL, ZFS = "guest", "zvol", "zfs"


def state_layers(readings: Sequence[Reading], lines: Sequence[str]) -> list[Reading]:
    """The readings, with the layer that the paste states for files and volumes."""
    if all(not isinstance(reading, FioReading | PgTestFsyncReading | PveperfReading) for reading in readings):
        return list(readings)
    found = (find_mount(lines[at]) for at in lines_with(NAMES_FILE_SYSTEM, "\n".join(lines)))
    mounts = dict(islice(filter(None, found), MAX_MOUNTS))  # the last one of a mount point counts
    return [_with_layer(reading, mounts) for reading in readings]


def _with_layer(reading: Reading, mounts: Mapping[str, str]) -> Reading:
    if not isinstance(reading, FioReading | PgTestFsyncReading | PveperfReading):
        return reading
    layer = _layer_of(reading, mounts)
    return replace(reading, layer=layer) if layer else reading


def _layer_of(
    reading: FioReading | PgTestFsyncReading | PveperfReading, mounts: Mapping[str, str]
) -> str | None:
    if reading.target is Target.ZVOL:
        return ZVOL
    path = reading.path or ""
    if _GUEST_DISK.fullmatch(path):
        return GUEST
    if reading.target is not Target.FILE:
        return None
    if isinstance(reading, PveperfReading) and _is_data_set(reading.source or ""):
        return ZFS
    while path.startswith("/"):
        if path in mounts:
            return mounts[path]
        if path == "/":
            break
        path = path.rpartition("/")[0] or "/"
    return None


def _is_data_set(source: str) -> bool:
    """Say whether a source is a dataset below a pool: "rpool/ROOT/pve-1"."""
    return "/" in source and source[0] != "/" and ":" not in source


def find_mount(line: str) -> tuple[str, str] | None:
    """The mount point and the file system that a line states."""
    match = next((match for shape in _MOUNTS if (match := shape.fullmatch(line[:1000]))), None)
    return (match["point"].rstrip("/") or "/", match["type"]) if match else None
