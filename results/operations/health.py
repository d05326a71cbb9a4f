"""GET /healthz: whether the site can serve, with each part's state. GET /readyz: whether it should get traffic."""

from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from results.core.data_version import stored_version
from results.operations.standing import queue, takes_writes

_applied: list[str] = []  # ["all"] once every migration is applied


@never_cache
@require_GET
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view gets its request
    """Respond 200 while pages can be served, which needs only the database. Reports a read-only one."""
    database = _database()
    status = "ok" if database == "ok" else f"database {database}"
    return JsonResponse(
        {"status": status, "database": database, **_queue()}, status=503 if database == "away" else 200
    )


@never_cache
@require_GET
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view gets its request
    """Respond 200 if the database has every migration of this code.

    Without Redis, or with a read-only database, the site serves what it can, and reports that it is degraded: other
    web servers would be in the same state, and a load balancer that removed them all would leave readers with
    nothing.
    """
    database = _database()
    migrations = "unknown" if database == "away" else _migrations()
    queue = "away" if _queue()["queue"] == "away" else "ok"
    is_ready = migrations == "ok"
    status = "not ready" if not is_ready else "ready" if database == queue == "ok" else "degraded"
    parts = {"database": database, "migrations": migrations, "redis": queue}
    return JsonResponse({"status": status, **parts}, status=200 if is_ready else 503)


def _migrations() -> str:
    """The state of the migrations, queried until all are applied: none is reverted while a process runs."""
    if not _applied:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "missing"
        _applied.append("all")
    return "ok"


def _database() -> str:
    try:
        stored_version()
        return "ok" if takes_writes() else "read only"
    except Error:
        return "away"


def _queue() -> dict[str, object]:
    found = queue()
    if found is None:
        return {"cache": "away", "queue": "away", "worker": "unknown"}
    worker = "ok" if found.is_worker_seen else "not seen"
    return {"cache": "ok", "queue": {"waiting": found.depth}, "worker": worker}
