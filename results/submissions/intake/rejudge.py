"""Rejudging results after a catalogue change: published ones from their file, the others from their texts."""

from collections.abc import Collection

from celery import shared_task
from django.db import transaction
from django.dispatch import receiver

from results.catalogue.matching.rematch import products_changed
from results.core.queue import enqueue
from results.core.read_only import WritingTask
from results.submissions.intake.reread import reread_devices
from results.submissions.intake.shipped import judge_published


@shared_task(base=WritingTask, max_retries=3)
def judge_devices(device_ids: list[int]) -> int:
    """Judge the results of these devices by the current catalogue; return the number of texts read."""
    judge_published(device_ids)
    return sum(1 for _ in reread_devices(device_ids))


def enqueue_judging(device_ids: Collection[int]) -> None:
    """Enqueue judge_devices on commit; if Redis is unavailable, `manage.py reread` finds these texts later."""
    if device_ids:
        transaction.on_commit(lambda: enqueue(judge_devices, [list(device_ids)]), robust=True)


@receiver(products_changed)
def _enqueue_after_change(device_ids: Collection[int], **_: object) -> None:
    enqueue_judging(device_ids)
