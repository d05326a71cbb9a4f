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
from results.models import Installation

pytestmark = pytest.mark.django_db(transaction=True)


def bump(times=1):
    for _ in range(times):
        with transaction.atomic():
            bump_data_version()


@pytest.fixture
def published(redis):
    """A function that returns the version published in Redis."""

    def read_version():
        held = redis.get(key("data-version"))
        return None if held is None else int(held)

    return read_version


class StandingClock:
    """A clock that stands still until it is moved."""

    now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = StandingClock()
    monkeypatch.setattr(data_version, "time", clock)
    return clock


@pytest.mark.django_db
def test_an_untouched_database_has_the_first_version():
    assert stored_version() == 1


def test_each_change_bumps_and_publishes_the_version(published):
    seen = [stored_version()]
    for _ in range(3):
        bump()
        seen.append(published())
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


def test_a_rolled_back_change_is_not_published(published):
    bump()
    before = stored_version()
    with transaction.atomic():
        bump_data_version()
        transaction.set_rollback(True)
    assert (stored_version(), published()) == (before, before)


@pytest.mark.usefixtures("redis_away")
def test_changes_work_without_redis():
    bump()
    assert stored_version() > 1


def test_publishing_an_older_version_changes_nothing(published):
    publish_version(5)
    publish_version(4)
    assert published() == 5


def test_the_sweep_publishes_a_version_that_a_failed_connection_lost(published, redis):
    bump(times=2)
    redis.delete(key("data-version"))
    agree_on_version()
    assert published() == stored_version()
    assert not Installation.objects.filter(restored_at__isnull=False).exists()


def test_a_restored_database_moves_beyond_the_published_version(published):
    bump()
    ahead = stored_version() + 60_000
    publish_version(ahead)
    agree_on_version()
    assert (stored_version(), published()) == (ahead + 1, ahead + 1)
    assert Installation.objects.get().restored_at  # cursors from before are refused


@pytest.mark.django_db
def test_a_watch_reads_redis_without_a_query(django_assert_num_queries):
    publish_version(7)
    with django_assert_num_queries(0):
        assert VersionWatch().current() == 7


@pytest.mark.django_db
def test_a_watch_caches_the_version_briefly(clock):
    watch = VersionWatch()
    publish_version(7)
    assert watch.current() == 7
    publish_version(8)
    clock.now += RECHECK_AFTER_S / 2
    assert watch.current() == 7
    clock.now += RECHECK_AFTER_S
    assert watch.current() == 8


def test_a_watch_with_an_empty_redis_reads_the_database_and_publishes(redis, published):
    bump()
    redis.delete(key("data-version"))
    assert VersionWatch().current() == published() == stored_version()


@pytest.mark.usefixtures("redis_away")
def test_a_watch_without_redis_reads_the_database():
    bump()
    assert VersionWatch().current() == stored_version() > 1


@pytest.mark.usefixtures("redis_away")
def test_a_watch_without_redis_and_database_returns_none(monkeypatch):
    def fail():
        raise InterfaceError

    monkeypatch.setattr(data_version, "stored_state", fail)
    assert VersionWatch().current() is None
