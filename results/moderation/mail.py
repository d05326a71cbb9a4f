"""Mails to members about what is theirs."""

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

What became of it, and what you can do: {address}

You get this because your account asks for it; {account} is where to say otherwise.
"""

REPORT = """\
Somebody reported your submission {public_id}: {reason}.

It stays as it is until a moderator has looked. What you can do: {address}

You get this because your account asks for it; {account} is where to say otherwise.
"""


def send_decision(owner_id: int, *, public_id: str, decision: str, reason: str) -> bool:
    """Tell an owner what a moderator decided; whether they wanted to hear of it. Raises OSError, as the mail may."""
    owner = Member.objects.filter(pk=owner_id, wants_decision_mail=True, is_active=True).first()
    if owner is None:
        return False
    _send(owner, DECISION, public_id, decision=decision.lower(), reason=reason)
    return True


def send_report(owner_id: int, *, public_id: str, reason: str) -> bool:
    """Tell an owner that somebody reported what they sent; whether they wanted to hear of it. Raises OSError."""
    owner = Member.objects.filter(pk=owner_id, wants_report_mail=True, is_active=True).first()
    if owner is None:
        return False
    _send(owner, REPORT, public_id, reason=reason)
    return True


@shared_task(autoretry_for=(OSError, OperationalError), retry_backoff=True, max_retries=8)
def mail_decision(owner_id: int, *, public_id: str, decision: str, reason: str) -> None:
    """Tell the owner of a submission what a moderator decided."""
    send_decision(owner_id, public_id=public_id, decision=decision, reason=reason)


def enqueue_decision_mail(owner_id: int | None, *, public_id: str, decision: str, reason: str) -> None:
    """Enqueue that mail on commit; with Redis away none is sent, and the account page says the same."""
    if owner_id is not None:
        values = {"public_id": public_id, "decision": decision, "reason": reason}
        transaction.on_commit(lambda: enqueue(mail_decision, (owner_id,), kwargs=values), robust=True)


@shared_task(autoretry_for=(OSError, OperationalError), retry_backoff=True, max_retries=8)
def mail_report(owner_id: int, *, public_id: str, reason: str) -> None:
    """Tell the owner of a submission that somebody reported it."""
    send_report(owner_id, public_id=public_id, reason=reason)


def enqueue_report_mail(report: Report) -> None:
    """Enqueue that mail on commit; with Redis away none is sent."""
    submission = report.result.submission
    owner_id = submission.owner_id
    if owner_id is not None:
        values = {"public_id": submission.public_id, "reason": ReportReason(report.reason).label}
        transaction.on_commit(lambda: enqueue(mail_report, (owner_id,), kwargs=values), robust=True)


def _send(owner: Member, text: str, public_id: str, **values: str) -> None:
    written = text.format(
        public_id=public_id,
        address=settings.SITE_URL + reverse("account-result", args=[public_id]),
        account=settings.SITE_URL + reverse("account"),
        **values,
    )
    send_mail(f"Your slogdb submission {public_id}", written, None, [owner.email])
