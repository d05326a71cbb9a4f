"""Members read this site's words, not those that the accounts library brings."""

import re
from pathlib import Path

import allauth
import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.template.loader import get_template
from django.utils.module_loading import import_string

from tests.factories import PASSWORD
from tests.page import Page, text_of
from tests.results.accounts.test_mfa_adapter import SECRET
from tests.sessions import sign_in_by_form

pytestmark = pytest.mark.django_db

STOCK = Path(allauth.__file__).parent / "templates"
OURS = Path(settings.BASE_DIR) / "templates"
APPS = ("account", "mfa", "socialaccount", "usersessions")
# Of ways in that this site does not offer: telephones, codes instead of passwords.
NOT_SENT = re.compile("phone|login_code|password_reset_code|account_connected_updated")
WORDS = re.compile(
    r"third-party|two-factor|email\b|Confirm Access|Successfully|Hello from|Thank you for using|please|Are you sure|"
    r"Authenticator code|authenticator app or|Passwordless|Master key|a security key\s*<|can.t be too similar",
    re.IGNORECASE,
)
NEW = "nineteen rather slow disks"


@pytest.fixture
def member(client):
    return sign_in_by_form(client)


TEXTS = sorted(
    file.relative_to(STOCK).as_posix()
    for app in APPS
    for folder in ("email", "messages")
    for file in (STOCK / app / folder).glob("*.txt")
    if not NOT_SENT.search(file.name)
)


def test_every_mail_and_message_is_overridden(subtests):
    for name in TEXTS:
        with subtests.test(name=name):
            assert Path(get_template(name).origin.name).is_relative_to(OURS)
            source = re.sub(r"\{[#%{].*?[#%}]\}", "", (OURS / name).read_text(encoding="utf-8"))
            assert not WORDS.search(source)


def test_pages_before_signing_in(client, subtests):
    for path in [
        "login/",
        "inactive/",
        "signup/",
        "password/reset/",
        "password/reset/done/",
        "password/reset/key/x-y/",
    ]:
        with subtests.test(path=path):
            assert not WORDS.search(Page(client.get(f"/account/{path}", follow=True)).text)


@pytest.mark.parametrize("has_app", [False, True])
def test_pages_of_a_member(client, member, has_app, subtests):
    if has_app:
        TOTP.activate(member, SECRET)
    for path in (
        *("email/", "password/change/", "sessions/", "reauthenticate/", "2fa/", "2fa/totp/activate/"),
        *("2fa/recovery-codes/generate/", "2fa/recovery-codes/", "2fa/totp/deactivate/"),
        *("2fa/webauthn/", "2fa/webauthn/add/", "2fa/reauthenticate/", "logout/"),
    ):
        with subtests.test(path=path):
            assert not WORDS.search(Page(client.get(f"/account/{path}", follow=True)).text)


def test_mails_state_what_to_do_and_who_sent_them(client, settings):
    settings.SITE_URL = "https://slog.example"
    cache.clear()
    client.post("/account/signup/", {"email": "new@example.org", "password1": PASSWORD})
    message = mail.outbox[-1]
    assert message.subject == "slogdb: Your code for your new account"
    assert message.body.startswith("Your code is\n")
    assert message.body.endswith("--\nslogdb, https://slog.example")
    page = client.get("/account/confirm-email/").text
    assert "Enter the code" in Page(page).text
    assert "new@example.org" in Page(page).text


def test_a_changed_password_is_mailed_with_links_to_undo_it(client, member, settings):
    settings.SITE_URL = "https://slog.example"
    response = client.post(
        "/account/password/change/",
        {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW},
        follow=True,
    )
    assert "Your password was changed." in Page(response).text
    message = mail.outbox[-1]
    assert message.subject == "slogdb: Your password was changed"
    assert "https://slog.example/account/password/reset/" in message.body
    assert "https://slog.example/account/sessions/" in message.body
    assert "Network: 127.0.0.0" in message.body


def test_the_second_factor_page_uses_our_texts(client, member):
    TOTP.activate(member, SECRET)
    client.logout()
    page = client.post("/account/login/", {"login": member.email, "password": PASSWORD}, follow=True).text
    assert "Enter the code from your app" in page
    assert not WORDS.search(Page(page).text)


NAMED_FORMS = {**settings.ACCOUNT_FORMS, **settings.SOCIALACCOUNT_FORMS, **settings.MFA_FORMS}


def test_every_configured_form_exists(subtests):
    for path in sorted(NAMED_FORMS.values()):
        with subtests.test(path=path):
            assert import_string(path).__module__ in {"results.accounts.sign_in", "results.accounts.mfa"}


def test_the_password_rules_are_shown_in_one_line(client):
    page = Page(client.get("/account/signup/")).text
    (shortest,) = [
        validator["OPTIONS"]["min_length"]
        for validator in settings.AUTH_PASSWORD_VALIDATORS
        if "Length" in validator["NAME"]
    ]
    assert f"At least {shortest} characters." in page
    assert page.count("truenas") == 1


def test_reauthentication_methods_have_plain_labels(client, member):
    TOTP.activate(member, SECRET)
    Authenticator.objects.create(user=member, type="webauthn", data={})
    assert "Use a key" in Page(client.get("/account/2fa/reauthenticate/")).text


def test_the_tab_of_the_page_is_marked(client, member, subtests):
    for path, tab in [
        ("email/", "E-mail address"),
        ("password/change/", "Password"),
        ("2fa/", "Second factor"),
        ("sessions/", "Sessions"),
    ]:
        with subtests.test(path=path):
            page = Page(client.get(f"/account/{path}")).root
            (current,) = page.xpath(".//h1/following::nav[@class='tabs']/a[@aria-current='page']")
            assert text_of(current) == tab


def test_a_failed_sign_in_uses_our_text(client, member):
    client.logout()
    refused = client.post("/account/login/", {"login": member.email, "password": "wrong, as it happens"})
    assert "Incorrect e-mail address or password." in refused.text


def test_the_title_matches_the_heading(client, member, subtests):
    RecoveryCodes.activate(member)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    for path, name in [
        ("webauthn/", "Security keys and passkeys"),
        ("webauthn/add/", "Add a key"),
        ("recovery-codes/", "Recovery codes"),
    ]:
        with subtests.test(path=path):
            page = client.get(f"/account/2fa/{path}").text
            assert f"<title>{name} · slogdb</title>" in page
            assert f"<h1>{name}</h1>" in page
