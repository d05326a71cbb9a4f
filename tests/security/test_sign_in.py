"""Signing in: every step is counted, nothing tells who has an account, a session belongs to one sign-in."""

import re
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client, RequestFactory

from results.accounts.known_browser import known_browser
from results.models import Member
from tests.factories import PASSWORD, make_verified_member
from tests.security.payloads import EVIL
from tests.sessions import is_signed_in, mailed_code, reset_link
from tests.slogdb.test_settings import HTTPS, read

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted")]
WRONG = "eighteen slow disks"
ELSEWHERE = (
    f"//{EVIL}/", f"https://{EVIL}/", f"/\\{EVIL}/", f"\\\\{EVIL}/", f"https:{EVIL}", f"http:///{EVIL}",
    f"\t//{EVIL}",
    f"https://testserver@{EVIL}/", f"https://testserver.{EVIL}/", "javascript:zq9()", "data:text/html,x",
    f"///{EVIL}",
)  # fmt: skip


@pytest.fixture
def member():
    return make_verified_member(email="ann@example.org")


def sign_in(client, password=PASSWORD, email="ann@example.org", **sent):
    return client.post("/account/login/", {"login": email, "password": password, **sent})


def attempts_until_refused(client, path, sent, most=40):
    """How many posts are answered before one is refused as too many, `most` if none is."""
    for number in range(most):
        response = client.post(path, sent)
        if response.status_code == 429 or "Too many" in response.text:
            return number
    return most


@pytest.mark.parametrize(
    ("path", "sent", "most"),
    [
        ("/account/login/", {"login": "ann@example.org", "password": WRONG}, 10),
        ("/account/login/", {"login": "nobody@example.org", "password": WRONG}, 10),
        ("/account/password/reset/", {"email": "ann@example.org"}, 5),
        ("/account/signup/", {"email": "no address", "password1": PASSWORD}, 20),
        ("/account/password/reset/key/1-abc-def/", {"password1": PASSWORD, "password2": PASSWORD}, 20),
    ],
)
def test_attempts_for_unknown_accounts_are_limited(client, member, path, sent, most):
    assert attempts_until_refused(client, path, sent) <= most


@pytest.mark.parametrize(
    ("path", "sent", "most"),
    [
        ("/account/reauthenticate/", {"password": WRONG}, 10),
        ("/account/password/change/", {"oldpassword": WRONG, "password1": "x", "password2": "x"}, 5),
        ("/account/email/", {"action_add": "", "email": "bob@example.org"}, 10),
    ],
)
def test_attempts_for_known_accounts_are_limited(client, member, path, sent, most):
    sign_in(client)
    assert attempts_until_refused(client, path, sent) <= most


def test_failed_attempts_elsewhere_do_not_lock_the_owner_out_of_a_known_browser(client, member):
    sign_in(client)
    client.post("/account/logout/")
    attacker = Client(REMOTE_ADDR="192.0.2.1")
    wrong = {"login": "ann@example.org", "password": WRONG}
    assert attempts_until_refused(attacker, "/account/login/", wrong) == 5
    assert "Too many" in sign_in(Client()).text  # a browser that nobody knows
    sign_in(client)
    assert is_signed_in(client)
    client.post("/account/logout/")
    assert attempts_until_refused(client, "/account/login/", wrong) <= 5


def test_a_known_browser_is_known_for_the_member_who_signed_in_there(client, member):
    sign_in(client)
    known = client.cookies["known"]
    assert (bool(known["httponly"]), known["samesite"]) == (True, "Lax")
    assert "ann" not in known.value
    request = RequestFactory().get("/")
    request.COOKIES["known"] = known.value
    assert known_browser(request, "Ann@Example.org")
    assert known_browser(request, "bob@example.org") == ""
    request.COOKIES["known"] = "chosen:by-an-attacker"
    assert known_browser(request, "ann@example.org") == ""


def test_second_factor_attempts_are_limited(client, member):
    TOTP.activate(member, "JBSWY3DPEHPK3PXP")
    assert sign_in(client).url.startswith("/account/2fa/authenticate/")
    assert not is_signed_in(client)
    assert attempts_until_refused(client, "/account/2fa/authenticate/", {"code": "000000"}) <= 10
    assert not is_signed_in(client)


def test_a_mailed_code_allows_three_attempts(client):
    client.post("/account/signup/", {"email": "bob@example.org", "password1": PASSWORD})
    code = mailed_code()
    for _ in range(3):
        client.post("/account/confirm-email/", {"code": "WRONG1"})
    client.post("/account/confirm-email/", {"code": code})
    assert not is_signed_in(client)


def answer(response):
    return response.status_code, response.get("Location", ""), re.sub(r'value="\w{64}"', "", response.text)


