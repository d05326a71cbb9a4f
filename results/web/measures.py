"""The few figures that stand at the top of a device's or a result's page."""

from collections.abc import Mapping
from typing import Any

from results.addresses import address
from results.presentation import format_number, format_size
from results.ranking.fit import Fit


def measures(
    *,
    zil_latency_us: float | None,
    latency_4k_us: float | None,
    throughput_128k_mib_s: float | None,
    peak_throughput_mib_s: float | None,
    intervals: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """Those of the four metrics that are known, each with where it is explained.

    `intervals` holds the 90 % interval of a metric as text, by its key in results.ranking.asked.METRICS.
    """
    metrics = [
        ("zil_latency", "ZIL latency", zil_latency_us, "µs", "#zil-latency"),
        ("latency_4k", "4 KiB latency", latency_4k_us, "µs", "#read"),
        ("throughput_128k", "128 KiB throughput", throughput_128k_mib_s, "MiB/s", "#read"),
        ("peak_throughput", "Peak throughput", peak_throughput_mib_s, "MiB/s", "#read"),
    ]
    return [
        {
            "label": label,
            "value": format_number(value),
            "unit": unit,
            "how_url": address("about") + anchor,
            "interval": (intervals or {}).get(key, ""),
        }
        for key, label, value, unit, anchor in metrics
        if value is not None
    ]


def fit_measures(fit: Fit | None) -> list[dict[str, Any]]:
    """What a curve comes down to; nothing where no line fits it."""
    if fit is None:
        return []
    how_url = address("about") + "#fit"
    size, unit = format_size(fit.crossover_bytes).split(" ")
    figures = [
        ("Flush floor", format_number(fit.flush_floor_us), "µs"),
        ("Bandwidth ceiling", format_number(fit.bandwidth_mib_s), "MiB/s"),
        ("Crossover", size, unit),
    ]
    return [
        {"label": label, "value": value, "unit": unit, "how_url": how_url} for label, value, unit in figures
    ]
