"""The metrics of a workload on a pool."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from parsers.base.units import MEBIBYTE
from results.kinds.metric import Metric, by_key

MICROSECONDS = 1e6


def _latency(payload: Mapping[str, Any]) -> float | None:
    """The mean time that a writer waits for one write; it is known only if each write was waited for."""
    iops = payload["iops"]
    return (payload["writers"] or 1) * MICROSECONDS / iops if iops else None


METRICS = by_key(
    Metric(
        key="pool_mib_s",
        label="Throughput",
        short_label="Throughput",
        unit="MiB/s",
        meaning="What a workload wrote to or read from a pool per second, of all its writers together.",
        compute=lambda payload: (payload["throughput_bytes_s"] or 0) / MEBIBYTE or None,
    ),
    Metric(
        key="pool_iops",
        label="Operations per second",
        short_label="IOPS",
        unit="1/s",
        meaning="Writes or reads of a workload on a pool per second, of all its writers together.",
        compute=itemgetter("iops"),
    ),
    Metric(
        key="pool_latency_us",
        label="Mean latency",
        short_label="Latency",
        unit="µs",
        is_lower_better=True,
        meaning="Mean time that a writer waits for one write to a pool, with its sync if there is one.",
        compute=_latency,
    ),
    Metric(
        key="pool_p99_us",
        label="Slow operation (p99)",
        short_label="p99",
        unit="µs",
        is_lower_better=True,
        meaning="99 of 100 writes to a pool take no longer than this, by fio: the flush if that is a separate "
        "step.",
        compute=itemgetter("p99_us"),
        is_minor=True,
    ),
    Metric(
        key="pool_seconds",
        label="Time taken",
        short_label="Time",
        unit="s",
        is_lower_better=True,
        meaning="How long a piece of work on a pool took, timed by hand.",
        compute=lambda payload: payload["seconds"] if payload["work"] else None,
        is_minor=True,
    ),
)
