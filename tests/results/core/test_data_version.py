import time

import pytest
from django.db import InterfaceError, transaction

from results.core import data_version
from results.core.data_version import (
    RECHECK_AFTER_S,
    VersionWatch,
    agree_on_version,
    bump_data_version,
    publish_version,
    stored_version,
)
from results.core.redis import key


def bump(times=1):
    for _ in range(times):
        with transaction.atomic():
            bump_data_version()


@pytest.fixture
def told(redis):
    """What Redis was told, when called."""

    def ask():
        held = redis.get(key("data-version"))
        return None if held is None else int(held)

    return ask


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""

    class Clock:
        now = 1000.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(data_version, "time", clock)
    return clock


@pytest.mark.django_db
def test_an_untouched_database_has_the_first_version():
    assert stored_version() == 1


@pytest.mark.django_db(transaction=True)
def test_each_change_moves_the_version_and_tells_redis_of_it(told):
    seen = [stored_version()]
    for _ in range(3):
        bump()
        seen.append(told())
    assert seen == sorted(set(seen))
    assert stored_version() == seen[-1]


@pytest.mark.django_db
def test_the_version_is_the_time_of_the_change_in_milliseconds_and_never_goes_back():
    before = time.time() * 1000 - 1
    bump_data_version()
    assert before <= stored_version() <= time.time() * 1000 + 1
    ahead = stored_version() + 60_000
    bump_data_version(past=ahead)
    bump_data_version()
    assert stored_version() == ahead + 2


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_rolled_back_is_never_told(told):
    bump()
    before = stored_version()
    with transaction.atomic():
        bump_data_version()
        transaction.set_rollback(True)
    assert (stored_version(), told()) == (before, before)


@pytest.mark.usefixtures("redis_away")
@pytest.mark.django_db(transaction=True)
def test_a_change_is_made_with_redis_away():
    bump()
    assert stored_version() > 1


def test_a_late_word_of_an_older_version_changes_nothing(told):
    publish_version(5)
    publish_version(4)
    assert told() == 5


@pytest.mark.django_db(transaction=True)
def test_the_sweep_tells_what_a_failing_link_has_swallowed(told, redis):
    bump(times=2)
    redis.delete(key("data-version"))
    agree_on_version()
    assert told() == stored_version()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_was_set_back_moves_beyond_all_that_was_told(told):
    bump()
    ahead = stored_version() + 60_000
    publish_version(ahead)
    agree_on_version()
    assert (stored_version(), told()) == (ahead + 1, ahead + 1)


@pytest.mark.django_db
def test_a_watch_believes_redis_without_a_query(django_assert_num_queries):
    publish_version(7)
    with django_assert_num_queries(0):
        assert VersionWatch().current() == 7


@pytest.mark.django_db
def test_a_watch_asks_again_only_after_a_while(clock):
    watch = VersionWatch()
    publish_version(7)
    assert watch.current() == 7
    publish_version(8)
    clock.now += RECHECK_AFTER_S / 2
    assert watch.current() == 7
    clock.now += RECHECK_AFTER_S
    assert watch.current() == 8


@pytest.mark.django_db(transaction=True)
def test_a_watch_that_finds_redis_empty_asks_the_database_and_tells_the_others(redis, told):
    bump()
    redis.delete(key("data-version"))
    assert VersionWatch().current() == told() == stored_version()


@pytest.mark.usefixtures("redis_away")
@pytest.mark.django_db(transaction=True)
def test_a_watch_without_redis_asks_the_database():
    bump()
    assert VersionWatch().current() == stored_version() > 1


@pytest.mark.usefixtures("redis_away")
@pytest.mark.django_db(transaction=True)
def test_a_watch_without_either_knows_nothing(monkeypatch):
    def fail():
        raise InterfaceError

    monkeypatch.setattr(data_version, "stored_version", fail)
    assert VersionWatch().current() is None
