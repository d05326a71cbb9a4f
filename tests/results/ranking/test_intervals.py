"""The arithmetic of intervals against tables and by hand; whether they hold the truth is test_simulation's."""

import math
import random
from statistics import median, pstdev

import pytest

from results.ranking.intervals import (
    MEDIAN_LOSS,
    PRIOR_WEIGHT,
    SPREAD_STEP,
    Interval,
    blended_spread,
    half_width,
    interval,
    median_interval,
    own_spread,
    pooled_spread,
    prediction,
    t_quantile,
)

# Student's t, 95 % one-sided, as printed in tables.
T_TABLE = {
    8: 1.859548, 9: 1.833113, 10: 1.812461, 12: 1.782288, 15: 1.753050, 20: 1.724718, 30: 1.697261, 60: 1.670649,
    120: 1.657651,
}  # fmt: skip
# The loss of a median (Hojo 1931), and the correction of its absolute deviation (Croux and Rousseeuw 1992)
PUBLISHED = {
    4: (1.092, 1.363), 5: (1.198, 1.206), 6: (1.135, 1.200), 7: (1.214, 1.140), 8: (1.160, 1.129), 9: (1.223, 1.107),
}  # fmt: skip


def test_quantiles_are_those_of_the_table(subtests):
    for freedom, quantile in T_TABLE.items():
        with subtests.test(freedom=freedom):
            assert t_quantile(0.95, freedom) == pytest.approx(quantile, abs=1.2e-4)


def test_quantiles_of_other_probabilities_are_those_of_the_table():
    assert t_quantile(0.975, 10) == pytest.approx(2.228, abs=1e-3)
    assert t_quantile(0.5, 10) == 0


def test_the_pooled_spread_is_the_deviation_of_one_of_a_pair():
    """Of normal values with deviation s, half of all differences of two are below 0.6745 s times root two."""
    assert pooled_spread(0.6745 * 0.2 * math.sqrt(2)) == 0.2


def test_the_pooled_spread_is_rounded_to_steps_above_zero(subtests):
    for difference, spread in [(0.0, SPREAD_STEP), (0.11, 0.115), (0.1105, 0.115), (0.1144, 0.12)]:
        with subtests.test(difference=difference):
            assert pooled_spread(difference) == spread


def test_the_own_spread_is_corrected_for_small_numbers(subtests):
    for unit_count, spread in [(2, 0.1773), (3, 0.2216), (9, 0.1641), (10, 0.16115), (1000, 0.1484)]:
        with subtests.test(unit_count=unit_count):
            assert own_spread(0.1, unit_count) == pytest.approx(spread, rel=1e-3)


@pytest.mark.parametrize(("unit_count", "published"), PUBLISHED.items())
def test_few_units_are_corrected_as_published(unit_count, published):
    loss, correction = published
    quantile = t_quantile(0.95, unit_count + 7)
    assert half_width(0.2, unit_count) == pytest.approx(quantile * 0.2 * loss / math.sqrt(unit_count))
    assert own_spread(0.1, unit_count) == pytest.approx(0.14826 * correction)


def test_a_device_with_one_unit_has_the_spread_of_its_class():
    assert blended_spread(0.2, None, 1) == 0.2


def test_the_own_spread_gains_weight_with_the_number_of_units():
    spreads = [blended_spread(0.1, 0.4, unit_count) for unit_count in (2, 5, 20, 1000)]
    assert spreads == sorted(spreads)
    assert 0.1 < spreads[0] < 0.2
    assert spreads[-1] == pytest.approx(0.4, rel=0.01)


def test_class_and_device_weigh_alike_when_the_device_has_as_many_units():
    both_squares = (0.1**2 + 0.4**2) / 2
    assert blended_spread(0.1, 0.4, PRIOR_WEIGHT + 1) == pytest.approx(math.sqrt(both_squares))


def test_the_interval_of_one_unit_is_the_spread_between_units():
    assert half_width(0.2, 1) == pytest.approx(1.860 * 0.2, rel=1e-3)


def test_two_units_have_a_mean_and_more_have_a_median():
    assert half_width(0.2, 2) == pytest.approx(1.833 * 0.2 / math.sqrt(2), rel=1e-3)
    assert half_width(0.2, 3) == pytest.approx(1.812 * 0.2 * 1.160 / math.sqrt(3), rel=1e-3)
    assert half_width(0.2, 24) == pytest.approx(1.697 * 0.2 * 1.2533 / math.sqrt(24), rel=3e-3)


def test_the_interval_of_two_units_counts_their_own_deviation():
    spread = math.sqrt((8 * 0.2**2 + (1.4826 * 1.196 * 0.5) ** 2) / 9)
    half = 1.833 * spread / math.sqrt(2)
    found = median_interval(100, 0.5, 2, spread=0.2)
    assert found == pytest.approx((100 * math.exp(-half), 100 * math.exp(half)), rel=1e-3)


def test_medians_have_the_tabulated_loss_of_efficiency(subtests):
    for count, loss in MEDIAN_LOSS.items():
        with subtests.test(count=count):
            source = random.Random(count)  # noqa: S311 - drawing, not secrets
            medians = [median(source.gauss(0, 1) for _ in range(count)) for _ in range(20_000)]
            assert pstdev(medians) * math.sqrt(count) == pytest.approx(
                loss, rel=0.02
            )  # four deviations of a deviation


def test_intervals_narrow_with_the_root_of_the_number_of_units():
    assert half_width(0.2, 100) / half_width(0.2, 400) == pytest.approx(2, rel=0.02)


def test_intervals_are_symmetric_on_the_log_scale():
    assert interval(100, math.log(2)) == Interval(pytest.approx(50), pytest.approx(200))


def test_what_another_unit_will_measure_is_within_a_wider_range():
    for count in (1, 4, 30):
        half = half_width(0.5, count)
        of_one_unit = t_quantile(0.95, 7 + count) * 0.5
        low, high = prediction(*(10 * math.exp(offset) for offset in (-half, 0, half)), count)
        loss = half / of_one_unit * math.sqrt(count)
        assert math.log(high / 10) == pytest.approx(of_one_unit * math.sqrt(1 + loss**2 / count))
        assert low * high == pytest.approx(100)
