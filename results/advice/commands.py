"""The commands that measure a disk, those that show that it is idle first, and those that say what disk it is.

diskinfo writes and flushes at fifteen sizes from one sector to 8 MiB, a second each (usr.sbin/diskinfo/diskinfo.c);
fio is asked for the same (parsers.fio.slog).
"""

import re
import shlex
from dataclasses import dataclass

from parsers.fio.slog import ladder_command
from results.advice.disk_names import System

_NVME_ON_FREEBSD = re.compile(r"(?:nvd|nda)([0-9]+)")


@dataclass(frozen=True, slots=True)
class Check:
    """A command that changes nothing, and what it prints where the disk is free."""

    command: str
    expected: str


@dataclass(frozen=True, slots=True)
class Commands:
    """What to run on one disk, in this order; `saved_as` is the file that the two last ones fill."""

    checks: tuple[Check, ...]
    measure: str
    describe: str
    saved_as: str


def commands_for(system: System, disk: str) -> Commands:
    """The commands for a disk that results.advice.disk_names.whole_disk has passed."""
    return (_on_freebsd if system is System.FREEBSD else _on_linux)(disk)


def _on_freebsd(disk: str) -> Commands:
    saved_as = f"slog-{disk}.txt"
    path = shlex.quote(f"/dev/{disk}")
    return Commands(
        checks=(
            Check(f"diskinfo -v {path}", "the model and the size that you mean"),
            Check(f"gpart show {disk}", f"“No such geom: {disk}.”: there is no partition on it"),
            Check("zpool status", f"no line with {disk}, and no label of it"),
            Check(f"glabel status | grep {disk}", "nothing"),
            Check(f"mount | grep {disk}", "nothing"),
            Check("swapinfo", f"no line with {disk}"),
            Check(f"gstat -b -f '^{disk}$'", "0 operations a second"),
        ),
        measure=f"diskinfo -wS {path} | tee {saved_as}",
        describe=f"smartctl -x /dev/{_smartctl_name(disk)} | tee -a {saved_as}",
        saved_as=saved_as,
    )


def _smartctl_name(disk: str) -> str:
    """On FreeBSD smartctl asks the NVMe controller, which has the number of the disk on most machines."""
    return _NVME_ON_FREEBSD.sub(r"nvme\1", disk)


def _on_linux(disk: str) -> Commands:
    saved_as = f"slog-{disk}.txt"
    path = shlex.quote(f"/dev/{disk}")
    return Commands(
        checks=(
            Check(
                f"lsblk -o NAME,MODEL,SIZE,TYPE,FSTYPE,MOUNTPOINT {path}",
                "one line, of the model and the size that you mean: nothing below it, no FSTYPE, no MOUNTPOINT",
            ),
            Check(f"findmnt | grep {disk}", "nothing"),
            Check(f"zpool status -LP | grep {disk}", "nothing"),
            Check("swapon --show", f"no line with {disk}"),
            Check(f"grep {disk} /proc/mdstat", "nothing"),
        ),
        measure=f"{ladder_command(path)} > {saved_as}",
        describe=f"smartctl -x {path} | tee -a {saved_as}",
        saved_as=saved_as,
    )
