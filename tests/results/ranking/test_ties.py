"""Boards made by hand: where devices stand, and how far that is open."""

import random
from itertools import pairwise

import pytest

from results.ranking.intervals import Interval
from results.ranking.ties import Ends, Place, find_place, order_ends, replace_interval


def places(*pairs):
    intervals = [Interval(*pair) for pair in pairs]
    ends = order_ends(intervals)
    return [find_place(ends, one) for one in intervals]


def test_one_device_is_first_of_one():
    assert places((1, 2)) == [Place(1, 1, 1, 1)]


def test_intervals_apart_have_one_place_and_one_group_each():
    assert places((5, 6), (1, 2), (3, 4)) == [Place(3, 3, 3, 3), Place(1, 1, 1, 1), Place(2, 2, 2, 2)]


def test_the_upper_end_decides():
    assert [place.rank for place in places((10, 20), (1, 30))] == [1, 2]


def test_what_overlaps_shares_its_places():
    assert places((1, 3), (2, 4), (5, 6)) == [Place(1, 1, 2, 1), Place(2, 1, 2, 1), Place(3, 3, 3, 2)]


def test_ends_that_touch_overlap():
    assert places((1, 2), (2, 3)) == [Place(1, 1, 2, 1), Place(2, 1, 2, 1)]


def test_a_chain_is_one_group_though_its_ends_are_apart():
    assert places((1, 3), (2, 5), (4, 6)) == [Place(1, 1, 2, 1), Place(2, 1, 3, 1), Place(3, 2, 3, 1)]


def test_a_wide_interval_joins_all_that_it_reaches_over():
    assert places((1, 2), (3, 4), (0.5, 9)) == [Place(1, 1, 2, 1), Place(2, 2, 3, 1), Place(3, 1, 3, 1)]


def test_identical_intervals_share_one_rank():
    assert places((1, 2), (1, 2), (1, 2), (3, 4)) == [*[Place(1, 1, 3, 1)] * 3, Place(4, 4, 4, 2)]


def test_equal_upper_ends_share_one_rank_and_one_group():
    assert places((1, 2), (1.5, 2)) == [Place(1, 1, 2, 1), Place(1, 1, 2, 1)]


@pytest.mark.parametrize("seed", range(20))
def test_places_are_those_that_counting_gives(seed):
    source = random.Random(seed)  # noqa: S311 - drawing, not secrets
    intervals = [
        Interval(low, low + source.choice([1, 2, 9]))
        for low in [source.randrange(60) for _ in range(source.randint(1, 30))]
    ]
    ends = order_ends(intervals)
    for one in intervals:
        place = find_place(ends, one)
        assert place.rank == 1 + sum(other.high < one.high for other in intervals)
        assert place.first_possible == 1 + sum(other.high < one.low for other in intervals)
        assert place.last_possible == sum(other.low <= one.high for other in intervals)
        assert place.tie_group == 1 + gaps_below(intervals, one.high)


def gaps_below(intervals, value):
    """How many integers and halves lie in no interval, each stretch of them once, from the lowest end to `value`."""
    points = [half / 2 for half in range(2 * min(one.low for one in intervals), 2 * int(value) + 1)]
    covered = [any(one.low <= point <= one.high for one in intervals) for point in points]
    return sum(before and not now for before, now in pairwise(covered))


def test_a_board_without_a_pass_has_places_all_the_same():
    assert find_place(Ends(), Interval(1, 2)) == Place(1, 1, 1, 1)


def test_an_interval_that_the_board_has_not_seen_yet_stands_behind_all_that_end_before():
    ends = order_ends([Interval(1, 2), Interval(3, 4)])
    assert find_place(ends, Interval(8, 9)) == Place(3, 3, 3, 2)


def test_a_replaced_interval_leaves_the_board_as_if_it_had_never_stood_there():
    first, second, third = Interval(1, 2), Interval(3, 4), Interval(0.5, 9)
    assert replace_interval(order_ends([first, second]), second, third) == order_ends([first, third])
    assert replace_interval(order_ends([first]), None, third) == order_ends([first, third])
    assert replace_interval(order_ends([first]), second, third) == order_ends([first, third])
