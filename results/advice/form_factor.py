"""Whether a product fits a slot, by its form factors and interface."""

import re
from functools import lru_cache
from typing import NamedTuple

from results.advice.fit import Fit

DIMM = "dimm"
SLOTS = {
    "2.5-sata": "2.5-inch SATA",
    "2.5-sas": "2.5-inch SAS",
    "m2-2280": "M.2 2280",
    "m2-22110": "M.2 22110",
    "u2": "U.2",
    "hhhl": "Half-height, half-length card",
    DIMM: "DIMM",
}
_M2 = re.compile(r"\bm\.2\b(?: (?:22)?(\d{2,3})\b)?")
_U2 = re.compile(r"\bu\.[23]\b")
_CARD = re.compile(r"\bpcie card|\bpcie hhhl|add-in card|half.height|\bhhhl\b|half-length card")
_LOW_CARD = re.compile(r"half.height|\bhhhl\b")
_MODULE = re.compile(r"dimm|jedec module")  # some cards take such modules, too
_BUSES = {
    "2.5-sata": ("sata",),
    "2.5-sas": ("sata", "sas"),
    "m2-2280": ("nvme", "pcie", "sata"),
    "m2-22110": ("nvme", "pcie", "sata"),
    "u2": ("nvme", "pcie"),
    "hhhl": ("nvme", "pcie"),
    DIMM: ("ddr", "dimm"),
}
_M2_LENGTHS = {"m2-2280": 80, "m2-22110": 110}


class SlotFit(NamedTuple):
    """The answer, and what to check before buying ("" if nothing)."""

    fit: Fit
    check: str = ""


_NO, _YES = SlotFit(Fit.NO), SlotFit(Fit.YES)


def is_dimm(form_factors: str, interface: str) -> bool:
    """Whether it is a DIMM, which few boards support as storage."""
    return fit_slot(DIMM, form_factors, interface).fit is Fit.YES


@lru_cache(maxsize=4096)
def fit_slot(slot: str, form_factors: str, interface: str) -> SlotFit:
    """Fit a product into `slot`, a key of SLOTS; empty texts mean not stated."""
    forms, bus = form_factors.lower(), interface.lower()
    if not forms:
        return SlotFit(Fit.UNKNOWN, "check the form factor") if _has_bus(slot, bus) else _NO
    if slot in _M2_LENGTHS:
        return _fit_m2(_M2_LENGTHS[slot], forms, bus)
    if slot == "hhhl":
        return _fit_card(forms)
    if slot == DIMM:
        return _YES if _MODULE.search(forms) and _has_bus(slot, bus) else _NO
    return _fit_bay(slot, forms, bus)


def _has_bus(slot: str, bus: str) -> bool:
    """Whether the interface suits the slot, or is unknown."""
    return not bus or any(one in bus for one in _BUSES[slot])


def _fit_m2(length: int, forms: str, bus: str) -> SlotFit:
    """A shorter module fits a longer slot; one without a stated length needs a check."""
    stated = [int(one) if one else None for one in _M2.findall(forms)]
    if not stated:
        return _NO
    lengths = [one for one in stated if one is not None]
    if lengths and min(lengths) > length:
        return _NO
    checks = [] if lengths else ["check the length"]
    if "sata" in bus and "nvme" not in bus:
        checks.append("check that the slot takes SATA")
    return SlotFit(Fit.YES, ", ".join(checks))


def _fit_card(forms: str) -> SlotFit:
    if _LOW_CARD.search(forms):
        return _YES
    return SlotFit(Fit.YES, "check the height") if _CARD.search(forms) else _NO


def _fit_bay(slot: str, forms: str, bus: str) -> SlotFit:
    """A SAS bay also takes SATA; a 2.5-inch NVMe drive goes into a U.2 bay."""
    if slot == "u2" and _U2.search(forms):
        return _YES
    if "2.5-inch" not in forms or not _has_bus(slot, bus):
        return _NO
    return _YES if bus else SlotFit(Fit.UNKNOWN, "check the interface")
