"""The full ranking, compared with one plain statement that selects the same medians.

`bench.run` runs this in a Django process of the data set.
"""

import statistics
import time
from collections.abc import Callable

from django.db import connection, transaction

from bench.bars import BenchmarkError, Row
from results.kinds.curve.metrics import METRICS
from results.models import DeviceRanking, Result
from results.models.fields import BLOCK_SIZES
from results.ranking.medians import SORT_MEMORY, rank_everything

MAX_FLOOR_RATIO = 4.0
_METRICS = [
    *(f"latency_us[{slot}]" for slot in range(1, len(BLOCK_SIZES) + 1)),
    *(f"(metrics -> '{key}')::double precision" for key in METRICS),
]
_MEDIANS = ", ".join(f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {metric})" for metric in _METRICS)
FLOOR = f"SELECT device_id, method, {_MEDIANS} FROM results_result WHERE is_ranked GROUP BY device_id, method"  # noqa: S608 - our own names


def measure(rounds: int) -> list[Row]:
    """Elapsed seconds, measured in turns: bare medians, ranking unchanged rows, ranking outdated rows."""
    taken: dict[str, list[float]] = {"medians": [], "unchanged": [], "outdated": []}
    for _ in range(rounds):
        for name, seconds in taken.items():
            prepare(is_outdated=name == "outdated")
            seconds.append(_elapsed_s(_select_medians if name == "medians" else rank))
    return rows({name: statistics.median(seconds) for name, seconds in taken.items()}, Result.objects.count())


def rows(seconds: dict[str, float], results: int) -> list[Row]:
    """The ranking with no row and with every row changing, as a multiple of the medians."""
    floor = seconds["medians"]
    return [
        Row(f"bare medians of {len(_METRICS)} metrics, {results:,} results", floor, "s"),
        Row("full ranking, nothing to change", seconds["unchanged"], "s"),
        Row("full ranking, every row to change", seconds["outdated"], "s"),
        Row(
            "full ranking, nothing to change, of the medians",
            seconds["unchanged"] / floor,
            "",
            MAX_FLOOR_RATIO,
        ),
        Row(
            "full ranking, every row to change, of the medians",
            seconds["outdated"] / floor,
            "",
            MAX_FLOOR_RATIO,
        ),
    ]


def prepare(*, is_outdated: bool) -> None:
    """Vacuum, as PostgreSQL would within a minute, and set an older formula on every row if `is_outdated`."""
    if is_outdated:
        DeviceRanking.objects.update(formula_version=0)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _elapsed_s(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _select_medians() -> None:
    """Select the medians, with the same sort memory as the ranking."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(SORT_MEMORY)
        cursor.execute(FLOOR)
        if not cursor.fetchall():
            raise BenchmarkError("nothing is ranked")


def rank() -> None:
    for _ in rank_everything():
        pass
