"""A reread by workers: text by text, for some seconds at a time, so that other tasks aren't delayed.

The run is a row of the database. A text is reread in the transaction that notes it there, so whichever worker is
killed, another continues: the task queues its successor, and the sweep queues it if that was lost.
"""

import logging
import time
from collections import Counter
from datetime import timedelta
from enum import Enum

from celery import shared_task
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from results.catalogue.matching.rematch import remove_empty_devices
from results.core.queue import enqueue
from results.core.read_only import WritingTask
from results.exports.build import current_manifest, export
from results.models import RereadRun
from results.submissions.intake.deferred import MANY_RESULTS
from results.submissions.intake.reread import kinds_of_change, reread_submission, states_of, texts_to_read
from results.submissions.intake.shipped import judge_published

SLICE_S = 5.0
LOST_AFTER = timedelta(seconds=60)
logger = logging.getLogger(__name__)


class RunningError(Exception):
    """A reread is already running; the message states its progress."""


class RereadStep(Enum):
    """What became of an attempt to reread the next text."""

    REREAD = 1
    NONE_LEFT = 2
    BUSY = 3  # another worker has the lock, or there is no run


@transaction.atomic
def begin_run(*, only_outdated: bool) -> RereadRun:
    """Leave a reread to the workers. Raises RunningError."""
    running = RereadRun.objects.select_for_update().filter(finished_at=None).first()
    if running is not None:
        raise RunningError(
            f"A worker is rereading already: {running.done:,} of {running.total:,} texts are done."
        )
    total = texts_to_read(only_outdated=only_outdated).count()
    try:
        with transaction.atomic():
            RereadRun.objects.all().delete()
            run = RereadRun.objects.create(id=1, only_outdated=only_outdated, total=total)
    except IntegrityError as error:  # another one has begun in this moment
        raise RunningError("A worker is rereading already.") from error
    transaction.on_commit(lambda: enqueue(reread_in_worker), robust=True)
    return run


@shared_task(base=WritingTask)
def reread_in_worker(slice_s: float = SLICE_S) -> None:
    """Continue the run for some seconds, then leave the rest to a task behind those that wait."""
    until = time.monotonic() + slice_s
    while (step := reread_next()) is RereadStep.REREAD:
        if time.monotonic() >= until:
            enqueue(reread_in_worker)
            return
    if step is RereadStep.NONE_LEFT:
        _finish()


def continue_lost_run() -> None:
    """Queue the task again if nothing has happened for a while, as after a worker was killed."""
    if RereadRun.objects.filter(finished_at=None, touched_at__lt=timezone.now() - LOST_AFTER).exists():
        enqueue(reread_in_worker)


@transaction.atomic
def reread_next() -> RereadStep:
    run = RereadRun.objects.select_for_update(skip_locked=True).filter(finished_at=None).first()
    if run is None:
        return RereadStep.BUSY
    run.touched_at = timezone.now()
    texts = texts_to_read(only_outdated=run.only_outdated).filter(pk__gt=run.after_pk)
    submission = texts.select_for_update(of=("self",)).first()
    if submission is None:
        run.save()
        return RereadStep.NONE_LEFT
    run.after_pk, run.done = submission.pk, run.done + 1
    try:
        with transaction.atomic():
            before = states_of(submission)
            reread_submission(submission, defer_from=MANY_RESULTS)
            after = states_of(submission)
    except OperationalError:
        raise
    except Exception:  # a fault of ours in one text must not keep the workers from all others
        logger.exception("submission %s could not be read again", submission.public_id)
        run.failed += 1
    else:
        kinds = [kinds_of_change(before.get(pk), after.get(pk)) for pk in before.keys() | after.keys()]
        run.changes = dict(Counter(run.changes) + Counter(kind for entry in kinds for kind in entry))
    run.save()
    return RereadStep.REREAD


def _finish() -> None:
    """Do what follows the last text, as the command does. Idempotent, so a killed worker's successor repeats it."""
    run = RereadRun.objects.get(id=1)
    if not run.only_outdated:
        judge_published()
        remove_empty_devices()
    if run.done and current_manifest() is not None:
        enqueue(export)  # its files contain the texts as kept before
    RereadRun.objects.filter(id=1, finished_at=None).update(finished_at=timezone.now())
