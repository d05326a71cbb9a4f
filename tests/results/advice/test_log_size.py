from decimal import Decimal

import pytest

from parsers.base.units import GIBIBYTE
from results.advice.log_size import log_size


def test_log_is_two_to_three_groups_of_the_links_rate(subtests):
    for link, seconds, low, high in [
        ("10", "5", 12_500_000_000, 18_750_000_000),
        ("1", "5", 1_250_000_000, 1_875_000_000),
        ("2.5", "5", 3_125_000_000, 4_687_500_000),
        ("0.1", "1", 25_000_000, 37_500_000),
        ("100", "30", 750_000_000_000, 1_125_000_000_000),
    ]:
        with subtests.test(link=link):
            size = log_size(Decimal(link), seconds=Decimal(seconds))
            assert (size.low, size.high, size.needed) == (low, high, high)


def test_a_second_of_a_link_is_its_bits_in_bytes():
    assert log_size(Decimal(25), seconds=Decimal(5)).second == 3_125_000_000


@pytest.mark.parametrize(
    ("memory", "limit"), [("16", int(1.6 * GIBIBYTE)), ("40", 4 * GIBIBYTE), ("512", 4 * GIBIBYTE)]
)
def test_memory_limits_the_log_in_use(memory, limit):
    size = log_size(Decimal(10), seconds=Decimal(5), memory_gib=Decimal(memory))
    assert (size.memory_limit, size.needed) == (limit, limit)


def test_slow_link_limits_the_log_before_memory():
    assert log_size(Decimal(1), seconds=Decimal(5), memory_gib=Decimal(64)).needed == 1_875_000_000
