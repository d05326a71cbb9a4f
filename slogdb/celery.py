"""The Celery application: `celery -A slogdb worker`, `celery -A slogdb beat`."""

import gc
import os
from typing import Any

from celery import Celery, signals

from slogdb import task_watch
from slogdb.connections import drop_dead_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")

app = Celery("slogdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
task_watch.connect()


def _keep_what_is_loaded(**_: Any) -> None:
    """Modules stay for good: without them the garbage collector has a tenth of the work while texts are read."""
    gc.freeze()


def _drop_dead_connections(**_: Any) -> None:
    """A connection that broke in one task fails no other: Celery's own care comes once in thousands of tasks."""
    drop_dead_connections()


signals.worker_process_init.connect(_keep_what_is_loaded)
signals.task_prerun.connect(_drop_dead_connections)
