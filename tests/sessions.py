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


def reset_link(client: Client, email: str = "ann@example.org", **headers: str) -> str:
    """The link that is mailed to whoever forgot the password."""
    client.post("/account/password/reset/", {"email": email}, **headers)
    return re.search(r"https?://\S+", mail.outbox[-1].body)[0]


def reset_password(client: Client, password: str, email: str = "ann@example.org") -> None:
    """Set a new password by the mailed link."""
    form = client.get(reset_link(client, email), follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": password, "password2": password})


def mailed_code() -> str:
    """The code of the mail that was sent last."""
    return re.findall(r"^[A-Z0-9-]{6,9}$", mail.outbox[-1].body, re.MULTILINE)[0]
