"""The running site under mixed load for some minutes: its responses, how fast, and whether its memory grows.

Web server and worker are those of bin/serve. Linux only: memory is read from /proc.
"""

import http.client
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.site import (
    SETTINGS,
    command_line,
    descendants,
    free_port,
    manage,
    memory_mib,
    running,
)
from bench.submissions import NEW_MODELS, run_of
from slogdb.local.options import LocalSite
from slogdb.local.programs import web_program, worker_program
from slogdb.local.stack import throwaway_stack

MINUTES = 10.0  # during which memory is judged, after the warm-up
WARM_UP_MINUTES = 12.0  # caches fill in three, and their contents shift for ten more
RESULTS = 2000
SAMPLE_S = 2.0
KINDS = ("read", "conditional read", "submission", "export")
BACKGROUND = (["reread", "--all"], ["export"])  # in turn, repeatedly
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
BROKEN = 0  # the status of a request without a response
SENDING_PAUSE_S, EXPORT_PAUSE_S, READING_PAUSE_S = 0.2, 2.0, 0.005
PAUSE_AFTER_FAILURE_S = 0.2
REQUESTS_PER_CONNECTION = 50
ROLES = {
    "web server": "granian",
    "worker": "celery --app slogdb",
    "PostgreSQL": "postgres",
    "Valkey": "valkey",
}
END = 1 / 6  # of the judged time: growth is from the median of the first such part to that of the last part
FLAT_MIB, FLAT_SHARE = 4.0, 0.015  # of allowed growth in the judged time


def main(arguments: Sequence[str]) -> int:
    """Run the soak; `arguments` may override MINUTES and WARM_UP_MINUTES.

    Fails if a request or a command failed, if a process ended, or if memory grew.
    """
    minutes, warm_up = (*map(float, arguments), *(MINUTES, WARM_UP_MINUTES)[len(arguments) :])
    with ExitStack() as ending:
        folder = Path(ending.enter_context(TemporaryDirectory(prefix="slogdb-soak-")))
        site = LocalSite("127.0.0.1", free_port(), is_demo=False, var=folder)
        environment = {
            **ending.enter_context(throwaway_stack()),
            **site.settings(),
            **SETTINGS,
            "SLOGDB_STATIC_ROOT": str(folder / "static"),
        }
        commands = ("migrate -v0", f"make_results {RESULTS}", "collectstatic --noinput -v0", "export")
        for command in commands:
            manage(environment, *command.split())
        for program in (web_program, worker_program):
            ending.enter_context(running(program(site, environment)))
        load, memory = Load(site.port), Memory(warm_up_s=warm_up * 60)
        with load.at_work(), _background(environment) as ended:
            _watch(memory, warm_up + minutes)
        sys.stdout.write(
            f"{warm_up:g} minutes of warm-up and {minutes:g} more; "
            f"{ended.total()} times {' or '.join(each[0] for each in BACKGROUND)} meanwhile, "
            f"{ended[False]} of them failed\n\n{load.table()}\n{memory.table()}"
        )
        return 0 if load.is_well and memory.is_flat and not ended[False] else 1


def _watch(memory: "Memory", minutes: float) -> None:
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        memory.sample()
        time.sleep(SAMPLE_S)
    memory.sample()


@contextmanager
def _background(environment: Mapping[str, str]) -> Iterator[Counter[bool]]:
    """Run BACKGROUND until the end of the block; yield the counts of commands that succeeded and failed."""
    ended, is_over = Counter[bool](), threading.Event()

    def work() -> None:
        for command in itertools.cycle(BACKGROUND):
            with subprocess.Popen(  # noqa: S603 - the project's own commands
                [sys.executable, "manage.py", *command], env=environment, stdout=subprocess.DEVNULL
            ) as process:
                while process.poll() is None and not is_over.wait(0.1):
                    pass
                process.terminate()
            if is_over.is_set():
                return
            ended[process.returncode == 0] += 1

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield ended
    finally:
        is_over.set()
        worker.join()


