"""Submissions over one connection: the time until each is stored, ranked and visible."""

import http.client
import itertools
import json
import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import psycopg

from bench.bars import BenchmarkError, Row
from bench.site import SITE, DataSet, fetch, running
from slogdb.local.options import LocalSite
from slogdb.local.programs import worker_program

MEDIAN_MS = 50.0
SIZES = [512 << slot for slot in range(15)]
# Near the mean of their products: a result ten times slower than others of its product isn't ranked.
_KNOWN = """
    WITH known AS (
        SELECT device.id, device.model_name, device.capacity_bytes, ranking.score, ranking.result_count,
            ln(ranking.score) - avg(ln(ranking.score)) OVER (PARTITION BY device.product_id) AS distance
        FROM results_deviceranking AS ranking JOIN results_device AS device ON device.id = ranking.device_id
        WHERE ranking.board = 'sync_write' AND ranking.method = 'diskinfo'
        AND device.capacity_bytes IS NOT NULL AND device.product_id IS NOT NULL
    )
    SELECT model_name, capacity_bytes, score, result_count FROM known
    WHERE abs(distance) < ln(2) ORDER BY result_count DESC, id
"""
MIN_RESULTS = 10  # of a known model that is not the most popular one
MODELS = 40
_unit_numbers = itertools.count()  # each text is from another unit


class Model(NamedTuple):
    """A model: how texts name it, the latency of its small writes, and its number of results."""

    name: str
    capacity_bytes: int
    latency_us: float = 20.0
    result_count: int = 0


NEW_MODELS = [Model("NVME BENCH 100", number * 10**11) for number in range(1, MODELS + 1)]


def measure(data: DataSet, *, submissions: int) -> list[Row]:
    """Times for models in the catalogue, for new ones, and for the most popular one, whose ranking is deferred."""
    with psycopg.connect(data.environment["DATABASE_URL"]) as connection:
        popular, usual = known_models(connection)
    insert = bare_inserts(data.environment["DATABASE_URL"], submissions)
    with data.serve(SITE) as port:
        times = {
            "a model in the catalogue": submit_many(port, usual, submissions, is_ranked=True),
            "a model that nobody sent before": submit_many(port, NEW_MODELS, submissions),
            f"a model with {popular.result_count:,} results": submit_many(port, [popular], submissions),
        }
        site = LocalSite("127.0.0.1", port, is_demo=False, var=data.folder)
        with running(worker_program(site, data.environment)):
            beside_worker = submit_many(port, usual, submissions, is_ranked=True)
    return [
        Row("INSERT and COMMIT of a text, median", statistics.median(insert), "ms"),
        *(
            Row(f"submission of {name}, median", statistics.median(each), "ms", MEDIAN_MS)
            for name, each in times.items()
        ),
        Row(
            "submission of a model in the catalogue while a worker ranks, median",
            statistics.median(beside_worker),
            "ms",
        ),
    ]


def known_models(connection: psycopg.Connection) -> tuple[Model, list[Model]]:
    """The model with the most results, and some with few; BenchmarkError if there are none."""
    known = [Model(*row) for row in connection.execute(_KNOWN).fetchall()]
    usual = [model for model in known[1:] if model.result_count >= MIN_RESULTS][-MODELS:]
    if not usual:
        raise BenchmarkError("too few models of the catalogue are ranked")
    return known[0], usual


class Sender:
    """A connection for sending submissions."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def submit(self, model: Model) -> Mapping[str, Any]:
        """Send the text of a new unit; return its result's record. BenchmarkError if it was not stored."""
        text = run_of(next(_unit_numbers), model).encode()
        self._connection.request("POST", "/api/v1/submissions/", text, {"Content-Type": "text/plain"})
        answer = self._connection.getresponse()
        body = answer.read()
        if answer.status != http.HTTPStatus.CREATED:
            raise BenchmarkError(f"a submission was answered with {answer.status}: {body[:500]!r}")
        (result,) = json.loads(body)["results"]
        return dict(result)


def submit_many(port: int, models: Sequence[Model], count: int, *, is_ranked: bool = False) -> list[float]:
    """Milliseconds of each submission, without the first tenth, which includes imports and connecting.

    With `is_ranked`, submissions held for moderation are left out, too. BenchmarkError if most of them are, or if one
    is not visible right after its response.
    """
    sender, times, reason = Sender(port), [], ""
    for number in range(count):
        began = time.perf_counter()
        result = sender.submit(models[number % len(models)])
        elapsed_ms = (time.perf_counter() - began) * 1000
        if number % 10 == 0:
            fetch(f"http://127.0.0.1:{port}/api/v1/results/{result['id']}/")
        reason = result["not_ranked_reason"] or reason
        if number >= count // 10 and (result["is_ranked"] or not is_ranked):
            times.append(elapsed_ms)
    if len(times) < count / 2:
        raise BenchmarkError(f"only {len(times)} of {count} submissions were ranked: {reason}")
    return times


def bare_inserts(database_url: str, count: int) -> list[float]:
    """Milliseconds for an INSERT of such a text and its COMMIT in the same database."""
    times = []
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS floor (id bigserial PRIMARY KEY, text text)")
        for number in range(count):
            began = time.perf_counter()
            connection.execute("INSERT INTO floor (text) VALUES (%s)", [run_of(number, NEW_MODELS[0])])
            times.append((time.perf_counter() - began) * 1000)
        connection.execute("DROP TABLE floor")
    return times


def run_of(number: int, model: Model) -> str:
    """Terminal output of a new unit, up to twice as slow as the model's others."""
    factor = (1 + number % 997 / 997) * model.latency_us  # 997: the same figures twice would be a copy
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
