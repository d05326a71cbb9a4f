"""What is seen of tasks: the id of the request that asked for one travels along, and each is timed and counted."""

import logging
import os
import time
from datetime import datetime
from typing import Any

from celery import Task, signals

from slogdb import env, metrics, telemetry
from slogdb.logs import request_id

ID_HEADER = "slogdb_request_id"
DUE_HEADER = "slogdb_due_at"  # seconds since 1970, by the clock of who asked
_STARTED = "slogdb_started_at"

logger = logging.getLogger("slogdb.tasks")


def connect() -> None:
    """Watch every task that this process asks for or does."""
    signals.before_task_publish.connect(_send_along)
    signals.task_prerun.connect(_start)
    signals.task_postrun.connect(_end)
    signals.worker_init.connect(_tell_metrics)
    signals.worker_process_init.connect(_start_telemetry)
    signals.worker_process_shutdown.connect(_leave)


def due_at(headers: dict[str, Any]) -> float | None:
    """When a message in the queue was due, by its headers."""
    due = headers.get(DUE_HEADER)
    return float(due) if isinstance(due, int | float) else None


def _send_along(headers: dict[str, Any], **_: Any) -> None:
    if request_id.get():
        headers[ID_HEADER] = request_id.get()
    headers[DUE_HEADER] = time.time() + _countdown_s(headers.get("eta"))


def _countdown_s(eta: Any) -> float:
    """Seconds until a moment that Celery writes as ISO 8601; 0 for at once."""
    if not eta:
        return 0.0
    return max(0.0, datetime.fromisoformat(str(eta)).timestamp() - time.time())


def _start(task: Task, **_: Any) -> None:
    request_id.set(str(task.request.get(ID_HEADER) or task.request.id or ""))
    setattr(task.request, _STARTED, time.perf_counter())
    due = due_at({DUE_HEADER: task.request.get(DUE_HEADER)})
    if due is not None:
        metrics.TASK_WAIT_SECONDS.labels(task.name).observe(max(0.0, time.time() - due))


def _end(task: Task, state: str | None = None, **_: Any) -> None:
    seconds = time.perf_counter() - getattr(task.request, _STARTED, time.perf_counter())
    outcome = (state or "unknown").lower()
    metrics.TASKS.labels(task.name, outcome).inc()
    metrics.TASK_SECONDS.labels(task.name).observe(seconds)
    logger.info(
        "%s %s",
        task.name,
        outcome,
        extra={"task": task.name, "task_id": task.request.id, "ms": round(seconds * 1000, 1)},
    )
    request_id.set("")


def _tell_metrics(**_: Any) -> None:
    """Let Prometheus ask the worker itself, for its machine is not the web server's."""
    port = env.number("SLOGDB_WORKER_METRICS_PORT", 0)
    if port:
        metrics.serve(port)


def _start_telemetry(**_: Any) -> None:
    """In the process that does the tasks: what sends traces is a thread, and no thread outlives a fork."""
    telemetry.start()


def _leave(**_: Any) -> None:
    metrics.end_process(os.getpid())
