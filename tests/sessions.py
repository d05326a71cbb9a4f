"""Sessions of members who have proved who they are, where proving it is not what a test is about."""

import re
import time

from allauth.account.internal.flows import login
from django.core import mail
from django.core.cache import cache
from django.test import Client

from results.models import Member
from tests.factories import PASSWORD, make_verified_member


def sign_in_with(client: Client, member: Member, method: str, *, is_step_up: bool = True) -> None:
    """Signed in a moment ago by `method`: "password", "socialaccount" or "mfa", and asked once more by the same."""
    client.force_login(member)
    session = client.session
    proved = {"method": method, "at": time.time(), **({"reauthenticated": True} if is_step_up else {})}
    session[login.AUTHENTICATION_METHODS_SESSION_KEY] = [proved]
    session[login._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(member.pk)  # noqa: SLF001
    session.save()


def sign_in_by_form(client: Client) -> Member:
    """A new member, signed in as people do it."""
    cache.clear()  # attempts are counted
    member = make_verified_member(email="ann@example.org")
    client.post("/account/login/", {"login": member.email, "password": PASSWORD})
    return member


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def mailed_code() -> str:
    """The code of the mail that was sent last."""
    return re.findall(r"^[A-Z0-9-]{6,9}$", mail.outbox[-1].body, re.MULTILINE)[0]
