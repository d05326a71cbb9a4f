"""Security events: a log line and a count for each, with the member's number and a digest of the network.

No line has an address, a mail address, a key or a code. docs/security.md lists the events; alerts watch the counts.
"""

import logging
from typing import Any

import structlog
from allauth.account import signals as account
from allauth.account.authentication import get_authentication_records
from allauth.mfa import signals as factors
from allauth.socialaccount import signals as forums
from django.contrib.auth.signals import user_logged_out, user_login_failed
from django.dispatch import Signal, receiver
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from prometheus_client import Counter

from results.core.security.digests import digest_network
from results.core.security.rate_limits import sender_address
from results.models import Member

EVENTS = {
    "signed_up": "A new account.",
    "signed_in": "A sign-in, with the methods used.",
    "signed_out": "A sign-out.",
    "stepped_up": "The password or a second factor was confirmed before a sensitive operation.",
    "password_changed": "A new password, set with the current one.",
    "password_set": "A first password for an account of a forum.",
    "password_reset": "A new password, set with a mailed link.",
    "email_added": "A new e-mail address.",
    "email_changed": "Another e-mail address is the primary one.",
    "email_removed": "An e-mail address was removed.",
    "factor_added": "A second factor was set up.",
    "factor_removed": "A second factor was removed.",
    "factor_replaced": "New recovery codes.",
    "factor_reset": "The operator removed a member's second factors.",
    "forum_connected": "A forum account was connected.",
    "forum_disconnected": "A forum account was disconnected.",
    "key_created": "A new API key.",
    "key_revoked": "An API key was revoked.",
    "claim_taken": "A result got an owner, by its claim token or in the browser that published it.",
    "account_closed": "An account was closed, by its owner or on request.",
}
FAILURES = {
    "sign_in_failed": "A wrong e-mail address, password or passkey.",
    "sign_in_throttled": "A password or code that wasn't checked, after too many failed attempts.",
    "second_factor_failed": "A wrong code or key after the password.",
    "step_up_failed": "A wrong password, code or key before a sensitive operation.",
    "mailed_code_failed": "A wrong code from a mail.",
    "key_refused": "An unknown, revoked or expired API key.",
    "claim_refused": "An unknown or used claim token, or a browser that remembers no unclaimed result.",
    "refused_401": "A request without a valid key.",
    "refused_403": "A request that its sender may not make.",
    "refused_429": "A request beyond its sender's limit.",
}
REFUSALS = {401: "refused_401", 403: "refused_403", 429: "refused_429"}
NETWORK_DIGITS = 12  # of the digest: they distinguish networks without identifying them

COUNTED = Counter("slogdb_security_events_total", "Security events, by what happened.", ["event"])
for _name in (*EVENTS, *FAILURES):
    COUNTED.labels(_name)  # from 0, so that a rate shows the first ones, too
logger = structlog.get_logger(__name__)


def log_event(
    event: str, request: HttpRequest | None = None, *, member: int | None = None, **details: Any
) -> None:
    """Log and count an event; `details` are words of ours. Raises KeyError unless it is in EVENTS or FAILURES."""
    is_failure = event in FAILURES
    if request is not None:
        details["network"] = digest_network(sender_address(request))[:NETWORK_DIGITS] or "unknown"
    if member is not None:
        details["member"] = member
    level = logging.WARNING if is_failure else logging.INFO
    logger.log(level, (FAILURES if is_failure else EVENTS)[event], security_event=event, **details)
    COUNTED.labels(event).inc()


def log_refusal(request: HttpRequest, response: HttpResponse) -> None:
    """Log a response that refuses the request because of who sent it, or how often."""
    if event := REFUSALS.get(response.status_code):
        log_event(event, request, member=_known_member(request))


def _known_member(request: HttpRequest) -> int | None:
    """The number of the sender's account, if already looked up: a refusal costs no query."""
    user = getattr(request, "user", None)
    if isinstance(user, SimpleLazyObject):
        user = getattr(request, "_cached_user", None)
    return getattr(user, "pk", None)


def _log_signal(signal: Signal, event: str) -> None:
    """Log each `signal` of the accounts library, which names the member as `user`, and a factor that it is about."""

    def log(request: HttpRequest, user: Member | None = None, authenticator: Any = None, **_: Any) -> None:
        about = {"method": authenticator.type} if authenticator else {}
        log_event(event, request, member=getattr(user, "pk", None), **about)

    signal.connect(log, weak=False, dispatch_uid=f"log {event}")


for _signal, _event in (
    (account.user_signed_up, "signed_up"),
    (account.password_changed, "password_changed"),
    (account.password_set, "password_set"),
    (account.password_reset, "password_reset"),
    (account.email_added, "email_added"),
    (account.email_changed, "email_changed"),
    (account.email_removed, "email_removed"),
    (account.email_verification_code_rejected, "mailed_code_failed"),
    (account.login_code_rejected, "mailed_code_failed"),
    (account.password_reset_code_rejected, "mailed_code_failed"),
    (factors.authenticator_added, "factor_added"),
    (factors.authenticator_removed, "factor_removed"),
    (factors.authenticator_reset, "factor_replaced"),
):
    _log_signal(_signal, _event)


@receiver(user_logged_out)
def _signed_out(request: HttpRequest, user: Member | None = None, **_: Any) -> None:
    log_event("signed_out", request, member=getattr(user, "pk", None))
    request.has_signed_out = True  # type: ignore[attr-defined]


def has_signed_out(request: HttpRequest) -> bool:
    """Whether the response is the one to a sign-out."""
    return getattr(request, "has_signed_out", False)


@receiver(account.user_logged_in)
def _signed_in(request: HttpRequest, user: Member, **_: Any) -> None:
    used = {str(record.get("type", record["method"])) for record in get_authentication_records(request, user)}
    log_event("signed_in", request, member=user.pk, methods=sorted(used))


@receiver(user_login_failed)
def _sign_in_failed(request: HttpRequest | None = None, **_: Any) -> None:
    """A wrong password: of a member who is signed in and confirms it, or of somebody who isn't."""
    if request is None:
        return
    member = request.user.pk
    log_event("step_up_failed" if member else "sign_in_failed", request, member=member, method="password")


@receiver(account.authentication_step_completed)
def _stepped_up(request: HttpRequest, user: Member, method: str, **details: Any) -> None:
    if details.get("reauthenticated"):
        log_event("stepped_up", request, member=user.pk, method=details.get("type", method))


@receiver(factors.authentication_failed)
def log_wrong_factor(
    request: HttpRequest, user: Member, authenticator: Any, reauthentication: bool = False, **_: Any
) -> None:
    event = "step_up_failed" if reauthentication else "second_factor_failed"
    log_event(event, request, member=user.pk, method=authenticator.type)


@receiver(forums.social_account_added)
def _forum_connected(request: HttpRequest, sociallogin: Any, **_: Any) -> None:
    log_event("forum_connected", request, member=sociallogin.user.pk)


@receiver(forums.social_account_removed)
def _forum_disconnected(request: HttpRequest, socialaccount: Any, **_: Any) -> None:
    log_event("forum_disconnected", request, member=socialaccount.user_id)
