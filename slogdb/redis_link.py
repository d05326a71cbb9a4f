"""Redis behind a circuit breaker: it may be away at any moment, and no request waits for it for long."""

import hashlib
import time
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from django.conf import settings
from kombu.exceptions import OperationalError as BrokerError
from redis import Redis
from redis.exceptions import ConnectionError as BrokenError
from redis.exceptions import NoScriptError, RedisError

T = TypeVar("T")

TIMEOUT_S = 0.2
PAUSE_AFTER_FAILURE_S = 1.0


class RedisAwayError(Exception):
    """Redis did not answer just now."""


class Script:
    """A script in Lua, which Redis knows by its digest once it has seen it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


class RedisLink:
    """One client a process, and a circuit breaker: after a failure Redis is not asked again for a second."""

    def __init__(self, url: str) -> None:
        self._client = Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
        self._asked_again_at = 0.0
        self._for_scripts = Connection(self._client)

    def call(self, work: Callable[[Redis], T]) -> T:
        """What `work` returns; raises RedisAwayError when Redis is away."""
        if time.monotonic() < self._asked_again_at:
            raise RedisAwayError
        try:
            return work(self._client)
        except (RedisError, BrokerError, OSError) as error:
            self._asked_again_at = time.monotonic() + PAUSE_AFTER_FAILURE_S
            raise RedisAwayError(str(error)) from error

    def run(self, script: Script, name: str, *arguments: float) -> Any:
        """What the script returns for the key `name`; raises RedisAwayError when Redis is away."""
        return self.call(lambda _: self._for_scripts.run(script, name, *arguments))


class Connection:
    """One that is kept, for what is asked with every request: the client's own way takes three times as long."""

    def __init__(self, client: Redis) -> None:
        self._pool = client.connection_pool
        self._kept: Any = None
        self._lock = Lock()

    def run(self, script: Script, name: str, *arguments: float) -> Any:
        with self._lock:
            try:
                return self._ask("EVALSHA", script.digest, 1, name, *arguments)
            except NoScriptError:
                return self._ask("EVAL", script.text, 1, name, *arguments)

    def _ask(self, *command: str | float) -> Any:
        """The answer. A connection that broke since it was used last is made again."""
        if self._kept is not None:
            try:
                return self._answer(command)
            except BrokenError:
                self._kept = None
        self._kept = self._pool.make_connection()
        return self._answer(command)

    def _answer(self, command: tuple[str | float, ...]) -> Any:
        self._kept.send_packed_command(self._kept.pack_command(*command))
        return self._kept.read_response()


def key(name: str) -> str:
    """The full name of a key: several sites and test runs can share one Redis."""
    return f"{settings.REDIS_PREFIX}{name}"


link = RedisLink(settings.REDIS_URL)
