"""Devices whose cache survives a power cut, the fastest first; and of how many products that is known."""

from typing import NamedTuple

from django.db.models import Count

from results.models import DeviceRanking, Product
from results.models.catalogue_values import PROTECTED
from results.models.choices import DeviceClassChoice, Method


class ProtectedDevice(NamedTuple):
    """A ranked device of a product that is called protected or safe by design."""

    slug: str
    model_name: str
    device_class: str
    plp: str
    zil_latency_us: float | None
    throughput_128k_mib_s: float | None
    unit_count: int

    @property
    def class_label(self) -> str:
        return str(DeviceClassChoice(self.device_class).label)


def fastest_protected(count: int) -> list[ProtectedDevice]:
    """By diskinfo, of all classes, by the upper end of the interval as every list is. One query."""
    rows = (
        DeviceRanking.objects.filter(method=Method.DISKINFO, device__product__plp__in=PROTECTED)
        .order_by("high_us", "device_id")
        .values_list(
            "device__slug",
            "device__model_name",
            "device_class",
            "device__product__plp",
            "zil_latency_us",
            "throughput_128k_mib_s",
            "unit_count",
        )[:count]
    )
    return [ProtectedDevice(*row) for row in rows]


def count_products_by_plp() -> dict[str, int]:
    """Products of the catalogue by what is known of their protection. One query."""
    return dict(Product.objects.order_by("plp").values_list("plp").annotate(count=Count("id")))
