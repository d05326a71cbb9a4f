"""Several database connections in one test: threads that clean up after themselves, and waiting for what they do."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connection

POLL_S = 0.02


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


def wait_until(is_so: Callable[[], Any], *, within_s: float = 10.0) -> float:
    """Poll until `is_so` holds; gives the seconds that it took, and fails when it takes too long."""
    began = time.monotonic()
    while not is_so():
        taken = time.monotonic() - began
        assert taken < within_s, f"not so after {taken:.1f} s"
        time.sleep(POLL_S)
    return time.monotonic() - began


def wait_until_queueing(count: int) -> None:
    """Wait until so many connections to this database wait for locks that others hold."""
    wait_until(lambda: _queueing() == count)


def _queueing() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else a transaction sees what it saw first
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])
