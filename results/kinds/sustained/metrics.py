"""The metrics of a sustained result: what is left of the first minute, and when."""

from operator import itemgetter

from results.core.formats import DASH
from results.kinds.metric import Metric, Payload, by_key


def _minutes(value: float | None) -> str:
    """Whole minutes: "7"."""
    return DASH if value is None else f"{value:,.0f}"


def _share(payload: Payload) -> float | None:
    first, sustained = payload["first_minute_iops"], payload["sustained_iops"]
    return 100 * sustained / first if first and sustained is not None else None


METRICS = by_key(
    Metric(
        key="sustained_iops",
        label="Sustained IOPS",
        short_label="Sustained",
        unit="1/s",
        meaning="Mean writes per second in the last five minutes of the last write phase.",
        compute=itemgetter("sustained_iops"),
    ),
    Metric(
        key="first_minute_iops",
        label="First-minute IOPS",
        short_label="1st minute",
        unit="1/s",
        meaning="Mean writes per second in the first minute of a series.",
        compute=itemgetter("first_minute_iops"),
    ),
    Metric(
        key="sustained_percent",
        label="Sustained vs. first minute",
        short_label="Of 1st",
        unit="%",
        meaning="Sustained IOPS in percent of first-minute IOPS.",
        compute=_share,
    ),
    Metric(
        key="minutes_to_drop",
        label="Minutes until the drop",
        short_label="Drop",
        unit="min",
        meaning="Minutes of writing before the first one that is closer to what the device sustains than to its "
        "first minute; empty if it sustains at least 80 % of that.",
        compute=itemgetter("minutes_to_drop"),
        format=_minutes,
        is_minor=True,
    ),
    Metric(
        key="slowest_minute_iops",
        label="Slowest minute",
        short_label="Slowest",
        unit="1/s",
        meaning="Mean writes per second in the slowest minute of all write phases.",
        compute=itemgetter("slowest_minute_iops"),
        is_minor=True,
    ),
    Metric(
        key="recovery_percent",
        label="Recovery after idle",
        short_label="Recovery",
        unit="%",
        meaning="IOPS in the first minute after an idle time, in percent of the very first minute.",
        compute=itemgetter("recovery_percent"),
        is_minor=True,
    ),
    Metric(
        key="sustained_latency_us",
        label="Mean latency, sustained",
        short_label="Latency",
        unit="µs",
        is_lower_better=True,
        meaning="Mean time a write takes in the last five minutes of a series.",
        compute=itemgetter("mean_us"),
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
        compute=itemgetter("p99_us"),
        is_minor=True,
    ),
)
