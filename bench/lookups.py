"""Lookups of 50 drives and checks of a SMART text over one connection: the time until each is answered."""

import http.client
import json
import statistics
import time
from collections.abc import Callable

import psycopg

from bench.bars import BenchmarkError, Row
from bench.site import DJANGO, DataSet
from bench.submissions import Model, known_models

LOOKUP_MS, CHECK_MS = 50.0, 20.0
DRIVES = 50  # of a lookup; each tenth has a name that nothing has
REQUESTS = 40
_NAMES = """
    SELECT model_name, coalesce(capacity_bytes, 0) FROM results_device WHERE result_count > 0
    ORDER BY md5(id::text) LIMIT 2000
"""
_SMART = """\
smartctl 7.4 2023-08-01 r5530 [FreeBSD 14.1-RELEASE amd64] (local build)
=== START OF INFORMATION SECTION ===
Model Number:                       {name}
Serial Number:                      BENCH{number:08d}
Firmware Version:                   1.0
Total NVM Capacity:                 {capacity:,} [{gigabytes} GB]
=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED
SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Temperature:                        34 Celsius
Available Spare:                    100%
Available Spare Threshold:          10%
Percentage Used:                    3%
Data Units Written:                 195,312,500 [100 TB]
Power Cycles:                       43
Power On Hours:                     20,000
"""


def measure(data: DataSet) -> list[Row]:
    """Medians for drives that were measured, each request for others; the model with the most results apart."""
    with psycopg.connect(data.environment["DATABASE_URL"]) as connection:
        models = [Model(*row) for row in connection.execute(_NAMES).fetchall()]
        popular, _ = known_models(connection)
    with data.serve(DJANGO) as port:
        lookup = times_ms(port, "lookup", lambda number: lookup_body(models, number), "application/json")
        check = times_ms(port, "drives/check", lambda number: smart(models[number], number))
        heaviest = times_ms(port, "drives/check", lambda number: smart(popular, number))
    return [
        Row(f"lookup of {DRIVES} drives, median", statistics.median(lookup), "ms", LOOKUP_MS),
        Row("check of a SMART text, median", statistics.median(check), "ms", CHECK_MS),
        Row(
            f"check of a model with {popular.result_count:,} results",
            statistics.median(heaviest),
            "ms",
            CHECK_MS,
        ),
    ]


def lookup_body(models: list[Model], number: int) -> bytes:
    first = number * DRIVES
    names = [models[at % len(models)].name for at in range(first, first + DRIVES)]
    drives = [{"model": f"XQ{first + at}Z7{at}" if at % 10 == 0 else name} for at, name in enumerate(names)]
    return json.dumps({"drives": drives}).encode()


def smart(model: Model, number: int) -> bytes:
    capacity = model.capacity_bytes
    values = {"capacity": capacity, "gigabytes": capacity // 10**9, "number": number}
    return _SMART.format(name=model.name, **values).encode()


def times_ms(
    port: int, path: str, body: Callable[[int], bytes], content_type: str = "text/plain"
) -> list[float]:
    """Milliseconds of each request, without the first tenth; BenchmarkError if one isn't answered."""
    connection, times = http.client.HTTPConnection("127.0.0.1", port, timeout=60), []
    for number in range(REQUESTS):
        sent = body(number)
        began = time.perf_counter()
        connection.request("POST", f"/api/v1/{path}/", sent, {"Content-Type": content_type})
        answer = connection.getresponse()
        read = answer.read()
        times.append((time.perf_counter() - began) * 1000)
        if answer.status != http.client.OK:
            raise BenchmarkError(f"{path} was answered with {answer.status}: {read[:500]!r}")
    return times[REQUESTS // 10 :]
