"""The data version: moved in the transaction that changes something, told to every process through Redis.

PostgreSQL holds the truth. Redis only spares the readers a query: a process that finds nothing there asks
PostgreSQL, and the sweep (results.tasks) tells Redis again what a failing link may have swallowed.
"""

import time

from django.db import DatabaseError, close_old_connections, connection, transaction

from results.models import DataVersion
from slogdb.redis_link import RedisAwayError, key, link

RECHECK_AFTER_S = 0.25
_RAISE_ONLY = """
local held = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > held then redis.call('SET', KEYS[1], ARGV[1]) end
"""


def bump_data_version() -> None:
    """Move the counter; call it last in the transaction, for it makes writers wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results_dataversion SET value = value + 1 WHERE id = 1 RETURNING value")
        version: int = cursor.fetchone()[0]
    transaction.on_commit(lambda: tell_redis(version))


def tell_redis(version: int) -> None:
    """Raise the version that Redis holds; when Redis is away the sweep does it later."""
    try:
        link.call(lambda redis: redis.eval(_RAISE_ONLY, 1, key("data-version"), version))
    except RedisAwayError:
        return


def stored_version() -> int:
    """The version that PostgreSQL holds."""
    return DataVersion.objects.values_list("value", flat=True).get(id=1)


def _told_version() -> int | None:
    try:
        told = link.call(lambda redis: redis.get(key("data-version")))
    except RedisAwayError:
        return None
    return None if told is None else int(told)


class VersionWatch:
    """The data version as one process knows it, at most RECHECK_AFTER_S old."""

    def __init__(self) -> None:
        self._version: int | None = None
        self._checked_again_at = 0.0

    def current(self) -> int | None:
        """The version, or None when neither Redis nor PostgreSQL can tell it."""
        now = time.monotonic()
        if now >= self._checked_again_at:
            self._checked_again_at = now + RECHECK_AFTER_S
            self._version = self._look_up()
        return self._version

    @staticmethod
    def _look_up() -> int | None:
        told = _told_version()
        if told is not None:
            return told
        close_old_connections()
        try:
            stored = stored_version()
        except DatabaseError:
            return None
        tell_redis(stored)
        return stored
