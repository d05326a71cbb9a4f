"""Names of links between host and device, and the negotiated one by smartctl."""

import re

SATA_GIGABITS = ("1.5", "3", "6")
SAS_GIGABITS = ("3", "6", "12", "22.5")
PCIE_LANES = (1, 2, 4, 8, 16)

_CURRENT_SATA = re.compile(r"\(current: (\d{1,2}\.\d) Gb/s\)", re.ASCII)
_SATA_SPEED = re.compile(r"(\d{1,2}\.\d) Gb/s", re.ASCII)
_SAS_RATE = re.compile(r"phy enabled; (\d{1,2}(?:\.\d)?) Gbps", re.ASCII)


def sata_name(gigabits: str) -> str:
    return f"SATA {gigabits} Gb/s"


def sas_name(gigabits: str) -> str:
    return f"SAS {gigabits} Gb/s"


def pcie_name(generation: int, lanes: int) -> str:
    return f"PCIe {generation}.0 x{lanes}"


def current_sata_link(version: str) -> str | None:
    """Return the current link of a line of smartctl's text.

    `SATA 3.2, 6.0 Gb/s (current: 3.0 Gb/s)`; without the brackets it is only what the device supports.
    """
    match = _CURRENT_SATA.search(version)
    return _named_sata(match[1]) if match else None


def sata_link(speed: str) -> str | None:
    """`3.0 Gb/s`: JSON has the current speed in a separate field."""
    match = _SATA_SPEED.fullmatch(speed)
    return _named_sata(match[1]) if match else None


def _named_sata(speed: str) -> str | None:
    gigabits = speed.removesuffix(".0")
    return sata_name(gigabits) if gigabits in SATA_GIGABITS else None


def faster_sas_link(known: str | None, rate: str) -> str | None:
    """Return the faster of a known link and of `phy enabled; 12 Gbps`.

    There is a phy per port, often only one in use.
    """
    match = _SAS_RATE.match(rate)
    if match is None or match[1] not in SAS_GIGABITS:
        return known
    gigabits = [other for other in SAS_GIGABITS if sas_name(other) == known or other == match[1]]
    return sas_name(gigabits[-1])
