"""Names of whole disks as FreeBSD and Linux give them: what may stand in a command that overwrites one."""

import re
from enum import StrEnum

LONGEST_NAME = 40  # characters that are looked at


class System(StrEnum):
    """The two families of systems that the tests run on."""

    FREEBSD = "freebsd"
    LINUX = "linux"


class DiskNameError(ValueError):
    """The text names no whole disk of that system; says what it is instead, and how a disk is named."""


_FREEBSD_DISK = r"(?:ada|da|nda|nvd|mfid|mfisyspd|mmcsd|pmem|vtbd|xbd)[0-9]{1,4}"
_LINUX_DISK = r"(?:(?:sd|vd|xvd)[a-z]{1,3}|nvme[0-9]{1,3}n[0-9]{1,3}|mmcblk[0-9]{1,2}|pmem[0-9]{1,3})"
_DISKS = {System.FREEBSD: re.compile(_FREEBSD_DISK), System.LINUX: re.compile(_LINUX_DISK)}
_PARTITIONS = {
    System.FREEBSD: re.compile(rf"({_FREEBSD_DISK})(?:p[0-9]+|s[0-9]+[a-h]?)"),
    System.LINUX: re.compile(
        r"((?:sd|vd|xvd)[a-z]{1,3}(?=[0-9])|(?:nvme\d+n\d+|mmcblk\d+|pmem\d+)(?=p\d))p?\d+"
    ),
}
_EXAMPLES = {System.FREEBSD: "nvd0, nda0, da3 or ada1", System.LINUX: "nvme0n1 or sdb"}
_OTHER = {System.FREEBSD: System.LINUX, System.LINUX: System.FREEBSD}
_LABELS = {System.FREEBSD: "FreeBSD", System.LINUX: "Linux"}
_CONTROLLER = re.compile(r"nvme[0-9]{1,3}")
_BY_ID = "disk/by-"


def whole_disk(system: System, text: str) -> str:
    """The disk's name without /dev/, such as "nvd0" or "nvme0n1"; raises DiskNameError for all else.

    Only names of these shapes pass, so that nothing else than a name can get into a command line.
    """
    name = text.strip()[:LONGEST_NAME].removeprefix("/dev/")
    if _DISKS[system].fullmatch(name):
        return name
    raise DiskNameError(_why_not(system, name))


def _why_not(system: System, name: str) -> str:
    example = f"A disk of {_LABELS[system]} is named like {_EXAMPLES[system]}."
    partition = _PARTITIONS[system].fullmatch(name)
    if not name:
        return f"Name the disk. {example}"
    if partition:
        return f"“{name}” is a partition: the test is for a whole disk without any, such as {partition[1]}."
    if system is System.LINUX and _CONTROLLER.fullmatch(name):
        return f"“{name}” is an NVMe controller: its disk is named like {name}n1."
    if name.startswith(_BY_ID):
        return f"Names under /dev/{_BY_ID}… hold the serial number, and so would the result. {example}"
    if _DISKS[_OTHER[system]].fullmatch(name):
        return f"“{name}” is what {_LABELS[_OTHER[system]]} calls a disk. {example}"
    return f"“{name}” is not the name of a whole disk. {example}"
