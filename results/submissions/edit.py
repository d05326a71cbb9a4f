"""Actions on a submission: hold, reject, withdraw, publish again, erase, describe. They take effect at once."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from parsers.privacy.free_text import mask_free_text
from results.api.idempotency import forget_answers_about
from results.catalogue.matching.rematch import drop_devices, lock_devices, lock_empty_devices
from results.core.data_version import bump_data_version
from results.core.security.audit import log_action
from results.kinds.envelope import fitting_text
from results.kinds.registry import kind_of
from results.models import Device, Member, Pool, PoolLog, Result, ResultPair, Submission, lengths
from results.models.choices import Action, Change, State
from results.ranking.conditions import update_conditions
from results.ranking.medians import rerank_devices
from results.submissions.intake.other_results import copies_of, flag_related
from results.submissions.intake.pools import drop_pools, point_to_first
from results.submissions.intake.reread import reread_submission


class NotAllowedError(Exception):
    """The owner can't do this in the submission's current state; the message says why."""


class StateError(NotAllowedError):
    """The submission can't enter that state; the message says why."""


@transaction.atomic
def change_state(
    submission: Submission, state: State, *, reason: str, is_approved: bool | None = None
) -> None:
    """Change the submission's state, with the reason shown to its owner.

    Its results leave the ranking, or return to it, in the same transaction. `is_approved` says whether results that
    only a rule holds back count from now on; None leaves that, and the request for review, unchanged. Raises
    StateError for an erased submission, for survey figures, which have no text to reread, and for State.ERASED, which
    is set by erase_submission.
    """
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    if State.ERASED in (locked.state, state):
        raise StateError("Erased submissions can't be restored.")
    if locked.is_from_elsewhere:
        raise StateError("These figures were published elsewhere; they are loaded from a file.")
    if not locked.text:
        raise StateError("None of its text was kept, because it contains no output that we can read.")
    was_approved = locked.is_approved
    locked.state, locked.state_reason = state, reason.strip()[: lengths.REASON]
    if is_approved is not None:
        locked.is_approved, locked.needs_review = is_approved, False
    others = _lock_touched(locked) if was_approved or locked.is_approved else set()
    locked.save(update_fields=["state", "state_reason", "needs_review", "is_approved"])
    submission.refresh_from_db()
    reread_submission(locked)
    rerank_devices(others)


def _lock_touched(submission: Submission) -> set[int]:
    """Lock the devices of its results and pools, and of its owner’s ranked results; return their ids.

    The owner is accountable for those while one of their submissions is approved.
    """
    vouched = Q(submission__owner=submission.owner_id, submission__owner__isnull=False, is_ranked=True)
    results = Result.objects.filter(Q(submission=submission) | vouched)
    logs = PoolLog.objects.filter(pool__submission=submission)
    for_all = Q(pk__in=results.values("device")) | Q(pk__in=logs.values("device"))
    return {device.pk for device in lock_devices(Device.objects.filter(for_all).values("pk"))}


@transaction.atomic
def erase_submission(submission: Submission, *, reason: str) -> None:
    """Remove text, figures and digests permanently, leaving a record that it existed, with the reason.

    A device with nothing left is deleted, too. A survey figure retains its number, so that it is not loaded again.
    Idempotent.
    """
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    touched = _lock_touched(locked)
    copies = copies_of([locked.pk])
    locked.results.all().delete()
    drop_pools([locked.pk])
    locked.state, locked.state_reason = State.ERASED, reason.strip()[: lengths.REASON]
    locked.text, locked.text_digest = "", None
    locked.unit_digests, locked.notices, locked.told = {}, [], {}
    locked.sender_digest = locked.forum_handle = locked.source_url = locked.claim_digest = ""
    locked.note = locked.figure = ""
    locked.precision_percent = locked.figure_digits = None
    locked.posted_on = locked.measured_on = None
    locked.needs_review = False
    locked.save()
    forget_answers_about(locked.public_id)
    submission.refresh_from_db()
    Device.recount(touched)
    empty = lock_empty_devices(touched)
    flag_related([], devices=touched, also=copies)
    rerank_devices(touched)
    drop_devices(empty)
    bump_data_version()


