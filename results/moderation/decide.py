"""Moderators' decisions. All but approvals have a reason, which the owner can read; the audit log records each."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, Count, Q, QuerySet, When
from django.utils import timezone

from results.core.formats import format_count
from results.core.security.audit import log_action
from results.models import Member, Report, Submission
from results.models.choices import Action, State
from results.submissions.edit import StateError, change_state, clear_notes, erase, has_notes

MAX_DAYS = 3650  # of a ban with an end
COUNTING = [State.PUBLISHED, State.HELD]  # what reject_all rejects; other submissions don't count anyway
STATE_AFTER = {Action.APPROVED: State.PUBLISHED, Action.HELD: State.HELD, Action.REJECTED: State.REJECTED}


class DecisionError(Exception):
    """The decision is not allowed; the message says why."""


@transaction.atomic
def decide(submission: Submission, action: Action, *, moderator: Member | str, reason: str) -> None:
    """Approve, hold or reject a submission and close its reports. Raises DecisionError."""
    reason = checked_reason(reason, is_optional=action == Action.APPROVED)
    if action not in STATE_AFTER:
        raise DecisionError("Choose to approve, hold or reject it.")
    if _is_own(submission, moderator):
        raise DecisionError("You can't moderate your own results.")
    if action != Action.REJECTED:
        locked = Submission.objects.select_for_update().get(pk=submission.pk)
        if locked.state == State.WITHDRAWN:
            raise DecisionError("Its owner has withdrawn it. Only the owner can publish it again.")
    try:
        change_state(submission, STATE_AFTER[action], reason=reason, is_approved=action == Action.APPROVED)
    except StateError as error:
        raise DecisionError(str(error)) from error
    _close_reports(submission)
    log_action(moderator, action, submission=submission, reason=reason)


def _close_reports(submission: Submission) -> None:
    open_reports = Report.objects.filter(result__submission=submission, closed_at__isnull=True)
    open_reports.update(closed_at=timezone.now())


@transaction.atomic
def remove_notes(submission: Submission, *, moderator: Member, reason: str) -> None:
    """Permanently remove what the sender and the owner wrote about a submission, and close its reports.

    Raises DecisionError.
    """
    reason = checked_reason(reason)
    if _is_own(submission, moderator):
        raise DecisionError("You can't moderate your own results.")
    clear_notes(submission)
    _close_reports(submission)
    log_action(moderator, Action.NOTES_REMOVED, submission=submission, reason=reason)


def decidable(submission: Submission, *, moderator: Member) -> set[Action]:
    """The decisions that the submission's state allows; others are refused."""
    if submission.state == State.ERASED:
        return set()
    if _is_own(submission, moderator):
        return {Action.ERASED}
    notes = {Action.NOTES_REMOVED} if has_notes(submission) else set()
    if submission.state == State.WITHDRAWN:
        return {Action.REJECTED, Action.ERASED, *notes}
    return {*STATE_AFTER, Action.ERASED, *notes}


def _is_own(submission: Submission, moderator: Member | str) -> bool:
    if isinstance(moderator, str):  # results.core.security.audit.OPERATOR
        return False
    return submission.owner_id == moderator.pk and not moderator.is_superuser


def ban(
    member: Member, *, moderator: Member | str, reason: str, rejects_results: bool, days: int | None = None
) -> int:
    """Prevent a member from sending, and reject their submissions if `rejects_results`; return the number of these.

    The ban ends after `days`, or without them when it is lifted. They can still sign in, read why, and withdraw or
    erase their submissions. Raises DecisionError.
    """
    reason = checked_reason(reason)
    if member.is_staff:
        raise DecisionError("Moderators can't be banned. An administrator must remove the permission first.")
    _revoke_access(member, moderator=moderator, reason=reason, days=days)
    return (
        len(reject_all(member.submissions.all(), moderator=moderator, reason=reason))
        if rejects_results
        else 0
    )


