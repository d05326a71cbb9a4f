"""What is asked for before a sensitive operation, and what a session may do that proved little."""

import re
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Permission
from django.core import mail
from django.core.cache import cache
from django.test import Client

from results.models import Member
from tests.factories import PASSWORD, make_verified_member
from tests.results.accounts.test_mfa_adapter import SECRET, code_of
from tests.sessions import is_signed_in, mailed_code, sign_in_with

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted")]
NEW = "nineteen rather slow disks"
STEP_UP, WITH_CODE, BY_MAIL = (
    "/account/reauthenticate/",
    "/account/2fa/reauthenticate/",
    "/account/reauthenticate/code/",
)
# What a forum's member is asked before.
SENSITIVE = (
    *("/account/keys/", "/account/data/", "/account/data/slogdb-my-data.zip", "/account/password/set/"),
    *("/account/2fa/totp/activate/", "/account/2fa/webauthn/add/"),
)


@pytest.fixture
def member():
    return make_verified_member(email="ann@example.org")


@pytest.fixture
def administrator(member):
    member.user_permissions.add(Permission.objects.get(codename="change_submission"))
    Member.objects.update(is_staff=True, is_superuser=True)
    return member


@pytest.fixture
def forum_member(client):
    """Signed in with a forum, and without a password."""
    made = make_verified_member(email="bob@example.org", password=None)
    SocialAccount.objects.create(user=made, provider="forum", uid="77")
    sign_in_with(client, made, "socialaccount", is_step_up=False)
    return made


def sign_in(client):
    return client.post("/account/login/", {"login": "ann@example.org", "password": PASSWORD})


def opens(client, path="/account/keys/"):
    return client.get(path).status_code == 200


def set_up_app(client):
    """What a browser does; the secret of the app, and the code that it showed."""
    client.post(STEP_UP, {"password": PASSWORD})
    secret = re.search(r"\b[A-Z2-7]{32}\b", client.get("/account/2fa/totp/activate/").text)[0]
    code = code_of(secret)
    client.post("/account/2fa/totp/activate/", {"code": code})
    return secret, code


@pytest.mark.django_db(transaction=True)
def test_a_session_opened_with_the_password_alone_ends_when_the_first_factor_is_set_up(administrator):
    owner, thief = Client(), Client()
    for client in (owner, thief):
        sign_in(client)
        assert is_signed_in(client)
    set_up_app(owner)
    assert not is_signed_in(thief)
    assert is_signed_in(owner)
    for path in ("/admin/", "/moderation/", "/operator/"):
        assert owner.get(path).status_code == 200, path


def test_a_session_without_the_factor_opens_no_moderators_page(client, administrator):
    sign_in(client)
    auth.TOTP.activate(administrator, SECRET)  # as if the session had not been ended
    for path in ("/admin/", "/moderation/", "/moderation/log/", "/operator/"):
        assert client.get(path).url.startswith(WITH_CODE), path
    client.post(f"{WITH_CODE}?next=/moderation/", {"code": code_of(SECRET)})
    for path in ("/admin/", "/moderation/", "/operator/"):
        assert client.get(path).status_code == 200, path


