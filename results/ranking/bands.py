"""Expected latency bands per class from a talk in 2018, shown next to measured ones.

Source: Nick Principe (iXsystems), survey of synchronous write latency, SNIA Storage Developer Conference 2018.
Figures shown only as pictures in its slides are omitted.
"""

from dataclasses import dataclass
from functools import cache

from results.core.formats import latency_label
from results.core.lines import DATA, FileLine, read_lines

SOURCE = "Nick Principe (iXsystems), SNIA Storage Developer Conference 2018"
SOURCE_URL = "https://www.snia.org/events/storage-developer"


@dataclass(frozen=True, slots=True)
class Band(FileLine):
    """A kind of device's band in the talk; None if its text gives no figure. A single figure is both ends."""

    label: str
    device_class: str
    segment: str
    low_us: float | None
    high_us: float | None
    representative: str
    note: str

    @property
    def range_text(self) -> str:
        """The band in the format of the axis labels; "" if the talk gives no figure."""
        if self.low_us is None or self.high_us is None:
            return ""
        return " to ".join(dict.fromkeys([latency_label(self.low_us), latency_label(self.high_us)]))


@cache
def read_bands() -> tuple[Band, ...]:
    """All bands, in the order of the talk."""
    return tuple(line for _, line in read_lines(DATA / "bands.csv", Band))


def slowest_by_class() -> dict[str, float]:
    """The slowest figure the talk gave for each class, in µs; classes without one are missing."""
    slowest: dict[str, float] = {}
    for band in read_bands():
        if band.high_us is not None:
            slowest[band.device_class] = max(band.high_us, slowest.get(band.device_class, 0))
    return slowest
