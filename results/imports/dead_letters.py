"""Dead letters: imported texts that failed to be read, until a moderator has them read again."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q, QuerySet

from results.core.audit import log_action
from results.imports.batches import ATTEMPTS
from results.models import Member, Submission
from results.models.choices import Action, State


class NoReasonError(Exception):
    """A reason is required and missing."""


def dead_letters() -> QuerySet[Submission]:
    """Texts held after ATTEMPTS, or waiting after at least one failure; none was ever read successfully."""
    is_stuck = Q(state=State.HELD, read_attempts__gte=ATTEMPTS) | Q(state=State.WAITING, read_attempts__gt=0)
    return Submission.objects.filter(is_stuck, parser_version="")


@transaction.atomic
def read_again(ids: Collection[int], *, moderator: Member, reason: str) -> int:
    """Reset these dead letters to be read as if for the first time, and log who decided it; return their number.

    Raises NoReasonError.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise NoReasonError
    found = list(dead_letters().filter(pk__in=ids).select_for_update().order_by("pk"))
    again = Submission.objects.filter(pk__in=[one.pk for one in found])
    again.update(state=State.WAITING, state_reason="", read_attempts=0, leased_until=None)
    for one in found:
        log_action(moderator, Action.RESTORED, submission=one, reason=f"To be read again: {reason}")
    return len(found)
