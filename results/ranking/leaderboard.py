"""The leaderboard as readers ask for it: one page at a time, as plain rows with their places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from results.models import Device, DeviceRanking
from results.models.choices import DeviceClassChoice, Method
from results.ranking.asked import LeaderboardFilter
from results.ranking.intervals import Interval
from results.ranking.pages import find_page, first_position, page_count
from results.ranking.places import ends_by_class
from results.ranking.recommend import best_of_each_class
from results.ranking.ties import Ends, find_place, find_places
from results.ranking.vouched import vouched_figures

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
_WITH_CURVE = (*ROW_FIELDS, "median_us")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rows: dicts by ROW_FIELDS, with `median_us`, the `position` in the order asked for and the `place`.

    `options` has, where they were asked for, how many devices each option of a facet would leave; `is_alike` says
    that no device has the words that were searched for, and that these resemble them.
    """

    rows: list[Row]
    count: int
    number: int
    options: Mapping[str, Mapping[str, int]]
    is_alike: bool = False

    @property
    def page_count(self) -> int:
        return page_count(self.count)


def rank_devices(asked: LeaderboardFilter, *, with_options: bool = False) -> LeaderboardPage:
    """The page of the leaderboard that was asked for; raises NoSuchPageError past the end.

    As many queries as find_page.
    """
    found = find_page(asked, fields=_WITH_CURVE, with_options=with_options)
    return LeaderboardPage(
        rows=_placed(found.rows, found.ends, start=first_position(asked)),
        count=found.count,
        number=asked.page,
        options=found.options,
        is_alike=found.is_alike,
    )


def _placed(rows: Sequence[Row], ends: Ends, *, start: int) -> list[Row]:
    """The rows with their positions and places."""
    places = find_places(ends, [Interval(row["low_us"], row["high_us"]) for row in rows])
    return [
        {**row, "position": position, "place": place}
        for position, (row, place) in enumerate(zip(rows, places, strict=True), start=start)
    ]


def count_by_class(method: str) -> dict[str, int]:
    """How many devices each class has by this method, in the order in which classes are shown; no empty ones."""
    rankings = DeviceRanking.objects.filter(method=method)
    counts = dict(rankings.values_list("device_class").annotate(Count("id")))
    return {value: counts[value] for value in DeviceClassChoice.values if value in counts}


def count_published() -> dict[str, int]:
    """How many `results` are published, and of how many `devices`. One query, that looks at no result."""
    is_shown = Q(result_count__gt=0)
    return Device.objects.aggregate(
        devices=Count("pk", filter=is_shown), results=Sum("result_count", default=0)
    )


def best_by_class() -> list[Row]:
    """The best recommended device of each class that has one, with its `median_us` and its `place`. Four queries.

    The figures are those behind the recommendation; the place is the one on the leaderboard.
    """
    best = DeviceRanking.objects.filter(pk__in=best_of_each_class(1)).order_by("device_class")
    rows: list[Row] = list(best.values("device_id", *_WITH_CURVE))
    ends = ends_by_class(Method.DISKINFO)
    figures = vouched_figures([row["device_id"] for row in rows])
    for row in rows:
        row["place"] = find_place(
            ends.get(row["device_class"], Ends()), Interval(row["low_us"], row["high_us"])
        )
        row |= figures[row["device_id"]]._asdict()
    return rows
