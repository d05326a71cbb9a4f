"""The links between drives and hosts, and what each can carry."""

import re
from dataclasses import dataclass
from functools import cache

from parsers.base.device_class import DeviceClass
from parsers.base.units import MEBIBYTE
from parsers.smartctl.link_speeds import PCIE_LANES, pcie_name, sas_name, sata_name

MEGABIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Interconnect:
    """A link's specification: rate per lane, share left by the line code, lanes."""

    name: str
    megabits_a_lane: int
    code_share: float
    lanes: int
    source_url: str

    @property
    def ceiling_mib_s(self) -> float:
        """Payload before protocol overhead, which no device behind the link can exceed."""
        return self.megabits_a_lane * MEGABIT / 8 * self.code_share * self.lanes / MEBIBYTE


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


_SATA_RATE = re.compile(r"SATA \d \((1\.5|3|6) Gb/s\)")
_SAS_RATE = re.compile(r"SAS (3|6|12) Gb/s")
_SAS_4 = re.compile(r"SAS 24 ?G")  # 24 Gb/s by its name, 22.5 Gb/s on the line
_PCIE_LINK = re.compile(r"PCIe (\d)\.0")
_LANES = re.compile(r"x(1|2|4|8|16)\b")
_USUAL_LANES = "4"


def link_named(name: str | None) -> Interconnect | None:
    """The link with that name."""
    return next((interconnect for interconnect in INTERCONNECTS if interconnect.name == name), None)


_KERNEL_LINK = re.compile(r"(?P<bus>SATA )?(?P<rate>[0-9.]+) (?:Gbps|GT/s)(?: PCIe)?(?: x(?P<lanes>[0-9]+))?")


def link_at(printed: str) -> Interconnect | None:
    """The link as Linux prints it: "8.0 GT/s PCIe x4", "SATA 6.0 Gbps"."""
    match = _KERNEL_LINK.fullmatch(printed)
    if match is None:
        return None
    bus, megabits, lanes = (
        match["bus"] or "PCIe ",
        round(float(match["rate"]) * 1000),
        int(match["lanes"] or 1),
    )
    return next(
        (
            link
            for link in INTERCONNECTS
            if link.name.startswith(bus) and (link.megabits_a_lane, link.lanes) == (megabits, lanes)
        ),
        None,
    )


@cache
def link_of_interface(interface: str) -> Interconnect | None:
    """The fastest link in a product's interface, such as "PCIe 3.0 x4 NVMe", if any."""
    names = [f"SATA {rate} Gb/s" for rate in _SATA_RATE.findall(interface)]
    names += [f"SAS {rate} Gb/s" for rate in _SAS_RATE.findall(interface)]
    names += ["SAS 22.5 Gb/s"] if _SAS_4.search(interface) else []
    lanes = _LANES.findall(interface) or [_USUAL_LANES]
    names += [f"PCIe {version}.0 x{count}" for version in _PCIE_LINK.findall(interface) for count in lanes]
    if not names and "PCIe" in interface:
        return fastest_link(DeviceClass.NVME)  # some PCIe SSDs speak ATA, but no SATA link limits them
    links = [link for name in names if (link := link_named(name)) is not None]
    return max(links, key=lambda link: link.ceiling_mib_s, default=None)


@cache
def fastest_link(device_class: DeviceClass) -> Interconnect | None:
    """The fastest link of devices of a class; None for an unknown class."""
    return link_named(device_class.link)
