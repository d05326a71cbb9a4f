from decimal import Decimal

import pytest

from parsers.base.units import GIBIBYTE
from results.advice.log_size import log_size, max_gbit_s

LIMIT = 16 * GIBIBYTE


@pytest.mark.parametrize(
    ("link", "seconds", "needed"),
    [
        ("10", "5", LIMIT),
        ("1", "5", 1_875_000_000),
        ("2.5", "5", 4_687_500_000),
        ("0.1", "1", 37_500_000),
        ("100", "30", LIMIT),
    ],
)
def test_log_is_what_arrives_in_three_groups_up_to_the_limit_of_zfs(link, seconds, needed):
    assert log_size(Decimal(link), seconds=Decimal(seconds)).needed == needed


def test_a_second_of_a_link_is_its_bits_in_bytes():
    assert log_size(Decimal(25)).second == 3_125_000_000


@pytest.mark.parametrize(
    ("tuned", "data_limit"),
    [
        ({"memory_gib": "16"}, int(1.6 * GIBIBYTE) * 2),
        ({"memory_gib": "40"}, 8 * GIBIBYTE),
        ({"memory_gib": "512"}, 8 * GIBIBYTE),
        ({"memory_gib": "8", "dirty_gib": "12"}, 24 * GIBIBYTE),
        ({"dirty_gib": "1"}, 2 * GIBIBYTE),
        ({"dirty_gib": "1", "wrlog_gib": "3"}, 3 * GIBIBYTE),
    ],
)
def test_memory_and_tuned_values_set_the_limit(tuned, data_limit):
    size = log_size(Decimal(400), **{name: Decimal(value) for name, value in tuned.items()})
    assert (size.data_limit, size.needed) == (data_limit, 2 * data_limit)


def test_a_slow_link_limits_the_log_before_memory():
    assert log_size(Decimal(1), memory_gib=Decimal(64)).needed == 1_875_000_000


def test_the_fastest_link_of_a_capacity_is_one_whose_log_fits():
    assert max_gbit_s(LIMIT) is None
    assert max_gbit_s(1_875_000_000) == 1