def hashes(act) -> int:
    """How often a password was hashed, which is what takes time."""
    encode, verify = Argon2PasswordHasher.encode, Argon2PasswordHasher.verify
    with (
        patch.object(Argon2PasswordHasher, "encode", autospec=True, side_effect=encode) as made,
        patch.object(Argon2PasswordHasher, "verify", autospec=True, side_effect=verify) as verified,
    ):
        act()
    return made.call_count + verified.call_count


def test_signing_in_does_not_reveal_accounts(member):
    known = answer(sign_in(Client(), WRONG))
    unknown = answer(sign_in(Client(), WRONG, "bob@example.org"))
    assert (known[0], known[1], known[2].replace("ann@", "bob@")) == unknown


def test_a_password_reset_does_not_reveal_accounts(client, member):
    known = answer(client.post("/account/password/reset/", {"email": "ann@example.org"}, follow=True))
    unknown = answer(Client().post("/account/password/reset/", {"email": "bob@example.org"}, follow=True))
    assert (known[0], known[2].replace("ann@", "bob@")) == (unknown[0], unknown[2])
    assert [message.to for message in mail.outbox] == [["ann@example.org"], ["bob@example.org"]]


@pytest.mark.parametrize("path", ["login", "signup"])
def test_response_times_do_not_reveal_accounts(member, path):
    def attempt(email):
        sent = {"login": email, "password": WRONG, "email": email, "password1": WRONG}
        return hashes(lambda: Client().post(f"/account/{path}/", sent))

    assert attempt("ann@example.org") == attempt("bob@example.org") == 1


def test_every_sign_in_gets_a_new_session_key(client, member):
    client.get("/account/login/")
    client.cookies["sessionid"] = "chosenbyanattacker00000000000000"
    sign_in(client)
    first = client.cookies["sessionid"].value
    assert first != "chosenbyanattacker00000000000000"
    client.post("/account/logout/")
    stolen = Client()
    stolen.cookies["sessionid"] = first
    assert not is_signed_in(stolen)


def test_a_new_password_ends_every_other_session(client, member):
    elsewhere = Client()
    for browser in (client, elsewhere):
        sign_in(browser)
        assert is_signed_in(browser)
    new = {"oldpassword": PASSWORD, "password1": WRONG, "password2": WRONG}
    client.post("/account/password/change/", new)
    assert is_signed_in(client)
    assert not is_signed_in(elsewhere)


def test_deactivated_members_are_signed_out_immediately(client, member):
    sign_in(client)
    Member.objects.update(is_active=False)
    assert not is_signed_in(client)


def test_cookies_are_httponly_and_samesite(client, member):
    sign_in(client)
    client.get("/submit/")
    for name in ("sessionid", "csrftoken"):
        cookie = client.cookies[name]
        assert (bool(cookie["httponly"]), cookie["samesite"]) == (True, "Lax")
    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT")
    assert read(*names, **HTTPS) == [True, True, True]
    assert client.cookies["sessionid"]["max-age"] <= 14 * 24 * 3600


def test_a_reset_link_works_for_an_hour(client, member):
    link = reset_link(client)
    assert "valid for an hour" in mail.outbox[0].body
    for minutes, works in ((59, True), (61, False)):
        later = datetime.now() + timedelta(minutes=minutes)  # noqa: DTZ005 - as Django's
        with patch.object(PasswordResetTokenGenerator, "_now", return_value=later):
            page = Client().get(link, follow=True).text
        assert ("This link no longer works" not in page) is works


def test_messages_are_in_a_cookie_and_start_no_session(client, member):
    sign_in(client)
    client.post("/account/logout/")
    assert (client.cookies["messages"].value != "", client.cookies["sessionid"].value) == (True, "")
    assert Session.objects.count() == 0


def test_passwords_are_hashed_with_argon2id_and_weak_ones_refused(client, member):
    assert member.password.startswith("argon2$argon2id$")
    for password in ("short", "password1234", "1234567890123", "ann@example.org"):
        client.post("/account/signup/", {"email": "ann@example.com", "password1": password})
    assert Member.objects.count() == 1


def test_there_are_no_open_redirects(client, member, subtests):
    for address in ELSEWHERE:
        for path in ["login", "signup", "logout", "reauthenticate"]:
            with subtests.test(address=address, path=path):
                sign_in(client)
                if path in {"login", "signup"}:
                    client.logout()
                sent = {
                    "login": member.email,
                    "password": PASSWORD,
                    "email": "new@example.org",
                    "password1": PASSWORD,
                }
                response = client.post(f"/account/{path}/?next={address}", {**sent, "next": address})
                assert EVIL not in response.get("Location", "").partition("?")[0]
                assert not response.get("Location", "/").lower().startswith(("javascript", "data", "//"))


def test_a_form_without_its_token_is_refused(member):
    client = Client(enforce_csrf_checks=True)
    client.force_login(member)
    for path in (
        "/submit/",
        "/account/",
        "/account/claim/",
        "/account/keys/",
        "/account/login/",
        "/account/logout/",
    ):
        assert client.post(path, {}).status_code == 403, path
