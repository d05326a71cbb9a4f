"""Redis as each test finds it: empty, with a link that has not failed, or away."""

from collections.abc import Iterator

import pytest
from redis import Redis

from results import data_version, tasks
from results.web import health
from slogdb.redis_link import RedisLink, key

ASKED_BY = (data_version, tasks, health)


@pytest.fixture
def redis(settings) -> Redis:
    """A client of its own."""
    return Redis.from_url(settings.REDIS_URL)


@pytest.fixture(autouse=True)
def fresh_redis(settings, monkeypatch, redis) -> Iterator[None]:
    """No key of the test before, and a link that no earlier failure keeps from asking."""
    link = RedisLink(settings.REDIS_URL)
    for module in ASKED_BY:
        monkeypatch.setattr(module, "link", link)
    yield
    for name in redis.scan_iter(f"{key('')}*"):
        redis.delete(name)


@pytest.fixture
def redis_away(fresh_redis, monkeypatch) -> None:
    """Nobody listens where Redis should be."""
    for module in ASKED_BY:
        monkeypatch.setattr(module, "link", RedisLink("unix:///nonexistent/valkey.sock"))
