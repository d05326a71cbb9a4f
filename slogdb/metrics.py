"""What is counted, for Prometheus: every name and its labels in one place.

Processes of one machine share a folder (SLOGDB_METRICS_FOLDER), so that any of them can tell the sum; without it each
tells its own. What PostgreSQL and Redis know is not counted here but asked for at each scrape (results.standing).
"""

import os
from pathlib import Path

FOLDER = os.environ.get("SLOGDB_METRICS_FOLDER", "")
if FOLDER:
    Path(FOLDER).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = FOLDER  # read when the library is imported

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, start_http_server  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead  # noqa: E402
from prometheus_client.registry import REGISTRY, Collector  # noqa: E402

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_REQUEST_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_TASK_BUCKETS_S = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)

REQUESTS = Counter(
    "slogdb_requests_total",
    "Requests answered, by what the page cache did: hit, miss, stale, or pass for what it never keeps.",
    ["status", "cache"],
)
REQUEST_SECONDS = Histogram(
    "slogdb_request_seconds",
    "Time to answer what the page cache did not have.",
    ["view", "status"],
    buckets=_REQUEST_BUCKETS_S,
)
PASTES = Counter("slogdb_pastes_total", "Pastes sent to be stored: new, known or refused.", ["outcome"])
READINGS = Counter("slogdb_readings_total", "Readings found in pastes, by what read them.", ["parser"])
NOTICES = Counter("slogdb_notices_total", "What the parsers had to say of pastes, by code.", ["code"])
TASKS = Counter("slogdb_tasks_total", "Tasks done, by how they ended.", ["task", "outcome"])
TASK_SECONDS = Histogram("slogdb_task_seconds", "Time that a task took.", ["task"], buckets=_TASK_BUCKETS_S)
TASK_WAIT_SECONDS = Histogram(
    "slogdb_task_wait_seconds",
    "Time between the moment that a task was due and its start.",
    ["task"],
    buckets=_TASK_BUCKETS_S,
)
REPLICA_READS = Counter(
    "slogdb_replica_reads_total",
    "Public pages made where a replica is configured: from it, or from the primary as it was lagging or away.",
    ["outcome"],
)


def text(*asked: Collector) -> bytes:
    """All metrics in Prometheus's text format; `asked` are collectors of what is asked for at this moment."""
    registry = _counted()
    for collector in asked:
        registry.register(collector)
    return generate_latest(registry)


def serve(port: int) -> None:
    """Answer every path with the metrics of this machine's processes, from a thread; for processes without pages."""
    start_http_server(port, registry=_counted())


def _counted() -> CollectorRegistry:
    registry = CollectorRegistry()
    if FOLDER:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    return registry


def end_process(pid: int) -> None:
    """Take what a process that has ended held out of the sums of what is held now; counts stay."""
    if FOLDER:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]
