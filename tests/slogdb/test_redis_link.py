import socket

import pytest
from redis import Redis

from slogdb import redis_link
from slogdb.redis_link import PAUSE_AFTER_FAILURE_S, RedisAwayError, RedisLink, Script, key


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is moved."""

    class Clock:
        now = 1000.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(redis_link, "time", clock)
    return clock


def ping(redis: Redis) -> bool:
    return redis.ping()


def test_what_redis_says_is_given_back(settings):
    assert RedisLink(settings.REDIS_URL).call(ping) is True


def test_after_a_failure_redis_is_left_in_peace_for_a_while(clock, settings):
    link = RedisLink("unix:///nonexistent/valkey.sock")
    asked = []

    def ask(redis):
        asked.append(clock.now)
        return ping(redis)

    for _ in range(5):
        with pytest.raises(RedisAwayError):
            link.call(ask)
    clock.now += PAUSE_AFTER_FAILURE_S
    with pytest.raises(RedisAwayError):
        link.call(ask)
    assert asked == [1000.0, 1000.0 + PAUSE_AFTER_FAILURE_S]


def test_a_redis_that_hangs_is_not_waited_for(tmp_path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "s"))
        listener.listen()
        link = RedisLink(f"unix://{tmp_path}/s")
        with pytest.raises(RedisAwayError):
            link.call(ping)


def test_a_fault_of_our_own_is_not_taken_for_redis_being_away(settings):
    with pytest.raises(ZeroDivisionError):
        RedisLink(settings.REDIS_URL).call(lambda _: 1 / 0)


ADD = Script("return {tonumber(ARGV[1]) + tonumber(ARGV[2]), KEYS[1]}")


def test_a_script_is_run_also_by_a_redis_that_forgot_it(settings):
    link = RedisLink(settings.REDIS_URL)
    assert link.run(ADD, "sample", 1, 2) == [3, b"sample"]
    Redis.from_url(settings.REDIS_URL).script_flush()
    assert link.run(ADD, "sample", 2, 2) == [4, b"sample"]


def test_a_script_is_run_over_a_connection_that_is_kept_and_made_again_when_it_broke(settings):
    client, link = Redis.from_url(settings.REDIS_URL), RedisLink(settings.REDIS_URL)
    before = {one["id"] for one in client.client_list()}
    link.run(ADD, "sample", 1, 2)
    link.run(ADD, "sample", 1, 2)
    (kept,) = [one["id"] for one in client.client_list() if one["id"] not in before]
    client.client_kill_filter(_id=kept)
    assert link.run(ADD, "sample", 1, 2) == [3, b"sample"]


def test_a_redis_that_is_away_runs_no_script():
    link = RedisLink("unix:///nonexistent/valkey.sock")
    with pytest.raises(RedisAwayError):
        link.run(ADD, "sample", 1, 2)


def test_keys_are_the_sites_own(settings):
    settings.REDIS_PREFIX = "sample:"
    assert key("data-version") == "sample:data-version"