class Visitor:
    """A client whose connection is renewed after some requests, each counted by the load.

    A new connection may reach another web process, so that all of them serve all kinds of pages.
    """

    def __init__(self, load: "Load", kind: str) -> None:
        self._load, self._kind, self._count = load, kind, 0
        self._connection = http.client.HTTPConnection("127.0.0.1", load.port, timeout=TIMEOUT_S)

    def request(
        self, path: str, *, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[http.client.HTTPResponse | None, bytes]:
        """The response with its body; None if there is none."""
        began = time.perf_counter()
        try:
            self._connection.request("GET" if body is None else "POST", path, body, dict(headers or {}))
            answer = self._connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._load.count(self._kind, BROKEN, time.perf_counter() - began)
            time.sleep(PAUSE_AFTER_FAILURE_S)
            return None, b""
        self._load.count(self._kind, answer.status, time.perf_counter() - began)
        self._count += 1
        if self._count % REQUESTS_PER_CONNECTION == 0:
            self._connection.close()
        return answer, content


class Load:
    """All visitors of a site."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._began = time.monotonic()
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._statuses: dict[str, Counter[int]] = defaultdict(Counter)
        self._seconds: dict[str, list[float]] = defaultdict(list)

    def count(self, kind: str, status: int, seconds: float) -> None:
        """Count one response."""
        with self._lock:
            self._statuses[kind][status] += 1
            self._seconds[kind].append(seconds)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Run all visitors until the end of the block."""
        work: tuple[Callable[[], None], ...] = (
            self._read,
            self._read,
            self._read_again,
            self._send,
            self._fetch,
        )
        visitors = [threading.Thread(target=each) for each in work]
        for each in visitors:
            each.start()
        try:
            yield
        finally:
            self._is_over.set()
            for each in visitors:
                each.join()

    def _read(self) -> None:
        """Request pages of all kinds, and those of devices as the API lists them."""
        visitor, draw = Visitor(self, "read"), random.Random(1)  # noqa: S311 - any order will do
        _, listed = visitor.request(DEVICES)
        devices = [f"/devices/{item['slug']}/" for item in json.loads(listed or b"{}").get("results", [])]
        while not self._is_over.wait(READING_PAUSE_S):
            answer, _ = visitor.request(draw.choice([*PAGES, *devices]))
            if answer is not None and answer.status == HTTPStatus.MOVED_PERMANENTLY:  # to its product
                visitor.request(answer.headers["Location"])

    def _read_again(self) -> None:
        """Request the same pages with their last ETag."""
        visitor, etags = Visitor(self, "conditional read"), dict[str, str]()
        for path in itertools.cycle(PAGES):
            if self._is_over.wait(READING_PAUSE_S):
                return
            answer, _ = visitor.request(path, headers={"If-None-Match": etags[path]} if path in etags else {})
            if answer is not None and (etag := answer.headers["ETag"]):
                etags[path] = etag

    def _send(self) -> None:
        """Send pastes, each of another unit."""
        visitor = Visitor(self, "submission")
        for number in itertools.count():
            if self._is_over.wait(SENDING_PAUSE_S):
                return
            text = run_of(number, NEW_MODELS[number % len(NEW_MODELS)]).encode()
            visitor.request("/api/v1/submissions/", body=text, headers={"Content-Type": "text/plain"})

    def _fetch(self) -> None:
        """Download the list of the exports, and each of its files in turn."""
        visitor = Visitor(self, "export")
        for number in itertools.count():
            if self._is_over.wait(EXPORT_PAUSE_S):
                return
            answer, listed = visitor.request(MANIFEST)
            if answer is not None and answer.status == HTTPStatus.OK:
                names = [item["name"] for item in json.loads(listed)["files"]]
                visitor.request(f"/exports/{names[number % len(names)]}")

    @property
    def is_well(self) -> bool:
        """Whether there were responses of every kind, and no errors."""
        return len(self._statuses) == len(KINDS) and all(
            status != BROKEN and status < HTTPStatus.BAD_REQUEST
            for statuses in self._statuses.values()
            for status in statuses
        )

    def table(self) -> str:
        """A table of requests of each kind by status, with the kind's median and 99th percentile."""
        lines = ["| requests | by status | a second | p50 ms | p99 ms |", "|---|---|---:|---:|---:|"]
        for kind, seconds in self._seconds.items():
            ordered = sorted(seconds)
            statuses = ", ".join(
                f"{'broken' if status == BROKEN else status}: {count:,}"
                for status, count in sorted(self._statuses[kind].items())
            )
            p50, p99 = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
            rate = len(ordered) / (time.monotonic() - self._began)
            lines.append(f"| {kind} | {statuses} | {rate:,.0f} | {p50:.1f} | {p99:.1f} |")
        return "\n".join(lines) + "\n"


class Memory:
    """Samples of the anonymous memory of our child processes, without files and PostgreSQL's buffers."""

    def __init__(self, *, warm_up_s: float) -> None:
        self._warm_up_s = warm_up_s
        self._began = time.monotonic()
        self.samples: dict[str, list[tuple[float, float, int]]] = defaultdict(list)

    def sample(self) -> None:
        """Take a sample: for each role, the number of its processes and their MiB."""
        seconds, found = time.monotonic() - self._began, defaultdict[str, list[float]](list)
        for process in descendants(os.getpid()):
            role = next((name for name, word in ROLES.items() if word in command_line(process)), None)
            if role is not None:
                found[role].append(memory_mib(process, "Pss_Anon"))
        for role, sizes in found.items():
            self.samples[role].append((seconds, sum(sizes), len(sizes)))

    def _judged(self, role: str) -> tuple[list[float], list[float]]:
        """Minutes and MiB of the samples after the warm-up."""
        judged = [sample for sample in self.samples[role] if sample[0] >= self._warm_up_s]
        return [seconds / 60 for seconds, _, _ in judged], [mib for _, mib, _ in judged]

    def _growth(self, role: str) -> tuple[float, float]:
        """The medians right after the warm-up and at the end."""
        _, sizes = self._judged(role)
        part = max(1, round(len(sizes) * END))
        return statistics.median(sizes[:part]), statistics.median(sizes[-part:])

    def _is_gone(self, role: str) -> bool:
        """Whether the role's last process ended before the soak."""
        return self.samples[role][-1][0] < max(samples[-1][0] for samples in self.samples.values())

    def _is_flat(self, role: str) -> bool:
        if self._is_gone(role):
            return False
        warm, end = self._growth(role)
        return end - warm <= max(FLAT_MIB, FLAT_SHARE * warm)

    @property
    def is_flat(self) -> bool:
        """Whether every role still runs, and none grew beyond its noise after the warm-up."""
        return all(role in self.samples and self._is_flat(role) for role in ROLES)

    def table(self) -> str:
        """A table with a line per role; growth in MiB per minute, by least squares."""
        lines = [
            "| memory, MiB | processes | at first | after the warm-up | at the end | a minute | |",
            "|---|---:|---:|---:|---:|---:|---|",
        ]
        for role, samples in self.samples.items():
            begin = f"| {role} | {samples[-1][2]} | {samples[0][1]:.1f} |"
            if self._is_gone(role):
                lines.append(f"{begin} | | | **ended after {samples[-1][0] / 60:.1f} minutes** |")
                continue
            warm, end = self._growth(role)
            slope = statistics.linear_regression(*self._judged(role)).slope
            verdict = "flat" if self._is_flat(role) else "**grows**"
            lines.append(f"{begin} {warm:.1f} | {end:.1f} | {slope:+.2f} | {verdict} |")
        return "\n".join(lines) + "\n"
