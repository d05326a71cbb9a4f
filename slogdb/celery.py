"""The Celery application: `celery -A slogdb worker`, `celery -A slogdb beat`."""

import gc
import os
from typing import Any

from celery import Celery, Task, signals
from django_structlog.celery.steps import DjangoStructLogInitStep
from prometheus_client import Counter, start_http_server

from results.core.metrics import registry
from slogdb import env, telemetry

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they import every view: 30 MB that no worker needs

TASKS = Counter("slogdb_tasks_total", "Tasks done, by how they ended.", ["task", "state"])

app = Celery("slogdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


def _wait_for_the_queue(conf: Any, **_: Any) -> None:
    """A worker waits for Redis as long as it takes, unlike a web request.

    A task whose acknowledgement times out counts as unfinished for good (kombu.transport.redis.QoS.ack), and a worker
    that holds as many as it may takes no further task: a Redis that stood still for seconds would leave it idle.
    """
    conf.broker_transport_options = {
        **conf.broker_transport_options,
        "socket_timeout": None,
        "socket_keepalive": True,
    }


def _prepare_to_fork(**_: Any) -> None:
    """No garbage collection then copies the pages that the worker's processes share."""
    gc.freeze()


def _serve_metrics(**_: Any) -> None:
    """A worker in a container of its own is scraped itself."""
    port = env.number("SLOGDB_WORKER_METRICS_PORT", 0)
    if port:
        start_http_server(port, registry=registry())


def _start_telemetry(**_: Any) -> None:
    """In the process that runs the tasks: traces are sent by a thread, and no thread outlives a fork."""
    telemetry.start()


def _count(task: Task, state: str | None = None, **_: Any) -> None:
    TASKS.labels(task.name, (state or "unknown").lower()).inc()


signals.celeryd_init.connect(_wait_for_the_queue)
signals.worker_init.connect(_prepare_to_fork)
signals.worker_init.connect(_serve_metrics)
signals.worker_process_init.connect(_start_telemetry)
signals.task_postrun.connect(_count)
