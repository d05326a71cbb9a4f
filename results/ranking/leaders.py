"""The best device of each class, and how many devices each class has."""

from collections.abc import Collection
from typing import Any

from django.db.models import Count

from results.core.subject import DEVICE_COLUMNS
from results.models import DeviceRanking
from results.models.choices import DEVICE_CLASSES, Board
from results.models.device import for_device
from results.ranking.boards import ends_by_class
from results.ranking.recommend import IS_RECOMMENDED, best_of_each_class, vouched_figures
from results.ranking.standing import main_rows
from results.ranking.ties import Ends, Span, find_place

FIELDS_WITH_CURVE = (
    *for_device(*DEVICE_COLUMNS, "vendor", "conditions"),
    *("board", "device_class", "method", "metrics", "unit_count", "result_count", "last_measured_on"),
    *("score", "low", "high", "assumed_spread", "digits"),
    *("recommended_score", "recommended_low", "recommended_high", "median_us"),
)

Row = dict[str, Any]


def count_by_class(board: str = Board.SYNC_WRITE) -> dict[str, int]:
    """The number of devices of each non-empty class on a board, in display order. One query."""
    rankings = main_rows(board)
    counts = dict(rankings.values_list("device_class").annotate(Count("id")))
    return {value: counts[value] for value in DEVICE_CLASSES if value in counts}


def best_by_class() -> list[Row]:
    """The recommended device of each class that has one, with its `median_us` and its `place`.

    The figures are those behind the recommendation; the place is that on the leaderboard. Three queries.
    """
    best = DeviceRanking.objects.filter(pk__in=best_of_each_class(1))
    fields = ("device_id", "recommended_figures", *FIELDS_WITH_CURVE)
    rows: list[Row] = list(best.order_by("device_class").values(*fields))
    ends = ends_by_class(Board.SYNC_WRITE)
    for row in rows:
        row["place"] = find_place(ends.get(row["device_class"], Ends()), row_span(row))
        row |= vouched_figures(row)._asdict()
        del row["recommended_figures"]
        row |= {name: row[f"recommended_{name}"] for name in ("score", "low", "high")}
    return rows


def find_recommended(device_ids: Collection[int]) -> dict[int, Row]:
    """The figures behind the recommendations of these devices, by device: `method`, `score`, `low`, `high`.

    `is_first_choice` says whether it is the recommendation of its class. Two queries.
    """
    figures = ("score", "low", "high")
    rankings = DeviceRanking.objects.filter(IS_RECOMMENDED, device__in=device_ids)
    rows = rankings.values("pk", "device_id", "method", *(f"recommended_{name}" for name in figures))
    first_choices = set(best_of_each_class(1)) if rows else set()
    return {
        row["device_id"]: {
            "method": row["method"],
            **{name: row[f"recommended_{name}"] for name in figures},
            "is_first_choice": row["pk"] in first_choices,
        }
        for row in rows
    }


def row_span(row: Row) -> Span:
    """A row's interval and its method."""
    return Span(row["method"], row["low"], row["high"])
