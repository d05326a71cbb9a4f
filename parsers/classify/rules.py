"""The device class: ordered rules over printed evidence; the first match wins.

A wrong class is worse than UNKNOWN. No rule uses anything but the printed evidence and, where one is given, a
catalogue with the class of a model name. Patterns are tried with `search`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from parsers.base.device_class import DeviceClass
from parsers.base.readings import DiskinfoReading
from parsers.classify.patterns import (
    ENCLOSURE,
    HDD,
    KNOWN_BY_NAME,
    OPTICAL,
    RAID,
    SAS_SSD,
    SATA_SSD,
    VIRTUAL_MODEL,
    VIRTUAL_VENDOR,
)

MAX_CACHED_LENGTH = 400  # characters of all that was printed

Catalogue = Callable[[str], DeviceClass | None]

# SCSI peripheral device types, as smartctl names them
_DISK_TYPES = ("disk", "simplified disk", "host managed zoned block device")
_OPTICAL_TYPES = ("CD/DVD", "optical")
_ENCLOSURE_TYPES = ("enclosure", "storage array")
CACHE_SIZE = 4096
_STAND_IN_PATH = re.compile(
    r"(?P<raid_volume>(?:mfid|aacd|amrd|twed|idad|mlxd)\d)|(?P<virtual_disk>(?:vtbd|xbd)\d)"
    r"|(?P<software_disk>(?:md|zd)\d|(?:zvol|mirror|raid)/|dm-\d)|(?P<other_device>(?:cd|sa|ses)\d)"
)
_FILE_PATH = re.compile(r"\.{0,2}/(?!dev/)|~")
_PMEM_PATH = re.compile(r"pmem\d")
_NVME_PATH = re.compile(r"(?:nvd|nda|nvme)\d")
_ATA_PATH = re.compile(r"ada\d")
_FLASH_FAMILY = re.compile(r"\bSSDs?\b")
_SAS_ATTACHMENT = re.compile(r"(?:mps|mpr|mpt|isci)\d*$")


class ClassEvidence(NamedTuple):
    """The evidence for the class; None is "not stated", which for the rotation rate differs from 0."""

    model: str | None = None
    vendor: str | None = None
    family: str | None = None
    command_set: str | None = None  # "ata", "nvme", "scsi"
    transport: str | None = None  # of SCSI devices, as printed: "SAS (SPL-4)"
    attachment: str | None = None  # the driver that diskinfo names: "mpr0"
    rotation_rate_rpm: int | None = None
    device_type: str | None = None
    path: str | None = None
    is_usb: bool | None = None
    has_flash: bool | None = None  # by attributes and logs

    @property
    def names(self) -> tuple[str, ...]:
        """The model to try with patterns and catalogue, then the same with its vendor."""
        if not self.model:
            return ()
        if not self.vendor or self.model.startswith(self.vendor):
            return (self.model,)
        return self.model, f"{self.vendor} {self.model}"

    @property
    def full_name(self) -> str:
        """Vendor and model, as far as known; contains all of `names`."""
        return f"{self.vendor or ''} {self.model or ''}".strip()

    @property
    def is_short(self) -> bool:
        """Whether it is short enough to be cached."""
        for_device = (self.model, self.vendor, self.family, self.path)
        printed = (*for_device, self.transport, self.attachment, self.device_type)
        return sum(len(value) for value in printed if value) <= MAX_CACHED_LENGTH

    @property
    def device_name(self) -> str:
        """The path without its `/dev/`."""
        return (self.path or "").removeprefix("/dev/")


def smartctl_evidence(field: Callable[[str], Any]) -> ClassEvidence:
    """Return smartctl's evidence; `field` looks up a field of SmartctlReading."""
    return ClassEvidence(
        model=field("model_name"),
        vendor=field("vendor"),
        family=field("model_family"),
        command_set=field("transport"),
        transport=field("transport_protocol"),
        rotation_rate_rpm=field("rotation_rate_rpm"),
        device_type=field("device_type"),
        path=field("path"),
        is_usb=field("is_usb"),
        has_flash=field("has_flash"),
    )


def diskinfo_evidence(reading: DiskinfoReading) -> ClassEvidence:
    """Return diskinfo's evidence.

    A description contains vendor and product; the driver's name shows the command set.
    """
    description = reading.description or ""
    return ClassEvidence(
        model=reading.description,
        vendor=description.split(" ", 1)[0] or None,
        attachment=reading.attachment,
        rotation_rate_rpm=reading.rotation_rate_rpm,
        path=reading.path,
    )


