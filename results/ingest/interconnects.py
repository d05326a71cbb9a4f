"""What a link carries at the most: the ceilings that a throughput is held against."""

from dataclasses import dataclass
from functools import cache

from parsers.kinds import DeviceClass

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
        Interconnect(f"PCIe {generation}.0 x{lanes}", megatransfers, code_share, lanes, _PCIE)
        for lanes in (1, 2, 4, 8, 16)
    ]


INTERCONNECTS = (
    Interconnect("SATA 1.5 Gb/s", 1500, _8B10B, 1, _SATA),
    Interconnect("SATA 3 Gb/s", 3000, _8B10B, 1, _SATA),
    Interconnect("SATA 6 Gb/s", 6000, _8B10B, 1, _SATA),
    Interconnect("SAS 3 Gb/s", 3000, _8B10B, 1, _SAS),
    Interconnect("SAS 6 Gb/s", 6000, _8B10B, 1, _SAS),
    Interconnect("SAS 12 Gb/s", 12000, _8B10B, 1, _SAS),
    Interconnect("SAS 22.5 Gb/s", 22500, 128 / 150, 1, _SAS),
    *_pcie(1, 2500, _8B10B),
    *_pcie(2, 5000, _8B10B),
    *_pcie(3, 8000, _128B130B),
    *_pcie(4, 16000, _128B130B),
    *_pcie(5, 32000, _128B130B),
    Interconnect("DDR4-3200 DIMM", 3200, 1.0, 64, _DDR),
)

_FASTEST_OF_CLASS = {
    DeviceClass.HDD: "SAS 12 Gb/s",
    DeviceClass.SSHD: "SATA 6 Gb/s",
    DeviceClass.SATA_SSD: "SATA 6 Gb/s",
    DeviceClass.SAS_SSD: "SAS 22.5 Gb/s",
    DeviceClass.NVME: "PCIe 5.0 x4",
    DeviceClass.OPTANE: "PCIe 4.0 x4",
    DeviceClass.NVRAM: "PCIe 4.0 x8",
    DeviceClass.NVDIMM: "DDR4-3200 DIMM",
}


@cache
def fastest_link(device_class: DeviceClass) -> Interconnect | None:
    """The fastest link that devices of a class come with; None for a class that is not known."""
    name = _FASTEST_OF_CLASS.get(device_class)
    return next((one for one in INTERCONNECTS if one.name == name), None)
