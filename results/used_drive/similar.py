"""The measured devices of a product, beside a used drive that is one of its kind."""

from typing import NamedTuple

from results.core.addresses import drive_address
from results.core.formats import format_origin
from results.kinds.latency_curve.metrics import ranked_metric
from results.models import Device, Product
from results.models.choices import Board
from results.ranking.standing import with_main_row


class SimilarDevice(NamedTuple):
    """A device of the product, and its ranked figure if it has one."""

    slug: str
    page: str
    model_name: str
    capacity_bytes: int | None
    elsewhere_count: int
    result_count: int
    method: str | None
    score: float | None
    digits: int | None
    unit_count: int | None

    @property
    def url(self) -> str:
        return drive_address(self.page, self.slug)

    @property
    def origin(self) -> str:
        return format_origin(self.elsewhere_count, self.result_count)

    @property
    def metric(self) -> str:
        return ranked_metric(Board.SYNC_WRITE).label


_FIELDS = (*SimilarDevice._fields[:6], *(f"main__{name}" for name in SimilarDevice._fields[6:]))


def measured_devices(product: Product) -> list[SimilarDevice]:
    """Its devices by name and capacity. One query."""
    devices = with_main_row(Device.objects.shown().filter(product=product))
    rows = devices.order_by("model_name", "capacity_bytes").values_list(*_FIELDS)
    return [SimilarDevice(*row) for row in rows]