def test_a_recovery_code_is_a_factor_of_the_session(client, administrator):
    auth.TOTP.activate(administrator, SECRET)
    codes = RecoveryCodes.activate(administrator)
    sign_in(client)
    client.post("/account/2fa/authenticate/", {"code": codes.get_unused_codes()[0]})
    assert client.get("/moderation/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_second_app_or_key_leaves_the_other_sessions_alone(member):
    Authenticator.objects.create(user=member, type="webauthn", data={"name": "key"})
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        sign_in_with(client, member, "mfa")
        assert is_signed_in(client)
    set_up_app(here)
    assert Authenticator.objects.filter(user=member, type="totp").exists()
    assert is_signed_in(elsewhere)


def test_the_password_alone_is_no_step_up_for_a_member_with_a_factor(client, member):
    auth.TOTP.activate(member, SECRET)
    sign_in_with(client, member, "mfa", is_step_up=False)
    assert client.post(STEP_UP, {"password": PASSWORD}).url.startswith(WITH_CODE)
    assert not opens(client)
    new = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    client.post("/account/password/change/", new)
    member.refresh_from_db()
    assert member.check_password(PASSWORD)
    assert PASSWORD not in str(dict(client.session))
    client.post(WITH_CODE, {"code": code_of(SECRET)})
    assert opens(client)
    client.post("/account/password/change/", new)
    member.refresh_from_db()
    assert member.check_password(NEW)


def test_a_password_proof_from_before_the_factor_no_longer_counts(client, member):
    sign_in(client)
    client.post(STEP_UP, {"password": PASSWORD})
    assert opens(client)
    auth.TOTP.activate(member, SECRET)
    assert not opens(client)


@pytest.mark.parametrize("way", ["password", "code", "mail"])
def test_step_up_gives_a_new_session_key(client, member, way):
    if way == "mail":
        member.set_unusable_password()
        member.save()
    if way == "code":
        auth.TOTP.activate(member, SECRET)
    sign_in_with(client, member, "mfa" if way == "code" else "password", is_step_up=False)
    assert is_signed_in(client)
    copied = Client()
    copied.cookies["sessionid"] = client.cookies["sessionid"].value
    if way == "mail":
        client.post(BY_MAIL, {"action": "send"})
        client.post(BY_MAIL, {"code": mailed_code()})
    else:
        proofs = {
            "password": (STEP_UP, {"password": PASSWORD}),
            "code": (WITH_CODE, {"code": code_of(SECRET)}),
        }
        client.post(*proofs[way])
    assert opens(client)
    assert not is_signed_in(copied)
    assert UserSession.objects.get(user=member).session_key == client.session.session_key


def test_a_form_sent_too_late_is_completed_after_step_up(client, member):
    sign_in(client)
    redirect = client.post("/account/keys/", {"name": "cron", "scopes": ["submit"], "days": "30"})
    assert not member.api_keys.exists()
    page = client.post(redirect.url, {"password": PASSWORD, "next": "/account/keys/"})
    assert re.search(r"slogdb_[0-9a-f]{40}", page.text)
    assert is_signed_in(client)
    assert member.api_keys.get().name == "cron"


def test_a_forum_member_is_asked_again(client, forum_member, subtests):
    for path in SENSITIVE:
        with subtests.test(path=path):
            assert client.get(path).url.startswith(BY_MAIL)


def test_a_forum_member_is_asked_before_a_change_that_is_posted(client, forum_member):
    client.post("/account/keys/", {"name": "cron", "scopes": ["submit"], "days": "30"})
    client.post("/account/email/", {"action_add": "", "email": "evil@example.org"})
    client.post("/account/password/set/", {"password1": NEW, "password2": NEW})
    client.post("/account/data/", {"results": "erase", "confirm": "on"})
    forum_member.refresh_from_db()
    assert not forum_member.has_usable_password()
    assert not forum_member.api_keys.exists()
    assert mail.outbox == []
    assert NEW not in str(dict(client.session))


def test_a_mailed_code_is_enough_for_a_forum_member(client, forum_member):
    page = client.get("/account/password/set/", follow=True)
    assert mail.outbox == []  # it takes the button
    where = page.redirect_chain[-1][0]
    sent = client.post(where, {"action": "send", "next": "/account/password/set/"}, follow=True)
    assert "We sent a code to bob@example.org. It is valid for 10 minutes." in sent.text
    assert [message.to for message in mail.outbox] == [["bob@example.org"]]
    done = client.post(BY_MAIL, {"code": mailed_code(), "next": "/account/password/set/"})
    assert done.url == "/account/password/set/"
    client.post("/account/password/set/", {"password1": NEW, "password2": NEW})
    forum_member.refresh_from_db()
    assert forum_member.check_password(NEW)


def test_a_mailed_code_works_once_and_allows_three_attempts(client, forum_member):
    client.post(BY_MAIL, {"action": "send"})
    code = mailed_code()
    for _ in range(3):
        client.post(BY_MAIL, {"code": "WRONG1"})
    assert "This code no longer works." in client.post(BY_MAIL, {"code": code}, follow=True).text
    assert not opens(client)
    cache.clear()
    client.post(BY_MAIL, {"action": "send"})
    again = mailed_code()
    client.post(BY_MAIL, {"code": again})
    assert opens(client)
    sign_in_with(client, forum_member, "socialaccount", is_step_up=False)
    client.post(BY_MAIL, {"code": again})
    assert not opens(client)


def test_codes_are_mailed_one_in_ten_seconds(client, forum_member):
    client.post(BY_MAIL, {"action": "send"})
    refused = client.post(BY_MAIL, {"action": "send"}, follow=True)
    assert "Too many attempts." in refused.text
    assert len(mail.outbox) == 1


def test_the_mailed_code_is_not_offered_to_who_has_something_better(client, member):
    sign_in(client)
    assert client.post(BY_MAIL, {"action": "send"}).url.startswith(STEP_UP)
    assert mail.outbox == []


def test_an_expired_mailed_code_is_refused(client, forum_member):
    client.post(BY_MAIL, {"action": "send"})
    session = client.session
    session["step_up_code"]["at"] -= 601
    session.save()
    client.post(BY_MAIL, {"code": mailed_code()})
    assert not opens(client)


def travelling(monkeypatch, later_s):
    """The clock of the library's codes, so much later."""
    now = auth.time.time() + later_s
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: now))


def test_a_code_is_accepted_once_at_sign_in_and_step_up_whenever_it_is_sent(monkeypatch, client, member):
    auth.TOTP.activate(member, SECRET)
    code, older = code_of(SECRET), code_of(SECRET, later=-1)
    sign_in(client)
    client.post("/account/2fa/authenticate/", {"code": code})
    assert is_signed_in(client)
    for replayed in (code, older):
        assert "Incorrect code." in client.post(WITH_CODE, {"code": replayed}).text
    for _ in range(2):  # at 32 and at 64 seconds
        travelling(monkeypatch, 32)
        thief = Client()
        sign_in(thief)
        thief.post("/account/2fa/authenticate/", {"code": code})
        assert not is_signed_in(thief)
    assert not opens(client)
    client.post(WITH_CODE, {"code": code_of(SECRET)})
    assert opens(client)


@pytest.mark.django_db(transaction=True)
def test_the_code_that_set_up_an_app_is_spent(client, member):
    sign_in(client)
    secret, code = set_up_app(client)
    sign_in(client := Client())
    client.post("/account/2fa/authenticate/", {"code": code})
    assert not is_signed_in(client)
    client.post("/account/2fa/authenticate/", {"code": code_of(secret, later=1)})
    assert is_signed_in(client)


@pytest.mark.django_db(transaction=True)
def test_recovery_codes_are_shown_without_asking_for_a_code_that_was_just_entered(client, member):
    sign_in(client)
    set_up_app(client)
    assert opens(client, "/account/2fa/recovery-codes/")
