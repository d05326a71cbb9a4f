"""Mails to members about their submissions."""

from celery import Task, shared_task
from django.conf import settings
from django.core.mail import send_mail
from django.db import OperationalError, transaction
from django.urls import reverse

from results.core.queue import enqueue
from results.core.subject import subject_of
from results.models import Member, Report, Result
from results.models.choices import Action, ReportReason

DECISION = """\
{what}.
{reason}
Details and what you can do: {address}

You get this mail because of your settings. Change them here: {account}
"""

REPORT = """\
{what}: {reason}.

Nothing changes until a moderator has looked at it. What you can do: {address}

You get this mail because of your settings. Change them here: {account}
"""


_DECIDED = {
    Action.APPROVED.label: "is approved",
    Action.HELD.label: "is on hold",
    Action.REJECTED.label: "was rejected",
    Action.ERASED.label: "was erased",
    Action.NOTES_REMOVED.label: "no longer has its notes",
}
_RETRIED = {"autoretry_for": (OSError, OperationalError), "retry_backoff": True, "max_retries": 8}


@shared_task(**_RETRIED)
def mail_decision(owner_id: int, *, public_id: str, decision: str, reason: str) -> None:
    """Mail a moderator's decision to the submission's owner."""
    what = f"Your {_name_of(public_id)} {_DECIDED[decision]}"
    _mail(owner_id, "wants_decision_mail", what, DECISION, public_id, reason=reason and f"\n{reason}\n")


@shared_task(**_RETRIED)
def mail_report(owner_id: int, *, public_id: str, reason: str) -> None:
    """Mail the submission's owner that it was reported."""
    what = f"Somebody reported your {_name_of(public_id)}"
    _mail(owner_id, "wants_report_mail", what, REPORT, public_id, reason=reason)


def _name_of(public_id: str) -> str:
    """As in "Intel Optane P4801X result"; "submission ID" for several drives, and for what was erased."""
    results = Result.objects.filter(submission__public_id=public_id)
    found = {
        subject_of(result).short_name for result in results.select_related("device__product__vendor", "pool")
    }
    return f"{found.pop()} result" if len(found) == 1 else f"submission {public_id}"


def _mail(owner_id: int, wish: str, what: str, text: str, public_id: str, **values: str) -> None:
    """Mail an owner who wants such mails. Raises OSError if sending fails."""
    owner = Member.objects.filter(pk=owner_id, is_active=True, **{wish: True}).first()
    if owner is None:
        return
    body = text.format(
        what=what,
        address=settings.SITE_URL + reverse("account-result", args=[public_id]),
        account=settings.SITE_URL + reverse("account"),
        **values,
    )
    send_mail(what, body, None, [owner.email])


def enqueue_decision_mail(owner_id: int | None, **values: str) -> None:
    """Enqueue the mail on commit; if Redis is down none is sent, but the account page has the same text."""
    _enqueue(mail_decision, owner_id, values)


def enqueue_report_mail(report: Report) -> None:
    """Enqueue the mail on commit; if Redis is down none is sent."""
    submission = report.result.submission
    values = {"public_id": submission.public_id, "reason": ReportReason(report.reason).label}
    _enqueue(mail_report, submission.owner_id, values)


def _enqueue(task: Task, owner_id: int | None, values: dict[str, str]) -> None:
    if owner_id is not None:
        transaction.on_commit(lambda: enqueue(task, (owner_id,), kwargs=values), robust=True)
