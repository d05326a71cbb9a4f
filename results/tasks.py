"""Celery tasks. Each is defined beside the function that it runs, and may run twice, late, or not at all.

This module registers them, since Celery looks for tasks in modules of this name, and defines those of the clock.
"""

from celery import shared_task
from django.db import transaction

from results.accounts.expiry import forget_expired as forget_expired
from results.api.idempotency import forget_answers as forget_answers
from results.core.data_version import agree_on_version, bump_data_version
from results.core.queue import WORKER_SEEN_KEY, note_seen
from results.core.read_only import read_only_reason
from results.core.redis import key, link
from results.exports.build import export, is_due
from results.imports.bulk import import_kept as import_kept
from results.models import Device
from results.moderation.imports import reject_imported as reject_imported
from results.moderation.mail import mail_decision as mail_decision
from results.moderation.mail import mail_report as mail_report
from results.operations.erasures import copy_erasures as copy_erasures
from results.operations.other_release import catch_up
from results.operations.reread_run import continue_lost_run
from results.operations.reread_run import reread_in_worker as reread_in_worker
from results.ranking.boards import dirty_boards, rank_board
from results.submissions.intake.deferred import enqueue_dirty
from results.submissions.intake.rejudge import judge_devices as judge_devices

EXPORT_PAUSE_S = 60  # between attempts to build exports that are due


@shared_task
def sweep() -> None:
    """Enqueue work that a failed connection or a dead worker left undone, and show that a worker is alive."""
    note_seen(WORKER_SEEN_KEY)
    agree_on_version()
    if read_only_reason():
        return
    catch_up()
    for board in dirty_boards():
        rank_board.delay(*board)
    if is_due() and link.call(lambda redis: redis.set(key("export-due"), 1, nx=True, ex=EXPORT_PAUSE_S)):
        export.delay()
    if Device.objects.dirty().exists():
        enqueue_dirty()
    continue_lost_run()


@shared_task
def begin_day() -> None:
    """Bump the data version at midnight: pages are cached by it, and the ages of prices change with the day."""
    with transaction.atomic():
        bump_data_version()
