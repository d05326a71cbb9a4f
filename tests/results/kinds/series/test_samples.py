"""Series: stored without loss, reduced with their extremes, added up and put one after the other."""

import random

import pytest

from results.kinds.series.samples import (
    Series,
    add_up,
    one_after_the_other,
    pack,
    reduced,
    unpack,
)


def test_a_packed_series_is_the_same_when_it_is_unpacked():
    numbers = random.Random(1)  # noqa: S311 - no secret
    times, time = [], 0.0
    for _ in range(5000):
        time += numbers.choice([0.999, 1.0, 1.001])
        times.append(round(time, 3))
    series = Series(times, [float(numbers.randrange(100_000)) for _ in times])
    found = unpack(pack(series))
    assert list(found.times) == pytest.approx(times)
    assert list(found.values) == series.values
    assert len(pack(series)) < 16 * len(times) / 2
    assert unpack(pack(Series([], []))) == Series([], [])


def test_a_reduced_series_has_its_lowest_and_its_highest_sample():
    values = [1000.0] * 100_000
    values[70_001], values[5] = 3.0, 99_999.0
    points = reduced(Series([float(at) for at in range(100_000)], values))
    assert len(points) <= 300
    assert [70_001, 3] in points
    assert [5, 99_999] in points
    assert points == sorted(points, key=lambda point: point[0])
    assert reduced(Series([1.0, 2.0], [5.0, 6.0])) == [[1, 5], [2, 6]]


def test_jobs_at_the_same_time_are_added_up_until_the_shortest_ends():
    first = Series([1.0, 2.0, 3.0, 4.0], [10.0, 10.0, 10.0, 10.0])
    second = Series([1.001, 2.0, 3.001], [1.0, 2.0, 3.0])
    found = add_up([first, second])
    assert (list(found.times), list(found.values)) == ([1, 2, 3], [11, 12, 13])


def test_series_in_turn_have_the_idle_time_between_them():
    device = Series([1.0, 2.0], [5.0, 6.0])
    found = one_after_the_other([device, device], idle_s=3600)
    assert list(found.times) == [1, 2, 3603, 3604]
    assert list(found.values) == [5, 6, 5, 6]
