"""Devices of the board `zil` by the mean latency of a write of a mix."""

from collections.abc import Mapping
from functools import reduce
from operator import add

from django.db.models import F, FloatField, QuerySet, Value
from django.db.models.functions import Cast

from results.models import DeviceRanking
from results.models.choices import PROTECTED, Board
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.standing import main_rows


def rank_by_mix(weights: Mapping[int, float]) -> QuerySet[DeviceRanking]:
    """Main rows with `mix_us`, the weighted mean of the medians at each size, lowest first."""
    total = sum(weights.values())
    first, *others = [
        Cast(F(f"median_us__{SLOT_OF_BLOCK_SIZE[size]}"), FloatField()) * Value(weight / total)
        for size, weight in weights.items()
    ]
    mean = reduce(add, others, first)
    found = main_rows(Board.ZIL).annotate(mix_us=mean).filter(mix_us__isnull=False)
    return found.order_by("mix_us", "device_id")


def only_protected(rankings: QuerySet[DeviceRanking]) -> QuerySet[DeviceRanking]:
    return rankings.filter(device__product__plp__in=PROTECTED)
