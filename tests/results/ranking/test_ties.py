"""Boards made by hand: where devices stand, and how far that is open."""

import random
from array import array
from itertools import pairwise

from results.ranking.ties import (
    Ends,
    MethodEnds,
    Place,
    Span,
    count_behind,
    find_place,
    order_ends,
    replace_span,
    surely_better,
)


def span(low, high, method="diskinfo"):
    return Span(method, low, high)


def places_of(spans, factor=2):
    ends = order_ends(spans, factor)
    return [find_place(ends, span) for span in spans]


def drawn(seed):
    source = random.Random(seed)  # noqa: S311 - drawing, not secrets
    lows = [source.randrange(60) for _ in range(source.randint(1, 30))]
    return [
        span(low, low + source.choice([1, 2, 9]), source.choice(["diskinfo", "diskinfo", "fio"]))
        for low in lows
    ]


# Ends of intervals, and each one's rank, first and last possible place, and group.
BOARDS = {
    "one device is first of one": ([(1, 2)], [(1, 1, 1, 1)]),
    "intervals apart have one place and one group each": (
        [(5, 6), (1, 2), (3, 4)],
        [(3, 3, 3, 3), (1, 1, 1, 1), (2, 2, 2, 2)],
    ),
    "the upper end decides": ([(10, 20), (1, 30)], [(1, 1, 2, 1), (2, 1, 2, 1)]),
    "overlapping intervals share places": (
        [(1, 3), (2, 4), (5, 6)],
        [(1, 1, 2, 1), (2, 1, 2, 1), (3, 3, 3, 2)],
    ),
    "ends that touch overlap": ([(1, 2), (2, 3)], [(1, 1, 2, 1), (2, 1, 2, 1)]),
    "a group ends before the first clearly slower device": (
        [(1, 3), (2, 5), (4, 6)],
        [(1, 1, 2, 1), (2, 1, 3, 1), (3, 2, 3, 2)],
    ),
    "a wide interval ranks by its upper end with many possible places": (
        [(1, 2), (3, 4), (0.5, 9)],
        [(1, 1, 2, 1), (2, 2, 3, 2), (3, 1, 3, 2)],
    ),
    "identical intervals share one rank": ([(1, 2)] * 3 + [(3, 4)], [(1, 1, 3, 1)] * 3 + [(4, 4, 4, 2)]),
    "equal upper ends share one rank and one group": ([(1, 2), (1.5, 2)], [(1, 1, 2, 1)] * 2),
}


def test_places_are_those_found_by_hand(subtests):
    for rule, (intervals, expected) in BOARDS.items():
        with subtests.test(rule):
            assert places_of([span(*ends) for ends in intervals]) == [Place(*place) for place in expected]


def test_places_equal_those_found_by_counting(subtests):
    for seed in range(20):
        with subtests.test(seed=seed):
            spans = drawn(seed)
            for factor in (1, 1.3, 2):
                ends = order_ends(spans, factor)
                for span in spans:
                    place = find_place(ends, span)
                    ahead = sum(surely_better(other, span, factor) for other in spans)
                    behind = sum(surely_better(span, other, factor) for other in spans)
                    assert place.rank == 1 + sum(other.high < span.high for other in spans)
                    assert place.first_possible == 1 + ahead
                    assert place.last_possible == max(place.rank, len(spans) - behind)
                    assert count_behind(ends, span) == behind


def test_groups_follow_each_other_and_no_member_is_surely_behind_the_first(subtests):
    for seed in range(20):
        with subtests.test(seed=seed):
            spans = drawn(seed)
            ends = order_ends(spans)
            by_group = {}
            for span in sorted(spans, key=lambda interval: (interval.high, -interval.low)):
                by_group.setdefault(find_place(ends, span).tie_group, []).append(span)
            assert list(by_group) == list(range(1, len(by_group) + 1))
            groups = list(by_group.values())
            starts = [[interval for interval in group if interval.high == group[0].high] for group in groups]
            for before, group in pairwise(starts):
                assert any(surely_better(first, interval, 2) for first in before for interval in group)


def test_between_methods_only_what_the_factor_leaves_is_surely_better():
    fast, within, beyond = span(1, 2), span(3.9, 4, "fio"), span(4.1, 5, "fio")
    assert not surely_better(fast, within, 2)
    assert surely_better(fast, beyond, 2)
    assert surely_better(fast, within._replace(method="diskinfo"), 2)
    assert places_of([fast, within, beyond]) == [Place(1, 1, 2, 1), Place(2, 1, 2, 1), Place(3, 3, 3, 2)]


def test_a_factor_of_one_compares_methods_as_one():
    assert places_of([span(1, 2), span(3, 4, "fio")], 1) == [Place(1, 1, 1, 1), Place(2, 2, 2, 2)]


def test_a_board_without_a_pass_has_places():
    assert find_place(Ends(), span(1, 2)) == Place(1, 1, 1, 1)


def test_a_new_interval_ranks_behind_all_that_end_before_it():
    ends = order_ends([span(1, 2), span(3, 4)])
    assert find_place(ends, span(8, 9)) == Place(3, 3, 3, 2)


def test_a_replaced_interval_is_removed_completely():
    first, second, third = span(1, 2), span(3, 4), span(0.5, 9)
    expected = Ends({"diskinfo": MethodEnds(array("f", [0.5, 1]), array("f", [2, 9]))})
    assert replace_span(order_ends([first, second]), second, third) == expected
    assert replace_span(order_ends([first]), None, third) == expected
    assert replace_span(order_ends([first]), second, third) == expected
    by_fio = replace_span(order_ends([first, second]), second, third._replace(method="fio"))
    assert {method: list(ends.highs) for method, ends in by_fio.by_method.items()} == {
        "diskinfo": [2],
        "fio": [9],
    }


def test_an_interval_is_looked_up_as_it_is_stored():
    """In four bytes 20.1 is a little more than 20.1: a device must not stand behind or before itself for that."""
    interval = span(20.1, 20.3)
    assert find_place(order_ends([interval, interval]), interval) == Place(1, 1, 2, 1)
