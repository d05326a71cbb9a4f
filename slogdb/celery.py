"""The Celery application: `celery -A slogdb worker`, `celery -A slogdb beat`."""

import gc
import os
import sys
from importlib import import_module
from typing import Any

from celery import Celery, Task, signals
from prometheus_client import Counter, start_http_server

from results.core.prometheus import registry
from slogdb import env, telemetry

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # the checks import every view: 30 MB that no worker needs

TASKS = Counter("slogdb_tasks_total", "Finished tasks, by outcome.", ["task", "state"])

app = Celery("slogdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("django_structlog.celery.steps:DjangoStructLogInitStep")  # imported by workers alone


def _wait_for_the_queue(conf: Any, **_: Any) -> None:
    """Let a worker wait for Redis as long as it takes, unlike a web request.

    A task whose acknowledgment times out counts as unfinished forever (kombu.transport.redis.QoS.ack), and a worker
    that has reached its limit of such tasks accepts no more: a Redis that stalled for seconds would leave it idle.
    """
    conf.broker_transport_options = {
        **conf.broker_transport_options,
        "socket_timeout": None,
        "socket_keepalive": True,
    }


def _prepare_to_fork(**_: Any) -> None:
    """Freeze modules, so that garbage collection doesn't copy the memory pages that worker processes share."""
    gc.freeze()


def _check_key(**_: Any) -> None:
    """Exit a worker that has the wrong key; not imported above, since Django isn't set up yet."""
    unit_key = import_module("results.operations.unit_key")
    try:
        unit_key.check_key()
    except unit_key.AnotherKeyError as error:
        sys.exit(str(error))


def _show_worker(**_: Any) -> None:
    """Show every few seconds that a worker is alive, even if no scheduler sends it anything."""
    queue = import_module("results.core.queue")
    queue.note_seen(queue.WORKER_ALIVE_KEY)


def _show_scheduler(**_: Any) -> None:
    """Show that the scheduler is alive: nothing else sends sweeps."""
    queue = import_module("results.core.queue")
    queue.note_seen(queue.SCHEDULER_SEEN_KEY)


def _serve_metrics(**_: Any) -> None:
    """Serve metrics from a worker that runs in its own container, where Prometheus scrapes it."""
    port = env.number("SLOGDB_WORKER_METRICS_PORT", 0)
    if port:
        start_http_server(port, registry=registry())


def _start_telemetry(**_: Any) -> None:
    """Start telemetry in the process that runs tasks: traces are sent by a thread, which can't survive a fork."""
    telemetry.start()


def _count(task: Task, state: str | None = None, **_: Any) -> None:
    TASKS.labels(task.name, (state or "unknown").lower()).inc()


signals.celeryd_init.connect(_wait_for_the_queue)
signals.worker_init.connect(_check_key)
signals.worker_init.connect(_prepare_to_fork)
signals.worker_init.connect(_serve_metrics)
signals.worker_process_init.connect(_start_telemetry)
signals.task_postrun.connect(_count)
signals.heartbeat_sent.connect(_show_worker)
signals.before_task_publish.connect(_show_scheduler, sender="results.tasks.sweep")
