"""Sending tasks to Celery's broker. While Redis is unavailable, nothing is sent; the sweep catches up later."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from celery import Task

from results.core.redis import RedisAwayError, key, link

SEEN_LIFETIME_S = 20
WORKER_SEEN_KEY = "worker-seen"  # set by the sweep, which the scheduler sends
WORKER_ALIVE_KEY = "worker-alive"  # set by a worker, whatever it has to do
SCHEDULER_SEEN_KEY = "scheduler-seen"


def note_seen(name: str) -> None:
    """Record that the process of this key is alive, for SEEN_LIFETIME_S."""
    with suppress(RedisAwayError):
        link.call(lambda redis: redis.set(key(name), 1, ex=SEEN_LIFETIME_S))


def enqueue(task: Task, arguments: Sequence[Any] = (), **options: Any) -> bool:
    """Send a task to the broker without waiting for an unavailable one; return whether it was sent.

    After a failure the circuit breaker of `link` stays open for a while. `options` are those of Task.apply_async.
    """
    try:
        link.call(lambda _: task.apply_async(arguments, retry=False, **options))
    except RedisAwayError:
        return False
    return True


def enqueue_debounced(
    task: Task, arguments: Sequence[Any] = (), *, name: str, countdown_s: float, quiet_s: float
) -> None:
    """Send a task that starts in `countdown_s`; calls with the same name within `quiet_s` send no other.

    `quiet_s` is shorter than the countdown, so that the task sees what was stored before a call that was dropped.
    """
    mark = key(f"debounce:{name}")
    with suppress(RedisAwayError):
        if link.call(lambda redis: redis.set(mark, 1, nx=True, px=int(quiet_s * 1000))):
            enqueue(task, arguments, countdown=countdown_s)
