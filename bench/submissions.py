"""Submissions one after the other over one connection: how long each takes to be answered, and is there then."""

import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import psycopg

from bench import pages
from slogdb.local.options import LocalSite
from slogdb.local.programs import worker_program
from slogdb.local.stack import throwaway_stack

RESULTS = 5000
FAR_AWAY = "1000000/60"
LIMITS = {
    "SLOGDB_LIMIT_ANONYMOUS_READ": FAR_AWAY,
    "SLOGDB_LIMIT_ANONYMOUS_WRITE": FAR_AWAY,
}
SUBMISSIONS = 200
MOST_MS = 20.0
SIZES = [512 << slot for slot in range(15)]
_POPULAR = """
    SELECT device.model_name, device.capacity_bytes, ranking.score_us, ranking.result_count
    FROM results_deviceranking AS ranking JOIN results_device AS device ON device.id = ranking.device_id
    WHERE ranking.method = 'diskinfo' AND device.capacity_bytes IS NOT NULL
    ORDER BY ranking.result_count DESC LIMIT 1
"""
_numbers = iter(range(10**8))  # of units: each text is another one


class Model(NamedTuple):
    """What a text names its device by, and how long that takes for small writes."""

    name: str
    capacity_bytes: int
    latency_us: float = 20.0


class Popular(NamedTuple):
    """The device with the most results by diskinfo."""

    model: Model
    result_count: int


NEW_MODELS = [Model("NVME BENCH 100", number * 10**11) for number in range(1, 41)]


@dataclass(frozen=True, slots=True)
class ScratchSite(LocalSite):
    """A site whose data lie in a folder of their own."""

    folder: Path

    @property
    def directory(self) -> Path:
        return self.folder


def main(arguments: Sequence[str]) -> int:
    """`arguments`: how many results are there before, if not RESULTS."""
    results = int(arguments[0]) if arguments else RESULTS
    with ExitStack() as ending:
        environment = {**ending.enter_context(throwaway_stack()), **LIMITS, "SLOGDB_LOG_LEVEL": "ERROR"}
        folder = Path(ending.enter_context(TemporaryDirectory(prefix="slogdb-bench-")))
        environment["SLOGDB_STATIC_ROOT"] = str(folder / "static")
        pages._prepare(environment, results)
        subprocess.run(
            [sys.executable, "manage.py", "rank"], env=environment, check=True, capture_output=True
        )
        port = pages._free_port()
        program = pages._granian(
            "site", port, "slogdb.wsgi:application", environment=environment, folder=folder
        )
        ending.enter_context(pages._running(program))
        sys.stdout.write(measure_submissions(environment, port, folder))
    return 0


def measure_submissions(environment: Mapping[str, str], port: int, folder: Path) -> str:
    """The table of submissions to the site on that port, with and without a worker beside it."""
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        popular = popular_model(connection)
    times = {
        "of a few devices": submit_many(port, NEW_MODELS),
        f"of one with {popular.result_count:,} results": submit_many(port, [popular.model]),
    }
    scratch = ScratchSite("127.0.0.1", port, is_demo=False, folder=folder)
    with pages._running(worker_program(scratch, environment)):
        times["the same, while a worker ranks it"] = submit_many(port, [popular.model])
    times["a bare INSERT of its text and COMMIT"] = bare_inserts(environment["DATABASE_URL"])
    return submission_table(times)


def popular_model(connection: psycopg.Connection) -> Popular:
    """As the database that this leads to has it."""
    found = connection.execute(_POPULAR).fetchone()
    if found is None:
        raise SystemExit("nothing is ranked")
    *named, count = found
    return Popular(Model(*named), count)


def submit_many(port: int, models: Sequence[Model]) -> list[float]:
    """Milliseconds a submission; the first tenth, which pays for imports and connections, left out."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    times = []
    for number in range(SUBMISSIONS):
        text = run_of(next(_numbers), models[number % len(models)]).encode()
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
    return times[SUBMISSIONS // 10 :]


def bare_inserts(database_url: str) -> list[float]:
    """The floor: milliseconds that a bare INSERT of such a text and its COMMIT take in the same database."""
    times = []
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE floor (id bigserial PRIMARY KEY, text text)")
        for number in range(SUBMISSIONS):
            begun = time.perf_counter()
            connection.execute("INSERT INTO floor (text) VALUES (%s)", [run_of(number, NEW_MODELS[0])])
            times.append((time.perf_counter() - begun) * 1000)
    return times


def run_of(number: int, model: Model) -> str:
    """Terminal output of a unit of its own, up to twice as slow as the model's others."""
    factor = (1 + number % 200 / 200) * model.latency_us
    latencies = [(size, round(factor * (1 + size / 40_000), 1)) for size in SIZES]
    points = [
        f"\t{size / 1024:4.4g} kbytes: {latency_us:8.1f} usec/IO = {size / latency_us * 1e6 / 2**20:8.1f} Mbytes/s"
        for size, latency_us in latencies
    ]
    return "\n".join(
        [
            "# diskinfo -wS /dev/nvd0",
            "/dev/nvd0",
            "\t512         \t# sectorsize",
            f"\t{model.capacity_bytes}\t# mediasize in bytes (100G)",
            f"\t{model.name}\t# Disk descr.",
            f"\tBENCH{number:08d}\t# Disk ident.",
            "",
            "Synchronous random writes:",
            *points,
            "",
        ]
    )


def submission_table(times: Mapping[str, Sequence[float]]) -> str:
    """Milliseconds of each kind, the floor last: best, median, 95th percentile, and medians beside the floor's."""
    floor = statistics.median(list(times.values())[-1])
    lines = [
        f"Submissions over one connection, answered and visible, to take at most {MOST_MS:g} ms:",
        "",
        "| a submission | best, ms | median | 95th percentile | of the floor |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, all_of_them in times.items():
        ordered = sorted(all_of_them)
        middle, high = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
        lines.append(f"| {name} | {ordered[0]:.1f} | {middle:.1f} | {high:.1f} | {middle / floor:.0f} |")
    return "\n".join(lines) + "\n"
