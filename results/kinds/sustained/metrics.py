"""The metrics of a sustained result: what is left of the first minute, and when."""

from collections.abc import Mapping
from typing import Any

from results.core.formats import DASH
from results.kinds.definitions import Metric, rounded_metrics

Payload = Mapping[str, Any]


def _stored(name: str) -> Any:
    return lambda payload: payload[name]


def _minutes(value: float | None) -> str:
    """Whole minutes: "7"."""
    return DASH if value is None else f"{value:,.0f}"


def _share(payload: Payload) -> float | None:
    first, sustained = payload["first_minute_iops"], payload["sustained_iops"]
    return 100 * sustained / first if first and sustained is not None else None


METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric(
            key="sustained_iops",
            label="Sustained IOPS",
            short_label="Sustained",
            unit="1/s",
            is_lower_better=False,
            meaning="Mean writes per second in the last five minutes of the last write phase.",
            compute=_stored("sustained_iops"),
            is_sortable=False,
        ),
        Metric(
            key="first_minute_iops",
            label="First-minute IOPS",
            short_label="1st minute",
            unit="1/s",
            is_lower_better=False,
            meaning="Mean writes per second in the first minute of a series.",
            compute=_stored("first_minute_iops"),
            is_sortable=False,
        ),
        Metric(
            key="sustained_percent",
            label="Sustained vs. first minute",
            short_label="Of 1st",
            unit="%",
            is_lower_better=False,
            meaning="Sustained IOPS in percent of first-minute IOPS.",
            compute=_share,
            is_sortable=False,
        ),
        Metric(
            key="minutes_to_drop",
            label="Minutes until the drop",
            short_label="Drop",
            unit="min",
            is_lower_better=False,
            meaning="Minutes of writing before the first one that is closer to what the device sustains than to its "
            "first minute; empty if it sustains at least 80 % of that.",
            compute=_stored("minutes_to_drop"),
            format=_minutes,
            is_sortable=False,
            is_minor=True,
        ),
        Metric(
            key="slowest_minute_iops",
            label="Slowest minute",
            short_label="Slowest",
            unit="1/s",
            is_lower_better=False,
            meaning="Mean writes per second in the slowest minute of all write phases.",
            compute=_stored("slowest_minute_iops"),
            is_sortable=False,
            is_minor=True,
        ),
        Metric(
            key="recovery_percent",
            label="Recovery after idle",
            short_label="Recovery",
            unit="%",
            is_lower_better=False,
            meaning="IOPS in the first minute after an idle time, in percent of the very first minute.",
            compute=_stored("recovery_percent"),
            is_sortable=False,
            is_minor=True,
        ),
        Metric(
            key="sustained_latency_us",
            label="Mean latency, sustained",
            short_label="Latency",
            unit="µs",
            is_lower_better=True,
            meaning="Mean time a write takes in the last five minutes of a series.",
            compute=_stored("mean_us"),
            is_sortable=False,
            is_minor=True,
        ),
        Metric(
            key="sustained_p99_us",
            label="Slow write (p99 of samples)",
            short_label="p99",
            unit="µs",
            is_lower_better=True,
            meaning="99 of 100 samples of a latency series are no higher. A sample is the mean of its interval, or a "
            "single write if the log isn’t averaged.",
            compute=_stored("p99_us"),
            is_sortable=False,
            is_minor=True,
        ),
    )
}


def compute_metrics(payload: Payload) -> dict[str, float]:
    return rounded_metrics({key: metric.compute(payload) for key, metric in METRICS.items()})
