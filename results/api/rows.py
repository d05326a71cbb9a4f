"""From plain rows to the API's shapes."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse

from results.models.catalogue_values import Plp
from results.models.fields import BLOCK_SIZES, SLOT_OF_BLOCK_SIZE
from results.ranking.score import throughput_mib_s

Row = dict[str, Any]
Curve = Sequence[float | None]

_OWN_DEVICE_FIELDS = ("slug", "model_name", "vendor", "capacity_bytes", "device_class")
DEVICE_FIELDS = (*_OWN_DEVICE_FIELDS, "product__slug", "product__plp")
METRIC_FIELDS = ("zil_latency_us", "latency_4k_us", "throughput_128k_mib_s", "peak_throughput_mib_s")
RANKING_FIELDS = (
    *METRIC_FIELDS,
    "method",
    "formula_version",
    "low_us",
    "high_us",
    "unit_count",
    "result_count",
    "last_measured_on",
)
RESULT_FIELDS = (
    "id",
    "public_id",
    "device__slug",
    "device__device_class",
    "firmware__version",
    "method",
    "is_complete",
    "is_ranked",
    "not_ranked_reason",
    "flags",
    "measured_on",
    "latency_us",
    "zil_latency_us",
    "peak_throughput_mib_s",
)
_BLOCK_128K = 131072


def absolute(path: str) -> str:
    """The full address of a path: the site's own, whatever host a request names."""
    return f"{settings.SITE_URL}{path}"


def device_record(row: Row) -> Row:
    """DeviceSerializer's shape from a row of DEVICE_FIELDS."""
    return {
        **{name: row[name] for name in _OWN_DEVICE_FIELDS},
        "url": absolute(reverse("device", args=[row["slug"]])),
        "product": row["product__slug"],
        "plp": row["product__plp"] or Plp.UNKNOWN.value,
    }


def ranking_record(row: Row) -> Row:
    """RankingSerializer's shape from a row of RANKING_FIELDS."""
    return {name: row[name] for name in RANKING_FIELDS}


def point_records(curve: Curve) -> list[Row]:
    """PointSerializer's shape for every measured slot."""
    return [
        {
            "block_size": block_size,
            "latency_us": latency_us,
            "throughput_mib_s": round(throughput_mib_s(block_size, latency_us), 3),
        }
        for block_size, latency_us in zip(BLOCK_SIZES, curve, strict=True)
        if latency_us is not None
    ]


def spread_records(median: Curve, lowest: Curve, highest: Curve) -> list[Row]:
    """SpreadPointSerializer's shape for every measured slot."""
    spread = {
        block_size: {"lowest_us": low_us, "highest_us": high_us}
        for block_size, low_us, high_us in zip(BLOCK_SIZES, lowest, highest, strict=True)
    }
    return [{**point, **spread[point["block_size"]]} for point in point_records(median)]


def result_record(row: Row) -> Row:
    """ResultSerializer's shape from a row of RESULT_FIELDS."""
    curve = row["latency_us"]
    latency_128k = curve[SLOT_OF_BLOCK_SIZE[_BLOCK_128K]]
    rate = None if latency_128k is None else round(throughput_mib_s(_BLOCK_128K, latency_128k), 3)
    return {
        "id": row["public_id"],
        "url": absolute(reverse("result", args=[row["public_id"]])),
        "device": row["device__slug"],
        "device_class": row["device__device_class"],
        "firmware_version": row["firmware__version"],
        "method": row["method"],
        "is_complete": row["is_complete"],
        "is_ranked": row["is_ranked"],
        "not_ranked_reason": row["not_ranked_reason"],
        "flags": row["flags"],
        "measured_on": row["measured_on"],
        "zil_latency_us": row["zil_latency_us"],
        "latency_4k_us": curve[SLOT_OF_BLOCK_SIZE[4096]],
        "throughput_128k_mib_s": rate,
        "peak_throughput_mib_s": row["peak_throughput_mib_s"],
        "points": point_records(curve),
    }
