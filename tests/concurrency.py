"""Several database connections in one test: threads that clean up after themselves, and waiting for what they do."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection

POLL_S = 0.02
PATIENCE_S = 240.0


@contextmanager
def threads(count: int = 2) -> Iterator[Callable[..., Future]]:
    """Gives `start(function, *arguments)`, which runs it in a thread with a connection of its own."""

    def run(function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return function(*arguments)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        yield lambda function, *arguments: pool.submit(run, function, *arguments)


def wait_until(is_so: Callable[[], Any], *, within_s: float = PATIENCE_S) -> None:
    """Poll until `is_so` holds; the limit only ends a test that hangs."""
    deadline = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < deadline, f"not so after {within_s:.0f} s"
        time.sleep(POLL_S)


def wait_until_queueing(count: int) -> None:
    """Wait until so many connections to this database wait for locks that others hold."""
    wait_until(lambda: queueing() == count)


def queueing() -> int:
    """How many connections to this database wait for locks; xdist's other workers have databases of their own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees what it saw first
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])
