"""The first devices of each class by diskinfo: those whose cache survives a power cut before all others."""

from functools import cache, reduce

from django.db.models import QuerySet, Value

from results.models import DeviceRanking
from results.models.catalogue_values import PROTECTED
from results.models.choices import DeviceClassChoice, Method
from results.ranking.compiled import Statement, compile_rows, fetch


def find_firsts(count: int) -> list[int]:
    """The keys of the rows of the first `count` devices of each class, the better one first. One query.

    It reads the beginnings of the boards' indexes, and of a class without a protected device all of it.
    """
    found = fetch(_statement(count))
    firsts: dict[str, dict[int, None]] = {}
    for device_class, *_, key in sorted(found):
        firsts.setdefault(device_class, {})[key] = None
    return [key for keys in firsts.values() for key in list(keys)[:count]]


@cache
def _statement(count: int) -> Statement:
    return compile_rows(
        reduce(
            lambda one, other: one.union(other, all=True),
            (
                rows[:count]
                for device_class in DeviceClassChoice.values
                for rows in (_of_class(device_class, is_protected=True), _of_class(device_class))
            ),
        )
    )


def _of_class(
    device_class: str, *, is_protected: bool = False
) -> QuerySet[DeviceRanking, tuple[str, int, float, int, int]]:
    rankings = DeviceRanking.objects.filter(method=Method.DISKINFO, device_class=device_class)
    if is_protected:
        rankings = rankings.filter(device__product__plp__in=PROTECTED)
    in_order = rankings.annotate(turn=Value(0 if is_protected else 1)).order_by("high_us", "device_id")
    return in_order.values_list("device_class", "turn", "high_us", "device_id", "pk")
