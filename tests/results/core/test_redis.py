import socket

import pytest
from redis import Redis

from results.core import redis as redis_module
from results.core.redis import PAUSE_AFTER_FAILURE_S, RedisAwayError, RedisLink, key
from tests.results.core.test_data_version import StandingClock


@pytest.fixture
def clock(monkeypatch):
    clock = StandingClock()
    monkeypatch.setattr(redis_module, "time", clock)
    return clock


def ping(redis: Redis) -> bool:
    return redis.ping()


def test_what_redis_answers_is_returned(settings):
    assert RedisLink(settings.REDIS_URL).call(ping) is True


def test_redis_is_not_retried_for_a_while_after_a_failure(clock, settings):
    link = RedisLink("unix:///nonexistent/valkey.sock")
    attempts = []

    def attempt(redis):
        attempts.append(clock.now)
        return ping(redis)

    for _ in range(5):
        with pytest.raises(RedisAwayError):
            link.call(attempt)
    clock.now += PAUSE_AFTER_FAILURE_S
    with pytest.raises(RedisAwayError):
        link.call(attempt)
    assert attempts == [1000.0, 1000.0 + PAUSE_AFTER_FAILURE_S]


def test_a_hanging_redis_is_waited_for_once(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        listener.settimeout(5)
        link = RedisLink(f"unix://{tmp_path}/s")
        with pytest.raises(RedisAwayError):
            link.call(ping)
        listener.accept()[0].close()
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):  # no second connection: a time-out is not retried
            listener.accept()


def test_other_errors_do_not_open_the_circuit_breaker(settings):
    with pytest.raises(ZeroDivisionError):
        RedisLink(settings.REDIS_URL).call(lambda _: 1 / 0)


def test_a_connection_that_a_restarted_server_closed_is_replaced(settings):
    client, link = Redis.from_url(settings.REDIS_URL), RedisLink(settings.REDIS_URL)
    opened = link.call(Redis.client_id)
    client.client_kill_filter(_id=opened)
    assert link.call(Redis.client_id) != opened


def test_keys_have_the_sites_prefix(settings):
    settings.REDIS_PREFIX = "sample:"
    assert key("data-version") == "sample:data-version"
