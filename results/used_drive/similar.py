"""The measured devices of products, beside a used drive that is one of their kind."""

from collections.abc import Collection
from typing import NamedTuple

from django.db.models import Q

from results.core.subject import DEVICE_COLUMNS, ListedDevice
from results.kinds.curve.metrics import ranked_metric
from results.models import Device
from results.models.choices import Board
from results.ranking.standing import with_main_row


class SimilarDevice(NamedTuple):
    """A measured device, and its ranked figure with its interval if it has one."""

    device: ListedDevice
    id: int
    product_id: int | None
    method: str | None
    score: float | None
    low: float | None
    high: float | None
    digits: int | None
    unit_count: int | None

    @property
    def metric(self) -> str:
        return ranked_metric(Board.SYNC_WRITE).label


_OWN = ("id", "product_id")
_RANKED = tuple(f"main__{name}" for name in SimilarDevice._fields[3:])


def measured_devices(product_ids: Collection[int], device_ids: Collection[int]) -> list[SimilarDevice]:
    """Those of the products, and the devices themselves, by name and capacity. One query."""
    wanted = Q(product__in=product_ids) | Q(pk__in=device_ids)
    devices = with_main_row(Device.objects.shown().filter(wanted))
    columns = (*_OWN, *_RANKED)
    rows = devices.order_by("model_name", "capacity_bytes").values_list(*columns, *DEVICE_COLUMNS)
    count = len(columns)
    return [SimilarDevice(ListedDevice(*row[count:]), *row[:count]) for row in rows]
