"""What a drive is called: by its product, as people do, or by the model name that it reports. No queries."""

import re
from dataclasses import dataclass
from functools import lru_cache

from results.core.formats import format_capacity

_IN_BRACKETS = re.compile(r"\s*\(.*?\)")
_BETWEEN_MODELS = re.compile(r"\s*[/,]\s*|\s+and\s+")
_FILLER = re.compile(r"\bSSD\b\s*")
_WORD = re.compile(r"[a-z0-9]+")
_OWNERS = " / "  # between the successive owners of a brand
LONGEST_LINE = 30  # characters of a line's name that is shown whole


@dataclass(frozen=True, slots=True)
class DriveName:
    """The names of a drive: `short`, `full` and `model`.

    Vendor and line are those of its product, None without one; an entire product has no model name.
    """

    model_name: str = ""
    capacity_bytes: int | None = None
    vendor: str | None = None
    line: str | None = None

    @property
    def short(self) -> str:
        """The name people use, without its capacity: "Intel DC P3700", "Samsung 860 EVO".

        The vendor's first name with that of the product. If the line covers several products, use the one the
        model name mentions; a bare part number mentions none. Without a product, this is the model name.
        """
        if not (self.vendor and self.line):
            return self.model_name
        return _name_in_line(self.vendor, self.line, self.model_name)

    @property
    def full(self) -> str:
        """The same with its capacity, in titles, sentences and links: "Intel DC P3700 400 GB"."""
        return _with_capacity(self.short, self.capacity_bytes)

    @property
    def model(self) -> str:
        """As it reports itself, with its capacity: "INTEL SSDPEDMD400G4 400 GB".

        No other drive has this name, so it is that of legends, exports, and what differs between two results.
        """
        return _with_capacity(self.model_name, self.capacity_bytes)

    @property
    def capacity(self) -> str:
        """The capacity to append to the short name; "" if the name already includes it."""
        return self.full.removeprefix(self.short).strip()

    @property
    def part_number(self) -> str:
        """The model name beside the short name; "" if it already contains every word of the short name."""
        return "" if _words(self.short) <= _words(self.model_name) else self.model_name


@lru_cache(maxsize=4096)  # a row of a list needs it several times
def _name_in_line(vendor: str, line: str, model_name: str) -> str:
    plain = _IN_BRACKETS.sub("", line)
    models = [model for model in _BETWEEN_MODELS.split(plain) if model]
    known = _words(model_name)
    named = [model for model in models if _words(model) <= known] if known else []
    if len(models) == 1 or not (named or known):
        name = plain
    elif named:
        name = max(named, key=lambda other: len(_words(other)))
    else:
        name = plain if len(plain) <= LONGEST_LINE else f"{models[0]} family"
    return _with_vendor(vendor.partition(_OWNERS)[0], _FILLER.sub("", name).strip())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_FILLER.sub("", text).casefold()))


def _with_vendor(vendor: str, name: str) -> str:
    """The name after the vendor's, unless it already begins with that or its initials: "WD Blue"."""
    initials = "".join(word[0] for word in vendor.split())
    begins = (vendor, initials) if len(initials) > 1 else (vendor,)
    return name if name.casefold().startswith(tuple(map(str.casefold, begins))) else f"{vendor} {name}"


def _with_capacity(name: str, capacity_bytes: int | None) -> str:
    """The name with the capacity, unless that is unknown or the name already includes it."""
    capacity = format_capacity(capacity_bytes)
    is_in_name = capacity.replace(" ", "").casefold() in name.replace(" ", "").casefold()
    return name if is_in_name else f"{name} {capacity}"
