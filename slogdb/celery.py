"""The Celery application: `celery -A slogdb worker`, `celery -A slogdb beat`."""

import gc
import os
from typing import Any

from celery import Celery, signals

from slogdb import task_watch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")

app = Celery("slogdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
task_watch.connect()


def _keep_what_is_loaded(**_: Any) -> None:
    """Modules stay for good: without them the garbage collector has a tenth of the work while texts are read."""
    gc.freeze()


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


signals.celeryd_init.connect(_wait_for_the_queue)
signals.worker_process_init.connect(_keep_what_is_loaded)
