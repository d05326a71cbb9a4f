"""Judges results again after the catalogue has changed: published ones by their file, the others by their texts."""

from collections.abc import Collection

from celery import shared_task
from django.db import OperationalError, transaction
from django.dispatch import receiver

from results.catalogue.rejudge import products_changed
from results.core.queue import enqueue
from results.submissions.reread import reread_devices
from results.submissions.survey_data import judge_published


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True)
def judge_devices(device_ids: list[int]) -> int:
    """Judge the results of these devices by what the catalogue says now; how many texts that took."""
    judge_published(device_ids)
    return sum(1 for _ in reread_devices(device_ids))


def enqueue_judging(device_ids: Collection[int]) -> None:
    """Enqueue that on commit; with Redis away it is left to `manage.py reread`, which finds these texts."""
    if device_ids:
        transaction.on_commit(lambda: enqueue(judge_devices, [list(device_ids)]), robust=True)


@receiver(products_changed)
def _enqueue_after_change(device_ids: Collection[int], **_: object) -> None:
    enqueue_judging(device_ids)
