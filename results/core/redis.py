"""Redis behind a circuit breaker: it may fail at any time, and no request waits long for it."""

import time
from collections.abc import Callable
from typing import TypeVar

from django.conf import settings
from kombu.exceptions import OperationalError as BrokerError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import RedisError
from redis.retry import Retry

T = TypeVar("T")

TIMEOUT_S = 0.2
PAUSE_AFTER_FAILURE_S = 1.0
# A restarted server has closed the pooled connection; a timeout isn't retried.
RETRY = Retry(NoBackoff(), retries=1, supported_errors=(BrokenError,))


class RedisAwayError(Exception):
    """Redis doesn't respond, or failed less than PAUSE_AFTER_FAILURE_S ago."""


class RedisLink:
    """One client per process, with a circuit breaker that opens for a second after a failure."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(
            url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=RETRY
        )
        self.open_until = 0.0

    def call(self, work: Callable[[Redis], T]) -> T:
        """Return what `work` returns. Raises RedisAwayError."""
        if time.monotonic() < self.open_until:
            raise RedisAwayError
        try:
            return work(self._client)
        except (RedisError, BrokerError, OSError) as error:
            self.open_until = time.monotonic() + PAUSE_AFTER_FAILURE_S
            raise RedisAwayError(str(error)) from error


def key(name: str) -> str:
    """Return the full name of a key: several sites and test runs can share one Redis."""
    return f"{settings.REDIS_PREFIX}{name}"


link = RedisLink(settings.REDIS_URL)
