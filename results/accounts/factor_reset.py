"""Removing the second factors of a member who has lost them, by an operator who has verified who is asking."""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse

from results.core.security.audit import OPERATOR, log_action
from results.core.security.events import log_event
from results.models import Member
from results.models.choices import Action

_MAIL = """\
The operator of slogdb removed the second factors and recovery codes from your account, because
somebody told us that you had lost them, and signed you out everywhere.

Sign in with your password and set up another one: {address}

If you didn't ask for this, change your password now and reply to this email.
"""


@transaction.atomic
def reset_second_factors(member: Member, *, reason: str) -> int:
    """Remove all factors and recovery codes and end all sessions; return how many were removed."""
    removed, _ = Authenticator.objects.filter(user=member).delete()
    if not removed:
        return 0
    for session in UserSession.objects.filter(user=member):
        session.end()
    log_action(OPERATOR, Action.FACTOR_RESET, member=member, reason=reason)
    transaction.on_commit(lambda: log_event("factor_reset", member=member.pk))
    return int(removed)


def mail_reset(member: Member) -> None:
    """Tell the member, who may not have asked for it. Raises OSError if sending fails."""
    body = _MAIL.format(address=settings.SITE_URL + reverse("mfa_index"))
    send_mail("Your slogdb second factor was removed", body, None, [member.email])
