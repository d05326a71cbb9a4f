"""The Celery application: `celery -A slogdb worker`, `celery -A slogdb beat`."""

import os

from celery import Celery

from slogdb import task_watch

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "slogdb.settings")

app = Celery("slogdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
task_watch.connect()
