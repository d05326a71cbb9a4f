"""Bodies are read whole before it is a request's turn, so that who sends slowly holds up nobody.

The web server has many threads, which wait for bodies beside each other. Past that they go on one at a time, with the
database connections of the process, just as one thread would: views share one interpreter lock anyway.
"""

from collections.abc import Iterable, Iterator
from io import BytesIO
from threading import Lock, local
from typing import Any

from django.db import connections

from slogdb.page_cache import Application, Environ, StartResponse
from slogdb.slow_senders import SlowSenders

FAULT = "slogdb.body"  # in the environment: what is wrong with the body, as one of the following
BUSY, CUT_OFF = "busy", "cut off"
MOST_DIGITS = 18  # of a length; Python reads no number of thousands


class WholeBodies:
    """WSGI middleware around everything. What it finds wrong with a body is for Django to answer."""

    def __init__(self, application: Application, senders: SlowSenders, *, most_bytes: int) -> None:
        self._application = application
        self._senders = senders
        self._most_bytes = most_bytes
        self._turn = Lock()
        self._connections = SharedConnections()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        length = announced_length(environ)
        if length is not None and 0 < length <= self._most_bytes:
            self._read(environ, length)
        with self._turn:
            self._connections.take_over()
            chunks = self._application(environ, start_response)
        return chunks if isinstance(chunks, list) else _Chunks(chunks, self._turn)

    def _read(self, environ: Environ, length: int) -> None:
        with self._senders.sending(environ.get("REMOTE_ADDR", "")) as is_let_in:
            body = environ["wsgi.input"].read(length) if is_let_in else b""
        if len(body) < length:
            environ[FAULT] = CUT_OFF if is_let_in else BUSY
        environ["wsgi.input"] = BytesIO(body)


def announced_length(environ: Environ) -> int | None:
    """What the request says of its body's length; None for what is no length."""
    told = environ.get("CONTENT_LENGTH") or "0"
    is_number = told.isascii() and told.isdecimal() and len(told) <= MOST_DIGITS
    return int(told) if is_number else None


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


class _Chunks:
    """An answer that is sent in parts: its end may touch a connection, and so has to wait for its turn."""

    def __init__(self, chunks: Iterable[bytes], turn: Lock) -> None:
        self._chunks = chunks
        self._turn = turn

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)

    def close(self) -> None:
        close = getattr(self._chunks, "close", None)
        if close is not None:
            with self._turn:
                close()
