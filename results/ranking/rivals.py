"""Devices that ask to be set side by side: the first ones of each class, and those that most owners measured."""

from typing import NamedTuple

from django.db.models import Case, QuerySet, When, Window
from django.db.models.functions import RowNumber

from results.models import DeviceRanking
from results.models.catalogue_values import PROTECTED
from results.models.choices import Method

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


def first_of_classes(count: int) -> dict[str, list[Rival]]:
    """The first devices of each class by diskinfo, the protected ones before all others. One query."""
    place = Window(
        RowNumber(), partition_by="device_class", order_by=[_PROTECTED_FIRST, "high_us", "device_id"]
    )
    firsts = _measured().annotate(place=place).filter(place__lte=count).order_by("device_class", "place")
    found: dict[str, list[Rival]] = {}
    for rival in _rivals(firsts):
        found.setdefault(rival.device_class, []).append(rival)
    return found


def most_measured(count: int) -> list[Rival]:
    """The devices of which most units were measured, the better one first where that leaves it open. One query."""
    return _rivals(_measured().order_by("-unit_count", "high_us", "device_id")[:count])


_PROTECTED_FIRST = Case(When(device__product__plp__in=PROTECTED, then=0), default=1)


def _measured() -> QuerySet[DeviceRanking]:
    return DeviceRanking.objects.filter(method=Method.DISKINFO)


def _rivals(rankings: QuerySet[DeviceRanking]) -> list[Rival]:
    return [Rival(*row) for row in rankings.values_list(*_FIELDS)]