class StandIn(StrEnum):
    """Things that respond in place of a physical disk; the values are codes of notices."""

    RAID_VOLUME = "raid_volume"
    VIRTUAL_DISK = "virtual_disk"
    ISCSI_LUN = "iscsi_lun"
    SOFTWARE_DISK = "software_disk"
    OPTICAL_DRIVE = "optical_drive"
    ENCLOSURE = "enclosure"
    OTHER_DEVICE = "other_device"


def classify(evidence: ClassEvidence, catalogue: Catalogue | None = None) -> DeviceClass:
    """Apply the rules in their order and return the device class.

    A rule that looks into the catalogue falls through where that has no entry.

    Recent decisions are cached, unless the names are unusually long.
    """
    return (_classify_cached if evidence.is_short else _classify)(evidence, catalogue)


def _classify(evidence: ClassEvidence, catalogue: Catalogue | None) -> DeviceClass:
    return classify_disk(evidence, catalogue) if find_stand_in(evidence) is None else DeviceClass.UNKNOWN


_classify_cached = lru_cache(CACHE_SIZE)(_classify)


def classify_disk(evidence: ClassEvidence, catalogue: Catalogue | None = None) -> DeviceClass:
    """Return the class of a physical disk; stand-ins have already been excluded."""
    on_pmem_path = _PMEM_PATH.match(evidence.device_name) is not None
    nothing_stated = not evidence.model and evidence.rotation_rate_rpm is None and evidence.has_flash is None
    if nothing_stated and not on_pmem_path:
        return DeviceClass.UNKNOWN
    known = _look_up(evidence, catalogue)
    rare = _classify_rare(evidence, DeviceClass.NVDIMM if on_pmem_path else known)
    if rare is not None:
        return rare
    if _is_nvme(evidence):
        return DeviceClass.NVME
    is_named_sshd = "SSHD" in (evidence.model or "") or "SSHD" in (evidence.family or "")
    if evidence.rotation_rate_rpm != 0 and (known is DeviceClass.SSHD or is_named_sshd):
        return DeviceClass.SSHD
    return _classify_by_bus(evidence, known)


def _classify_rare(evidence: ClassEvidence, known: DeviceClass | None) -> DeviceClass | None:
    """Memory other than flash, by the catalogue or by name."""
    for device_class, pattern in KNOWN_BY_NAME.items():
        if known is device_class or _names_match(pattern, evidence):
            return device_class
    return None


def find_stand_in(evidence: ClassEvidence) -> StandIn | None:
    """The kind of stand-in, or None for a physical disk.

    This comes before all else: a RAID volume may print a rotation rate, a hypervisor whatever it was configured to.
    """
    if (evidence.transport or "").startswith("iSCSI"):
        return StandIn.ISCSI_LUN
    return _stand_in_by_type(evidence) or _stand_in_by_path(evidence) or _stand_in_by_name(evidence)


def _stand_in_by_type(evidence: ClassEvidence) -> StandIn | None:
    device_type = evidence.device_type
    if device_type is None or device_type == "disk":
        return None
    if any(kind.startswith(device_type) for kind in _DISK_TYPES):  # a type may be cut
        return None
    if device_type.startswith(_OPTICAL_TYPES):
        return StandIn.OPTICAL_DRIVE
    return StandIn.ENCLOSURE if device_type.startswith(_ENCLOSURE_TYPES) else StandIn.OTHER_DEVICE


def _stand_in_by_path(evidence: ClassEvidence) -> StandIn | None:
    match = _STAND_IN_PATH.match(evidence.device_name)
    if match is not None:
        return StandIn(match.lastgroup or "")
    return StandIn.SOFTWARE_DISK if _FILE_PATH.match(evidence.path or "") else None


def _stand_in_by_name(evidence: ClassEvidence) -> StandIn | None:
    if RAID.search(evidence.full_name):
        return StandIn.RAID_VOLUME
    if VIRTUAL_VENDOR.match(evidence.vendor or "") or VIRTUAL_MODEL.match(evidence.model or ""):
        return StandIn.VIRTUAL_DISK
    if OPTICAL.search(evidence.full_name):
        return StandIn.OPTICAL_DRIVE
    is_enclosure = any(ENCLOSURE.search(name) for name in (*evidence.names, evidence.full_name))
    return StandIn.ENCLOSURE if is_enclosure else None


def _look_up(evidence: ClassEvidence, catalogue: Catalogue | None) -> DeviceClass | None:
    if catalogue is None:
        return None
    return next((found for name in evidence.names if (found := catalogue(name))), None)


def _names_match(pattern: re.Pattern[str], evidence: ClassEvidence) -> bool:
    return any(pattern.search(name) for name in evidence.names)


