"""Expected latency bands per class from a talk in 2018, shown next to measured ones.

Source: Nick Principe (iXsystems), survey of synchronous write latency, SNIA Storage Developer Conference 2018.
Figures shown only as pictures in its slides are omitted.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BANDS_FILE = Path(__file__).resolve().parent.parent / "data" / "bands.csv"
SOURCE = "Nick Principe (iXsystems), SNIA Storage Developer Conference 2018"
SOURCE_URL = "https://www.snia.org/events/storage-developer"


@dataclass(frozen=True, slots=True)
class Band:
    """A kind of device's band in the talk; None if its text gives no figure. A single figure is both ends."""

    label: str
    device_class: str
    segment: str
    low_us: float | None
    high_us: float | None
    representative: str
    note: str


@cache
def read_bands() -> tuple[Band, ...]:
    """All bands, in the order of the talk."""
    with BANDS_FILE.open(encoding="utf-8", newline="") as lines:
        return tuple(_band(row) for row in csv.DictReader(lines))


def slowest_by_class() -> dict[str, float]:
    """The slowest figure the talk gave for each class, in µs; classes without one are missing."""
    slowest: dict[str, float] = {}
    for band in read_bands():
        if band.high_us is not None:
            slowest[band.device_class] = max(band.high_us, slowest.get(band.device_class, 0))
    return slowest


def _band(row: dict[str, str]) -> Band:
    return Band(
        label=row["label"],
        device_class=row["device_class"],
        segment=row["segment"],
        low_us=float(row["low_us"]) if row["low_us"] else None,
        high_us=float(row["high_us"]) if row["high_us"] else None,
        representative=row["representative"],
        note=row["note"],
    )
