"""What slogdb.bench.ranking measures, inside Django: the whole ranking beside one statement over the same rows."""

import random
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

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

Milliseconds = dict[str, list[float]]


def print_figures() -> None:
    """Measure both in turns, so that the ratio holds whatever else the machine does."""
    _vacuum()
    taken: Milliseconds = {"`SELECT percentile_cont`, one metric": [], "the whole ranking": []}
    for _ in range(ROUNDS):
        for name, work in zip(taken, (_select_medians, _rank_whole), strict=True):
            taken[name].append(_milliseconds(work))
    sys.stdout.write(f"{DeviceRanking.objects.count():,} devices, {Result.objects.count():,} results\n\n")
    sys.stdout.write(_whole_table(taken))
    sys.stdout.write(
        f"\npeak memory: {_own_peak_mib():.0f} MiB in Python, {_session_peak()} in PostgreSQL\n\n"
    )
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


def _rerank_single_results() -> Milliseconds:
    """Each part of the work for one result after the other that comes out 5 % slower than it was."""
    ranked = Result.objects.filter(is_ranked=True).order_by("id")
    results = ranked.values_list("id", "device_id", "device__device_class", "method")
    source = random.Random(1)  # noqa: S311 - a sample, not secrets
    parts: Milliseconds = {"its device's row": [], "the pass of its class": [], "the pass of all classes": []}
    own, of_class, of_all = parts.values()
    for result_id, device_id, device_class, method in source.sample(list(results), SUBMISSIONS):
        with transaction.atomic():
            Result.objects.filter(pk=result_id).update(zil_latency_us=F("zil_latency_us") * 1.05)
            own.append(_milliseconds(rerank_devices, [device_id]))
        of_class.append(_milliseconds(place_board, Board(device_class, method)))
        of_all.append(_milliseconds(place_board, Board(ALL_CLASSES, method)))
    return parts


def _own_peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _session_peak() -> str:
    """The peak of the process that serves our connection, with the shared pages it touched; Linux alone tells it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        status = Path(f"/proc/{cursor.fetchone()[0]}/status")
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return f"{int(peak[1]) / 1024:.0f} MiB" if peak else "an unknown amount"


def _whole_table(taken: Mapping[str, Sequence[float]]) -> str:
    floor, *_ = (statistics.median(rounds) for rounds in taken.values())
    lines = ["| what is computed | seconds, min / median / max | of the floor |", "|---|---|---:|"]
    for name, rounds in taken.items():
        seconds = [one / 1000 for one in (min(rounds), statistics.median(rounds), max(rounds))]
        shown = " / ".join(f"{one:.2f}" for one in seconds)
        lines.append(f"| {name} | {shown} | {statistics.median(rounds) / floor:.1f} |")
    return "\n".join(lines) + "\n"


def _parts_table(parts: Mapping[str, Sequence[float]]) -> str:
    own, of_class, *_ = parts.values()
    both = [first + second for first, second in zip(own, of_class, strict=True)]
    lines = ["| after one submission | median ms | p95 ms | max ms |", "|---|---:|---:|---:|"]
    for name, taken in {**parts, "row and class together": both}.items():
        p95 = statistics.quantiles(taken, n=20)[-1]
        lines.append(f"| {name} | {statistics.median(taken):.1f} | {p95:.1f} | {max(taken):.1f} |")
    return "\n".join(lines) + "\n"
