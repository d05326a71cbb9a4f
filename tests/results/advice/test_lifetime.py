from decimal import Decimal

from parsers.base.units import GIGABYTE, TERABYTE
from results.advice.lifetime import lifetime, rated_bytes


def test_drive_writes_a_day_count_the_full_capacity_over_the_years():
    assert rated_bytes(Decimal(10), capacity_bytes=280 * GIGABYTE) == 5_110 * TERABYTE
    assert rated_bytes(Decimal("0.3"), capacity_bytes=960 * GIGABYTE, years=3) == 315_360 * GIGABYTE


def test_years_are_rated_writes_divided_by_daily_writes():
    life = lifetime(365 * TERABYTE, a_day_bytes=500 * GIGABYTE)
    assert (life.years, life.a_day_bytes) == (2, 200 * GIGABYTE)


def test_parts_of_years_are_exact():
    assert lifetime(73 * TERABYTE, a_day_bytes=400 * GIGABYTE).years == Decimal("0.5")
