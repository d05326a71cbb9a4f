"""Lets go of a PostgreSQL that took a statement and does not answer: whoever waits for it gets to hear so.

A server that is stopped, or whose disk stands still, keeps its connections open, and its own time limits stand still
with it. libpq waits without a limit and can't be woken. So a thread looks on, and ends such a connection from below:
then the wait ends, too, as it does when a server goes away.
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Sequence
from itertools import count
from threading import Lock, Thread
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

LOOKS_EVERY_S = 0.5
PATIENCE_S = 10.0  # hundreds of times what a page's statements take together

logger = logging.getLogger(__name__)


class HangWatch:
    """Looks after what `connections` lists, Django's connections (slogdb.postgresql), used in turns.

    Cut off is one that was at a statement at every look for PATIENCE_S, while nobody took a cursor for another.
    """

    def __init__(self, connections: Callable[[], Sequence[Any]]) -> None:
        self._connections = connections
        self._turns = count(1)
        self._turn = 0  # whose it is just now; 0: nobody's
        self._seen: list[int] = []  # what tells one statement from the next
        self._seen_at = 0.0
        self._thread: Thread | None = None
        self._starting = Lock()

    def turn_begins(self) -> None:
        """Called by whoever's turn it is, before the first statement."""
        self._turn = next(self._turns)
        if self._thread is None:
            self._start()

    def turn_ends(self) -> None:
        """Called after the last one: what is done with the connections between turns is nobody's wait."""
        self._turn = 0

    def _start(self) -> None:
        """In the process that serves: a thread does not outlive a fork."""
        with self._starting:
            if self._thread is None:
                self._thread = Thread(target=self._keep_watch, name="slogdb-hang-watch", daemon=True)
                self._thread.start()

    def _keep_watch(self) -> None:
        while True:
            time.sleep(LOOKS_EVERY_S)
            try:
                self.look()
            except Exception:  # all the more somebody has to look again
                logger.exception("a PostgreSQL that hangs could not be looked for")

    def look(self) -> int:
        """How many connections were cut off: those that have been at statements for too long."""
        turn, connections, now = self._turn, self._connections(), time.monotonic()
        busy = [one for one in (taken.connection for taken in connections) if turn and _is_busy(one)]
        seen = [turn, *(one.cursor_count for one in connections)]
        if not busy or seen != self._seen:
            self._seen, self._seen_at = seen if busy else [], now
            return 0
        if now - self._seen_at < PATIENCE_S:
            return 0
        return sum(_cut_off(one) for one in busy)


def _is_busy(connection: Any) -> bool:
    """Of psycopg's connection; None where there is none."""
    return bool(connection and connection.pgconn.transaction_status == TransactionStatus.ACTIVE)


def _cut_off(connection: Any) -> bool:
    """End a connection that is still at its statement; one that was closed meanwhile has no socket."""
    try:
        with socket.socket(fileno=os.dup(connection.pgconn.socket)) as handle:
            if not _is_busy(connection):
                return False
            logger.warning("PostgreSQL took a statement and does not answer: its connection is ended")
            handle.shutdown(socket.SHUT_RDWR)
    except (OSError, psycopg.Error):
        return False
    return True
