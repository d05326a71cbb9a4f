"""The few figures that stand at the top of a device's or a result's page."""

from typing import Any

from django.urls import reverse

from results.presentation import format_number


def measures(
    *,
    zil_latency_us: float | None,
    latency_4k_us: float | None,
    throughput_128k_mib_s: float | None,
    peak_throughput_mib_s: float | None,
) -> list[dict[str, Any]]:
    """Those of the four metrics that are known, each with where it is explained."""
    about = reverse("about")
    metrics = [
        ("ZIL latency", zil_latency_us, "µs", "#zil-latency"),
        ("4 KiB latency", latency_4k_us, "µs", "#read"),
        ("128 KiB throughput", throughput_128k_mib_s, "MiB/s", "#read"),
        ("Peak throughput", peak_throughput_mib_s, "MiB/s", "#read"),
    ]
    return [
        {"label": label, "value": format_number(value), "unit": unit, "how_url": about + anchor}
        for label, value, unit, anchor in metrics
        if value is not None
    ]
