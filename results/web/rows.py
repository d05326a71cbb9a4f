"""Rows of the ranking with every number written out once, for pages that list devices."""

from typing import Any

from django.urls import reverse

from results.models.choices import DeviceClassChoice
from results.presentation import format_capacity, format_date, format_number
from results.ranking.leaderboard import Row


def device_row(row: Row) -> dict[str, Any]:
    """One row of `rank_devices` or `best_by_class` as the templates show it."""
    return {
        "url": reverse("device", args=[row["device__slug"]]),
        "model_name": row["device__model_name"],
        "vendor": row["device__vendor"],
        "capacity": format_capacity(row["device__capacity_bytes"]),
        "class_label": DeviceClassChoice(row["device_class"]).label,
        "rank": row.get("place"),
        "zil_latency": format_number(row["zil_latency_us"]),
        "latency_4k": format_number(row["latency_4k_us"]),
        "throughput_128k": format_number(row["throughput_128k_mib_s"]),
        "peak_throughput": format_number(row["peak_throughput_mib_s"]),
        "n_units": row["unit_count"],
        "n_results": row["result_count"],
        "last_measured": format_date(row["last_measured_on"]),
    }
