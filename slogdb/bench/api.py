"""The API beside an empty Django view on the same server: what a page costs to make, to serve again, and to take.

Uncached answers come from Django without the page cache in front; limits are far away, but counted.
"""

import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import psycopg

from slogdb.bench import pages
from slogdb.local_stack import throwaway_stack

RESULTS = 5000
SUBMISSIONS = 200
FAR_AWAY = "1000000/60"
LIMITS = {
    "SLOGDB_LIMIT_ANONYMOUS_READ": FAR_AWAY,
    "SLOGDB_LIMIT_ANONYMOUS_WRITE": FAR_AWAY,
}
LEADERBOARD = "/api/v1/leaderboard/?class=nvme"
SIZES = [512 << slot for slot in range(15)]


@dataclass(frozen=True, slots=True)
class Target:
    """What the ratio to the empty view has to be."""

    name: str
    at_least: float


TARGETS = (
    Target("leaderboard, made anew", 0.25),
    Target("device, made anew", 0.3),
    Target("leaderboard from the page cache", 6.0),
    Target("leaderboard, not changed (304)", 6.0),
    Target("device from the page cache", 6.0),
    Target("device, not changed (304)", 6.0),
)
MOST_MS_A_SUBMISSION = 6.0


def main() -> int:
    with ExitStack() as ending:
        environment = {**ending.enter_context(throwaway_stack()), **LIMITS, "SLOGDB_LOG_LEVEL": "ERROR"}
        folder = Path(ending.enter_context(TemporaryDirectory(prefix="slogdb-bench-")))
        pages._prepare({**environment, "SLOGDB_STATIC_ROOT": str(folder / "static")})
        subprocess.run(
            [sys.executable, "manage.py", "rank"], env=environment, check=True, capture_output=True
        )
        items, site = ending.enter_context(_serving(environment, folder))
        sys.stdout.write(_table(pages._measure(items)))
        sys.stdout.write(_submission_line(_submit_many(site), _commits(environment["DATABASE_URL"])))
    return 0


@contextmanager
def _serving(environment: Mapping[str, str], folder: Path) -> Iterator[tuple[list[pages.Item], int]]:
    """The site, Django without its page cache, and the empty view, each on a port of its own; the site's port."""
    site, plain, floor = (pages._free_port() for _ in range(3))
    settings = {**environment, "SLOGDB_STATIC_ROOT": str(folder / "static")}
    with ExitStack() as ending:
        for name, port, target, module in (
            ("site", site, "slogdb.wsgi:application", "slogdb.settings"),
            ("plain", plain, "slogdb.wsgi:django_application", "slogdb.settings"),
            ("empty view", floor, "slogdb.bench.empty:application", "slogdb.bench.empty_settings"),
        ):
            own = {**settings, "DJANGO_SETTINGS_MODULE": module}
            ending.enter_context(
                pages._running(pages._granian(name, port, target, environment=own, folder=folder))
            )
        yield _items(site=site, plain=plain, floor=floor), site


def _items(*, site: int, plain: int, floor: int) -> list[pages.Item]:
    with urlopen(f"http://127.0.0.1:{site}{LEADERBOARD}&fields=device", timeout=30) as answer:
        device = json.load(answer)["results"][0]["device"]["slug"]
    paths = {"leaderboard": LEADERBOARD, "device": f"/api/v1/devices/{device}/"}
    items = [pages.Item("empty Django view", f"http://127.0.0.1:{floor}/")]
    for name, path in paths.items():
        url = f"http://127.0.0.1:{site}{path}"
        _, etag = pages._fetch(url)
        items += [
            pages.Item(f"{name}, made anew", f"http://127.0.0.1:{plain}{path}"),
            pages.Item(f"{name} from the page cache", url),
            pages.Item(f"{name} from the page cache, brotli", url, "Accept-Encoding: br"),
            pages.Item(f"{name}, not changed (304)", url, f"If-None-Match: {etag}"),
        ]
    return items