ERASED_BY_OWNER = "Erased by its owner."
OWNER_CONDITIONS = {
    "platform": "Operating system",
    "attachment": "HBA or controller, and how the device is connected",
    "write_cache": "Write cache",
    "host": "Machine",
}


@transaction.atomic
def withdraw(submission: Submission, owner: Member | None) -> None:
    """Withdraw a published submission; its URL still states that there was one. Raises NotAllowedError."""
    _refuse_unless(submission, State.PUBLISHED, "Only published submissions can be withdrawn.")
    change_state(submission, State.WITHDRAWN, reason="")
    log_action(owner, Action.WITHDRAWN, submission=submission, reason="by its owner")


@transaction.atomic
def restore(submission: Submission, owner: Member | None) -> None:
    """Publish a withdrawn submission again. Raises NotAllowedError."""
    _refuse_unless(
        submission, State.WITHDRAWN, "Only submissions withdrawn by their owner can be published again."
    )
    if owner is not None and owner.is_banned:
        raise NotAllowedError(owner.why_not("publish results"))
    change_state(submission, State.PUBLISHED, reason="")
    log_action(owner, Action.RESTORED, submission=submission, reason="by its owner")


@transaction.atomic
def erase(submission: Submission, actor: Member | None, *, reason: str = ERASED_BY_OWNER) -> None:
    """Remove text and figures permanently, in any state. Idempotent."""
    if submission.state == State.ERASED:
        return
    erase_submission(submission, reason=reason)
    log_action(actor, Action.ERASED, submission=submission, reason=reason)


@transaction.atomic
def set_forum_name(submission: Submission, forum_name: str) -> None:
    """Show the submission's results under this forum name, which is public, or under none. Idempotent."""
    Submission.objects.exclude(state=State.ERASED).filter(pk=submission.pk).update(forum_handle=forum_name)
    forget_answers_about(submission.public_id)
    submission.refresh_from_db()
    bump_data_version()


@transaction.atomic
def describe(
    result: Result, *, notes: str | None = None, told_conditions: Mapping[str, Any] | None = None
) -> None:
    """Store the owner's notes and conditions for a result beside its text, with identifiers masked.

    What is None stays as it is.

    Raises NotAllowedError for an unknown condition and for a banned owner, Result.DoesNotExist for a result that was
    erased in the meantime.
    """
    owner = result.submission.owner
    if owner is not None and owner.is_banned:
        raise NotAllowedError(owner.why_not("describe results"))
    unknown = set(told_conditions or ()) - set(OWNER_CONDITIONS)
    if unknown:
        raise NotAllowedError(f"{', '.join(sorted(unknown))}: expected one of {', '.join(OWNER_CONDITIONS)}.")
    devices = lock_devices(Result.objects.filter(pk=result.pk).values("device"))
    Result.objects.select_for_update(no_key=True).get(pk=result.pk)
    if notes is not None:
        result.notes = fitting_text(mask_free_text(notes.strip()), longest=lengths.NOTES)
    if told_conditions is not None:
        conditions = {
            name: fitting_text(mask_free_text(str(value).strip()), longest=lengths.CONDITION)
            for name, value in told_conditions.items()
        }
        result.told_conditions = {name: value for name, value in conditions.items() if value}
    given = {"notes": notes, "told_conditions": told_conditions}
    result.save(update_fields=[name for name, value in given.items() if value is not None])
    update_conditions([device.pk for device in devices])
    bump_data_version()


@transaction.atomic
def say_same_pool(pool: Pool, other: Pool | None) -> None:
    """Store the owner's statement that both are one pool, or with None take it back.

    All pools that are the same point to the earliest of them. Raises NotAllowedError for another owner's pool.
    """
    both = [pool, *([other] if other else [])]
    owners = {pool.submission.owner_id for pool in both}
    if None in owners or len(owners) != 1 or (other is not None and other.pk == pool.pk):
        raise NotAllowedError("You can only connect two different pools of your own submissions.")
    for_owner = (
        Pool.objects.filter(submission__owner__in=owners).select_for_update(of=("self",)).order_by("pk")
    )
    roots = {pool.pk: pool.same_as_id or pool.pk for pool in for_owner}
    rest = sorted(pk for pk, root in roots.items() if root == roots[pool.pk] and pk != pool.pk)
    if other is None:
        point_to_first(rest)
        Pool.objects.filter(pk=pool.pk).update(same_as=None)
    else:
        joined = {roots[pool.pk], roots[other.pk]}
        point_to_first(sorted(pk for pk, root in roots.items() if root in joined))
    bump_data_version()


