"""Numbers as people read them."""

from datetime import date
from math import nextafter

import pytest

from results.core.formats import (
    format_block_size,
    format_capacity,
    format_count,
    format_date,
    format_hours,
    format_number,
    format_origin,
    format_positive,
    format_range,
    format_rounded,
    latency_label,
    least_shown_as,
)
from results.ranking.ties import Place, format_places


def test_a_number_has_three_digits_and_no_false_ones(subtests):
    for value, shown in [
        (None, "–"),
        (9990.9, "9,991"),
        (158.2, "158"),
        (99.97, "100"),
        (99.94, "99.9"),
        (9.996, "10.0"),
        (9.99, "9.99"),
        (4.2149, "4.21"),
        (0.049, "0.05"),
    ]:
        with subtests.test(value=value):
            assert format_number(value) == shown


def test_a_number_has_no_more_digits_than_the_figure_that_it_is_computed_from(subtests):
    for value, digits, shown in [
        (682.7, 1, "700"),
        (5120, 1, "5,000"),
        (42.7, 2, "43"),
        (11.0, 2, "11"),
        (1365, 2, "1,400"),
        (9.6, 1, "10"),
        (99.7, 2, "100"),
        (4.2149, 2, "4.2"),
        (0.0449, 2, "0.04"),
        (9990.9, 3, "9,990"),
        (682.7, None, "683"),
        (None, 1, "–"),
    ]:
        with subtests.test(value=value, digits=digits):
            assert format_number(value, digits) == shown
    assert format_range(301.2, 1547, 1) == "300–2,000"
    assert format_range(682.7, 701, 1) == "700"
    assert format_rounded(1346, 1) == "1,000"


@pytest.mark.parametrize(("value", "shown"), [(0.0049, "under 0.01"), (0.005, "0.01"), (158.2, "158")])
def test_small_positive_numbers_are_not_shown_as_zero(value, shown):
    assert format_positive(value) == shown


def test_a_capacity_counts_in_thousands(subtests):
    for capacity, shown in [
        (None, ""),
        (24_575_868_928, "24.6 GB"),
        (280_065_171_456, "280 GB"),
        (1_920_383_410_176, "1.92 TB"),
        (500, "500 B"),
        (10**18, "1000 PB"),
    ]:
        with subtests.test(capacity=capacity):
            assert format_capacity(capacity) == shown


@pytest.mark.parametrize(
    ("block_size", "shown"), [(512, "512 B"), (2300, "2,300 B"), (4096, "4 KiB"), (8 << 20, "8 MiB")]
)
def test_a_block_size_counts_in_powers_of_two(block_size, shown):
    assert format_block_size(block_size) == shown


def test_a_date_is_the_same_for_everybody():
    assert (format_date(date(2024, 5, 7)), format_date(None)) == ("2024-05-07", "–")


def test_hours_have_their_unit():
    assert (format_hours(12345), format_hours(None)) == ("12,345 h", "–")


@pytest.mark.parametrize(("place", "shown"), [(Place(3, 3, 3, 1), "3"), (Place(4, 3, 7, 2), "3–7")])
def test_possible_places_are_formatted_as_a_range(place, shown):
    assert format_places(place) == shown


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 devices"), (1, "1 device"), (2, "2 devices"), (2972, "2,972 devices")]
)
def test_counts_agree_with_their_noun(number, expected):
    assert format_count(number, "device") == expected


def test_origin_states_results_published_elsewhere(subtests):
    for elsewhere, total, expected in [
        (0, 0, ""),
        (0, 8, ""),
        (2, 8, "2 of 8 published elsewhere"),
        (8, 8, "published elsewhere"),
        (1000, 2000, "1,000 of 2,000 published elsewhere"),
    ]:
        with subtests.test(elsewhere=elsewhere, total=total):
            assert format_origin(elsewhere, total) == expected


def test_the_least_value_that_is_shown_alike_is_shown_alike_and_none_below_it():
    for value in (119.209, 1192.1, 596.05, 99.96, 100, 9.996, 10.1, 4.21, 0.5):
        least = least_shown_as(value)
        assert format_number(least) == format_number(value), value
        assert format_number(nextafter(least, 0)) != format_number(value), value


def test_estimates_have_two_digits():
    assert [format_rounded(value) for value in (4808.7, 98.4, 830, 12_345)] == [
        "4,800",
        "98",
        "830",
        "12,000",
    ]


@pytest.mark.parametrize(
    ("latency_us", "label"),
    [(0.5, "0.5 µs"), (20.0, "20 µs"), (1000.0, "1 ms"), (500_000.0, "500 ms"), (2_000_000.0, "2 s")],
)
def test_ticks_use_the_shortest_unit(latency_us, label):
    assert latency_label(latency_us) == label
