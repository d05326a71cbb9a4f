"""The classes of devices. A new one is a line of DeviceClass; parsers/classify has the rules that recognize it."""

from enum import StrEnum


class Medium(StrEnum):
    """What a device stores data on, as far as it limits how fast a write can be durable without a cache."""

    DISK = "disk"
    FLASH = "flash"
    OTHER = "other"  # memory, or not known


class DeviceClass(StrEnum):
    """What kind of device it is, in the order in which the site shows them; UNKNOWN rather than a guess.

    `link` is the fastest that devices of the class have, one of results.kinds.interconnects.INTERCONNECTS.
    `interface`, one of results.models.choices.INTERFACES, is for classes that are named after it.
    """

    _value_: str
    label: str
    medium: Medium
    link: str | None
    interface: str | None

    OPTANE = "optane", "Optane", Medium.OTHER, "PCIe 4.0 x4"
    NVDIMM = "nvdimm", "NVDIMM", Medium.OTHER, "DDR4-3200 DIMM", "dimm"
    NVRAM = "nvram", "NVRAM card", Medium.OTHER, "PCIe 4.0 x8"
    NVME = "nvme", "NVMe SSD", Medium.FLASH, "PCIe 5.0 x4", "pcie"
    SAS_SSD = "sas_ssd", "SAS SSD", Medium.FLASH, "SAS 22.5 Gb/s", "sas"
    SATA_SSD = "sata_ssd", "SATA SSD", Medium.FLASH, "SATA 6 Gb/s", "sata"
    SSHD = "sshd", "Hybrid disk", Medium.DISK, "SATA 6 Gb/s"
    HDD = "hdd", "Hard disk", Medium.DISK, "SAS 12 Gb/s"
    UNKNOWN = "unknown", "Class unknown"

    def __new__(
        cls,
        value: str,
        label: str = "",
        medium: Medium = Medium.OTHER,
        link: str | None = None,
        interface: str | None = None,
    ) -> "DeviceClass":
        device_class = str.__new__(cls, value)
        device_class._value_, device_class.label, device_class.medium = value, label, medium
        device_class.link, device_class.interface = link, interface
        return device_class
