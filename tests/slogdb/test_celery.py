"""The Celery application; tests/results/test_worker.py has a real worker."""

import gc
import json

import pytest
from celery import signals
from prometheus_client import REGISTRY
from redis import Redis
from structlog.contextvars import bound_contextvars

from results.core.redis import key
from results.tasks import sweep

QUEUE = "observed"  # which no worker reads


@pytest.fixture
def _thawed():
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_thawed")
def test_a_worker_collects_no_garbage_among_its_modules():
    gc.unfreeze()
    signals.worker_init.send(sender=None)
    assert gc.get_freeze_count() > 10_000


@pytest.mark.django_db(transaction=True)
def test_a_task_is_counted_by_how_it_ended():
    def count():
        labels = {"task": sweep.name, "state": "success"}
        return REGISTRY.get_sample_value("slogdb_tasks_total", labels) or 0

    before = count()
    sweep.apply()
    assert count() == before + 1


def test_a_message_carries_the_id_of_its_request(settings):
    redis = Redis.from_url(settings.REDIS_URL)
    try:
        with bound_contextvars(request_id="from-a-request"):
            sweep.apply_async(queue=QUEUE)
        (message,) = redis.lrange(key(QUEUE), 0, -1)
    finally:
        redis.delete(key(QUEUE))
    assert json.loads(message)["headers"]["__django_structlog__"]["request_id"] == "from-a-request"
