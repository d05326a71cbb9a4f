"""`bin/bench lighthouse [ADDRESS]`: Lighthouse's scores for four kinds of page on its mobile preset.

Without ADDRESS it measures a site with made-up results. Needs npx of Node.js, which fetches Lighthouse, and the
Chromium of the tests.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from bench import bars
from bench.bars import BenchmarkError, Row
from bench.misses import linked_addresses
from bench.site import SITE, DataSets

LIGHTHOUSE = "lighthouse@12.8.2"  # the last one for Node.js 20
CHROMIUM_FLAGS = "--headless=new --no-sandbox --disable-dev-shm-usage"
RESULTS = 5000
ROUNDS = 3
LEAST = {"performance": 95.0, "accessibility": 100.0, "best-practices": 100.0, "seo": 100.0}
LARGEST_PAINT_S = 1.8
TIMEOUT_S = 300


def main(arguments: Sequence[str]) -> int:
    """Run the benchmark, on the site whose address `arguments` may contain; return the exit status."""
    try:
        rows = measure(arguments[0].rstrip("/")) if arguments else _measure_made_up()
    except BenchmarkError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(bars.table(rows))
    return bars.status(rows)


def _measure_made_up() -> list[Row]:
    with DataSets() as data, data.of(RESULTS).serve(SITE) as port:
        return measure(f"http://127.0.0.1:{port}")


def measure(site: str) -> list[Row]:
    """The rows of the home page, the leaderboard, its first device and the submit page."""
    if shutil.which("npx") is None:
        raise BenchmarkError("Lighthouse needs npx (Debian: apt-get install npm)")
    device, *_ = linked_addresses(site, ["/leaderboard/"], "drives")
    return [
        row
        for path in ("/", "/leaderboard/", device, "/submit/")
        for row in rows(path, [report(f"{site}{path}") for _ in range(ROUNDS)])
    ]


def report(url: str) -> Any:
    """Lighthouse's report as JSON; its default preset is the mobile one."""
    options = ["--quiet", "--output=json", f"--chrome-flags={CHROMIUM_FLAGS}"]
    command = ["npx", "--yes", LIGHTHOUSE, url, *options, f"--only-categories={','.join(LEAST)}"]
    done = subprocess.run(  # noqa: S603 - our own address
        command,
        env={**os.environ, "CHROME_PATH": chromium()},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    if done.returncode:
        raise BenchmarkError(f"Lighthouse failed on {url}: {done.stderr[-1000:]}")
    return json.loads(done.stdout)


def chromium() -> str:
    """The program that the browser tests run in (tests/chromium.py)."""
    code = (
        "from tests import chromium; from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as one: print(chromium._own_chromium() or one.chromium.executable_path)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)  # noqa: S603 - our own
    if found.returncode:
        raise BenchmarkError("Lighthouse needs the Chromium of the tests: run bin/test once")
    return found.stdout.strip()


def rows(path: str, reports: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The medians of several runs; a run with an error has no score, and therefore fails."""
    found = [
        Row(
            f"{path}: {name}",
            statistics.median((report["categories"][name]["score"] or 0) * 100 for report in reports),
            limit=least,
            is_minimum=True,
        )
        for name, least in LEAST.items()
    ]
    paints = [
        report["audits"]["largest-contentful-paint"].get("numericValue", 0) / 1000 for report in reports
    ]
    return [*found, Row(f"{path}: largest contentful paint", statistics.median(paints), "s", LARGEST_PAINT_S)]