def reject_all(
    submissions: QuerySet[Submission], *, moderator: Member | str, reason: str
) -> list[Submission]:
    """Reject those of these submissions that are published or held; return them, without their texts.

    Each is rejected in its own transaction: a single one would hold the data version's lock while it waits for locks
    of devices.
    """
    rejected = []
    for submission in submissions.filter(state__in=COUNTING).defer("text").order_by("pk"):
        with suppress(DecisionError):  # it was erased meanwhile, or is the moderator's own
            decide(submission, Action.REJECTED, moderator=moderator, reason=reason)
            rejected.append(submission)
    return rejected


@transaction.atomic
def _revoke_access(member: Member, *, moderator: Member | str, reason: str, days: int | None) -> None:
    now = timezone.now()
    _set_ban(member, now, reason, until=now + timedelta(days=days) if days else None)
    member.api_keys.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
    log_action(moderator, Action.BANNED, member=member, reason=reason)


@transaction.atomic
def lift_ban(member: Member, *, moderator: Member | str, reason: str) -> int:
    """Allow a banned member to send again; return how many submissions stay rejected. Raises DecisionError."""
    reason = checked_reason(reason)
    _set_ban(member, None, "")
    log_action(moderator, Action.UNBANNED, member=member, reason=reason)
    return member.submissions.filter(state=State.REJECTED).count()


def written_ban(rejected: int, *, rejects_results: bool) -> str:
    """What a ban did to the member's submissions, as a sentence with a space before it; "" if nothing."""
    return f" {format_count(rejected, 'submission')} rejected." if rejects_results else ""


def written_lift(rejected: int) -> str:
    """What lifting a ban leaves as it is, in the same way."""
    stay = "stays" if rejected == 1 else "stay"
    return (
        f" {format_count(rejected, 'submission')} {stay} rejected; approve each on its page."
        if rejected
        else ""
    )


def _set_ban(
    member: Member, banned_at: datetime | None, reason: str, *, until: datetime | None = None
) -> None:
    found = Member.objects.filter(pk=member.pk)
    if not found.update(banned_at=banned_at, banned_until=until, ban_reason=reason):
        raise DecisionError("This account has been closed in the meantime.")
    member.banned_at, member.banned_until, member.ban_reason = banned_at, until, reason


@transaction.atomic
def erase_as_moderator(submission: Submission, *, moderator: Member, reason: str) -> None:
    """Permanently remove a submission that should never have been public. Raises DecisionError."""
    reason = checked_reason(reason)
    erase(submission, moderator, reason=reason)


def submissions_to_review() -> QuerySet[Submission]:
    """The moderation queue: reported first, then what people sent, then imports; of each held ones first."""
    is_open = Q(results__reports__closed_at__isnull=True, results__reports__isnull=False)
    reported = Report.objects.filter(closed_at__isnull=True).values("result__submission_id")
    marked = Submission.objects.filter(Q(needs_review=True) | Q(state=State.HELD)).values("pk")
    # A union, since with OR PostgreSQL scans all submissions.
    queued = Submission.objects.filter(pk__in=marked.union(reported))
    queued = queued.exclude(state__in=[State.ERASED, State.WITHDRAWN, State.REJECTED])
    counted = queued.annotate(report_count=Count("results__reports", filter=is_open, distinct=True))
    is_imported = Q(survey_id__isnull=False) | Q(batch__isnull=False)
    order = Case(When(is_imported, then=1), default=0)
    return counted.order_by("-report_count", order, "state", "pk")  # "held" sorts before "published"


def next_to_review(submission: Submission) -> str:
    """The id of the submission behind this one in the queue, or of the first; "" if there is no other."""
    queue = list(submissions_to_review().values_list("public_id", flat=True))
    at = queue.index(submission.public_id) + 1 if submission.public_id in queue else 0
    return next((public_id for public_id in queue[at:] + queue[:at] if public_id != submission.public_id), "")


def checked_reason(reason: str, *, is_optional: bool = False) -> str:
    """The reason in one line. Raises DecisionError if there is none."""
    reason = " ".join(reason.split())
    if not reason and not is_optional:
        raise DecisionError("Give a reason; the owner sees it, and it is recorded in the log.")
    return reason
