"""Redis as each test finds it: empty, behind a circuit breaker that is closed; or away."""

from collections.abc import Iterator

import pytest
from redis import Redis

from results.core.redis import RedisLink, key, link

NOWHERE = "unix:///nonexistent/valkey.sock"


@pytest.fixture
def redis(settings) -> Redis:
    """A client of its own."""
    return Redis.from_url(settings.REDIS_URL)


@pytest.fixture(autouse=True)
def fresh_redis(settings, monkeypatch, redis) -> Iterator[None]:
    """No key of another test, and no earlier failure that keeps the link from calling."""
    _replace_link(monkeypatch, settings.REDIS_URL)
    forget_keys(redis)  # tests of other folders leave theirs
    yield
    forget_keys(redis)


@pytest.fixture
def redis_away(fresh_redis, monkeypatch) -> None:
    """Nobody listens where Redis should be."""
    _replace_link(monkeypatch, NOWHERE)


def _replace_link(monkeypatch, url: str) -> None:
    """Give the link, which many modules have imported, the state of a new one."""
    for name, value in vars(RedisLink(url)).items():
        monkeypatch.setattr(link, name, value)


def forget_keys(redis: Redis) -> None:
    names = list(redis.scan_iter(f"{key('')}*", count=1000))
    if names:
        redis.delete(*names)