def _submit_many(port: int) -> list[float]:
    """Milliseconds a submission, one after the other over one connection; each is there when it is answered."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    times = []
    for number in range(SUBMISSIONS):
        text = run_of(number).encode()
        begun = time.perf_counter()
        connection.request("POST", "/api/v1/submissions/", text, {"Content-Type": "text/plain"})
        answer = connection.getresponse()
        record = json.loads(answer.read())
        times.append((time.perf_counter() - begun) * 1000)
        if answer.status != http.HTTPStatus.CREATED:
            raise SystemExit(f"a submission was not taken: {record}")
    connection.request("GET", f"/api/v1/results/{record['id']}/")
    if connection.getresponse().status != http.HTTPStatus.OK:
        raise SystemExit("a submission was not there right after its answer")
    return times[SUBMISSIONS // 10 :]  # what comes first pays for imports and connections


def _commits(database_url: str) -> list[float]:
    """The floor: milliseconds that a bare INSERT of such a text and its COMMIT take in the same database."""
    times = []
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE floor (id bigserial PRIMARY KEY, text text)")
        for number in range(SUBMISSIONS):
            begun = time.perf_counter()
            connection.execute("INSERT INTO floor (text) VALUES (%s)", [run_of(number)])
            times.append((time.perf_counter() - begun) * 1000)
    return times


def run_of(number: int) -> str:
    """Terminal output of a device of its own, one of forty models."""
    latencies = [(size, round(20 + size / 2048 + number / 10, 1)) for size in SIZES]
    points = [
        f"\t{size / 1024:4.4g} kbytes: {latency_us:8.1f} usec/IO = {size / latency_us * 1e6 / 2**20:8.1f} Mbytes/s"
        for size, latency_us in latencies
    ]
    return "\n".join(
        [
            "# diskinfo -wS /dev/nvd0",
            "/dev/nvd0",
            "\t512         \t# sectorsize",
            f"\t{(number % 40 + 1) * 10**11}\t# mediasize in bytes (100G)",
            "\tNVME BENCH 100\t# Disk descr.",
            f"\tBENCH{number:08d}\t# Disk ident.",
            "",
            "Synchronous random writes:",
            *points,
            "",
        ]
    )


def _table(measured: Mapping[str, list[tuple[float, float]]]) -> str:
    """The rates beside that of the empty view, with what each has to be."""
    rates = {name: sorted(rate for rate, _ in rounds) for name, rounds in measured.items()}
    empty = statistics.median(rates["empty Django view"])
    wanted = {target.name: target.at_least for target in TARGETS}
    lines = [
        f"{pages.CONNECTIONS} connections, {pages.ROUNDS} rounds of {pages.SECONDS} s in turns; "
        "requests a second, min / median / max",
        "",
        "| what answers | requests/s | p99 ms | of the empty view | to be at least |",
        "|---|---|---:|---:|---:|",
    ]
    for name, rounds in rates.items():
        p99 = statistics.median(latency for _, latency in measured[name])
        shown = " / ".join(f"{rate:,.0f}" for rate in rounds)
        lines.append(
            f"| {name} | {shown} | {p99:.1f} | {statistics.median(rounds) / empty:.2f} | {wanted.get(name, '')} |"
        )
    return "\n".join(lines) + "\n"


def _submission_line(times: list[float], floor: list[float]) -> str:
    ordered = sorted(times)
    low, high = ordered[0], ordered[int(len(ordered) * 0.95)]
    return (
        f"\nA submission, one connection, answered and visible: {low:.1f} ms at best, "
        f"{statistics.median(ordered):.1f} in the median, {high:.1f} at the 95th percentile "
        f"(to be at most {MOST_MS_A_SUBMISSION:.0f}). A bare INSERT of its text and COMMIT: "
        f"{min(floor):.1f} ms at best, {statistics.median(floor):.1f} in the median.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
