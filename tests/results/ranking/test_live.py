"""Boards that are ranked when they are shown: the interval and the places of a rate, by the ranking's rules."""

from math import exp, log, sqrt

import pytest

from results.ranking.intervals import GUESSED_SPREAD, MIN_DEVICES, median_interval, pooled_spread
from results.ranking.live import rank_by_figure
from results.ranking.senders import Candidate, Measured


def units(*rates):
    """A device's results, each of another unit by another sender."""
    return [
        Candidate(number, "fio", Measured(f"u{number}", f"s{number}", f"n{number}", rate), False, False)
        for number, rate in enumerate(rates)
    ]


def test_a_device_with_one_unit_has_an_interval_by_the_assumed_spread():
    (ranked,) = rank_by_figure({7: units(1000)}, is_lower_better=False)
    assert (ranked.device_id, ranked.unit_count) == (7, 1)
    assert (ranked.low, ranked.high) == pytest.approx(median_interval(1000, 0, 1, spread=GUESSED_SPREAD))
    assert ranked.low < 500 < 2000 < ranked.high


def test_from_ten_devices_with_two_units_on_the_spread_is_theirs():
    apart = 0.1
    devices = {number: units(1000, 1000 * exp(apart)) for number in range(MIN_DEVICES)}
    first, *_ = rank_by_figure({**devices, 99: units(10_000)}, is_lower_better=False)
    spread = pooled_spread(apart)
    assert first.device_id == 99
    assert (first.low, first.high) == pytest.approx(median_interval(10_000, 0, 1, spread=spread))
    second = rank_by_figure(devices, is_lower_better=False)[0]
    assert second.score == pytest.approx(1000 * sqrt(exp(apart)))
    assert (second.low, second.high) == pytest.approx(
        median_interval(second.score, log(exp(apart)) / 2, 2, spread=spread)
    )


def test_more_is_better_and_overlapping_intervals_share_places():
    ranked = rank_by_figure(
        {1: units(100), 2: units(50_000), 3: units(60_000), 4: units(200)}, is_lower_better=False
    )
    assert [(device.device_id, device.place[1:3]) for device in ranked] == [
        (3, (1, 2)),
        (2, (1, 2)),
        (4, (3, 4)),
        (1, (3, 4)),
    ]
    assert [device.place.tie_group for device in ranked] == [1, 1, 2, 2]


def test_lower_times_rank_first():
    ranked = rank_by_figure({1: units(100), 2: units(5000)}, is_lower_better=True)
    assert [(device.device_id, device.place.rank) for device in ranked] == [(1, 1), (2, 2)]


def test_rates_have_the_places_of_their_times():
    rates = [100 * 1.3**step for step in range(20)]
    by_rate, by_time = (
        rank_by_figure(
            {number: units(value(rate)) for number, rate in enumerate(rates)}, is_lower_better=is_time
        )
        for value, is_time in ((lambda rate: rate, False), (lambda rate: 1 / rate, True))
    )
    assert [(row.device_id, row.place) for row in by_rate] == [(row.device_id, row.place) for row in by_time]
