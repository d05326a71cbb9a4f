"""Which waiting texts are worked on: a batch that a worker took is one row, so that its texts are not written for it.

A batch whose worker died is given up when its time is over, and its texts have failed once more. Whoever was merely
slow finds then that the batch is no longer there, and stores nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Func, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, Concat, Now, NullIf

from results.models import Submission, TakenBatch
from results.models.choices import State

ATTEMPTS = 3
FEWER = 32  # times fewer are taken at once with each attempt: 1000, 31, 1
LEASE_MARGIN = timedelta(seconds=2)  # beyond settings.READ_TIME_LIMIT_S, by which a reader is done or killed
POISON = f"Reading it failed {ATTEMPTS} times; a person has to look at it."
DIED = "Its reader died or ran out of time."


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts that are ours to read, and the key of the row that says so."""

    pk: int
    texts: Sequence[Submission]


class _Unnest(Func):
    function = "unnest"
    arity = 1
    set_returning = True


def free_texts() -> QuerySet[Submission]:
    """The waiting texts that nobody works on."""
    taken = TakenBatch.objects.values_list(_Unnest("submission_ids", output_field=IntegerField()))
    return Submission.objects.filter(state=State.WAITING).exclude(pk__in=taken)


def is_waiting() -> bool:
    """Whether a text waits that nobody works on, or any more."""
    return free_texts().exists() or _overdue().exists()


@transaction.atomic
def take_batch(limit: int) -> Batch | None:
    """Take the oldest that nobody works on, those that failed least: after the first fault few, then one alone.

    None where there is none.
    """
    _give_up_overdue()
    found = _lock_free(limit) or _lock_free(limit)
    if not found:
        return None
    fewest = min(one.read_attempts for one in found)
    together = max(1, limit // FEWER**fewest)
    found = [one for one in found if one.read_attempts == fewest][:together]
    row = TakenBatch.objects.create(submission_ids=[one.pk for one in found], taken_at=Now())
    return Batch(row.pk, found)


def _lock_free(limit: int) -> list[Submission]:
    """What is locked is being taken by somebody else; what was taken while we looked shows once its lock is ours."""
    free = free_texts().select_for_update(skip_locked=True, no_key=True)
    found = list(free.order_by("pk")[:limit])
    taken = {pk for batch in TakenBatch.objects.values_list("submission_ids", flat=True) for pk in batch}
    return [one for one in found if one.pk not in taken]


def keep_batch(batch: Batch) -> bool:
    """Lock the batch until the transaction ends; whether it is still ours."""
    return TakenBatch.objects.select_for_update().filter(pk=batch.pk).exists()


def end_batch(batch: Batch) -> None:
    """What still waits of it is free again."""
    TakenBatch.objects.filter(pk=batch.pk).delete()


def note_failure(submission_ids: Collection[int], reason: str = "") -> None:
    """Count one more attempt of those that still wait; what failed ATTEMPTS times is held with the reason."""
    waiting = Submission.objects.filter(pk__in=submission_ids, state=State.WAITING)
    told = Value(reason) if reason else Coalesce(NullIf("state_reason", Value("")), Value(DIED))
    is_last = Q(read_attempts__gte=ATTEMPTS - 1)
    waiting.update(
        read_attempts=F("read_attempts") + 1,
        state=Case(When(is_last, then=Value(State.HELD)), default=F("state")),
        state_reason=Case(
            When(is_last, then=Concat(Value(f"{POISON} "), told)),
            default=Value(reason) if reason else F("state_reason"),
        ),
    )


def _overdue() -> QuerySet[TakenBatch]:
    """By the database's time, one for all workers; what it took in the future was before its clock was set back."""
    lease = timedelta(seconds=settings.READ_TIME_LIMIT_S) + LEASE_MARGIN
    return TakenBatch.objects.filter(Q(taken_at__lt=Now() - lease) | Q(taken_at__gt=Now() + lease))


def _give_up_overdue() -> None:
    """A batch that is being stored just now is locked, and left alone."""
    for batch in _overdue().select_for_update(skip_locked=True):
        note_failure(batch.submission_ids)
        batch.delete()
