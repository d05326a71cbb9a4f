"""The mixed load of a soak: people who read, ask again, send and fetch exports; and the table of what they got."""

import http.client
import itertools
import json
import random
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus

from slogdb.bench.submissions import NEW_MODELS, run_of

PAGES = (
    "/",
    "/leaderboard/",
    "/leaderboard/?class=nvme",
    "/leaderboard/?class=hdd",
    "/api/v1/leaderboard/?class=nvme",
    "/api/v1/results/",
    "/survey/",
    "/guide/",
)
DEVICES = "/api/v1/devices/"
MANIFEST = "/exports/manifest.json"
TIMEOUT_S = 30
BROKEN = 0  # the status of a request that no answer came to
SENDING_PAUSE_S, EXPORT_PAUSE_S, READING_PAUSE_S = 0.2, 2.0, 0.005
AWAY_PAUSE_S = 0.2
REQUESTS_A_CONNECTION = 50


class Visitor:
    """A connection, kept open for some requests, and how what was asked over it is counted.

    Each new one may come to another web process, so that all of them get to know all kinds of pages.
    """

    def __init__(self, load: "Load", kind: str) -> None:
        self._load, self._kind, self._asked = load, kind, 0
        self._connection = http.client.HTTPConnection("127.0.0.1", load.port, timeout=TIMEOUT_S)

    def ask(
        self, path: str, *, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse | None, bytes]:
        """The answer with its body, counted; None where there is none."""
        began = time.perf_counter()
        try:
            self._connection.request("GET" if body is None else "POST", path, body, dict(headers or {}))
            answer = self._connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._load.count(self._kind, BROKEN, time.perf_counter() - began)
            time.sleep(AWAY_PAUSE_S)
            return None, b""
        self._load.count(self._kind, answer.status, time.perf_counter() - began)
        self._asked += 1
        if self._asked % REQUESTS_A_CONNECTION == 0:
            self._connection.close()
        return answer, content


class Load:
    """All visitors of a site."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._elapsed_s = 0.0
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._statuses: dict[str, Counter[int]] = defaultdict(Counter)
        self._seconds: dict[str, list[float]] = defaultdict(list)

    def count(self, kind: str, status: int, seconds: float) -> None:
        """Take one answer into the table."""
        with self._lock:
            self._statuses[kind][status] += 1
            self._seconds[kind].append(seconds)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """All of them, until the end of the block."""
        work: tuple[Callable[[], None], ...] = (
            self._read,
            self._read,
            self._ask_again,
            self._send,
            self._fetch,
        )
        visitors = [threading.Thread(target=each) for each in work]
        for each in visitors:
            each.start()
        try:
            with self._lasting():
                yield
        finally:
            self._is_over.set()
            for each in visitors:
                each.join()

    @contextmanager
    def _lasting(self) -> Iterator[None]:
        """Take the time of the block as that of the load."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._elapsed_s += time.monotonic() - began

    def _read(self) -> None:
        """Pages of all kinds, and those of devices as the API lists them."""
        visitor, draw = Visitor(self, "read"), random.Random(1)  # noqa: S311 - any order does
        _, listed = visitor.ask(DEVICES)
        devices = [f"/devices/{one['slug']}/" for one in json.loads(listed or b"{}").get("results", [])]
        while not self._is_over.wait(READING_PAUSE_S):
            visitor.ask(draw.choice([*PAGES, *devices]))

    def _ask_again(self) -> None:
        """The same pages with the ETag that each had last."""
        visitor, etags = Visitor(self, "conditional read"), dict[str, str]()
        for path in itertools.cycle(PAGES):
            if self._is_over.wait(READING_PAUSE_S):
                return
            answer, _ = visitor.ask(path, headers={"If-None-Match": etags[path]} if path in etags else {})
            if answer is not None and (etag := answer.headers["ETag"]):
                etags[path] = etag

    def _send(self) -> None:
        """Pastes, each of a unit of its own."""
        visitor = Visitor(self, "submission")
        for number in itertools.count():
            if self._is_over.wait(SENDING_PAUSE_S):
                return
            text = run_of(number, NEW_MODELS[number % len(NEW_MODELS)]).encode()
            visitor.ask("/api/v1/submissions/", body=text, headers={"Content-Type": "text/plain"})

    def _fetch(self) -> None:
        """The list of the exports, and each file of it in turn."""
        visitor = Visitor(self, "export")
        for number in itertools.count():
            if self._is_over.wait(EXPORT_PAUSE_S):
                return
            answer, listed = visitor.ask(MANIFEST)
            if answer is not None and answer.status == HTTPStatus.OK:
                names = [one["name"] for one in json.loads(listed)["files"]]
                visitor.ask(f"/exports/{names[number % len(names)]}")

    @property
    def is_well(self) -> bool:
        """Whether each request was answered, and none with an error of the server's or of ours."""
        return all(
            status != BROKEN and status < HTTPStatus.BAD_REQUEST
            for statuses in self._statuses.values()
            for status in statuses
        )

    def table(self) -> str:
        """Requests of each kind by status, with the median and the 99th percentile of all of that kind."""
        lines = ["| requests | by status | a second | p50 ms | p99 ms |", "|---|---|---:|---:|---:|"]
        for kind, seconds in self._seconds.items():
            ordered = sorted(seconds)
            statuses = ", ".join(
                f"{'broken' if status == BROKEN else status}: {count:,}"
                for status, count in sorted(self._statuses[kind].items())
            )
            p50, p99 = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
            rate = len(ordered) / self._elapsed_s
            lines.append(f"| {kind} | {statuses} | {rate:,.0f} | {p50:.1f} | {p99:.1f} |")
        return "\n".join(lines) + "\n"
