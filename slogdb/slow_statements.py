"""A log line and a count for each statement that takes over a second, with the view, task or command that ran it.

The line has the statement as Django sends it, with placeholders: its values may be somebody's address, and so
PostgreSQL's own log_min_duration_statement, which writes them, stays off.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
from celery import current_task
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from prometheus_client import Counter

MAX_LOGGED = 2000  # characters
STATEMENTS = Counter(
    "slogdb_slow_statements_total",
    "Statements that took over a second, by view, task or command.",
    ["source"],
)
Execute = Callable[[str, Any, bool, dict[str, Any]], Any]
logger = structlog.get_logger(__name__)


def note_if_slow(execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """A wrapper of Django's database instrumentation."""
    started = time.monotonic()
    try:
        return execute(sql, params, many, context)
    finally:
        taken_s = time.monotonic() - started
        if taken_s > settings.SLOW_STATEMENT_S:
            source = _source()
            STATEMENTS.labels(source).inc()
            statement = " ".join(str(sql).split())[:MAX_LOGGED]
            logger.warning("slow_statement", source=source, ms=round(taken_s * 1000), sql=statement)


def _source() -> str:
    """The name of the task or view that runs now, or of the program."""
    if current_task:
        return str(current_task.name)
    view = structlog.contextvars.get_contextvars().get("view")
    return str(view) if view else " ".join([Path(sys.argv[0]).name, *sys.argv[1:2]])


def _install(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Install it once, as the outermost wrapper: a block that adds one removes the last."""
    if note_if_slow not in connection.execute_wrappers:
        connection.execute_wrappers.insert(0, note_if_slow)


def watch_statements() -> None:
    """Install it on each connection that is opened from now on."""
    connection_created.connect(_install, dispatch_uid="slow statements")
