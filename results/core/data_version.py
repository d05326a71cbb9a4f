"""The data version: bumped in each transaction that changes data, published to all processes through Redis.

It is the time of the change in milliseconds, or the previous version plus one if the clock is behind: pages derive
their modification time from it. PostgreSQL is the source of truth. Redis only saves readers a query: a process that
finds nothing there queries PostgreSQL, and the sweep (results.tasks) publishes the version again if a failing
connection lost it.
"""

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar, cast

from django.conf import settings
from django.core.cache import caches
from django.db import Error, close_old_connections, connection, transaction
from django.utils import timezone

from results.core.read_only import REDIS_KEY, publish_reason, read_only_reason
from results.core.redis import RedisAwayError, key, link
from results.models import DataVersion, Installation

FIRST_VERSION = 1  # of a database without changes
RECHECK_AFTER_S = 0.25
# What was complete remains so: `complete` names the release and the value up to which it stored everything.
_BUMP = """
    WITH now AS (
        SELECT greatest(%(least)s, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) AS value
    )
    INSERT INTO results_dataversion AS version (id, value, complete)
    SELECT 1, value, %(release)s || ' ' || value FROM now
    ON CONFLICT (id) DO UPDATE SET
        value = greatest(version.value + 1, excluded.value),
        complete = CASE WHEN %(becomes_complete)s OR version.complete = %(release)s || ' ' || version.value
            THEN %(release)s || ' ' || greatest(version.value + 1, excluded.value) ELSE version.complete END
    RETURNING value
"""
_RAISE_ONLY = """
    local current = tonumber(redis.call('GET', KEYS[1]) or '0')
    if tonumber(ARGV[1]) > current then redis.call('SET', KEYS[1], ARGV[1]) end
"""


def bump_data_version(*, past: int = FIRST_VERSION, becomes_complete: bool = False) -> None:
    """Increase the version, at least beyond `past`. Call it last in a transaction, since writers queue for it."""
    moved = raise_stored_version(past=past, becomes_complete=becomes_complete)
    transaction.on_commit(lambda: publish_version(moved))


def raise_stored_version(*, past: int = FIRST_VERSION, becomes_complete: bool = False) -> int:
    """The same without publishing it, for a database that isn't in use yet; return the version."""
    with connection.cursor() as cursor:
        cursor.execute(
            _BUMP, {"least": past + 1, "release": settings.VERSION, "becomes_complete": becomes_complete}
        )
        (moved,) = cursor.fetchone()
    return int(moved)


def is_complete() -> bool:
    """Whether this release stored everything since it last made the data complete, or nothing is stored yet."""
    stored = DataVersion.objects.filter(id=1).first()
    return stored is None or stored.complete == f"{settings.VERSION} {stored.value}"


def publish_version(version: int) -> None:
    """Raise the version in Redis; if Redis is unavailable, the sweep does it later."""
    try:
        link.call(lambda redis: redis.eval(_RAISE_ONLY, 1, key("data-version"), version))
    except RedisAwayError:
        return


def agree_on_version() -> None:
    """Bring Redis and PostgreSQL to the same version, which a failing connection may have prevented.

    A database that was set back, by restoring a dump for example, moves beyond the published version, so that no
    version, and therefore no ETag, ever names two states; cursors from before are refused. The version in Redis is
    read first, since the stored version can only grow after that. The read-only switch is published with it, first.
    """
    published, stored = published_version(), stored_version()
    is_switched = publish_reason(read_only_reason())
    if is_switched or (published is not None and published > stored):
        with transaction.atomic():
            if published is not None and published > stored:
                Installation.objects.update_or_create(id=1, defaults={"restored_at": timezone.now()})
            bump_data_version(past=published or FIRST_VERSION)
    else:
        publish_version(stored)


def set_read_only(reason: str) -> None:
    """Make the site read-only for this reason, or writable again for "". All cached pages are outdated then."""
    with transaction.atomic():
        DataVersion.objects.get_or_create(id=1)
        site = DataVersion.objects.select_for_update().get(id=1)
        since = (site.read_only_since or timezone.now()) if reason else None
        DataVersion.objects.filter(id=1).update(read_only_reason=reason, read_only_since=since)
        transaction.on_commit(
            lambda: publish_reason(reason)
        )  # before the version: a watch reads both at once
        bump_data_version()


def stored_version() -> int:
    """The version stored in PostgreSQL."""
    stored = DataVersion.objects.filter(id=1).values_list("value", flat=True).first()
    return FIRST_VERSION if stored is None else stored


def stored_state() -> tuple[int, str]:
    """The version, and why the site is read-only, both of one moment. One query."""
    return DataVersion.objects.filter(id=1).values_list("value", "read_only_reason").first() or (
        FIRST_VERSION,
        "",
    )


Counted = TypeVar("Counted")


def cached_count(identity: object, count: Callable[[], Counted]) -> Counted:
    """A count by data version, shared by all orders and pages of a list that `identity` identifies.

    One query, more on a miss: a million rows take a second, options of 20,000 devices 40 ms.
    """
    version = stored_version()
    if version == FIRST_VERSION:  # nothing is published yet
        return count()
    digest = sha256(repr(identity).encode()).hexdigest()
    return cast("Counted", caches["pages"].get_or_set(f"count:{version}:{digest}", count))


def published_version() -> int | None:
    """The version in Redis; None if there is none, or Redis is unavailable."""
    return _published()[0]


def _published() -> tuple[int | None, str]:
    """The version in Redis, and why the site is read-only, both of one moment."""
    try:
        found: Any = link.call(lambda redis: redis.mget(key("data-version"), key(REDIS_KEY)))
    except RedisAwayError:
        return None, ""
    version, reason = found
    return None if version is None else int(version), (reason or b"").decode()


class VersionWatch:
    """The data version and the read-only switch as one process knows them, at most RECHECK_AFTER_S old."""

    def __init__(self) -> None:
        self.read_only_reason = ""
        self._version: int | None = None
        self._recheck_at = 0.0

    def current(self) -> int | None:
        """The version, or None if neither Redis nor PostgreSQL is available."""
        if time.monotonic() >= self._recheck_at:
            self._version = self._look_up()
            self._recheck_at = time.monotonic() + RECHECK_AFTER_S
        return self._version

    def _look_up(self) -> int | None:
        version, reason = _published()
        if version is not None:
            self.read_only_reason = reason
            return version
        close_old_connections()  # this is not a request, at whose start Django does it
        try:
            stored, self.read_only_reason = stored_state()
        except Error:
            return None
        publish_reason(self.read_only_reason)
        publish_version(stored)
        return stored
