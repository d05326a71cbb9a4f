"""Wear of the units of a device: what tells it, and what its two ends are worth."""

from datetime import date

import pytest

from results.devices.wear import (
    WearMeasure,
    WornUnit,
    contrast_wear,
    find_worn_units,
    order_by_wear,
    pick_measure,
)
from results.ranking.standing import main_rows
from tests.factories import make_device, make_result, rank_everything


def unit(used=None, written=None, hours=None, latency_us=20.0):
    return WornUnit("sample", None, used, written, hours, latency_us)


def test_the_first_measure_of_wear_in_which_units_differ_is_used(subtests):
    for units, measure in [
        ([], None),
        ([unit(used=3)], None),
        ([unit(used=3), unit(used=3)], None),
        ([unit(used=3), unit(used=90)], WearMeasure.WEAR_PERCENT),
        ([unit(used=3, hours=10), unit(used=3, hours=20)], WearMeasure.POWER_ON_HOURS),
        ([unit(used=3, written=10), unit(written=20)], WearMeasure.HOST_BYTES_WRITTEN),
    ]:
        with subtests.test(units=units):
            assert pick_measure(units) == measure


def test_units_that_do_not_state_it_are_left_out():
    ordered = order_by_wear([unit(used=90), unit(hours=3), unit(used=3)], WearMeasure.WEAR_PERCENT)
    assert [value for value, _ in ordered] == [3, 90]


def test_a_difference_counts_only_beyond_what_units_differ_by_anyway(subtests):
    for latency_us, is_beyond in [(20, False), (24, False), (30, True), (12, True)]:
        with subtests.test(latency_us=latency_us):
            ends = [(0.0, unit(used=0, latency_us=20.0)), (90.0, unit(used=90, latency_us=latency_us))]
            contrast = contrast_wear(ends, 0.1)  # 90 % of pairs within exp(1.645 x 1.414 x 0.1) = 1.26
            assert contrast.is_beyond_usual is is_beyond


@pytest.mark.django_db
def test_a_unit_counts_once_by_its_latest_ranked_run():
    device = make_device()
    for public_id, day, used in (("old", 1, 3), ("new", 9, 30)):
        make_result(
            device=device,
            submission__public_id=public_id,
            unit="one",
            measured_on=date(2024, 1, day),
            wear_percent=used,
        )
    make_result(device=device, submission__public_id="silent", unit="two")
    make_result(device=device, unit="three", wear_percent=1, not_ranked_reason="Too soon.")
    rank_everything()
    (found,) = find_worn_units(main_rows().get(device=device))
    assert (found.public_id, found.wear_percent) == ("new", 30)
