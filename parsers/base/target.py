"""What a path refers to: a device, a part of one, or something built on devices.

Names are those of FreeBSD (ada(4), nda(4), gpart(8), glabel(8), zfs(8)), Linux (devices.txt, dm, md) and illumos.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Target(StrEnum):
    """What was written to."""

    DEVICE = "device"
    PARTITION = "partition"
    SLICE = "slice"  # a part as FreeBSD, illumos and macOS name it: da3s1, ada7p2, c0t0d0s0
    MD = "md"  # software RAID, a memory disk
    LVM = "lvm"  # a logical volume, or another mapping (encryption)
    ZVOL = "zvol"
    FILE = "file"


FILE_SYSTEMS = (  # a pattern
    "ext2|ext3|ext4|xfs|zfs|btrfs|bcachefs|f2fs|jfs|reiserfs|ufs|ffs|hammer2?|apfs|hfs|ntfs3?|refs|exfat|vfat|tmpfs"
    "|overlay|nfs4?|cifs|smb3|9p|virtiofs|ceph|fuse\\.[\\w.-]{1,30}|gfs2|ocfs2"
)
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
# Linux puts the model before the serial number: nvme-INTEL_SSDPEL1K100GA_[serial-1]-part1. Behind a SAS controller,
# the vendor stands before it; of SATA drives that is "ATA", and scsi-SATA_ has the model's first 16 characters.
_MODEL = re.compile(
    r"(?:/dev/disk/by-id/)?(?P<bus>nvme-|ata-|scsi-1ATA_|scsi-SATA_(?![^\[\]/]{16})|scsi-S(?!ATA_))"
    r"(?P<model>[^\[\]/]+?)_+\[serial-[0-9]{1,6}\].*"
)
_LINUX_PART = re.compile(r".*-part[0-9]{1,3}", re.DOTALL)
_IDENT_PART = re.compile(rf"(?:[^\[\]]{{4,80}}?|{_MASK})(?:p[0-9]{{1,3}}|s[0-9]{{1,3}}[a-h]?)")
# Folders of /dev/ that hold entire devices; any other folder is a volume group's.
_FOLDERS = frozenset({"disk", "diskid", "cciss", "label", "multipath", "dsk", "rdsk", "bsg", "block", "char"})
# GEOM and Debian append to a device's name
_LAYERS = re.compile(r"(?:\.(?:eli|nop|bde|journal)|_crypt){1,4}\Z")
_WINDOWS = re.compile(r"[\\/]{2}[.?][\\/](?:(?P<device>PhysicalDrive[0-9]{1,3})|.+)", re.IGNORECASE)
_SEVERAL = re.compile(r"(?<!\\):(?=/)")  # fio's separator of files
_SEVERAL_NAMES = re.compile(r":")  # the same, of names without a folder
_MAX_LENGTH = 1000


def target_of(path: str | None) -> Target:
    """Return what the path refers to.

    A missing path or an unknown name under /dev/ counts as a device.

    Of several, as fio takes them ("/dev/sda:/dev/sdb2"), the first that is not an entire device.
    """
    targets = map(_target_of_path, paths_of(path) or ("",))
    return next((target for target in targets if target is not Target.DEVICE), Target.DEVICE)


def paths_of(path: str | None) -> list[str]:
    """The paths that fio takes from one option: `/dev/sda:/dev/sdb2`, `a:b`; a colon within a path is escaped."""
    text = (path or "")[:_MAX_LENGTH]
    separator = _SEVERAL if "/" in text or "\\" in text else _SEVERAL_NAMES
    return [path for part in separator.split(text) if (path := part.strip("\"' "))]


def _target_of_path(path: str) -> Target:
    windows = _WINDOWS.fullmatch(path)
    if windows is not None:
        return Target.DEVICE if windows["device"] else Target.PARTITION
    if path.startswith("/dev/"):
        return _target_of_node(path.removeprefix("/dev/").rstrip("/"))
    if not path or "/" in path:
        return Target.FILE if path else Target.DEVICE
    is_node = _known(without_layers(path)) is not None  # diskinfo takes a name without its folder
    return _target_of_node(path) if is_node else Target.FILE


def without_layers(name: str) -> str:
    """The name of the device or partition under layers such as encryption: ada0p3 for ada0p3.eli."""
    return _LAYERS.sub("", name)


def _target_of_node(name: str) -> Target:
    below = without_layers(name)
    if below != name:
        target = _target_of_node(below)
        return Target.LVM if target is Target.DEVICE else target
    known = _known(name)
    if known is not None:
        return known
    named = _BY_NAME.fullmatch(name)
    if named is not None and named["ident"] is not None:
        return Target.SLICE if _IDENT_PART.fullmatch(named["ident"]) else Target.DEVICE
    if named is not None:
        return Target.PARTITION if _LINUX_PART.fullmatch(named["name"]) else Target.DEVICE
    folder, slash, _rest = name.partition("/")
    return Target.LVM if slash and folder not in _FOLDERS else Target.DEVICE


def _known(name: str) -> Target | None:
    return next((target for target, shape in _NAMES if shape.fullmatch(name)), None)


class Node(NamedTuple):
    """A whole disk by the name that a system gives it; its partitions and namespaces have the same."""

    system: str
    name: str


_NODES = tuple(
    (system, re.compile(rf"(?:/dev/)?(?:{shape})"))
    for system, shape in (
        ("nvme", r"(?P<name>nvme[0-9]{1,4})(?:c[0-9]{1,4})?(?:ns?[0-9]{1,4}(?:p[0-9]{1,3})?)?"),
        (
            "linux",
            r"(?P<name>(?:sd|hd|vd|xvd)[a-z]{1,3})[0-9]{0,3}|(?P<card>(?:mmcblk|nbd)[0-9]{1,3})(?:p[0-9]{1,3})?",
        ),
        ("freebsd", r"(?P<name>(?:ada|ad|da|nda|nvd|vtbd|mmcsd)[0-9]{1,4})(?:[ps][0-9]{1,3})?[a-h]?"),
        ("illumos", r"(?:r?dsk/)?(?P<name>c[0-9]{1,3}(?:t[0-9A-F]{1,40})?d[0-9]{1,4})(?:[sp][0-9]{1,2})?"),
        ("macos", r"r?(?P<name>disk[0-9]{1,3})(?:s[0-9]{1,3}){0,2}"),
        ("bsd", r"r?(?P<name>[sw]d[0-9]{1,3})[a-p]?"),
        ("windows", r"pd(?P<name>[0-9]{1,3})"),
    )
)
_PHYSICAL_DRIVE = re.compile(r"[\\/]{2}[.?][\\/]PhysicalDrive(?P<name>[0-9]{1,3})", re.IGNORECASE)
_LETTERED = re.compile(r"sd([a-z])")  # smartctl's name of a disk on Windows
_NUMBER = re.compile(r"[0-9]+$")
_SAME_DRIVES = frozenset({"nvd", "nda", "nvme"})  # FreeBSD's names of NVMe drives: nda(4), nvd(4), nvme(4)
_NVME_SYSTEMS = {"linux", "freebsd", "nvme"}


@lru_cache(maxsize=1024)
def node_of(path: str | None) -> Node | None:
    """The whole disk that a path names; None for any other name (pass3, sg2, by-id, dm-0, a file)."""
    text = (path or "").strip("\"' ")[:_MAX_LENGTH]
    drive = _PHYSICAL_DRIVE.fullmatch(text)
    if drive is not None:
        return Node("windows", drive["name"])
    for system, shape in _NODES:
        match = shape.fullmatch(text)
        if match is not None:
            return Node(system, match["name"] or match["card"])
    return None


class NamedModel(NamedTuple):
    """The model in a name by id, with blanks for its underscores, and the bus: "nvme", "ata" or "scsi"."""

    bus: str
    name: str


def model_of(path: str) -> NamedModel | None:
    """The model that a name by id has before its masked serial number; None for any other name."""
    match = _MODEL.fullmatch(path[:_MAX_LENGTH])
    if match is None:
        return None
    bus = "ata" if "ATA" in match["bus"] else match["bus"].partition("-")[0]
    return NamedModel(bus, " ".join(match["model"].replace("_", " ").split()))


def is_same_disk(node: Node | None, other: Node | None) -> bool | None:
    """Whether two names are of one disk; None where names don't tell, as those of different systems."""
    if node is None or other is None:
        return None
    if node == other:
        return True
    systems = {node.system, other.system}
    if systems == {"windows", "linux"}:
        lettered, numbered = (node, other) if node.system == "linux" else (other, node)
        match = _LETTERED.fullmatch(lettered.name)
        return match is not None and ord(match[1]) - ord("a") == int(numbered.name)
    families = {_NUMBER.sub("", node.name), _NUMBER.sub("", other.name)}
    if len(families) > 1 and families <= _SAME_DRIVES:  # their numbers are the same on most machines
        return True if _number(node) == _number(other) else None
    return False if len(systems) == 1 or ("nvme" in systems and systems <= _NVME_SYSTEMS) else None


def _number(node: Node) -> str:
    found = _NUMBER.search(node.name)
    return found[0] if found else ""
