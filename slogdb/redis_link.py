"""Redis as the site uses it: a help that may be away at any moment, and never one that a request waits for."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

T = TypeVar("T")

TIMEOUT_S = 0.2
PAUSE_AFTER_FAILURE_S = 1.0


class RedisAwayError(Exception):
    """Redis did not answer just now."""


class RedisLink:
    """One client a process; after a failure it is not asked again for a second."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
        self._asked_again_at = 0.0

    def call(self, work: Callable[[Redis], T]) -> T:
        """What `work` returns; raises RedisAwayError when Redis is away."""
        if time.monotonic() < self._asked_again_at:
            raise RedisAwayError
        try:
            return work(self._client)
        except (RedisError, OSError) as error:
            self._asked_again_at = time.monotonic() + PAUSE_AFTER_FAILURE_S
            raise RedisAwayError(str(error)) from error


def key(name: str) -> str:
    """The full name of a key: several sites and test runs can share one Redis."""
    return f"{settings.REDIS_PREFIX}{name}"


link = RedisLink(settings.REDIS_URL)
