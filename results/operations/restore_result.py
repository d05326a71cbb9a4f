"""Take one submission from a backup and read its text again in the site's database."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q

from results.core.security.audit import OPERATOR, log_action
from results.models import Erasure, Member, Pool, Result, ResultPair, Submission
from results.models.choices import Action, State
from results.models.result import OWNER_FIELDS
from results.operations.backup import restored
from results.operations.postgres_tools import django_on
from results.operations.prepare import RestoreError, migrate_restored
from results.operations.restore import check
from results.submissions.edit import pairs_of, say_same_pool
from results.submissions.intake.reread import reread_submission

_OF_THE_OLD_DATABASE = {"id", "owner", "batch"}  # or set below
_COLUMNS = [
    field.name for field in Submission._meta.concrete_fields if field.name not in _OF_THE_OLD_DATABASE
]


@dataclass(frozen=True, slots=True)
class BackedUp:
    """A submission as it was: its columns, its owner's, and what the owner added to each result, by position.

    `same_pools` are the ids of pools that are the same by the owner's statement, by the position of its pool; `pairs`
    the columns of pairs that the owner linked, with the ids of both results.
    """

    columns: dict[str, Any]
    owner: dict[str, Any] | None
    added: dict[int, dict[str, Any]]
    same_pools: dict[int, list[str]]
    pairs: list[dict[str, Any]]


def restore_result(dump: Path, public_id: str) -> int:
    """Restore a submission that is missing or whose text is damaged; return the number of its results.

    An existing one keeps its state, owner and notes, which may have been changed for a reason: only its text is
    replaced. Raises RestoreError and ToolError.
    """
    if Erasure.objects.filter(line=public_id).exists():
        raise RestoreError("It was erased, and stays erased. Its owner can submit the text again.")
    check(dump)
    with restored(dump) as scratch, django_on(scratch):
        migrate_restored()
        found = _look_up(public_id)
    return _put_back(found)


def _look_up(public_id: str) -> BackedUp:
    submission = Submission.objects.filter(public_id=public_id).select_related("owner").first()
    if submission is None or submission.state == State.ERASED:
        raise RestoreError(f"The backup has no submission {public_id}.")
    if not submission.text:
        raise RestoreError("Its figures were published elsewhere and have no text: run manage.py load_survey")
    owner = submission.owner
    return BackedUp(
        {name: getattr(submission, name) for name in _COLUMNS},
        {"pk": owner.pk, "date_joined": owner.date_joined} if owner else None,
        {row.pop("position"): row for row in submission.results.values("position", *OWNER_FIELDS)},
        {pool.position: [other.public_id for other in _same_as(pool)] for pool in submission.pools.all()},
        list(pairs_of(submission).values(*_PAIR_COLUMNS, "before__public_id", "after__public_id")),
    )


_PAIR_COLUMNS = ("change", "before_value", "after_value", "sentence")


def _same_as(pool: Pool) -> list[Pool]:
    """The other pools that are the same, by the statement of their owner."""
    first = pool.same_as_id or pool.pk
    return list(Pool.objects.filter(Q(pk=first) | Q(same_as=first)).exclude(pk=pool.pk).order_by("pk"))


@transaction.atomic
def _put_back(found: BackedUp) -> int:
    columns = found.columns
    same = Submission.objects.filter(text_digest=columns["text_digest"], text_digest__isnull=False)
    if other := same.exclude(public_id=columns["public_id"]).first():
        raise RestoreError(f"Its text was submitted again, as {other.public_id}.")
    submission = Submission.objects.select_for_update().filter(public_id=columns["public_id"]).first()
    if submission is None:
        submission = Submission.objects.create(
            **columns, owner=Member.objects.filter(**found.owner).first() if found.owner else None
        )
        Submission.objects.filter(pk=submission.pk).update(created_at=columns["created_at"])
        added, is_new = found.added, True
    else:
        submission.text, submission.text_digest = columns["text"], columns["text_digest"]
        submission.told = columns["told"]  # by lines of the text
        if submission.keeps_unit:
            submission.unit_digests = columns["unit_digests"]
        submission.save(update_fields=["text", "text_digest", "told", "unit_digests"])
        added, is_new = {}, False
    reread_submission(submission)
    for position, values in added.items():
        Result.objects.filter(submission=submission, position=position).update(**values)
    if is_new:
        _connect_pools(submission, found.same_pools)
        _link_pairs(found.pairs)
    log_action(OPERATOR, Action.RESTORED, submission=submission, reason="from a backup")
    return submission.results.count()


def _connect_pools(submission: Submission, same_pools: dict[int, list[str]]) -> None:
    """State again that its pools are those of the owner's other submissions, as far as they are still here."""
    for pool in submission.pools.select_related("submission"):
        others = Pool.objects.filter(
            public_id__in=same_pools.get(pool.position, []), submission__owner=submission.owner
        )
        if submission.owner is not None:
            for other in others.select_related("submission"):
                say_same_pool(pool, other)


def _link_pairs(pairs: list[dict[str, Any]]) -> None:
    """Link its results again with those that are still here."""
    for row in pairs:
        columns = {name: row[name] for name in _PAIR_COLUMNS}
        ids = [row["before__public_id"], row["after__public_id"]]
        results = {one.public_id: one for one in Result.objects.named(ids)}
        if len(results) == len(ids):
            before, after = (results[public_id] for public_id in ids)
            ResultPair.objects.get_or_create(before=before, after=after, defaults=columns)
