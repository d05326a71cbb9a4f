"""Remembered answers (Idempotency-Key) are given again for a day, and no longer than what they tell of is there."""

from datetime import timedelta

from celery import shared_task
from django.db.models.fields.json import KT
from django.utils import timezone

from results.ingest.digests import delete_old_keys
from results.models import RememberedAnswer

REMEMBERED_FOR = timedelta(days=1)


def forget_old_answers() -> int:
    """Remove what is no longer given again; how many there were."""
    old = RememberedAnswer.objects.filter(created_at__lte=timezone.now() - REMEMBERED_FOR)
    return old.delete()[0]


@shared_task
def forget_answers() -> None:
    """Remove remembered answers that are no longer given again, and the keys of past days."""
    forget_old_answers()
    delete_old_keys()


def forget_answers_about(public_id: str) -> None:
    """Remove the answers that show a submission."""
    about = RememberedAnswer.objects.alias(about=KT("body__id"))  # in the words of the index
    about.filter(about=public_id).delete()
