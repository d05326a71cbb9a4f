"""A reader of a cached page beside eight senders of costly input: long logs and many answers."""

import json
import statistics
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException

from bench.bars import BenchmarkError, Row
from bench.misses import heaviest_device
from bench.site import SITE, DataSet, fetch

PAGE = "/leaderboard/"
SENDERS = 8
READS_PER_S = 50  # begun whether or not the ones before are answered, as those of different readers are
WAIT_MS = 100.0
TIMEOUT_S = 120
PAUSE_S = 1.0  # between two requests of a sender, who doesn't wait for Retry-After
SAMPLES = 99_500
_STATED = {
    "metric": "iops",
    "size": "4096",
    "depth": "1",
    "workers": "1",
    "pattern": "random",
    "sync": "fsync",
}


def measure(data: DataSet, *, seconds: int) -> list[Row]:
    """The reader's median, and what it is of the same reader's without senders."""
    slug, _ = heaviest_device(data)
    with data.serve(SITE) as port:
        for _ in range(20):  # each process renders the page once
            fetch(f"http://127.0.0.1:{port}{PAGE}")
        alone = reader_median_ms(port, None, seconds)
        found = [Row("cached page, reader alone, median", alone, "ms")]
        for name, body in bodies(slug).items():
            beside = reader_median_ms(port, body, seconds)
            found += [
                Row(f"cached page beside {SENDERS} senders of {name}, median", beside, "ms", limit=WAIT_MS),
                Row(f"cached page beside {SENDERS} senders of {name}, of alone", beside / alone),
            ]
    return found


def bodies(slug: str) -> dict[str, bytes]:
    """JSON for /api/v1/parse/; the log is of the device with that slug, which makes it a result."""
    lines = (f"{at * 1000}, {2000 + at % 700}, 1, 4096, 0, 0\n" for at in range(SAMPLES))
    answers = {**{f"series_{key}": value for key, value in _STATED.items()}, "series_device": slug}
    sent: Mapping[str, Mapping[str, object]] = {
        "logs of 3 MB": {"text": "".join(lines), "told": {"all": answers}},
        "740 names of devices": {
            "text": "x",
            "told": {str(at): {"series_device": "intel ssd x"} for at in range(740)},
        },
        "99 names of devices": {
            "text": "x",
            "told": {f"line-{at}": {"series_device": f"{'ssd ' * 9}{at}"} for at in range(1, 100)},
        },
        "270,000 unknown answers": {"text": "x", "told": {"all": {str(at): "" for at in range(270_000)}}},
    }
    return {name: json.dumps(body).encode() for name, body in sent.items()}


def reader_median_ms(port: int, body: bytes | None, seconds: int) -> float:
    """The median time of a page for readers who come regularly, while SENDERS send the body, if any."""
    ended = threading.Event()
    times: list[float] = []
    senders = [
        threading.Thread(target=_send, args=(port, body, ended)) for _ in range(SENDERS if body else 0)
    ]
    readers = [threading.Thread(target=_read, args=(port, times)) for _ in range(seconds * READS_PER_S)]
    for sender in senders:
        sender.start()
    for reader in readers:
        time.sleep(1 / READS_PER_S)
        reader.start()
    ended.set()
    for thread in (*readers, *senders):
        thread.join()
    if len(times) != len(readers):
        raise BenchmarkError(f"{len(readers) - len(times)} of {len(readers)} requests for {PAGE} failed")
    return statistics.median(times)


def _read(port: int, times: list[float]) -> None:
    began = time.perf_counter()
    if _exchange(port, lambda connection: connection.request("GET", PAGE)) == 200:
        times.append((time.perf_counter() - began) * 1000)


def _send(port: int, body: bytes, ended: threading.Event) -> None:
    headers = {"Content-Type": "application/json"}
    while not ended.is_set():
        _exchange(port, lambda connection: connection.request("POST", "/api/v1/parse/", body, headers))
        ended.wait(PAUSE_S)


def _exchange(port: int, ask: Callable[[HTTPConnection], None]) -> int:
    """The status of the answer; 0 for none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)
    with suppress(OSError, HTTPException):
        ask(connection)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status
    return 0
