"""How long a device lasts under synchronous writes, by what its maker rates it for. Terabytes are 10^12 bytes."""

from dataclasses import dataclass
from decimal import Decimal

from parsers.base.units import GIGABYTE

DAYS_A_YEAR = 365  # as makers count drive writes a day
WARRANTY_YEARS = 5  # of nearly every rating that names none
LONG_YEARS = 50  # beyond which other parts of a device fail first


@dataclass(frozen=True, slots=True)
class Lifetime:
    """What may be written in all, in bytes; the years until then; what five years leave for each day, in bytes."""

    written_bytes: int
    years: Decimal
    a_day_bytes: int


def rated_bytes(dwpd: Decimal, *, capacity_bytes: int, years: int = WARRANTY_YEARS) -> int:
    """What a rating in full drive writes a day comes to over its years."""
    return int(dwpd * capacity_bytes * DAYS_A_YEAR * years)


def lifetime(written_bytes: int, *, a_day_bytes: int) -> Lifetime:
    """Until `written_bytes` have been written, at so many bytes a day."""
    return Lifetime(
        written_bytes=written_bytes,
        years=Decimal(written_bytes) / a_day_bytes / DAYS_A_YEAR,
        a_day_bytes=written_bytes // (DAYS_A_YEAR * WARRANTY_YEARS),
    )


def years_of(written_bytes: int, *, gb_a_day: Decimal) -> Decimal:
    """How many years until `written_bytes` are written at that rate."""
    return lifetime(written_bytes, a_day_bytes=max(int(gb_a_day * GIGABYTE), 1)).years
