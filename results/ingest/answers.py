"""Remembered answers (Idempotency-Key) are given again for a day, and no longer than what they tell of is there."""

from datetime import timedelta

from django.db.models.fields.json import KT
from django.utils import timezone

from results.models import RememberedAnswer

REMEMBERED_FOR = timedelta(days=1)


def forget_old_answers() -> int:
    """Remove what is no longer given again; how many there were."""
    old = RememberedAnswer.objects.filter(created_at__lte=timezone.now() - REMEMBERED_FOR)
    return old.delete()[0]


def forget_answers_about(public_id: str) -> None:
    """Remove the answers that show a submission."""
    about = RememberedAnswer.objects.alias(about=KT("body__id"))  # in the words of the index
    about.filter(about=public_id).delete()
