"""The leaderboard as readers ask for it: filtered, ordered, one page at a time, as plain rows."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from results.models import DeviceRanking
from results.models.catalogue_values import PROTECTED
from results.models.choices import DeviceClassChoice, Method
from results.ranking.asked import LeaderboardFilter
from results.ranking.intervals import Interval
from results.ranking.places import Board, ends_by_class, ends_of
from results.ranking.ties import Ends, find_place

PAGE_SIZE = 50

ROW_FIELDS = (
    "device__slug",
    "device__model_name",
    "device__vendor",
    "device__capacity_bytes",
    "device__product__plp",
    "device_class",
    "zil_latency_us",
    "latency_4k_us",
    "throughput_128k_mib_s",
    "peak_throughput_mib_s",
    "unit_count",
    "result_count",
    "last_measured_on",
    "score_us",
    "low_us",
    "high_us",
)

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rows: dicts by ROW_FIELDS with `position` in the order asked for and the `place` on the board."""

    rows: list[Row]
    count: int
    number: int

    @property
    def page_count(self) -> int:
        return max(1, -(-self.count // PAGE_SIZE))


class NoSuchPageError(Exception):
    """A page number past the end."""


def rank_devices(asked: LeaderboardFilter, *, fields: tuple[str, ...] = ROW_FIELDS) -> LeaderboardPage:
    """The page of the leaderboard that was asked for; raises NoSuchPageError past the end. Three queries."""
    rankings = _matching(asked)
    count = rankings.count()
    start = (asked.page - 1) * PAGE_SIZE
    if asked.page > 1 and start >= count:
        raise NoSuchPageError
    rows = list(rankings.order_by(*_order(asked)).values(*fields)[start : start + PAGE_SIZE])
    ends = ends_of(Board(asked.device_class, asked.method))
    for position, row in enumerate(rows, start=start + 1):
        row["position"] = position
        row["place"] = find_place(ends, Interval(row["low_us"], row["high_us"]))
    return LeaderboardPage(rows=rows, count=count, number=asked.page)


def _matching(asked: LeaderboardFilter) -> QuerySet[DeviceRanking]:
    rankings = DeviceRanking.objects.filter(method=asked.method)
    if asked.device_class:
        rankings = rankings.filter(device_class=asked.device_class)
    if asked.is_protected_only:
        rankings = rankings.filter(device__product__plp__in=PROTECTED)
    for word in asked.query.split():
        rankings = rankings.filter(Q(device__model_name__icontains=word) | Q(device__vendor__icontains=word))
    return rankings


def _order(asked: LeaderboardFilter) -> list[Any]:
    """By the interval's upper end where the ranked latency was asked for: one lucky result does not lead."""
    metric = asked.metric
    is_ascending = metric.is_lower_better != asked.is_reversed
    column = F("high_us" if asked.is_by_rank else metric.column)
    best_first = column.asc(nulls_last=True) if is_ascending else column.desc(nulls_last=True)
    return [best_first, "high_us", "device__model_name", "device_id"]


def count_by_class(method: str, *, is_protected_only: bool = False) -> dict[str, int]:
    """How many devices each class has by this method, in the order in which classes are shown; no empty ones."""
    rankings = _matching(LeaderboardFilter(method=method, is_protected_only=is_protected_only))
    counts = dict(rankings.values_list("device_class").annotate(Count("id")))
    return {value: counts[value] for value in DeviceClassChoice.values if value in counts}


def best_by_class() -> list[Row]:
    """The first device of each class, by diskinfo, with its `median_us` and its `place`. Two queries."""
    rankings = DeviceRanking.objects.filter(method=Method.DISKINFO)
    best = rankings.order_by("device_class", "high_us", "device_id").distinct("device_class")
    rows: list[Row] = list(best.values(*ROW_FIELDS, "median_us"))
    ends = ends_by_class(Method.DISKINFO)
    for row in rows:
        row["place"] = find_place(
            ends.get(row["device_class"], Ends()), Interval(row["low_us"], row["high_us"])
        )
    return rows
