"""What Celery does: work that is long or regular. Each task may run twice, late, or not at all until the sweep."""

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from celery import Task, shared_task
from django.conf import settings
from django.db import OperationalError, transaction

from results.core.redis import RedisAwayError, key, link
from results.data_version import agree_on_version
from results.exports.build import build_exports, is_due
from results.ingest.answers import forget_old_answers
from results.ingest.digests import delete_old_keys
from results.ingest.late import is_late, late_steps, rank_late
from results.ingest.mail import send_decision, send_report
from results.ingest.receive import Received
from results.ingest.reread import reread_devices
from results.ingest.survey import judge_published
from results.ingest.taken import is_waiting
from results.ingest.waiting import read_waiting
from results.models import Report
from results.models.choices import ReportReason
from results.ranking.places import ALL_CLASSES, Board, place_board, waiting_boards

DEBOUNCE_S = 0.4
LATE_S = 3.0  # how long a device waits for more to come
_MARK_LIFETIME_MS = 250  # shorter than the debounce: a change that finds the mark is seen by the task to come
WORKER_SEEN_KEY = "worker-seen"
WORKER_SEEN_LIFETIME_S = 20
READERS = 2  # workers that the sweep asks to read what waits
READ_FOR_S = 3  # then a reader asks for the next one, so that other tasks get their turn
SWEEP_S = 5
EXPORT_PAUSE_S = 60  # between attempts to build the exports that are due


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def rank_board(device_class: str, method: str) -> None:
    """Make the pass of one board. That of all classes rests on it; classes that change together share it."""
    place_board(Board(device_class, method))
    if device_class != ALL_CLASSES:
        hurry_ranking([Board(ALL_CLASSES, method)])


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True)
def judge_devices(device_ids: list[int]) -> int:
    """Judge the results of these devices by what the catalogue says now; how many texts that took."""
    texts, boards = 0, set(judge_published(device_ids))
    for _, changed in reread_devices(device_ids):
        texts += 1
        boards.update(changed)
    hurry_ranking(sorted(boards))
    return texts


def enqueue(task: Task, arguments: Sequence[Any] = (), **options: Any) -> None:
    """Send a task to the broker without waiting for one that is away: the sweep does what is lost here.

    The circuit breaker of `link` is open for a while after a failure.
    """
    with suppress(RedisAwayError):
        link.call(lambda _: task.apply_async(arguments, retry=False, **options))


def hurry_judging(device_ids: list[int]) -> None:
    """Ask for that; with Redis away it is left to `manage.py reread`, which finds these texts."""
    if device_ids:
        enqueue(judge_devices, [device_ids])


@shared_task
def sweep() -> None:
    """Do what a failing link or a dead worker left undone, and show that a worker is alive."""
    link.call(lambda redis: redis.set(key(WORKER_SEEN_KEY), 1, ex=WORKER_SEEN_LIFETIME_S))
    agree_on_version()
    for board in waiting_boards():
        rank_board.delay(*board)
    if is_due() and link.call(lambda redis: redis.set(key("export-due"), 1, nx=True, ex=EXPORT_PAUSE_S)):
        export.delay()
    if is_late():
        hurry_late()
    if is_waiting():
        for _ in range(READERS):
            read_texts.apply_async(expires=SWEEP_S)


@shared_task(time_limit=settings.READ_TIME_LIMIT_S)
def read_texts() -> None:
    """Read what bulk imports brought, batch by batch, until nothing waits. Any number of these may run.

    A text on which the process hangs or dies takes the process with it; the sweep starts the next one.
    """
    deadline = time.monotonic() + min(READ_FOR_S, settings.READ_TIME_LIMIT_S / 4)
    while time.monotonic() < deadline:
        worked = read_waiting()
        hurry_ranking(worked.boards)
        if not worked.taken:
            _end_of_reading()
            return
        hurry_late()
    hurry_reading()


def _end_of_reading() -> None:
    """Devices are put off for more of an import to come, and no more comes; the sweep does what this leaves."""
    if is_late():
        enqueue(rank_late_devices)


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def rank_late_devices() -> None:
    """Rank the devices that wait for it now; what comes meanwhile is left to the next one."""
    for step in late_steps():
        hurry_ranking(rank_late(step))


def hurry_late() -> None:
    """Ask for that in LATE_S, once for all who ask meanwhile; with Redis away the sweep does."""
    if _is_first(key("late-due"), lifetime_ms=int(LATE_S * 900)):
        enqueue(rank_late_devices, countdown=LATE_S)


def hurry_reading() -> None:
    """Ask for workers to read what waits; with Redis away the sweep does."""
    enqueue(read_texts)


@shared_task
def export() -> None:
    """Build the exports: each night, first of all, and whenever something was erased (see sweep)."""
    build_exports()


@shared_task
def forget_answers() -> None:
    """Remove remembered answers that are no longer given again, and the keys of past days."""
    forget_old_answers()
    delete_old_keys()


@shared_task(autoretry_for=(OSError, OperationalError), retry_backoff=True, max_retries=8)
def mail_decision(owner_id: int, *, public_id: str, decision: str, reason: str) -> None:
    """Tell the owner of a submission what a moderator decided."""
    send_decision(owner_id, public_id=public_id, decision=decision, reason=reason)


def tell_owner(owner_id: int | None, *, public_id: str, decision: str, reason: str) -> None:
    """Ask for that mail; with Redis away none is sent, and the account page says the same."""
    if owner_id is None:
        return
    told = {"public_id": public_id, "decision": decision, "reason": reason}
    enqueue(mail_decision, (owner_id,), kwargs=told)


@shared_task(autoretry_for=(OSError, OperationalError), retry_backoff=True, max_retries=8)
def mail_report(owner_id: int, *, public_id: str, reason: str) -> None:
    """Tell the owner of a submission that somebody reported it."""
    send_report(owner_id, public_id=public_id, reason=reason)


def tell_of_report(report: Report) -> None:
    """Ask for that mail once the report is kept; with Redis away none is sent."""
    submission = report.result.submission
    if submission.owner_id is None:
        return
    told = {"public_id": submission.public_id, "reason": ReportReason(report.reason).label}
    transaction.on_commit(partial(enqueue, mail_report, (submission.owner_id,), kwargs=told))


def hurry_after(received: Received) -> None:
    """Ask for what a submission leaves to be done: the pass of its boards, and devices of many results."""
    hurry_ranking(received.boards)
    if received.is_late:
        hurry_late()


def hurry_ranking(boards: list[Board]) -> None:
    """Ask for the class-wide pass of these boards soon; many calls in a row make one pass.

    With Redis away nothing is asked for and nothing is lost: the boards are marked in PostgreSQL, and the sweep finds
    them.
    """
    for board in boards:
        if _is_first(key(f"ranking-due:{board.device_class}:{board.method}"), lifetime_ms=_MARK_LIFETIME_MS):
            enqueue(rank_board, board, countdown=DEBOUNCE_S)


def _is_first(mark: str, *, lifetime_ms: int) -> bool:
    """Debounce: True once until the mark expires; False while Redis is away."""
    try:
        return bool(link.call(lambda redis: redis.set(mark, 1, nx=True, px=lifetime_ms)))
    except RedisAwayError:
        return False
