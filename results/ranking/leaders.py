"""The best device of each class, and how many devices each class has."""

from collections.abc import Collection
from typing import Any

from django.db.models import Count

from results.models import DeviceRanking
from results.models.choices import DEVICE_CLASSES, Method
from results.ranking.boards import ends_by_class
from results.ranking.intervals import Interval
from results.ranking.recommend import best_of_each_class
from results.ranking.ties import Ends, find_place
from results.ranking.vouched import vouched_figures

ROW_FIELDS = (
    "device__slug",
    "device__model_name",
    "device__vendor",
    "device__capacity_bytes",
    "device__product__vendor__name",
    "device__product__plp",
    "device__product__plp_statements",
    "device__elsewhere_count",
    "device__result_count",
    "device_class",
    "method",
    "metrics",
    "unit_count",
    "result_count",
    "last_measured_on",
    "score_us",
    "low_us",
    "high_us",
)

FIELDS_WITH_CURVE = (*ROW_FIELDS, "median_us")

Row = dict[str, Any]


def count_by_class(method: str, classes: Collection[str] = DEVICE_CLASSES) -> dict[str, int]:
    """The number of devices of each non-empty class by this method, in display order. One query."""
    rankings = DeviceRanking.objects.filter(method=method, device_class__in=classes)
    counts = dict(rankings.values_list("device_class").annotate(Count("id")))
    return {value: counts[value] for value in DEVICE_CLASSES if value in counts}


def best_by_class() -> list[Row]:
    """The best recommended device of each class that has one, with its `median_us` and its `place`.

    By diskinfo, or by fio if diskinfo has none. The figures are those behind the recommendation; the place is
    that on the method's leaderboard. Four queries a method.
    """
    by_diskinfo, by_fio = _best_by(Method.DISKINFO), _best_by(Method.FIO)
    best = {row["device_class"]: row for row in (*by_fio, *by_diskinfo)}
    return [best[value] for value in sorted(best)]


def _best_by(method: str) -> list[Row]:
    best = DeviceRanking.objects.filter(pk__in=best_of_each_class(1, method))
    rows: list[Row] = list(best.values("device_id", *FIELDS_WITH_CURVE))
    ends = ends_by_class(method)
    figures = vouched_figures([row["device_id"] for row in rows], method)
    for row in rows:
        row["place"] = find_place(
            ends.get(row["device_class"], Ends()), Interval(row["low_us"], row["high_us"])
        )
        row |= figures[row["device_id"]]._asdict()
    return rows
