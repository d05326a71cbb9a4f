"""What stands in front of all: gives each request an id, counts it, and writes its line of the access log.

A page out of the cache takes some 40 µs, so what is done here is counted in microseconds: requests are added up in
plain dicts, and lines are put together in a list. A thread carries both away every second: counts to the metrics,
lines to stderr. A process that is killed takes its last second of lines along.
"""

import atexit
import logging
import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import count
from typing import Any

import orjson

from slogdb import metrics
from slogdb.logs import escaped, request_id, told_path
from slogdb.page_cache import SEEN, Application, Environ, Headers, StartResponse

CARRIED_EVERY_S = 1.0
# Beyond that the disk or pipe does not keep up, and lines are dropped, and counted.
MOST_WAITING_LINES = 50_000
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_NO_VIEW = "-"

logger = logging.getLogger(__name__)


class AccessLog:
    """WSGI middleware around the page cache.

    `believes` says whether X-Request-ID comes from a proxy of ours; `writes` gets whole lines of the access log, or
    is None where none is wanted.
    """

    def __init__(
        self,
        application: Application,
        *,
        believes: bool,
        is_json: bool,
        writes: Callable[[bytes], object] | None,
    ) -> None:
        self._application = application
        self._believes = believes
        self._is_json = is_json
        self._writes = writes
        self._prefix = os.urandom(6).hex()
        self._numbers = count(1)
        self._counts: Counter[tuple[str, str]] = Counter()
        self._lines: list[bytes] = []
        self._dropped = 0
        self._second = (0, "")  # the last one, and how it is written
        self._carrier: threading.Thread | None = None
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        started_at = time.perf_counter()
        name = self._id(environ)
        request_id.set(name)
        seen: dict[str, str] = {}  # what those behind tell: "cache" (the page cache) and "view" (Django)
        environ[SEEN] = seen
        status = ""

        def start(line: str, headers: Headers, *rest: Any) -> Any:
            nonlocal status
            status = line[:3]
            headers.append(("X-Request-ID", name))
            return start_response(line, headers, *rest)

        try:
            return self._application(environ, start)
        finally:
            self._note(environ, seen, status=status or "500", seconds=time.perf_counter() - started_at)

    def _id(self, environ: Environ) -> str:
        """The id that a proxy of ours gave, or a new one: this process's own prefix and a number."""
        given = environ.get("HTTP_X_REQUEST_ID") if self._believes else None
        if given is not None and _GIVEN_ID.fullmatch(given):
            return str(given)
        return f"{self._prefix}-{next(self._numbers):x}"

    def _note(self, environ: Environ, seen: dict[str, str], *, status: str, seconds: float) -> None:
        cache = seen.get("cache", "pass")
        if cache != "hit":
            metrics.REQUEST_SECONDS.labels(seen.get("view", _NO_VIEW), status).observe(seconds)
        line = None if self._writes is None else self._line(environ, seen, status=status, ms=seconds * 1000)
        with self._lock:
            self._counts[status, cache] += 1
            if line is not None:
                self._keep(line)
        if self._carrier is None:
            self._start_carrier()

    def _keep(self, line: bytes) -> None:
        if len(self._lines) < MOST_WAITING_LINES:
            self._lines.append(line)
        else:
            self._dropped += 1

    def _line(self, environ: Environ, seen: dict[str, str], *, status: str, ms: float) -> bytes:
        """No address, no agent and no query: nothing of who asked."""
        now = time.time()
        second = int(now)
        known, written = self._second
        if second != known:
            written = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
            self._second = second, written
        at = f"{written}.{int((now - second) * 1000):03d}+00:00"
        method, path = environ["REQUEST_METHOD"], told_path(environ.get("PATH_INFO", "/"))
        cache, view = seen.get("cache", "pass"), seen.get("view", _NO_VIEW)
        if not self._is_json:
            name = request_id.get()
            return (
                escaped(f"{at} {method} {path} {status} {ms:.2f} ms {cache} {view} [{name}]").encode() + b"\n"
            )
        return orjson.dumps(
            {
                "time": at,
                "level": "INFO",
                "logger": "slogdb.access",
                "message": f"{method} {path if path.isascii() else escaped(path)}",
                "status": int(status),
                "ms": round(ms, 3),
                "cache": cache,
                "view": view,
                "request_id": request_id.get(),
            },
            option=orjson.OPT_APPEND_NEWLINE,
        )

    def _start_carrier(self) -> None:
        """In the process that serves: a thread does not outlive a fork."""
        with self._lock:
            if self._carrier is None:
                self._carrier = threading.Thread(target=self._carry_on, name="slogdb-access", daemon=True)
                self._carrier.start()
                atexit.register(metrics.end_process, os.getpid())
                atexit.register(self.carry)

    def _carry_on(self) -> None:
        while True:
            time.sleep(CARRIED_EVERY_S)
            try:
                self.carry()
            except OSError:  # the metrics' disk is full, say; the next second has its own chance
                logger.exception("requests were not counted")

    def carry(self) -> None:
        """Take what was counted to the metrics, and the lines to where they are written."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
            lines, self._lines = self._lines, []
            dropped, self._dropped = self._dropped, 0
        if self._writes is not None and lines:
            self._writes(b"".join(lines))
        if dropped:
            logger.warning("%d lines of the access log were dropped: they came faster than they go", dropped)
        for (status, cache), number in counts.items():
            metrics.REQUESTS.labels(status, cache).inc(number)


def to_stderr(lines: bytes) -> None:
    """Write as much as it takes; a log that nobody reads any more stops nothing."""
    try:
        sys.stderr.buffer.write(lines)
        sys.stderr.buffer.flush()
    except OSError:
        return
