"""Mask the names in a path that somebody chose: folders, pools, datasets, volumes, serial numbers of devices.

Device nodes and the folders of an installation remain, and so does the depth.
"""

import re

from parsers.base.format import Masker
from parsers.base.target import Target, target_of, without_layers
from parsers.base.vocabulary import read_words
from parsers.privacy.masks import MASK

_USUAL_NAMES = read_words(__file__, "usual_names.txt")
# Of these a name is made that everybody gives to a test
_TEST_WORDS = read_words(__file__, "test_words.txt")
_LETTERS = re.compile(r"[^\W\d_]+")
_FOLDERS_OF_NODES = frozenset({"cciss", "bus", "md", "dsk", "rdsk", "block", "mapper"})
_NODE = re.compile(
    r"(?:r?disk[0-9]{1,3}(?:s[0-9]{1,3})?|[sh]d[a-z]{1,3}[0-9]{0,3}|x?vd[a-z]{1,3}[0-9]{0,3}|md_d[0-9]{1,4}|dm-[0-9]{1,4}"
    r"|nvme[0-9]{1,4}(?:c[0-9]{1,4})?(?:ns?[0-9]{1,4})?(?:p[0-9]{1,3})?|c[0-9]{1,2}d[0-9]{1,3}|pmem[0-9]{1,3}(?:\.[0-9]{1,3})?s?"
    r"|mmcblk[0-9]{1,3}(?:p[0-9]{1,3})?|mpath[a-z]{1,4}[0-9]{0,3}|csmi[0-9]{1,2},[0-9]{1,3}|null|zero|full|u?random"
    r"|[a-z]{2,8}X{1,2}|[a-z]{1,8}[0-9]{1,4}(?:[ps][0-9]{1,3}[a-h]?|[a-h])?)(?:-part[0-9]{1,3})?"
)
_ILLUMOS_NODE = re.compile(
    r"(?P<bus>c[0-9A-F]{1,3}t)(?P<name>[0-9A-F]{1,40}|\[wwn-[0-9]{1,6}\])(?P<rest>d[0-9]{1,4}(?:[sp][0-9]{1,2})?)"
)
_MAX_NUMBER_DIGITS = 8  # digits of a target that is no world-wide name
_WORLD_WIDE = re.compile(
    r"(?:eui\.|nvme\.|uuid\.|naa\.|0x|3)?[0-9a-f]{16,40}(?:-[0-9a-f-]{8,80})?", re.IGNORECASE
)
_HEX_ID = re.compile(r"(?:0x)?[0-9a-f]{16,40}", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{4,8}(?:-[0-9a-f]{4,12}){1,4}|[0-9a-f]{8,40}", re.IGNORECASE)
_BY_ID = re.compile(
    r"(?P<bus>ata|sata|nvme|scsi|usb|sas|mmc|virtio|wwn|SATA|SCSI)-(?P<name>.+?)(?P<part>_{0,40}+(?:(?<=_)[0-9](?:_[0-9]){0,2})?(?:-part[0-9]{1,3})?)"
)
_IDENT = re.compile(r"DISK-(?P<serial>.+?)(?P<part>(?:[ps][0-9]{1,3}[a-h]?)?)")
_PART = re.compile(r"(?P<name>.+?)(?P<part>(?:-part|p)[0-9]{1,3})")
_DRIVE = re.compile(r"(?P<drive>[A-Za-z]\\?:)?(?P<rest>.*)", re.DOTALL)
_WINDOWS_DEVICE = re.compile(r"[\\/]{2}[.?][\\/](?:PhysicalDrive[0-9]{1,3}|(?P<volume>.+))", re.IGNORECASE)
_MAC_DEVICE = re.compile(r"IOService:/[\w@,./()-]{1,300}")
_BETWEEN_PATHS = re.compile(r"(?<!\\)(?<!IOService):(?=/|[a-z]{2,}[0-9a-z]*\b(?!:))")
_NUMBER = re.compile(r"\d{4}")
_MAX_USUAL_NAME_LENGTH = 40  # characters
_MAX_LENGTH = 1000  # characters


def mask_paths(paths: str, masks: Masker) -> str:
    """The paths that fio takes, separated by colons, masked."""
    return ":".join(mask_path(path, masks) for path in _BETWEEN_PATHS.split(paths[:_MAX_LENGTH]))


def mask_path(path: str, masks: Masker) -> str:
    """The path with the names in it masked that somebody chose or that identify a device."""
    if "\\" in path or path[1:2] == ":":
        return _mask_windows_path(path, masks)
    if _MAC_DEVICE.fullmatch(path):
        return path
    if path.startswith("/dev/"):
        name = path.removeprefix("/dev/")
        below = without_layers(name)
        return f"/dev/{_mask_below_layers(below, masks)}{name[len(below) :]}"
    if "/" not in path and target_of(path) is not Target.FILE and _NODE.fullmatch(path):
        return path
    return "/".join(_mask_name(name, masks) for name in path.split("/"))


def _mask_name(name: str, masks: Masker) -> str:
    if not name or name.lower() in _USUAL_NAMES or MASK.fullmatch(name):
        return name
    words = _LETTERS.findall(name.lower())
    if (
        words
        and len(name) <= _MAX_USUAL_NAME_LENGTH
        and all(word in _TEST_WORDS for word in words)
        and not _NUMBER.search(name)
    ):
        return name
    return masks.mask("pool", name)


def _mask_windows_path(path: str, masks: Masker) -> str:
    device = _WINDOWS_DEVICE.fullmatch(path)
    if device is not None:
        return path if device["volume"] is None else rf"\\.\{_mask_windows_path(device['volume'], masks)}"
    drive = _DRIVE.fullmatch(path)
    if drive is None:
        return masks.mask("pool", path)
    names = re.split(r"([\\/]+)", drive["rest"])
    return (drive["drive"] or "") + "".join(
        name if at % 2 else _mask_name(name, masks) for at, name in enumerate(names)
    )


def _mask_below_layers(name: str, masks: Masker) -> str:
    folder, _, rest = name.rpartition("/")
    if folder in ("disk/by-id", "disk/by-path", "diskid"):
        return f"{folder}/{_mask_device_name(rest, masks)}"
    if folder in ("gptid", "ufsid") or (folder.startswith("disk/by-") and folder.endswith("uuid")):
        return f"{folder}/{_mask_world_wide(rest, masks) if _UUID.match(rest) else _mask_name(rest, masks)}"
    if folder == "mapper" and _WORLD_WIDE.match(rest):
        return f"mapper/{_mask_world_wide(rest, masks)}"
    illumos = _ILLUMOS_NODE.fullmatch(rest)
    if illumos is not None and folder in ("dsk", "rdsk"):
        target = illumos["name"]
        target = masks.mask("wwn", target) if len(target) > _MAX_NUMBER_DIGITS else target
        return f"{folder}/{illumos['bus']}{target}{illumos['rest']}"
    names = name.split("/")
    is_usual = len(names) == 1 or names[0] in _FOLDERS_OF_NODES
    return "/".join(part if is_usual and _NODE.fullmatch(part) else _mask_name(part, masks) for part in names)


def _mask_world_wide(name: str, masks: Masker) -> str:
    part = _PART.fullmatch(name)
    return masks.mask("wwn", part["name"]) + part["part"] if part else masks.mask("wwn", name)


def _mask_device_name(name: str, masks: Masker) -> str:
    """A name of udev's or GEOM's, of a model and a serial number."""
    ident = _IDENT.fullmatch(name)
    if ident is not None:
        return f"DISK-{masks.mask('serial', ident['serial'])}{ident['part']}"
    named = _BY_ID.fullmatch(name)
    if named is None:  # by-path, or something built on devices
        kind, dash, rest = name.partition("-")
        if kind in ("pci", "platform", "acpi"):
            return _HEX_ID.sub(lambda match: masks.mask("wwn", match[0]), name)
        return (
            f"{kind}-{_mask_name(rest, masks)}"
            if dash and kind in ("md", "dm", "lvm")
            else _mask_name(name, masks)
        )
    bus, part = named["bus"], named["part"]
    if bus == "wwn" or _WORLD_WIDE.fullmatch(named["name"]):
        return f"{bus}-{masks.mask('wwn', named['name'])}{part}"
    model, _, serial = named["name"].rpartition("_")
    return (
        f"{bus}-{model}_{masks.mask('serial', serial)}{part}"
        if model
        else f"{bus}-{masks.mask('serial', serial)}{part}"
    )
