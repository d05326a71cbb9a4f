"""What slogdb.bench.ranking measures, inside Django and on Linux: the whole ranking beside one plain statement."""

import math
import random
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import F

from results.models import DeviceRanking, Result
from results.ranking.places import ALL_CLASSES, Board, place_board
from results.ranking.rerank import rerank_devices
from results.ranking.whole import rank_everything

ROUNDS = 3
SUBMISSIONS = 200
FLOOR = """
    SELECT device_id, method, percentile_cont(0.5) WITHIN GROUP (ORDER BY zil_latency_us)
    FROM results_result WHERE is_ranked GROUP BY device_id, method
"""
PARTS = ("its device's row", "the pass of its class", "the pass of all classes")


class Cost(NamedTuple):
    """What a piece of work took: time on the clock, and time of processors in Python and PostgreSQL together."""

    elapsed_ms: float
    processor_ms: float


def print_figures() -> None:
    """Measure both in turns, so that the ratio holds whatever else the machine does."""
    _vacuum()
    taken: dict[str, list[float]] = {"`SELECT percentile_cont`, one metric": [], "the whole ranking": []}
    for _ in range(ROUNDS):
        for name, work in zip(taken, (_select_medians, _rank_whole), strict=True):
            taken[name].append(_milliseconds(work))
    sys.stdout.write(f"{DeviceRanking.objects.count():,} devices, {Result.objects.count():,} results\n\n")
    sys.stdout.write(_whole_table(taken))
    peaks = f"{_own_peak_mib():.0f} MiB in Python, {_session_peak_mib():.0f} MiB in PostgreSQL"
    sys.stdout.write(f"\npeak memory: {peaks}\n\n")
    _vacuum()
    sys.stdout.write(_parts_table(_rerank_single_results()))


def _vacuum() -> None:
    """As PostgreSQL would by itself within a minute."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _select_medians() -> None:
    with connection.cursor() as cursor:
        cursor.execute(FLOOR)
        cursor.fetchall()


def _rank_whole() -> None:
    for _ in rank_everything():
        pass


def _milliseconds(work: Callable[..., object], *arguments: Any) -> float:
    began = time.perf_counter()
    work(*arguments)
    return (time.perf_counter() - began) * 1000


def _rerank_single_results() -> dict[str, list[Cost]]:
    """Each part of the work for one result after the other that comes out 5 % slower than it was."""
    ranked = Result.objects.filter(is_ranked=True).order_by("id")
    results = ranked.values_list("id", "device_id", "device__device_class", "method")
    source = random.Random(1)  # noqa: S311 - a sample, not secrets
    parts: dict[str, list[Cost]] = {name: [] for name in PARTS}
    own, of_class, of_all = parts.values()
    session = _session()
    for result_id, device_id, device_class, method in source.sample(list(results), SUBMISSIONS):
        with transaction.atomic():
            Result.objects.filter(pk=result_id).update(zil_latency_us=F("zil_latency_us") * 1.05)
            own.append(_cost(session, rerank_devices, [device_id]))
        of_class.append(_cost(session, place_board, Board(device_class, method)))
        of_all.append(_cost(session, place_board, Board(ALL_CLASSES, method)))
    return parts


def _cost(session: Path, work: Callable[..., object], argument: Any) -> Cost:
    before = _processor_ms(session)
    elapsed = _milliseconds(work, argument)
    return Cost(elapsed, _processor_ms(session) - before)


def _processor_ms(session: Path) -> float:
    """What this process and the one that serves its connection have used of the processors."""
    in_postgresql = int((session / "schedstat").read_text().split()[0]) / 1e6
    return time.process_time() * 1000 + in_postgresql


def _session() -> Path:
    """The process that serves our connection, as Linux shows it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return Path(f"/proc/{cursor.fetchone()[0]}")


def _own_peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _session_peak_mib() -> float:
    """With the shared pages that it touched."""
    peak = re.search(r"VmHWM:\s+(\d+) kB", (_session() / "status").read_text())
    return int(peak[1]) / 1024 if peak else math.nan


def _whole_table(taken: Mapping[str, Sequence[float]]) -> str:
    floor, *_ = (statistics.median(rounds) for rounds in taken.values())
    lines = ["| what is computed | seconds, min / median / max | of the floor |", "|---|---|---:|"]
    for name, rounds in taken.items():
        seconds = [one / 1000 for one in (min(rounds), statistics.median(rounds), max(rounds))]
        shown = " / ".join(f"{one:.2f}" for one in seconds)
        lines.append(f"| {name} | {shown} | {statistics.median(rounds) / floor:.1f} |")
    return "\n".join(lines) + "\n"


def _parts_table(parts: Mapping[str, Sequence[Cost]]) -> str:
    own, of_class, *_ = parts.values()
    both = [
        Cost(row.elapsed_ms + board.elapsed_ms, row.processor_ms + board.processor_ms)
        for row, board in zip(own, of_class, strict=True)
    ]
    lines = [
        "| after one submission | ms of processor, median | p95 | ms elapsed, median | p95 |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, costs in {**parts, "its row and its class": both}.items():
        processor = _median_and_p95([cost.processor_ms for cost in costs])
        elapsed = _median_and_p95([cost.elapsed_ms for cost in costs])
        lines.append(f"| {name} | {processor} | {elapsed} |")
    return "\n".join(lines) + "\n"


def _median_and_p95(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.1f} | {statistics.quantiles(values, n=20)[-1]:.1f}"
