"""Sends tasks to Celery's broker. With Redis away nothing is sent, and the sweep finds later what is to be done."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from celery import Task

from results.core.redis import RedisAwayError, key, link


def enqueue(task: Task, arguments: Sequence[Any] = (), **options: Any) -> None:
    """Send a task to the broker without waiting for one that is away.

    After a failure the circuit breaker of `link` is open for a while. `options` are those of Task.apply_async.
    """
    with suppress(RedisAwayError):
        link.call(lambda _: task.apply_async(arguments, retry=False, **options))


def enqueue_debounced(
    task: Task, arguments: Sequence[Any] = (), *, name: str, countdown_s: float, quiet_s: float
) -> None:
    """Send a task that starts in `countdown_s`; what calls again within `quiet_s` by the same name sends no other.

    `quiet_s` is shorter than the countdown, so that the task sees what was stored before a call that sent none.
    """
    mark = key(f"debounce:{name}")
    with suppress(RedisAwayError):
        if link.call(lambda redis: redis.set(mark, 1, nx=True, px=int(quiet_s * 1000))):
            enqueue(task, arguments, countdown=countdown_s)


WORKER_SEEN_KEY = "worker-seen"
