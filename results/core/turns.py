"""Turns of a machine's web processes: work that only some of them may do at the same time, so that one stays free.

A turn is a lock in Redis. While that is unavailable, everything is granted, as with allowances. After the work, a
turn is held for as long again: others queued at the same process are refused in the meantime, and it gets to its
other requests. So at most half of a process's time goes to such work, however many turns are requested.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.conf import settings
from redis import Redis
from redis.exceptions import LockNotOwnedError
from redis.lock import Lock

from results.core.redis import RedisAwayError, key, link

LARGE_BYTES = 256 * 1024  # of a body; a process reads one MiB of text in about half a second
LONGEST_TURN_S = 60  # of a process that was killed during its turn
RETRY_AFTER_S = 5


@contextmanager
def turn(name: str) -> Iterator[bool]:
    """Take a turn for the block, if one is free: there is one fewer than processes. Yields whether it is granted."""
    is_granted, lock = True, None
    with suppress(RedisAwayError):
        lock = link.call(lambda redis: _free_lock(redis, name))
        is_granted = lock is not None
    began = time.monotonic()
    try:
        yield is_granted
    finally:
        if lock is not None:
            with suppress(RedisAwayError):
                link.call(lambda _: _hold(lock, settings.TURN_REST * (time.monotonic() - began)))


def _hold(lock: Lock, seconds: float) -> None:
    with suppress(LockNotOwnedError):  # the turn took longer than LONGEST_TURN_S
        lock.extend(seconds, replace_ttl=True)


def _free_lock(redis: Redis, name: str) -> Lock | None:
    """A lock that this call acquired; None if all are taken."""
    for number in range(max(1, settings.WEB_PROCESSES - 1)):
        lock: Lock = redis.lock(key(f"turn:{name}:{socket.gethostname()}:{number}"), timeout=LONGEST_TURN_S)
        if lock.acquire(blocking=False):
            return lock
    return None
