"""How long a device lasts under sync writes, by its rating (TB = 10^12 bytes)."""

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from parsers.base.units import GIGABYTE

DAYS_A_YEAR = 365  # as makers count drive writes per day
WARRANTY_YEARS = 5  # of nearly every rating that names none
LONG_YEARS = 50  # beyond which other parts of a device fail first


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Total writes, the years until then, and the daily writes over five years."""

    written_bytes: int
    years: Decimal
    a_day_bytes: int


def rated_bytes(dwpd: Decimal, *, capacity_bytes: int, years: int = WARRANTY_YEARS) -> int:
    """Convert a rating in full drive writes per day to bytes over its years."""
    return int(dwpd * capacity_bytes * DAYS_A_YEAR * years)


def lifetime(written_bytes: int, *, a_day_bytes: int) -> Lifetime:
    """The time until `written_bytes` have been written, at this rate."""
    return Lifetime(
        written_bytes=written_bytes,
        years=Decimal(written_bytes) / a_day_bytes / DAYS_A_YEAR,
        a_day_bytes=written_bytes // (DAYS_A_YEAR * WARRANTY_YEARS),
    )


class LifeLeft(NamedTuple):
    """The remaining writes in bytes, and what the figure is based on."""

    bytes_left: int
    basis: str


# Wear is rounded to 1 %: from less wear than this, a rate would be off by a tenth or more.
_MIN_WEAR = 5


def life_left(
    rated: int | None, *, host_bytes_written: int | None, wear_percent: int | None
) -> LifeLeft | None:
    """The life left by rating and bytes written, or by rating and wear: the lower one.

    Without a rating it is extrapolated from bytes written and wear. None if neither is possible.
    """
    if rated is None:
        if not host_bytes_written or wear_percent is None or wear_percent < _MIN_WEAR:
            return None
        left = max(host_bytes_written * (100 - wear_percent) // wear_percent, 0)
        return LifeLeft(left, "estimated from bytes written and wear; we don’t know its rating")
    found = []
    if host_bytes_written is not None:
        found.append(LifeLeft(max(rated - host_bytes_written, 0), "its rating minus what was written"))
    if wear_percent is not None:
        left = rated * max(100 - wear_percent, 0) // 100
        found.append(LifeLeft(left, "its rating and the wear that the drive reports"))
    return min(found, key=lambda candidate: candidate.bytes_left, default=None)


def years_of(written_bytes: int, *, gb_a_day: Decimal) -> Decimal:
    """The years until `written_bytes` are written at that rate."""
    return lifetime(written_bytes, a_day_bytes=max(int(gb_a_day * GIGABYTE), 1)).years
