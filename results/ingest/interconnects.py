"""What a link carries at the most: the ceilings that a throughput is held against."""

import re
from dataclasses import dataclass
from functools import cache

from parsers.base.readings import DeviceClass
from parsers.smartctl.links import PCIE_LANES, pcie_name, sas_name, sata_name

MIB = 1024 * 1024
MEGABIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Interconnect:
    """A link as its specification gives it: signalling rate a lane, share that the line code leaves, lanes."""

    name: str
    megabits_a_lane: int
    code_share: float
    lanes: int
    source_url: str

    @property
    def ceiling_mib_s(self) -> float:
        """Payload a second before any protocol overhead, so no device behind the link can be faster."""
        return self.megabits_a_lane * MEGABIT / 8 * self.code_share * self.lanes / MIB


_SATA = "https://en.wikipedia.org/wiki/SATA"
_SAS = "https://en.wikipedia.org/wiki/Serial_Attached_SCSI"
_PCIE = "https://en.wikipedia.org/wiki/PCI_Express"
_DDR = "https://en.wikipedia.org/wiki/DDR4_SDRAM"
_8B10B = 8 / 10
_128B130B = 128 / 130


def _pcie(generation: int, megatransfers: int, code_share: float) -> list[Interconnect]:
    return [
        Interconnect(pcie_name(generation, lanes), megatransfers, code_share, lanes, _PCIE)
        for lanes in PCIE_LANES
    ]


INTERCONNECTS = (
    Interconnect(sata_name("1.5"), 1500, _8B10B, 1, _SATA),
    Interconnect(sata_name("3"), 3000, _8B10B, 1, _SATA),
    Interconnect(sata_name("6"), 6000, _8B10B, 1, _SATA),
    Interconnect(sas_name("3"), 3000, _8B10B, 1, _SAS),
    Interconnect(sas_name("6"), 6000, _8B10B, 1, _SAS),
    Interconnect(sas_name("12"), 12000, _8B10B, 1, _SAS),
    Interconnect(sas_name("22.5"), 22500, 128 / 150, 1, _SAS),
    *_pcie(1, 2500, _8B10B),
    *_pcie(2, 5000, _8B10B),
    *_pcie(3, 8000, _128B130B),
    *_pcie(4, 16000, _128B130B),
    *_pcie(5, 32000, _128B130B),
    Interconnect("DDR4-3200 DIMM", 3200, 1.0, 64, _DDR),
)

_FASTEST_OF_CLASS = {
    DeviceClass.HDD: sas_name("12"),
    DeviceClass.SSHD: sata_name("6"),
    DeviceClass.SATA_SSD: sata_name("6"),
    DeviceClass.SAS_SSD: sas_name("22.5"),
    DeviceClass.NVME: pcie_name(5, 4),
    DeviceClass.OPTANE: pcie_name(4, 4),
    DeviceClass.NVRAM: pcie_name(4, 8),
    DeviceClass.NVDIMM: "DDR4-3200 DIMM",
}


_SATA_RATE = re.compile(r"SATA \d \((1\.5|3|6) Gb/s\)")
_SAS_RATE = re.compile(r"SAS (3|6|12) Gb/s")
_PCIE_LINK = re.compile(r"PCIe (\d)\.0")
_LANES = re.compile(r"x(1|2|4|8|16)\b")
_USUAL_LANES = "4"


def link_called(name: str | None) -> Interconnect | None:
    """The link of that name."""
    return next((one for one in INTERCONNECTS if one.name == name), None)


@cache
def link_of_interface(interface: str) -> Interconnect | None:
    """The fastest link that a product's interface names ("SATA 3 (6 Gb/s)", "PCIe 3.0 x4 NVMe"), if any."""
    names = [f"SATA {rate} Gb/s" for rate in _SATA_RATE.findall(interface)]
    names += [f"SAS {rate} Gb/s" for rate in _SAS_RATE.findall(interface)]
    names += ["SAS 22.5 Gb/s"] if "SAS 24G" in interface else []
    lanes = _LANES.findall(interface) or [_USUAL_LANES]
    names += [f"PCIe {version}.0 x{count}" for version in _PCIE_LINK.findall(interface) for count in lanes]
    if not names and "PCIe" in interface:
        return fastest_link(DeviceClass.NVME)  # some PCIe SSDs speak ATA: no SATA link holds them back
    links = [link for name in names if (link := link_called(name)) is not None]
    return max(links, key=lambda link: link.ceiling_mib_s, default=None)


@cache
def fastest_link(device_class: DeviceClass) -> Interconnect | None:
    """The fastest link that devices of a class come with; None for a class that is not known."""
    return link_called(_FASTEST_OF_CLASS.get(device_class))
