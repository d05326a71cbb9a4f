"""The Prometheus registry: counters of all processes that share PROMETHEUS_MULTIPROC_DIR."""

import os

from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector


def registry(*collectors: Collector) -> CollectorRegistry:
    """Return a registry of the counters, and of `collectors`, which look up their figures at each scrape."""
    found = CollectorRegistry()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    else:
        found.register(REGISTRY)
    for collector in collectors:
        found.register(collector)
    return found
