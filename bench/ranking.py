"""The whole ranking and one submission's part of it, on 20,000 made-up devices with 200,000 results or more.

Beside one plain statement that selects the medians. Linux only: the processors' time is read from /proc.
"""

import math
import random
import re
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Abs

from results.models import DeviceRanking, Result
from results.models.fields import BLOCK_SIZES
from results.ranking.aggregate import SORT_MEMORY
from results.ranking.places import ALL_CLASSES, Board, place_board
from results.ranking.rerank import rerank_devices
from results.ranking.whole import rank_everything

RESULTS = 200_000
DEVICES = 20_000
ROUNDS = 3
SUBMISSIONS = 200
TYPICAL_RESULTS = 300  # of the device that is ranked again and again
_METRICS = [
    *(f"latency_us[{slot}]" for slot in range(1, len(BLOCK_SIZES) + 1)),
    "zil_latency_us",
    "peak_throughput_mib_s",
]
_MEDIANS = ", ".join(f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {metric})" for metric in _METRICS)
FLOOR = f"SELECT device_id, method, {_MEDIANS} FROM results_result WHERE is_ranked GROUP BY device_id, method"  # noqa: S608 - our own names
PARTS = ("its device's row", "the pass of its class", "the pass of all classes")


class Cost(NamedTuple):
    """What a piece of work took: time on the clock, and time of processors in Python and PostgreSQL together."""

    elapsed_ms: float
    processor_ms: float


def main(arguments: Sequence[str]) -> int:
    """`arguments`: how many results to make up, if not RESULTS."""
    count = int(arguments[0]) if arguments else RESULTS
    manage("migrate", "-v0")
    began = time.perf_counter()
    manage("make_results", str(count), "--devices", str(_devices_to_draw(count)))
    sys.stdout.write(f"made up and ranked in {time.perf_counter() - began:.0f} s\n")
    sys.stdout.flush()
    print_figures()
    return 0


def _devices_to_draw(count: int) -> int:
    """So that about DEVICES of them have a result: of many devices few results leave a third without one."""
    return DEVICES * 3 // 2 if count < 30 * DEVICES else DEVICES


def manage(*command: str) -> None:
    """Run a command of manage.py on the same database, without what it prints."""
    subprocess.run(  # noqa: S603 - the project's own commands
        [sys.executable, "manage.py", *command], check=True, stdout=subprocess.DEVNULL
    )


def print_figures() -> None:
    """Measure all in turns, so that ratios hold whatever else the machine does."""
    session = _session()
    works: dict[str, Callable[[], object]] = {
        "bare medians: `percentile_cont` of 17 metrics by device": _select_medians,
        "the whole ranking, nothing to change": _rank_whole,
        "the whole ranking, every row to change": _rank_whole,
    }
    taken: dict[str, list[Cost]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            _prepare(is_stale=name.endswith("every row to change"))
            taken[name].append(_cost(session, work))
    sys.stdout.write(f"{DeviceRanking.objects.count():,} devices, {Result.objects.count():,} results\n\n")
    sys.stdout.write(_whole_table(taken))
    peaks = f"{_own_peak_mib():.0f} MiB in Python, {_session_peak_mib():.0f} MiB in PostgreSQL"
    sys.stdout.write(f"\npeak memory: {peaks}\n\n")
    _prepare(is_stale=False)
    sys.stdout.write(_parts_table({**_rerank_single_results(), **_rerank_typical_device()}))


def _prepare(*, is_stale: bool) -> None:
    """With every row made by another formula, if asked for; and vacuumed, as PostgreSQL would within a minute."""
    if is_stale:
        DeviceRanking.objects.update(formula_version=0)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _select_medians() -> None:
    """With the memory for sorting that the ranking has."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(SORT_MEMORY)
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
    """Each part of the work for one new result after the other, 5 % slower than one that its unit has."""
    ranked = Result.objects.filter(is_ranked=True).order_by("id")
    source = random.Random(1)  # noqa: S311 - a sample, not secrets
    parts: dict[str, list[Cost]] = {name: [] for name in PARTS}
    own, of_class, of_all = parts.values()
    session = _session()
    for result_id in source.sample(list(ranked.values_list("id", flat=True)), SUBMISSIONS):
        with transaction.atomic():
            result = _measure_again(result_id)
            own.append(_cost(session, rerank_devices, [result.device_id]))
        of_class.append(_cost(session, place_board, Board(result.device.device_class, result.method)))
        of_all.append(_cost(session, place_board, Board(ALL_CLASSES, result.method)))
    sums = [Cost(*map(sum, zip(*costs, strict=True))) for costs in zip(*parts.values(), strict=True)]
    return {**parts, "all three": sums}


def _measure_again(result_id: int) -> Result:
    result = Result.objects.select_related("device").get(pk=result_id)
    result.pk = None
    result.public_id, result.position = f"again-{result_id}"[:14], result.position + 100
    result.zil_latency_us = None if result.zil_latency_us is None else result.zil_latency_us * 1.05
    result.save(force_insert=True)
    return result


def _rerank_typical_device() -> dict[str, list[Cost]]:
    """The row of the device whose number of results is nearest to TYPICAL_RESULTS, again and again."""
    rankings = DeviceRanking.objects.annotate(distance=Abs(F("result_count") - TYPICAL_RESULTS))
    device_id, method, count = rankings.values_list("device_id", "method", "result_count").order_by(
        "distance"
    )[0]
    results = Result.objects.filter(device_id=device_id, method=method, is_ranked=True)
    session, costs = _session(), []
    for factor in [1.05, 1 / 1.05] * (SUBMISSIONS // 2):
        with transaction.atomic():
            results.update(zil_latency_us=F("zil_latency_us") * factor)
            costs.append(_cost(session, rerank_devices, [device_id]))
    return {f"the row of a device with {count} results": costs}


def _cost(session: Path, work: Callable[..., object], *arguments: Any) -> Cost:
    before = _processor_ms(session)
    elapsed = _milliseconds(work, *arguments)
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


def _whole_table(taken: Mapping[str, Sequence[Cost]]) -> str:
    floor, *_ = (_median_processor_ms(costs) for costs in taken.values())
    lines = [
        "| what is computed | s of processor | of the floor | s elapsed, min / median / max |",
        "|---|---:|---:|---|",
    ]
    for name, costs in taken.items():
        elapsed = [cost.elapsed_ms / 1000 for cost in costs]
        spread = " / ".join(f"{one:.2f}" for one in (min(elapsed), statistics.median(elapsed), max(elapsed)))
        processor = _median_processor_ms(costs)
        lines.append(f"| {name} | {processor / 1000:.2f} | {processor / floor:.2f} | {spread} |")
    return "\n".join(lines) + "\n"


def _median_processor_ms(costs: Sequence[Cost]) -> float:
    return statistics.median(cost.processor_ms for cost in costs)


def _parts_table(parts: Mapping[str, Sequence[Cost]]) -> str:
    lines = [
        "| after one submission | ms of processor, median | p95 | ms elapsed, median | p95 |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, costs in parts.items():
        processor = _median_and_p95([cost.processor_ms for cost in costs])
        elapsed = _median_and_p95([cost.elapsed_ms for cost in costs])
        lines.append(f"| {name} | {processor} | {elapsed} |")
    return "\n".join(lines) + "\n"


def _median_and_p95(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.1f} | {statistics.quantiles(values, n=20)[-1]:.1f}"
