"""GET /healthz: whether the site can serve, and the state of each part."""

from django.db import Error, close_old_connections
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from results.data_version import stored_version
from results.tasks import WORKER_SEEN_KEY
from slogdb.redis_link import RedisAwayError, key, link


@never_cache
@require_GET
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view gets its request
    """200 as long as pages can be served and submissions taken: only the database is needed for that."""
    parts = {"database": _database(), **_queue()}
    is_serving = parts["database"] == "ok"
    return JsonResponse(
        {"status": "ok" if is_serving else "database away", **parts}, status=200 if is_serving else 503
    )


def _database() -> str:
    close_old_connections()
    try:
        stored_version()
    except Error:
        return "away"
    return "ok"


def _queue() -> dict[str, object]:
    try:
        seen, depth = link.call(lambda redis: (redis.get(key(WORKER_SEEN_KEY)), redis.llen(key("celery"))))
    except RedisAwayError:
        return {"cache": "away", "queue": "away", "worker": "unknown"}
    return {"cache": "ok", "queue": {"waiting": depth}, "worker": "ok" if seen else "not seen"}
