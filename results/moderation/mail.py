"""Mails to members about their submissions."""

from celery import Task, shared_task
from django.conf import settings
from django.core.mail import send_mail
from django.db import OperationalError, transaction
from django.urls import reverse

from results.core.queue import enqueue
from results.models import Member, Report
from results.models.choices import ReportReason

DECISION = """\
Your submission {public_id}: {decision}.

{reason}

Details and what you can do: {address}

You get this mail because of your settings. Change them here: {account}
"""

REPORT = """\
Somebody reported your submission {public_id}: {reason}.

Nothing changes until a moderator has looked at it. What you can do: {address}

You get this mail because of your settings. Change them here: {account}
"""


_RETRIED = {"autoretry_for": (OSError, OperationalError), "retry_backoff": True, "max_retries": 8}


@shared_task(**_RETRIED)
def mail_decision(owner_id: int, *, public_id: str, decision: str, reason: str) -> None:
    """Mail a moderator's decision to the submission's owner."""
    _mail(owner_id, "wants_decision_mail", DECISION, public_id, decision=decision.lower(), reason=reason)


@shared_task(**_RETRIED)
def mail_report(owner_id: int, *, public_id: str, reason: str) -> None:
    """Mail the submission's owner that it was reported."""
    _mail(owner_id, "wants_report_mail", REPORT, public_id, reason=reason)


def _mail(owner_id: int, wish: str, text: str, public_id: str, **values: str) -> None:
    """Mail an owner who wants such mails. Raises OSError if sending fails."""
    owner = Member.objects.filter(pk=owner_id, is_active=True, **{wish: True}).first()
    if owner is None:
        return
    body = text.format(
        public_id=public_id,
        address=settings.SITE_URL + reverse("account-result", args=[public_id]),
        account=settings.SITE_URL + reverse("account"),
        **values,
    )
    send_mail(f"Your slogdb submission {public_id}", body, None, [owner.email])


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
