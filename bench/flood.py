"""Requests meant to miss the page cache, a few bytes each, beside a reader of a cached page.

The site has its usual allowance for reads; the reader is of the same network, and its page is in the page cache.
"""

import http.client
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from bench.bars import Row
from bench.site import SITE, DataSet

PAGE = "/leaderboard/"
REQUESTS, AT_ONCE = 48, 6
SCHEMAS = 24
WARM_UPS = 20  # so that each process has the page
MEDIAN_MS = 100.0
REFILLED_AFTER_S = 30
_READ = "SLOGDB_LIMIT_ANONYMOUS_READ"
NOT_RENDERED = {
    "unknown parameters of an image": "/preview.png?q={}",
    "repeated parameters of a page": "/leaderboard/?page=1&page={}",
    "Authorization headers": "/?",
}
RENDERED = {  # as many as the allowance has
    "real parameters of a page": "/leaderboard/?price={}",
    "real parameters of an image": "/leaderboard/preview.png?price={}",
}


class Flood(NamedTuple):
    """The reader's median during the flood, and the seconds that the flood took."""

    median_ms: float
    seconds: float
    statuses: Sequence[int]


def measure(data: DataSet) -> list[Row]:
    """The reader's median beside each flood, and refused requests for the schema compared with rendering it once."""
    settings = {name: value for name, value in data.environment.items() if name != _READ}
    with replace(data, environment=settings).serve(SITE) as port:
        began = time.perf_counter()
        get(port, "/api/v1/schema/")
        schema_s = time.perf_counter() - began
        refused_s = sum(get(port, f"/api/v1/schema/?a={number}") for number in range(SCHEMAS)) / 1000
        for _ in range(WARM_UPS):
            get(port, PAGE)
        alone_ms = statistics.median(get(port, PAGE) for _ in range(200))
        floods = {}
        for name, path in (NOT_RENDERED | RENDERED).items():
            time.sleep(REFILLED_AFTER_S)  # each has the whole allowance
            floods[name] = flood(port, path)
    return rows(alone_ms, floods, schema_ratio=refused_s / schema_s)


def rows(alone_ms: float, floods: dict[str, Flood], *, schema_ratio: float) -> list[Row]:
    """The reader's medians and how much longer the page took; with a bar, where nothing is rendered for the flood."""
    found = [
        Row(f"{SCHEMAS} schemas with an unknown parameter, of rendering it once", schema_ratio, limit=1.0),
        Row("cached page alone, median", alone_ms, "ms"),
    ]
    for name, flood in floods.items():
        what = f"cached page beside {REQUESTS} {name}"
        granted = flood.statuses.count(http.client.OK)
        bar_ms = MEDIAN_MS if name in NOT_RENDERED else None
        found += [
            Row(f"{what}, median", flood.median_ms, "ms", limit=bar_ms),
            Row(
                f"{what}, of alone ({granted} got a page, {flood.seconds:.1f} s)", flood.median_ms / alone_ms
            ),
        ]
    return found


def flood(port: int, path: str) -> Flood:
    """Send the requests, some at once, and read the cached page meanwhile."""
    with ThreadPoolExecutor(AT_ONCE) as senders:
        began = time.perf_counter()
        sent = [
            senders.submit(status, port, path.format(number), number) for number in range(1, REQUESTS + 1)
        ]
        times = list(reads_until(port, sent))
        seconds = time.perf_counter() - began
    return Flood(statistics.median(times), seconds, [future.result() for future in sent])


def reads_until(port: int, sent: Sequence["Future[int]"]) -> Iterator[float]:
    """Milliseconds of each read of the page until all of these are answered; at least one."""
    yield get(port, PAGE)
    while not all(future.done() for future in sent):
        yield get(port, PAGE)


def get(port: int, path: str) -> float:
    """Milliseconds until the page is there."""
    began = time.perf_counter()
    with answered(port, path, {}) as answer:
        answer.read()
    return (time.perf_counter() - began) * 1000


def status(port: int, path: str, number: int) -> int:
    with answered(port, path, {"Authorization": f"x{number}"}) as answer:
        answer.read()
        return answer.status


@contextmanager
def answered(port: int, path: str, headers: dict[str, str]) -> Iterator[http.client.HTTPResponse]:
    """The answer on a connection of its own, as different clients have."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers=headers)
        yield connection.getresponse()
    finally:
        connection.close()
