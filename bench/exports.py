"""The export of a million made-up results beside COPY of the same rows: seconds, ratio, peak memory."""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

from bench.ranking import DEVICES, manage
from results.exports import build
from results.exports.columns import select_points, select_results
from results.models import Result

RESULTS = 1_000_000


def main(arguments: Sequence[str]) -> int:
    """`arguments`: how many results to make up, if not RESULTS."""
    count = int(arguments[0]) if arguments else RESULTS
    manage("migrate", "-v0")
    manage("make_results", str(count), "--devices", str(DEVICES))
    print_figures()
    return 0


def print_figures() -> None:
    """Seconds, the ratio to COPY of the same rows and the highest memory of this process."""
    with tempfile.TemporaryDirectory() as folder:
        floors = {"results": _floor(select_results(), folder), "points": _floor(select_points(), folder)}
        settings.EXPORT_FOLDER = folder
        before = _peak_mib()
        began = time.perf_counter()
        marks: list[tuple[str, float]] = []
        build.build_exports(say=lambda name: marks.append((name, time.perf_counter())))
        ended = time.perf_counter()
    _say(f"{Result.objects.count():,} results")
    for name, seconds in floors.items():
        _say(f"{'COPY of the ' + name:24} {seconds:8.2f} s")
    following = [at for _, at in marks[1:]] + [ended]
    for (name, at), end in zip(marks, following, strict=True):
        floor = floors["points" if name == "points.csv" else "results"]
        _say(f"{name:24} {end - at:8.2f} s {(end - at) / floor:6.2f} x COPY of its rows")
    _say(f"{'the whole build':24} {ended - began:8.2f} s")
    _say(f"{'peak memory':24} {_peak_mib():8.0f} MiB ({before:.0f} before)")


def _floor(query: str, folder: str) -> float:
    """Seconds that COPY takes to write these rows into a file."""
    began = time.perf_counter()
    with connection.cursor() as cursor, (Path(folder) / "floor.csv").open("wb") as file:
        raw: Any = cursor.cursor
        with raw.copy(f"COPY ({query}) TO STDOUT WITH (FORMAT csv)") as copied:
            write: Callable[[Any], Any] = file.write
            for block in copied:
                write(block)
    return time.perf_counter() - began


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
