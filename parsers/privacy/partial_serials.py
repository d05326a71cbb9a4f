"""Serial numbers that were partly hidden before pasting: "S4EVNF0M73****", "S4EV…", "S4EVNF0Mxxxxxxx".

The visible part can belong to many units, so it identifies none. But it still shows whether two outputs in a paste
can be about the same unit: it gets the mask of the serial number whose beginning and end match it.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_PARTIAL = 200  # each is compared with all others; nobody pastes that many
ANY = "[serial-0]"  # a partial serial number that matches several in its text
_HIDDEN = re.compile(
    r"[*•●■█…⋯]+|[#?]{2,}|\.{2,}|_{3,}|-{3,}|^[Xx]{3,}|[Xx]{3,}$|[Xx]{4,}"
    r"|[<(\[{](?:redacted|hidden|masked|removed|censored|omitted|snip(?:ped)?|xx+)[>)\]}]",
    re.IGNORECASE,
)
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


class _Ends(NamedTuple):
    """The visible ends of a serial number, in upper case."""

    first: str
    last: str

    def fit(self, serial: str) -> bool:
        """Whether the serial number, in upper case, begins and ends like this."""
        is_long_enough = len(serial) >= len(self.first) + len(self.last)
        return is_long_enough and serial.startswith(self.first) and serial.endswith(self.last)

    def agree(self, other: "_Ends") -> bool:
        """Whether both can belong to one serial number."""
        begin = self.first.startswith(other.first) or other.first.startswith(self.first)
        return begin and (self.last.endswith(other.last) or other.last.endswith(self.last))


def _ends_of(value: str) -> _Ends | None:
    """The visible ends of a partly hidden serial number; None for a complete or a fully hidden one."""
    runs = list(_HIDDEN.finditer(value.strip()))
    if not runs:
        return None
    first, last = value.strip()[: runs[0].start()], value.strip()[runs[-1].end() :]
    ends = _Ends(*(_NOT_ALPHANUMERIC.sub("", end).upper() for end in (first, last)))
    return ends if any(ends) else None


def is_partial(value: str) -> bool:
    """Whether a serial number is partly hidden and partly visible."""
    return _ends_of(value) is not None


@dataclass(slots=True)
class Serials:
    """The complete and partial serial numbers of one text, by mask."""

    whole: dict[str, str] = field(default_factory=dict)  # upper case, letters and digits
    partial: dict[str, _Ends] = field(default_factory=dict)

    def add(self, mask: str, value: str) -> bool:
        """Add one; whether it is complete, so that it identifies a unit."""
        ends = _ends_of(value)
        if ends is not None:
            self.partial[mask] = ends
            return False
        self.whole[mask] = _NOT_ALPHANUMERIC.sub("", value).upper()
        return True

    def merged(self) -> dict[str, str]:
        """The masks to replace, each with the mask of the serial number it stands for."""
        merged: dict[str, str] = {}
        groups: dict[str, _Ends] = {}  # of partial ones that no whole one fits, the first of each
        for number, (mask, ends) in enumerate(self.partial.items()):
            if number >= MOST_PARTIAL:
                merged[mask] = ANY
                continue
            fitting = [one for one, serial in self.whole.items() if ends.fit(serial)]
            fitting = fitting or [one for one, seen in groups.items() if ends.agree(seen)]
            if fitting:
                merged[mask] = fitting[0] if len(fitting) == 1 else ANY
            else:
                groups[mask] = ends
        return merged
