import pytest
from celery import current_app
from kombu.exceptions import OperationalError as BrokerError

from results.core.queue import enqueue, enqueue_debounced
from results.core.redis import key
from results.tasks import sweep


@pytest.fixture
def queued(redis):
    """How many tasks are in the queue, when called."""
    return lambda: redis.llen(key("celery"))


def enqueue_named(name):
    enqueue_debounced(sweep, name=name, countdown_s=60, quiet_s=60)


def test_many_calls_in_a_row_send_one_task(queued):
    for _ in range(20):
        enqueue_named("one")
    assert queued() == 1


def test_each_name_has_a_task_of_its_own(queued):
    enqueue_named("one")
    enqueue_named("other")
    assert queued() == 2


def test_a_call_after_the_debounce_sends_another_task(queued, redis):
    enqueue_named("one")
    (mark,) = redis.scan_iter(key("debounce:*"))
    assert redis.pttl(mark) > 0
    redis.delete(mark)
    enqueue_named("one")
    assert queued() == 2


@pytest.mark.usefixtures("redis_away")
def test_nothing_is_sent_or_fails_without_redis(queued):
    enqueue_named("one")
    assert queued() == 0


def test_a_failing_broker_is_ignored_and_not_retried_for_a_while(monkeypatch):
    attempts = []

    def refuse(*_, **__):
        attempts.append("refused")
        raise BrokerError

    monkeypatch.setattr(sweep, "apply_async", refuse)
    enqueue_named("one")
    enqueue_named("other")
    assert attempts == ["refused"]


def test_an_unreachable_broker_is_ignored():
    with current_app.connection_for_write("redis+socket:///nonexistent/valkey.sock") as dead:
        enqueue(sweep, connection=dead)
