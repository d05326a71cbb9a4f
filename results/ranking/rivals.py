"""Devices worth comparing: the best recommended ones of each class, and the most measured ones."""

from typing import NamedTuple

from django.db.models import QuerySet

from results.models import DeviceRanking
from results.models.choices import Method
from results.ranking.recommend import best_of_each_class

_FIELDS = (
    "device__slug",
    "device__model_name",
    "device__capacity_bytes",
    "device_class",
    "score_us",
    "low_us",
    "high_us",
    "unit_count",
)


class Rival(NamedTuple):
    """A ranked device, and what tells it from another."""

    slug: str
    model_name: str
    capacity_bytes: int | None
    device_class: str
    score_us: float
    low_us: float
    high_us: float
    unit_count: int


def best_of_classes(count: int) -> dict[str, list[Rival]]:
    """The best recommended devices of each class, best first. Two queries."""
    keys = best_of_each_class(count)
    rows = DeviceRanking.objects.filter(pk__in=keys).values_list("pk", *_FIELDS)
    rivals = {key: Rival(*row) for key, *row in rows}
    found: dict[str, list[Rival]] = {}
    for rival in (rivals[key] for key in keys if key in rivals):
        found.setdefault(rival.device_class, []).append(rival)
    return found


def most_measured(count: int) -> list[Rival]:
    """The devices of which most units were measured, the better one first where that leaves it open. One query."""
    return _rivals(_measured().order_by("-unit_count", "high_us", "device_id")[:count])


def _measured() -> QuerySet[DeviceRanking]:
    return DeviceRanking.objects.filter(method=Method.DISKINFO)


def _rivals(rankings: QuerySet[DeviceRanking]) -> list[Rival]:
    return [Rival(*row) for row in rankings.values_list(*_FIELDS)]