@transaction.atomic
def link_pair(before: Result, after: Result, *, change: str, stated: Mapping[str, str]) -> ResultPair:
    """Link two results of one owner as before and after a change, or correct what is said of them.

    `stated` has before_value, after_value and sentence, which are public; identifiers in them are masked. Raises
    NotAllowedError for results of different owners or kinds, and for a result with itself.
    """
    owners = {result.submission.owner_id for result in (before, after)}
    owner = before.submission.owner
    if owner is None or len(owners) != 1:
        raise NotAllowedError("You can only link two of your own results.")
    if owner.is_banned:
        raise NotAllowedError(owner.why_not("link results"))
    if before.pk == after.pk:
        raise NotAllowedError("Both ids are the same result. Choose two different results.")
    if kind_of(before.method) is not kind_of(after.method):
        raise NotAllowedError("These two results measured different things, so they can’t be compared.")
    stated = {name: mask_free_text(" ".join(value.split())) for name, value in stated.items()}
    values = {
        "change": Change(change),
        "before_value": fitting_text(stated.get("before_value", ""), longest=lengths.CONDITION),
        "after_value": fitting_text(stated.get("after_value", ""), longest=lengths.CONDITION),
        "sentence": fitting_text(stated.get("sentence", ""), longest=lengths.NOTE),
    }
    turned = ResultPair.objects.filter(before=after, after=before, survey_id=None)
    turned.delete()
    pair, _ = ResultPair.objects.update_or_create(before=before, after=after, defaults=values)
    bump_data_version()
    return pair


@transaction.atomic
def unlink_pair(submission: Submission, pair_id: int) -> None:
    """Remove a pair that one of the submission’s results is in; none if there is no such pair."""
    deleted, _ = pairs_of(submission).filter(pk=pair_id).delete()
    if deleted:
        bump_data_version()


def pairs_of(submission: Submission) -> QuerySet[ResultPair]:
    """The pairs that its owner linked with one of its results."""
    linked = Q(before__submission=submission.pk) | Q(after__submission=submission.pk)
    return ResultPair.objects.filter(linked, survey_id=None).select_related("before", "after").order_by("pk")


def has_notes(submission: Submission) -> bool:
    """Whether its sender or owner wrote a note about it or one of its results."""
    written = submission.results.exclude(notes="", told_conditions={})
    return bool(submission.note) or written.exists() or pairs_of(submission).exists()


@transaction.atomic
def clear_notes(submission: Submission) -> None:
    """Permanently remove the sender's note, and the owner's notes and conditions of all results. Idempotent."""
    devices = lock_devices(submission.results.values("device"))
    Submission.objects.filter(pk=submission.pk).update(note="")
    submission.results.update(notes="", told_conditions={})
    pairs_of(submission).update(sentence="", before_value="", after_value="")
    update_conditions([device.pk for device in devices])
    forget_answers_about(submission.public_id)
    submission.refresh_from_db()
    bump_data_version()


@transaction.atomic
def forget_unit(submission: Submission) -> None:
    """Remove the digest that identifies the unit, permanently. Idempotent."""
    locked = Submission.objects.select_for_update().get(pk=submission.pk)
    locked.keeps_unit, locked.unit_digests = False, {}
    locked.save(update_fields=["keeps_unit", "unit_digests"])
    submission.refresh_from_db()
    if locked.text:
        reread_submission(locked)


def _refuse_unless(submission: Submission, state: State, why: str) -> None:
    stored = Submission.objects.select_for_update().values_list("state", flat=True).get(pk=submission.pk)
    if stored != state:
        raise NotAllowedError(f"{why} This one is {State(stored).label.lower()}.")
