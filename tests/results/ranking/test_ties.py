"""Boards made by hand: where devices stand, and how far that is open."""

import random
from array import array
from itertools import pairwise

import pytest

from results.ranking.intervals import Interval
from results.ranking.ties import Ends, Place, count_behind, find_place, order_ends, replace_interval


def places(*pairs):
    intervals = [Interval(*pair) for pair in pairs]
    ends = order_ends(intervals)
    return [find_place(ends, one) for one in intervals]


def drawn(seed):
    source = random.Random(seed)  # noqa: S311 - drawing, not secrets
    lows = [source.randrange(60) for _ in range(source.randint(1, 30))]
    return [Interval(low, low + source.choice([1, 2, 9])) for low in lows]


def test_one_device_is_first_of_one():
    assert places((1, 2)) == [Place(1, 1, 1, 1)]


def test_intervals_apart_have_one_place_and_one_group_each():
    assert places((5, 6), (1, 2), (3, 4)) == [Place(3, 3, 3, 3), Place(1, 1, 1, 1), Place(2, 2, 2, 2)]


def test_the_upper_end_decides():
    assert [place.rank for place in places((10, 20), (1, 30))] == [1, 2]


def test_overlapping_intervals_share_places():
    assert places((1, 3), (2, 4), (5, 6)) == [Place(1, 1, 2, 1), Place(2, 1, 2, 1), Place(3, 3, 3, 2)]


def test_ends_that_touch_overlap():
    assert places((1, 2), (2, 3)) == [Place(1, 1, 2, 1), Place(2, 1, 2, 1)]


def test_a_group_ends_before_the_first_clearly_slower_device():
    assert places((1, 3), (2, 5), (4, 6)) == [Place(1, 1, 2, 1), Place(2, 1, 3, 1), Place(3, 2, 3, 2)]


def test_a_wide_interval_ranks_by_its_upper_end_with_many_possible_places():
    assert places((1, 2), (3, 4), (0.5, 9)) == [Place(1, 1, 2, 1), Place(2, 2, 3, 2), Place(3, 1, 3, 2)]


def test_identical_intervals_share_one_rank():
    assert places((1, 2), (1, 2), (1, 2), (3, 4)) == [*[Place(1, 1, 3, 1)] * 3, Place(4, 4, 4, 2)]


def test_equal_upper_ends_share_one_rank_and_one_group():
    assert places((1, 2), (1.5, 2)) == [Place(1, 1, 2, 1), Place(1, 1, 2, 1)]


@pytest.mark.parametrize("seed", range(20))
def test_places_equal_those_found_by_counting(seed):
    intervals = drawn(seed)
    ends = order_ends(intervals)
    for one in intervals:
        place = find_place(ends, one)
        assert place.rank == 1 + sum(other.high < one.high for other in intervals)
        assert place.first_possible == 1 + sum(other.high < one.low for other in intervals)
        assert place.last_possible == sum(other.low <= one.high for other in intervals)
        assert count_behind(ends, one) == sum(other.low > one.high for other in intervals)


@pytest.mark.parametrize("seed", range(20))
def test_groups_follow_each_other_and_share_their_first(seed):
    intervals = drawn(seed)
    ends = order_ends(intervals)
    by_group = {}
    for one in sorted(intervals, key=lambda one: (one.high, -one.low)):
        by_group.setdefault(find_place(ends, one).tie_group, []).append(one)
    assert list(by_group) == list(range(1, len(by_group) + 1))
    groups = list(by_group.values())
    assert all(one.low <= group[0].high for group in groups for one in group)
    assert all(group[0].low > before[0].high for before, group in pairwise(groups))


def test_a_board_without_a_pass_has_places():
    assert find_place(Ends(), Interval(1, 2)) == Place(1, 1, 1, 1)


def test_a_new_interval_ranks_behind_all_that_end_before_it():
    ends = order_ends([Interval(1, 2), Interval(3, 4)])
    assert find_place(ends, Interval(8, 9)) == Place(3, 3, 3, 2)


def test_a_replaced_interval_is_removed_completely():
    first, second, third = Interval(1, 2), Interval(3, 4), Interval(0.5, 9)
    expected = Ends(lows=array("f", [0.5, 1]), highs=array("f", [2, 9]))
    assert replace_interval(order_ends([first, second]), second, third) == expected
    assert replace_interval(order_ends([first]), None, third) == expected
    assert replace_interval(order_ends([first]), second, third) == expected


def test_an_interval_is_looked_up_as_it_is_stored():
    """In four bytes 20.1 is a little more than 20.1: a device must not stand behind or before itself for that."""
    one = Interval(20.1, 20.3)
    assert find_place(order_ends([one, one]), one) == Place(1, 1, 2, 1)
