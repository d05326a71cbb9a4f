"""The Celery application: `celery -A slogdb worker`, `celery -A slogdb beat`."""

import gc
import os
from typing import Any

from celery import Celery, signals

from slogdb import task_watch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they import every view: 30 MB that no worker needs

app = Celery("slogdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
task_watch.connect()


def _freeze_modules(**_: Any) -> None:
    """Before the worker forks, so that no garbage collection copies the pages that its processes share."""
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
signals.worker_init.connect(_freeze_modules)
