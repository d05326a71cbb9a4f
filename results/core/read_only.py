"""The read-only switch: pages and the API's reads are served, and nothing can be submitted or changed.

PostgreSQL stores it, in the row of the data version. Redis publishes it to web processes, which read it together with
the version (results.core.data_version): a page rendered for a version has the banner of that version.
"""

from typing import Any

from celery import Task
from django.db import OperationalError

from results.core.redis import RedisAwayError, key, link
from results.models import DataVersion

ENVIRON_KEY = (
    "slogdb.read_only"  # the reason for a request that the page cache passes on; "" if writes are allowed
)
REDIS_KEY = "read-only"
TRY_AGAIN_S = 60


def read_only_reason() -> str:
    """Why the site is read-only, from PostgreSQL; "" if it isn't. One query."""
    stored = DataVersion.objects.filter(id=1).values_list("read_only_reason", flat=True)
    return stored.first() or ""


def publish_reason(reason: str) -> bool:
    """Publish it in Redis; return whether another one was published. If Redis is unavailable, the sweep does it."""
    try:
        before: Any = link.call(lambda redis: redis.set(key(REDIS_KEY), reason, get=True))
    except RedisAwayError:
        return False
    return (before or b"").decode() != reason


class WritingTask(Task):
    """A task that changes results or places, which is postponed while the site is read-only.

    It is tried again when the database fails; Celery's autoretry only knows what `run` raises.
    """

    autoretry_for = (OperationalError,)
    retry_backoff = True
    max_retries = 5

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.request.called_directly:
            try:
                is_read_only = bool(read_only_reason())
            except OperationalError as error:
                raise self.retry(exc=error, countdown=TRY_AGAIN_S, max_retries=None) from error
            if is_read_only:
                return self.apply_async(args, kwargs, countdown=TRY_AGAIN_S)
        return self.run(*args, **kwargs)
