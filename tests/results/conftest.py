"""Redis as each test finds it: empty, with a link that has not failed, or away."""

from collections.abc import Iterator

import pytest
from redis import Redis

from results import data_version, queue, rate_limits, standing, tasks
from results.web import health
from slogdb.redis_link import RedisLink, key

ASKED_BY = (data_version, queue, tasks, health, rate_limits, standing)


@pytest.fixture
def redis(settings) -> Redis:
    """A client of its own."""
    return Redis.from_url(settings.REDIS_URL)


@pytest.fixture(autouse=True)
def fresh_redis(settings, monkeypatch, redis) -> Iterator[None]:
    """No key of another test, and a link that no earlier failure keeps from asking."""
    link = RedisLink(settings.REDIS_URL)
    for module in ASKED_BY:
        monkeypatch.setattr(module, "link", link)
    forget_keys(redis)  # tests of other folders leave theirs
    yield
    forget_keys(redis)


def forget_keys(redis: Redis) -> None:
    names = list(redis.scan_iter(f"{key('')}*", count=1000))
    if names:
        redis.delete(*names)


@pytest.fixture
def redis_away(fresh_redis, monkeypatch) -> None:
    """Nobody listens where Redis should be."""
    for module in ASKED_BY:
        monkeypatch.setattr(module, "link", RedisLink("unix:///nonexistent/valkey.sock"))
