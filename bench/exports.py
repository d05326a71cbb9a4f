"""`bin/bench exports [RESULTS]`: each export file compared with COPY of the same rows, a million by default.

`bench.run` runs this in a Django process of the data set.
"""

import resource
import tempfile
import time
from pathlib import Path

from django.conf import settings
from django.db import connection

from bench.bars import Row
from results.exports import build
from results.exports.columns import select_cells
from results.exports.tables import TABLES

RESULTS = 1_000_000


def measure() -> list[Row]:
    """Seconds for each file and for COPY of what queries give, and this process's peak memory; no bars."""
    with tempfile.TemporaryDirectory() as folder:
        queries = {table.name: select_cells(table.columns, table.source) for table in TABLES if table.source}
        floors = {name: _copy_s(query, folder) for name, query in queries.items()}
        settings.EXPORT_FOLDER = folder
        began: list[tuple[str, float]] = []
        build.build_exports(report=lambda name: began.append((name, time.perf_counter())))
        marks = [*(at for _, at in began), time.perf_counter()]
    rows = [Row(f"COPY of the {name}", seconds, "s") for name, seconds in floors.items()]
    for (name, start), end in zip(began, marks[1:], strict=True):
        rows.append(Row(name, end - start, "s"))
        if floor := floors.get(name.partition(".")[0]):
            rows.append(Row(f"{name}, of COPY of its rows", (end - start) / floor))
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [*rows, Row("complete build", marks[-1] - marks[0], "s"), Row("peak memory", peak_mib, "MiB")]


def _copy_s(query: str, folder: str) -> float:
    """Seconds that COPY takes to write these rows to a file."""
    began = time.perf_counter()
    with (
        connection.cursor() as cursor,
        (Path(folder) / "floor.csv").open("wb") as file,
        cursor.cursor.copy(f"COPY ({query}) TO STDOUT WITH (FORMAT csv)") as copied,
    ):
        for block in copied:
            file.write(block)
    return time.perf_counter() - began
