"""The measured devices of a product, beside a used drive that is one of its kind."""

from collections.abc import Mapping
from typing import Any

from results.core.addresses import drive_address
from results.core.formats import DASH, format_capacity, format_number, format_origin
from results.kinds.latency_curve.metrics import ranked_metric
from results.models import Device, Product
from results.models.choices import Board
from results.ranking.standing import with_main_row

_FIELDS = (
    *("slug", "page", "model_name", "capacity_bytes", "elsewhere_count", "result_count"),
    *("main__method", "main__score", "main__digits", "main__unit_count"),
)


def measured_devices(product: Product) -> list[dict[str, Any]]:
    """Its devices with ranked latency and units, formatted, by name and capacity. One query."""
    devices = with_main_row(Device.objects.shown().filter(product=product))
    return [_device(row) for row in devices.order_by("model_name", "capacity_bytes").values(*_FIELDS)]


def _device(row: Mapping[str, Any]) -> dict[str, Any]:
    is_ranked, metric = row["main__score"] is not None, ranked_metric(Board.SYNC_WRITE).label
    return {
        "url": drive_address(row["page"], row["slug"]),
        "model_name": row["model_name"],
        "capacity": format_capacity(row["capacity_bytes"]),
        "origin": format_origin(row["elsewhere_count"], row["result_count"]),
        "metric": f"{metric}, {row['main__method']}" if is_ranked else "not ranked",
        "latency": format_number(row["main__score"], row["main__digits"]) if is_ranked else DASH,
        "n_units": row["main__unit_count"] or 0,
    }
