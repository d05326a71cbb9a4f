"""What a path refers to: a device, a part of one, or something built on devices.

Names are those of FreeBSD (ada(4), nda(4), gpart(8), glabel(8), zfs(8)), Linux (devices.txt, dm, md) and illumos.
"""

import re
from enum import StrEnum


class Target(StrEnum):
    """What was written to."""

    DEVICE = "device"
    PARTITION = "partition"
    SLICE = "slice"  # a part as FreeBSD, illumos and macOS name it: da3s1, ada7p2, c0t0d0s0
    MD = "md"  # software RAID, a memory disk
    LVM = "lvm"  # a logical volume, or another mapping (encryption)
    ZVOL = "zvol"
    FILE = "file"


_FREEBSD_DISK = (
    r"(?:(?:ada|ad|da|nda|nvd|mfid|mfisyspd|mmcsd|vtbd|xbd|aacd|amrd|twed|idad|mlxd)[0-9]{1,4}"
    r"|nvme[0-9]{1,4}(?:ns[0-9]{1,4})?)"
)
_LINUX_DISK = r"(?:sd|hd|vd|xvd)[a-z]{1,4}"
_NUMBERED_DISK = (
    r"(?:nvme[0-9]{1,4}(?:c[0-9]{1,4})?n[0-9]{1,4}|mmcblk[0-9]{1,3}|nbd[0-9]{1,4}"
    r"|cciss/c[0-9]{1,2}d[0-9]{1,3})"
)
_PMEM_DISK = r"pmem[0-9]{1,3}(?:\.[0-9]{1,3})?s?"
_ILLUMOS_DISK = r"r?dsk/c[0-9A-F]{1,3}(?:t(?:[0-9A-F]{1,40}|\[wwn-[0-9]{1,6}\]))?d[0-9]{1,4}"
_MASK = r"\[(?:serial|wwn)-[0-9]{1,6}\]"
# Names under /dev/, in the order they are tried.
_NAMES: tuple[tuple[Target, re.Pattern[str]], ...] = tuple(
    (target, re.compile(shapes))
    for target, shapes in (
        (
            Target.DEVICE,
            rf"{_FREEBSD_DISK}|{_LINUX_DISK}|{_NUMBERED_DISK}|{_PMEM_DISK}|{_ILLUMOS_DISK}(?:p0)?"
            r"|r?disk[0-9]{1,3}|mapper/(?:mpath[a-z]{1,4}|[0-9a-f]{16,40}|\[wwn-[0-9]{1,6}\])",
        ),
        (
            Target.PARTITION,
            rf"{_LINUX_DISK}[0-9]{{1,3}}|(?:{_NUMBERED_DISK}|{_PMEM_DISK})p[0-9]{{1,3}}"
            r"|mapper/(?:mpath[a-z]{1,4}|[0-9a-f]{16,40}|\[wwn-[0-9]{1,6}\])(?:p|-part)?[0-9]{1,3}"
            r"|(?:gpt|gptid|ufs|ufsid|msdosfs|ext2fs|ntfs)/.+|disk/by-(?:part)?(?:uuid|label)/.+",
        ),
        (
            Target.SLICE,
            rf"{_FREEBSD_DISK}(?:p[0-9]{{1,3}}|s[0-9]{{1,3}}[a-h]?|[a-h])|{_ILLUMOS_DISK}[sp][0-9]{{1,2}}"
            r"|r?disk[0-9]{1,3}s[0-9]{1,3}|pmem[0-9]{1,3}s[0-9]{1,3}[a-h]?|multipath/.{0,80}[0-9][ps][0-9]{1,3}[a-h]?",
        ),
        (Target.ZVOL, r"zvol/.+|zd[0-9]{1,5}(?:p[0-9]{1,3})?|zvol"),
        (
            Target.MD,
            r"md[0-9]{1,4}(?:p[0-9]{1,3}|s[0-9]{1,3}[a-h]?|[a-h])?|md_d[0-9]{1,4}|md/.+|z?ram[0-9]{1,3}"
            r"|(?:mirror|raid|raid3|stripe|concat|gvinum|vinum)/.+|disk/by-id/md-.+",
        ),
        (Target.LVM, r"mapper/.+|dm-[0-9]{1,4}|disk/by-id/(?:dm|lvm)-.+"),
        (Target.FILE, r"loop[0-9]{1,4}(?:p[0-9]{1,3})?|shm/.+|null|zero|full"),
    )
)
# Names that hold a serial number, masked or not.
_BY_NAME = re.compile(r"disk/by-(?:id|path|diskseq)/(?P<name>.+)|diskid/DISK-(?P<ident>.+)")
_LINUX_PART = re.compile(r".*-part[0-9]{1,3}", re.DOTALL)
_IDENT_PART = re.compile(rf"(?:[^\[\]]{{4,80}}?|{_MASK})(?:p[0-9]{{1,3}}|s[0-9]{{1,3}}[a-h]?)")
# Folders of /dev/ that hold entire devices; any other folder is a volume group's.
_FOLDERS = frozenset({"disk", "diskid", "cciss", "label", "multipath", "dsk", "rdsk", "bsg", "block", "char"})
_LAYER = re.compile(r"(?P<below>.+)\.(?:eli|nop|bde|journal)")  # GEOM appends another name to the device's
_WINDOWS = re.compile(r"[\\/]{2}[.?][\\/](?:(?P<device>PhysicalDrive[0-9]{1,3})|.+)", re.IGNORECASE)
_SEVERAL = re.compile(r"(?<!\\):(?=/)")  # fio's separator of files
_LONGEST = 1000


def target_of(path: str | None) -> Target:
    """Return what the path refers to.

    A missing path or an unknown name under /dev/ counts as a device.

    Of several, as fio takes them ("/dev/sda:/dev/sdb2"), the first that is not an entire device.
    """
    for one in _SEVERAL.split((path or "")[:_LONGEST]):
        target = _target_of_one(one.strip("\"' "))
        if target is not Target.DEVICE:
            return target
    return Target.DEVICE


def _target_of_one(path: str) -> Target:
    windows = _WINDOWS.fullmatch(path)
    if windows is not None:
        return Target.DEVICE if windows["device"] else Target.PARTITION
    if path.startswith("/dev/"):
        return _target_of_node(path.removeprefix("/dev/").rstrip("/"))
    if not path or "/" in path:
        return Target.FILE if path else Target.DEVICE
    return _known(path) or Target.FILE  # diskinfo takes a name without its folder


def _target_of_node(name: str) -> Target:
    layer = _LAYER.fullmatch(name)
    if layer is not None:
        below = _target_of_node(layer["below"])
        return Target.LVM if below is Target.DEVICE else below
    known = _known(name)
    if known is not None:
        return known
    named = _BY_NAME.fullmatch(name)
    if named is not None:
        return _target_of_name(named)
    folder, slash, _rest = name.partition("/")
    return Target.LVM if slash and folder not in _FOLDERS else Target.DEVICE


def _known(name: str) -> Target | None:
    return next((target for target, shape in _NAMES if shape.fullmatch(name)), None)


def _target_of_name(named: re.Match[str]) -> Target:
    if named["ident"] is not None:
        return Target.SLICE if _IDENT_PART.fullmatch(named["ident"]) else Target.DEVICE
    return Target.PARTITION if _LINUX_PART.fullmatch(named["name"]) else Target.DEVICE
