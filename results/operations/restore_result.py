"""Take one submission from a backup and read its text again in the site's database."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import Q

from results.core.security.audit import OPERATOR, log_action
from results.models import Erasure, Member, Pool, Report, Result, ResultPair, Submission
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
    the columns of pairs that the owner linked, with the ids of both results; `reports` those of reports, with the
    positions of their results.
    """

    columns: dict[str, Any]
    owner: dict[str, Any] | None
    added: dict[int, dict[str, Any]]
    same_pools: dict[int, list[str]]
    pairs: list[dict[str, Any]]
    reports: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class PutBack:
    """What was restored: the numbers of results and reports, or that nothing was missing."""

    results: int
    reports: int
    was_missing: bool


def restore_result(dump: Path, public_id: str) -> PutBack:
    """Restore a submission that is missing or whose text is damaged, and reports of its results that are missing.

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
        list(
            Report.objects.filter(result__submission=submission)
            .order_by("pk")
            .values(*_REPORT_COLUMNS, *_REPORTER, "result__position")
        ),
    )


_PAIR_COLUMNS = ("change", "before_value", "after_value", "sentence")
_REPORT_COLUMNS = ("reason", "text", "network", "created_at", "closed_at")
_REPORTER = ("reporter__pk", "reporter__date_joined")


def _same_as(pool: Pool) -> list[Pool]:
    """The other pools that are the same, by the statement of their owner."""
    first = pool.same_as_id or pool.pk
    return list(Pool.objects.filter(Q(pk=first) | Q(same_as=first)).exclude(pk=pool.pk).order_by("pk"))


@transaction.atomic
def _put_back(found: BackedUp) -> PutBack:
    columns = found.columns
    same = Submission.objects.filter(text_digest=columns["text_digest"], text_digest__isnull=False)
    if other := same.exclude(public_id=columns["public_id"]).first():
        raise RestoreError(f"Its text was submitted again, as {other.public_id}.")
    submission = Submission.objects.select_for_update().filter(public_id=columns["public_id"]).first()
    if submission is None:
        submission, is_missing = _create(found), True
    else:
        is_missing = _replace_text(submission, found)
    reports = _add_reports(submission, found.reports)
    if is_missing or reports:
        log_action(OPERATOR, Action.RESTORED, submission=submission, reason="from a backup")
    return PutBack(submission.results.count(), reports, was_missing=is_missing or reports > 0)


def _create(found: BackedUp) -> Submission:
    """Store a missing submission with everything that its owner added to it."""
    columns = found.columns
    submission = Submission.objects.create(
        **columns, owner=Member.objects.filter(**found.owner).first() if found.owner else None
    )
    Submission.objects.filter(pk=submission.pk).update(created_at=columns["created_at"])
    reread_submission(submission)
    for position, values in found.added.items():
        Result.objects.filter(submission=submission, position=position).update(**values)
    _connect_pools(submission, found.same_pools)
    _link_pairs(found.pairs)
    return submission


def _replace_text(submission: Submission, found: BackedUp) -> bool:
    """Read the submission's text as it was again, unless text and results are intact; return whether it wasn't."""
    replaced = ["text", "text_digest", "told"]  # `told` is by lines of the text
    if submission.keeps_unit:
        replaced.append("unit_digests")
    positions = set(submission.results.values_list("position", flat=True))
    before = {name: getattr(submission, name) for name in replaced}
    wanted = {name: found.columns[name] for name in replaced}
    if before == wanted and found.added.keys() <= positions:
        return False
    for name, value in wanted.items():
        setattr(submission, name, value)
    submission.save(update_fields=replaced)
    reread_submission(submission)
    return True


def _add_reports(submission: Submission, reports: list[dict[str, Any]]) -> int:
    """Store the reports that are missing, with their dates; return their number."""
    results = {result.position: result for result in submission.results.all()}
    added = 0
    for row in reports:
        result = results.get(row["result__position"])
        if result is None or result.reports.filter(created_at=row["created_at"]).exists():
            continue
        reporter = Member.objects.filter(pk=row["reporter__pk"], date_joined=row["reporter__date_joined"])
        columns = {name: row[name] for name in _REPORT_COLUMNS}
        new = Report.objects.create(result=result, reporter=reporter.first(), **columns)
        Report.objects.filter(pk=new.pk).update(created_at=row["created_at"])
        added += 1
    return added


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
        results = {result.public_id: result for result in Result.objects.named(ids)}
        if len(results) == len(ids):
            before, after = (results[public_id] for public_id in ids)
            ResultPair.objects.get_or_create(before=before, after=after, defaults=columns)
