"""Whether a product fits a slot, by its form factors and interface."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from parsers.base.device_class import DeviceClass
from parsers.base.units import GIGABYTE, TERABYTE
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


_NOTE = re.compile(r"\([^)]*\)")  # of a capacity or a model
_CAPACITY = re.compile(r"\((\d+(?:\.\d+)?) (GB|TB)\)")
_BYTES = {"GB": GIGABYTE, "TB": TERABYTE}
_NAMES_OF_A_CARD = {"pcie", "add-in", "hhhl", "half-height", "half-length"}
_BETWEEN_FORMS = re.compile(r"\s*(?:[,;](?![^(]*\))| and | or )\s*")


class SlotFit(NamedTuple):
    """The answer, and what to check before buying ("" if nothing).

    `is_one_of_several`: it also comes in a form that doesn't fit.
    """

    fit: Fit
    check: str = ""
    is_one_of_several: bool = False


_NO, _YES = SlotFit(Fit.NO), SlotFit(Fit.YES)


def split_forms(*texts: str) -> list[str]:
    """The form factors in these texts, each once: no "U.2" next to "2.5-inch 15 mm U.2", no card next to "HHHL"."""
    words: dict[frozenset[str], str] = {}
    for text in texts:
        for form in _BETWEEN_FORMS.split(text):
            if form:
                words.setdefault(_words(form), form)
    return [word for own, word in words.items() if not any(own < other for other in words)]


def forms_of(forms: Iterable[str], capacity_bytes: int | None) -> list[str]:
    """Those of a capacity: all but those of another one, such as "M.2 22110 (380 GB)"."""
    return [form for form in forms if _is_of(_CAPACITY.search(form), capacity_bytes)]


def _is_of(stated: re.Match[str] | None, capacity_bytes: int | None) -> bool:
    if stated is None or capacity_bytes is None:
        return True
    for_form = float(stated[1]) * _BYTES[stated[2]]
    return abs(capacity_bytes - for_form) < for_form / 100  # drives hold a little more than their name says


def _words(form: str) -> frozenset[str]:
    """What distinguishes a form from others, whatever it is called."""
    words = set(_NOTE.sub("", form.lower()).split()) - {"sff"}
    if _CARD.search(form.lower()):
        words = (
            (words - _NAMES_OF_A_CARD) | {"card"} | ({"hhhl"} if _LOW_CARD.search(form.lower()) else set())
        )
    if _U2.search(form.lower()):
        words.add("2.5-inch")
    return frozenset(words)


def only_slot(form_factors: str, interface: str) -> str:
    """The slot that a product goes into, a key of SLOTS; "" if it isn't known, or if it comes in several forms."""
    found = {slot: fit_slot(slot, form_factors, interface) for slot in SLOTS} if form_factors else {}
    return next((slot for slot, fit in found.items() if fit.fit is Fit.YES and not fit.is_one_of_several), "")


_DRAWN = (  # drawings (templates/results/parts/forms/), and the forms that they show
    ("m2-22110", re.compile(r"\bm\.2\b (?:22)?110\b")),
    ("m2-2280", _M2),
    (DIMM, _MODULE),
    ("card", re.compile(rf"{_CARD.pattern}|\bpci card")),
    ("u2", _U2),
    ("2.5-inch", re.compile("2.5-inch")),
    ("3.5-inch", re.compile("3.5-inch")),
)


def drawn_form(form_factors: str, device_class: str) -> str:
    """The drawing of a product: that of the first form that it comes in, a key of _DRAWN; "" without one."""
    for form in split_forms(form_factors.lower()):
        for key, pattern in _DRAWN:
            if pattern.search(form):
                return key
    return "3.5-inch" if device_class == DeviceClass.HDD and not form_factors else ""


def is_dimm(form_factors: str, interface: str) -> bool:
    """Whether it is a DIMM, which few boards support as storage."""
    return fit_slot(DIMM, form_factors, interface).fit is Fit.YES


@lru_cache(maxsize=4096)
def fit_slot(slot: str, form_factors: str, interface: str) -> SlotFit:
    """Fit a product into `slot`, a key of SLOTS; empty texts mean not stated."""
    forms, bus = form_factors.lower(), interface.lower()
    if not forms:
        return SlotFit(Fit.UNKNOWN, "check the form factor") if _has_bus(slot, bus) else _NO
    found = [_fit_form(slot, form, bus) for form in split_forms(forms)]
    fitting = [fit for fit in found if fit.fit is not Fit.NO]
    if not fitting:
        return _NO
    best = min(fitting, key=lambda fit: (fit.fit is not Fit.YES, bool(fit.check)))
    return best._replace(is_one_of_several=len(fitting) < len(found))


def _fit_form(slot: str, form: str, bus: str) -> SlotFit:
    """Fit one form factor."""
    if slot in _M2_LENGTHS:
        return _fit_m2(_M2_LENGTHS[slot], form, bus)
    if slot == "hhhl":
        return _fit_card(form)
    if slot == DIMM:
        return _YES if _MODULE.search(form) and _has_bus(slot, bus) else _NO
    return _fit_bay(slot, form, bus)


def _has_bus(slot: str, bus: str) -> bool:
    """Whether the interface suits the slot, or is unknown."""
    return not bus or any(slot_bus in bus for slot_bus in _BUSES[slot])


def _fit_m2(length: int, forms: str, bus: str) -> SlotFit:
    """A shorter module fits a longer slot; one without a stated length needs a check."""
    stated = [int(size) if size else None for size in _M2.findall(forms)]
    if not stated:
        return _NO
    lengths = [length for length in stated if length is not None]
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
