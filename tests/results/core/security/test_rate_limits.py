from concurrent.futures import ThreadPoolExecutor

import pytest

from results.core.redis import key
from results.core.security.rate_limits import Limit, find_limit, spend

FIVE = Limit("five", 5, 60)


def test_an_allowance_can_be_spent_at_once_and_then_no_more():
    spent = [spend(FIVE, "a") for _ in range(6)]
    assert [(answer.is_granted, answer.remaining) for answer in spent] == [
        (True, 4),
        (True, 3),
        (True, 2),
        (True, 1),
        (True, 0),
        (False, 0),
    ]
    assert (spent[0].full_in_s, spent[4].full_in_s) == (12, 60)
    assert (spent[0].retry_after_s, spent[5].retry_after_s) == (0, 12)


def test_refused_requests_do_not_extend_the_wait():
    for _ in range(50):
        spend(FIVE, "a")
    assert spend(FIVE, "a").retry_after_s <= 12


def test_very_large_quotas_are_counted():
    vast = Limit("vast", 10**9, 60)
    assert [spend(vast, "a").is_granted for _ in range(3)] == [True] * 3


def test_it_refills_evenly(redis):
    ten = Limit("ten", 10, 600)
    assert [spend(ten, "a").is_granted for _ in range(11)][-2:] == [True, False]
    full_at = key("limit:ten:a")
    redis.set(full_at, float(redis.get(full_at)) - 150_000)  # as if 150 s had passed
    assert [spend(ten, "a").is_granted for _ in range(3)] == [True, True, False]


def test_senders_and_limits_are_counted_separately():
    for _ in range(5):
        spend(FIVE, "a")
    assert spend(FIVE, "b").is_granted
    assert spend(Limit("other", 5, 60), "a").is_granted
    assert not spend(FIVE, "a").is_granted


def test_cost_is_subtracted_from_the_allowance():
    assert spend(FIVE, "a", cost=4).remaining == 1
    refused = spend(FIVE, "a", cost=4)
    assert (refused.is_granted, refused.remaining, refused.retry_after_s) == (False, 1, 36)
    assert spend(FIVE, "a").is_granted


def test_many_at_once_get_no_more_than_there_is():
    with ThreadPoolExecutor(8) as pool:
        granted = [answer.is_granted for answer in pool.map(lambda _: spend(FIVE, "a"), range(40))]
    assert sum(granted) == 5


def test_a_refilled_allowance_leaves_no_key(redis):
    spend(FIVE, "a")
    assert 0 < redis.pttl(key("limit:five:a")) <= 12_000


def test_nothing_is_refused_without_redis(redis_away):
    assert [spend(FIVE, "a") for _ in range(9)] == [None] * 9


def test_the_operator_sets_the_limits(settings):
    settings.RATE_LIMITS = {"anonymous-read": (7, 30)}
    assert find_limit("anonymous-read") == Limit("anonymous-read", 7, 30)
    with pytest.raises(KeyError):
        find_limit("no-such-limit")
