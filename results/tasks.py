"""Celery tasks. Each is defined beside the function that it runs, and may run twice, late, or not at all.

This module registers them, since Celery looks for tasks in modules of this name, and defines those of the clock.
"""

from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.db import OperationalError, transaction

from results.accounts.expiry import forget_expired as forget_expired
from results.api.idempotency import forget_answers
from results.core.data_version import agree_on_version, bump_data_version
from results.core.queue import WORKER_SEEN_KEY
from results.core.redis import key, link
from results.exports.build import export, is_due
from results.imports.batches import READERS, is_waiting, read_texts
from results.models import Device
from results.moderation.mail import mail_decision, mail_report
from results.operations.erasures import copy_erasures as copy_erasures
from results.ranking.boards import dirty_boards, rank_board
from results.submissions.deferred import enqueue_dirty, rank_dirty_devices
from results.submissions.rejudge import judge_devices

WORKER_SEEN_LIFETIME_S = 20
SWEEP_S = 5
EXPORT_PAUSE_S = 60  # between attempts to build exports that are due

# By their names in the previous release, for tasks that it enqueued or scheduled. To be removed in the next release.
OLD_NAMES: dict[str, Task] = {
    "rank_board": rank_board,
    "judge_devices": judge_devices,
    "read_texts": read_texts,
    "rank_late_devices": rank_dirty_devices,
    "export": export,
    "forget_answers": forget_answers,
    "mail_decision": mail_decision,
    "mail_report": mail_report,
}


def _register(old_name: str, task: Task) -> None:
    @shared_task(
        name=f"results.tasks.{old_name}",
        autoretry_for=(OSError, OperationalError),
        retry_backoff=True,
        time_limit=settings.READ_TIME_LIMIT_S if old_name == "read_texts" else None,
    )
    def run_by_old_name(*arguments: Any, **named: Any) -> None:
        task(*arguments, **named)


for _old_name, _task in OLD_NAMES.items():
    _register(_old_name, _task)


@shared_task
def sweep() -> None:
    """Enqueue work that a failed connection or a dead worker left undone, and show that a worker is alive."""
    link.call(lambda redis: redis.set(key(WORKER_SEEN_KEY), 1, ex=WORKER_SEEN_LIFETIME_S))
    agree_on_version()
    for board in dirty_boards():
        rank_board.delay(*board)
    if is_due() and link.call(lambda redis: redis.set(key("export-due"), 1, nx=True, ex=EXPORT_PAUSE_S)):
        export.delay()
    if Device.objects.dirty().exists():
        enqueue_dirty()
    if is_waiting():
        for _ in range(READERS):
            read_texts.apply_async(expires=SWEEP_S)


@shared_task
def begin_day() -> None:
    """Bump the data version at midnight: pages are cached by it, and the ages of prices change with the day."""
    with transaction.atomic():
        bump_data_version()
