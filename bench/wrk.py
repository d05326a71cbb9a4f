"""Load by wrk: rates and latencies of URLs, measured in turns so that other load doesn't distort ratios."""

import json
import math
import re
import shutil
import statistics
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.bars import BenchmarkError
from bench.site import EMPTY, DataSet, fetch, log

REQUIRED_TOOLS = ("wrk", "nginx")
CONNECTIONS = 16
TIMEOUT_S = 30
_MS_PER = {"us": 0.001, "ms": 1.0, "s": 1000.0}


class Load(NamedTuple):
    """Requests per second and latencies of one round, or the medians of several."""

    rate: float
    p50_ms: float
    p99_ms: float


NOT_MEASURED = Load(math.nan, math.nan, math.nan)


class Target(NamedTuple):
    """A URL, or a site and a script of URLs that are requested in turn."""

    url: str
    header: str = ""
    script: Path | None = None
    check_url: str = ""  # with a script: one of its URLs


def missing_tools() -> str:
    """A sentence that says what to install; empty if nothing is missing."""
    missing = [tool for tool in REQUIRED_TOOLS if shutil.which(tool) is None]
    if not missing:
        return ""
    return f"these benchmarks need {' and '.join(missing)} (Debian: apt-get install wrk nginx-light)"


def measure_in_turns(
    targets: Mapping[str, Target], *, connections: int, rounds: int, seconds: int
) -> dict[str, Load]:
    """The medians of the rounds by name, after a second of warm-up each."""
    found: dict[str, list[Load]] = {name: [] for name in targets}
    for target in targets.values():
        _run(target, connections=connections, seconds=1)
    for _ in range(rounds):
        for name, target in targets.items():
            fetch(target.check_url or target.url)  # waits for the previous round's outstanding requests
            printed = _run(target, connections=connections, seconds=seconds)
            found[name].append(read_wrk(name, printed))
    return {name: median_load(loads) for name, loads in found.items()}


def empty_view_ms(data: DataSet) -> float:
    """The median of an empty Django view behind the site's middleware, at one connection."""
    with data.serve(EMPTY) as port:
        target = {"empty view": Target(f"http://127.0.0.1:{port}/")}
        return measure_in_turns(target, connections=1, rounds=3, seconds=1)["empty view"].p50_ms


def median_load(loads: Sequence[Load]) -> Load:
    """The medians of several rounds; NOT_MEASURED if any round was not measured."""
    if NOT_MEASURED in loads:
        return NOT_MEASURED
    return Load(*map(statistics.median, zip(*loads, strict=True)))


def _run(target: Target, *, connections: int, seconds: int) -> str:
    header = ["-H", target.header] if target.header else []
    script = ["-s", str(target.script)] if target.script else []
    options = ["-t1", f"-c{connections}", f"-d{seconds}s", f"--timeout={TIMEOUT_S}s", "--latency"]
    command = ["wrk", *options, *script, *header, target.url]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - our address


def read_wrk(name: str, printed: str) -> Load:
    """The figures that wrk printed; NOT_MEASURED if a request failed, or if none was answered."""
    rate = re.search(r"Requests/sec:\s+([\d.]+)", printed)
    load = Load(float(rate[1]) if rate else 0.0, _latency(printed, 50), _latency(printed, 99))
    if "Non-2xx" in printed or "Socket errors" in printed or not (load.rate > 0 and load.p50_ms > 0):
        log(f"{name}: requests failed, or none was answered:\n{printed}")
        return NOT_MEASURED
    return load


def _latency(printed: str, percentile: int) -> float:
    found = re.search(rf"\b{percentile}%\s+([\d.]+)(us|ms|s)\b", printed)
    return float(found[1]) * _MS_PER[found[2]] if found else math.nan


def script_target(script: Path, site: str, paths: Sequence[str]) -> Target:
    """A target that requests the paths in turn, each after a check that it returns 200."""
    if not paths:
        raise BenchmarkError(f"{script.stem}: there is no address to request")
    for path in paths:
        fetch(f"{site}{path}")
    return Target(site, script=write_script(script, paths), check_url=f"{site}{paths[0]}")


def write_script(path: Path, addresses: Iterable[str]) -> Path:
    """Write the Lua script with which wrk requests the URLs in turn, repeatedly."""
    listed = ",\n".join(json.dumps(address) for address in addresses)
    path.write_text(
        f"local addresses = {{\n{listed}\n}}\nlocal turn = 0\n"
        "request = function()\n  turn = turn % #addresses + 1\n"
        '  return wrk.format("GET", addresses[turn])\nend\n',
        encoding="utf-8",
    )
    return path
