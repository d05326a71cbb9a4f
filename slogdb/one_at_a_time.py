"""Requests that Django answers go on one at a time in a process, with the process's own database connections.

The web server has many threads, which wait for bodies and answer from the page cache beside each other. What is left
is for Django, whose views share one interpreter lock anyway.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock, local
from typing import Any

from django.db import connections

from slogdb.hang_watch import HangWatch
from slogdb.page_cache import Application, Environ, StartResponse, joined
from slogdb.waiting_room import BusyError, WaitingRoom


class OneAtATime:
    """WSGI middleware right around Django. An answer that is whole ends within its turn.

    Raises BusyError, with nothing begun, for who waits while Django is at one thing for longer than `room` allows.
    """

    def __init__(self, application: Application, *, room: WaitingRoom) -> None:
        self._application = application
        self._room = room
        self._lock = Lock()
        self._began_at = 0.0
        self._connections = SharedConnections()
        self._watch = HangWatch(self._connections.taken)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        with self._turn_in_time():
            chunks = self._application(environ, start_response)
            if isinstance(chunks, list):
                return chunks
            if getattr(chunks, "streaming", True):
                return _Chunks(chunks, self._lock)
            return [joined(chunks)]

    @contextmanager
    def _turn_in_time(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            with self._room.wait() as patience_s:
                self._wait(patience_s)
        try:
            with self._own_turn():
                yield
        finally:
            self._lock.release()

    def _wait(self, patience_s: float) -> None:
        while not self._lock.acquire(timeout=patience_s):
            if (
                time.monotonic() - self._began_at >= patience_s
            ):  # and not only at many things, one after the other
                raise BusyError

    @contextmanager
    def _own_turn(self) -> Iterator[None]:
        """With the lock: the connections are this thread's, and are looked after."""
        self._began_at = time.monotonic()
        self._connections.take_over()
        self._watch.turn_begins()
        try:
            yield
        finally:
            self._watch.turn_ends()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """While this thread, and no other, may use the connections."""
        with self._lock, self._own_turn():
            yield


class SharedConnections:
    """One connection a database for all threads, of which one at a time may use them."""

    def __init__(self) -> None:
        self._by_alias: dict[str, Any] = {}
        self._here = local()

    def take_over(self) -> None:
        """Let this thread find the connections of the process."""
        if getattr(self._here, "has_them", False):
            return
        for alias in connections:
            if alias not in self._by_alias:
                self._by_alias[alias] = connections[alias]
                connections[alias].inc_thread_sharing()
            connections[alias] = self._by_alias[alias]
        self._here.has_them = True

    def taken(self) -> list[Any]:
        """Those that there are."""
        return list(self._by_alias.values())


class _Chunks:
    """An answer that is sent in parts: its end may touch a connection, and so has to wait for its turn."""

    def __init__(self, chunks: Iterable[bytes], lock: Lock) -> None:
        self._chunks = chunks
        self._lock = lock

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)

    def close(self) -> None:
        close = getattr(self._chunks, "close", None)
        if close is not None:
            with self._lock:
                close()
