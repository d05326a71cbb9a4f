"""What is seen of tasks; tests/results/test_worker.py has a real worker's side."""

import json
import time

import pytest
from django.conf import settings
from prometheus_client import REGISTRY
from redis import Redis

from results.ranking.places import rank_board
from results.tasks import sweep
from slogdb import task_watch
from slogdb.logs import request_id
from slogdb.redis_link import key
from slogdb.task_watch import DUE_HEADER, ID_HEADER, due_at

QUEUE = "watched"


@pytest.fixture
def headers_of():
    """The headers of the one message in a queue that no worker empties."""
    redis = Redis.from_url(settings.REDIS_URL)
    yield lambda: json.loads(redis.lrange(key(QUEUE), 0, -1)[0])["headers"]
    redis.delete(key(QUEUE))


def counted(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


def test_a_message_carries_the_request_and_the_moment_that_it_is_due(headers_of):
    token = request_id.set("from-a-request")
    before = time.time()
    try:
        rank_board.apply_async(("nvme", "diskinfo"), countdown=30, queue=QUEUE)
    finally:
        request_id.reset(token)
    headers = headers_of()
    assert headers[ID_HEADER] == "from-a-request"
    assert before + 30 <= due_at(headers) <= time.time() + 30


def test_what_no_request_asked_for_names_none(headers_of):
    token = request_id.set("")
    before = time.time()
    try:
        rank_board.apply_async(("nvme", "diskinfo"), queue=QUEUE)
    finally:
        request_id.reset(token)
    headers = headers_of()
    assert ID_HEADER not in headers
    assert before <= due_at(headers) <= time.time()


@pytest.mark.parametrize("due", [None, "soon", [1]])
def test_a_message_that_says_no_moment_has_none(due):
    assert due_at({DUE_HEADER: due}) is None


@pytest.mark.django_db(transaction=True)
def test_a_task_is_timed_and_counted_by_how_it_ended():
    labels = {"task": "results.tasks.sweep"}
    names = ("slogdb_task_seconds_count", labels), ("slogdb_tasks_total", {**labels, "outcome": "success"})
    before = [counted(name, **given) for name, given in names]
    sweep.apply()
    assert [counted(name, **given) for name, given in names] == [count + 1 for count in before]


def test_how_long_a_message_waited_is_observed():
    labels = {"task": "results.tasks.sweep"}
    before = counted("slogdb_task_wait_seconds_sum", **labels)
    pushed_at = time.time()
    sweep.push_request(**{DUE_HEADER: pushed_at - 10})
    try:
        task_watch._start(sweep)
    finally:
        sweep.pop_request()
    waited_s = counted("slogdb_task_wait_seconds_sum", **labels) - before
    assert 9.99 < waited_s < 10.01 + time.time() - pushed_at
