"""The API beside an empty Django view on the same server: what a page costs to make, to serve again, and to take.

Uncached answers come from Django without the page cache in front; limits are far away, but counted.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from bench import pages
from bench.submissions import LIMITS, measure_submissions
from slogdb.local.stack import throwaway_stack

RESULTS = 5000
LEADERBOARD = "/api/v1/leaderboard/?class=nvme"


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


def main(arguments: Sequence[str]) -> int:
    """`arguments`: of how many results, if not RESULTS."""
    results = int(arguments[0]) if arguments else RESULTS
    with ExitStack() as ending:
        environment = {**ending.enter_context(throwaway_stack()), **LIMITS, "SLOGDB_LOG_LEVEL": "ERROR"}
        folder = Path(ending.enter_context(TemporaryDirectory(prefix="slogdb-bench-")))
        pages._prepare({**environment, "SLOGDB_STATIC_ROOT": str(folder / "static")}, results)
        subprocess.run(
            [sys.executable, "manage.py", "rank"], env=environment, check=True, capture_output=True
        )
        items, site = ending.enter_context(_serving(environment, folder))
        sys.stdout.write(f"{results:,} made-up results; {_table(pages._measure(items))}\n")
        sys.stdout.write(measure_submissions(environment, site, folder))
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
            ("empty view", floor, "bench.empty_site.wsgi:application", "bench.empty_site.settings"),
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
