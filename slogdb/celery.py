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


signals.worker_process_init.connect(_keep_what_is_loaded)
