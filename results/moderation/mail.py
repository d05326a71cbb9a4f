"""Mails to members about their submissions."""

from celery import shared_task
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


def send_decision(owner_id: int, *, public_id: str, decision: str, reason: str) -> bool:
    """Mail a decision to the owner; return whether they want such mails. Raises OSError if sending fails."""
    owner = Member.objects.filter(pk=owner_id, wants_decision_mail=True, is_active=True).first()
    if owner is None:
        return False
    _send(owner, DECISION, public_id, decision=decision.lower(), reason=reason)
    return True


def send_report(owner_id: int, *, public_id: str, reason: str) -> bool:
    """Mail the owner that a submission was reported; return whether they want such mails. Raises OSError."""
    owner = Member.objects.filter(pk=owner_id, wants_report_mail=True, is_active=True).first()
    if owner is None:
        return False
    _send(owner, REPORT, public_id, reason=reason)
    return True


@shared_task(autoretry_for=(OSError, OperationalError), retry_backoff=True, max_retries=8)
def mail_decision(owner_id: int, *, public_id: str, decision: str, reason: str) -> None:
    """Mail a moderator's decision to the submission's owner."""
    send_decision(owner_id, public_id=public_id, decision=decision, reason=reason)


def enqueue_decision_mail(owner_id: int | None, *, public_id: str, decision: str, reason: str) -> None:
    """Enqueue the mail on commit; if Redis is down none is sent, but the account page has the same text."""
    if owner_id is not None:
        values = {"public_id": public_id, "decision": decision, "reason": reason}
        transaction.on_commit(lambda: enqueue(mail_decision, (owner_id,), kwargs=values), robust=True)


@shared_task(autoretry_for=(OSError, OperationalError), retry_backoff=True, max_retries=8)
def mail_report(owner_id: int, *, public_id: str, reason: str) -> None:
    """Mail the submission's owner that it was reported."""
    send_report(owner_id, public_id=public_id, reason=reason)


def enqueue_report_mail(report: Report) -> None:
    """Enqueue the mail on commit; if Redis is down none is sent."""
    submission = report.result.submission
    owner_id = submission.owner_id
    if owner_id is not None:
        values = {"public_id": submission.public_id, "reason": ReportReason(report.reason).label}
        transaction.on_commit(lambda: enqueue(mail_report, (owner_id,), kwargs=values), robust=True)


def _send(owner: Member, text: str, public_id: str, **values: str) -> None:
    body = text.format(
        public_id=public_id,
        address=settings.SITE_URL + reverse("account-result", args=[public_id]),
        account=settings.SITE_URL + reverse("account"),
        **values,
    )
    send_mail(f"Your slogdb submission {public_id}", body, None, [owner.email])