def _is_nvme(evidence: ClassEvidence) -> bool:
    return (
        evidence.command_set == "nvme"
        or evidence.vendor == "NVMe"
        or (evidence.transport or "").startswith(("NVMe", "PCIe"))
        or _NVME_PATH.match(evidence.device_name) is not None
        or _NVME_PATH.match(evidence.attachment or "") is not None
    )


def _classify_by_bus(evidence: ClassEvidence, known: DeviceClass | None) -> DeviceClass:
    """Hard disk or flash, after NVMe and rarer classes have been excluded."""
    if _is_ata(evidence):
        return _classify_ata(evidence, known)
    is_sas = (evidence.transport or "").startswith("SAS") or _SAS_ATTACHMENT.match(evidence.attachment or "")
    return _classify_sas(evidence, known) if is_sas else _classify_unknown_bus(evidence, known)


def _is_ata(evidence: ClassEvidence) -> bool:
    return (
        evidence.command_set == "ata"
        or evidence.vendor == "ATA"
        or (evidence.model or "").startswith("ATA ")
        or _ATA_PATH.match(evidence.device_name) is not None
    )


def _classify_ata(evidence: ClassEvidence, known: DeviceClass | None) -> DeviceClass:
    """Classify an ATA device.

    TRIM is no evidence: shingled disks announce it, and SSDs behind some adapters do not.
    """
    if evidence.rotation_rate_rpm is not None:
        return DeviceClass.HDD if evidence.rotation_rate_rpm else DeviceClass.SATA_SSD
    if known in (DeviceClass.HDD, DeviceClass.SATA_SSD):
        return known
    name = (evidence.model or "").removeprefix("ATA ").lstrip()
    if _FLASH_FAMILY.search(evidence.family or "") or SATA_SSD.search(name):
        return DeviceClass.SATA_SSD
    if HDD.search(name):
        return DeviceClass.HDD
    return _class_by_medium(evidence, DeviceClass.SATA_SSD)


def _classify_sas(evidence: ClassEvidence, known: DeviceClass | None) -> DeviceClass:
    if evidence.rotation_rate_rpm is not None:
        return DeviceClass.HDD if evidence.rotation_rate_rpm else DeviceClass.SAS_SSD
    by_name = known or _class_by_scsi_name(evidence)
    return _class_by_medium(evidence, DeviceClass.SAS_SSD) if by_name is DeviceClass.UNKNOWN else by_name


def _classify_unknown_bus(evidence: ClassEvidence, known: DeviceClass | None) -> DeviceClass:
    """Classify a device of unknown bus.

    0 rpm is not enough: USB sticks and SAS SSDs respond alike.
    """
    if evidence.rotation_rate_rpm:
        return DeviceClass.HDD
    by_name = known or _class_by_scsi_name(evidence)
    hidden = evidence.is_usb or evidence.rotation_rate_rpm == 0
    if hidden and by_name is DeviceClass.HDD and not known:
        return DeviceClass.UNKNOWN
    if by_name is DeviceClass.UNKNOWN and evidence.command_set == "scsi" and not evidence.is_usb:
        return _class_by_medium(evidence, DeviceClass.SAS_SSD)
    return by_name


def _class_by_medium(evidence: ClassEvidence, flash: DeviceClass) -> DeviceClass:
    """Classify by attributes and logs, where neither name nor rotation rate is printed."""
    if evidence.has_flash is None:
        return DeviceClass.UNKNOWN
    return flash if evidence.has_flash else DeviceClass.HDD


def _class_by_scsi_name(evidence: ClassEvidence) -> DeviceClass:
    if _names_match(SAS_SSD, evidence):
        return DeviceClass.SAS_SSD
    return DeviceClass.HDD if _names_match(HDD, evidence) else DeviceClass.UNKNOWN


@dataclass(frozen=True, slots=True)
class MergedClass:
    """One unit's class, and whether its two readings contradict each other."""

    device_class: DeviceClass
    is_disputed: bool = False


def merge_classes(smartctl: DeviceClass, diskinfo: DeviceClass) -> MergedClass:
    """Merge the classes of one unit's two readings.

    smartctl's wins, except for persistent memory, which only diskinfo names as such, and for the name of an Optane
    drive, which smartctl's health log lacks.
    """
    if DeviceClass.UNKNOWN in (smartctl, diskinfo) or smartctl is diskinfo:
        return MergedClass(diskinfo if smartctl is DeviceClass.UNKNOWN else smartctl)
    if (smartctl, diskinfo) == (DeviceClass.NVME, DeviceClass.OPTANE):
        return MergedClass(DeviceClass.OPTANE)
    is_by_diskinfo = diskinfo in (DeviceClass.NVDIMM, DeviceClass.NVRAM)
    return MergedClass(diskinfo if is_by_diskinfo else smartctl, is_disputed=True)
