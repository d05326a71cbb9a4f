"""GET /healthz: whether the site can serve, with each part's state. GET /readyz: whether it should get traffic."""

from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from results.core.data_version import stored_version
from results.operations.migration_history import needed_release, required_migrations, unknown_migrations
from results.operations.site_state import queue, takes_writes


@never_cache
@require_GET
def healthz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view gets its request
    """Respond 200 while pages can be served, which needs only a migrated database.

    Reports a read-only one, and one that a newer release has migrated.
    """
    database, migrations = _database()
    is_well = migrations not in {"missing", "unknown"}
    status = "ok" if is_well and database == "ok" else f"database {database}"
    if migrations in {"missing", "too new"}:
        status = f"migrations {migrations}"
    parts = {"database": database, "migrations": migrations, **_queue()}
    return JsonResponse({"status": status, **parts}, status=200 if is_well else 503)


@never_cache
@require_GET
def readyz(request: HttpRequest) -> JsonResponse:  # noqa: ARG001 - a view gets its request
    """Respond 200 if the database has every migration of this code, and none that this code doesn't work with.

    Without Redis, or with a read-only database, the site serves what it can, and reports that it is degraded: other
    web servers would be in the same state, and a load balancer that removed them all would leave readers with
    nothing.
    """
    database, migrations = _database()
    queue = "away" if _queue()["queue"] == "away" else "ok"
    is_ready = migrations in {"ok", "newer"}
    status = "not ready" if not is_ready else "ready" if database == queue == "ok" else "degraded"
    parts = {"database": database, "migrations": migrations, "redis": queue}
    return JsonResponse({"status": status, **parts}, status=200 if is_ready else 503)


def _database() -> tuple[str, str]:
    """The state of the database, and that of its migrations."""
    try:
        stored_version()
        database = "ok" if takes_writes() else "read only"
        applied = MigrationRecorder(connection).applied_migrations()
    except Error:
        return "away", "unknown"
    if not required_migrations() <= applied.keys():
        return database, "missing"
    if needed_release(applied):
        return database, "too new"
    return database, "newer" if unknown_migrations(applied) else "ok"


def _queue() -> dict[str, object]:
    found = queue()
    if found is None:
        return {"cache": "away", "queue": "away", "worker": "unknown", "scheduler": "unknown"}
    worker = "ok" if found.is_worker_seen else "not seen"
    scheduler = "ok" if found.is_scheduler_seen else "not seen"
    return {"cache": "ok", "queue": {"waiting": found.depth}, "worker": worker, "scheduler": scheduler}
