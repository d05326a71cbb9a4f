"""What the accounts library says and writes down: sign-ins in the log, links on the site's own address."""

import re

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.core import mail
from django.core.cache import cache
from django.db import connection

from tests.factories import PASSWORD, make_verified_member
from tests.results.accounts.test_mfa_adapter import SECRET
from tests.sessions import reset_link, reset_password

pytestmark = pytest.mark.django_db
NEW = "nineteen rather slow disks"


@pytest.fixture
def member():
    cache.clear()
    return make_verified_member(email="ann@example.org")


def sign_in(client, password=PASSWORD):
    return client.post("/account/login/", {"login": "ann@example.org", "password": password})


def test_what_is_kept_of_an_attempt_names_no_address(client, member):
    """Neither the sender's nor the member's: the keys of the counts are digests, the session has the network."""
    address = {"REMOTE_ADDR": "192.0.2.77"}
    client.post("/account/login/", {"login": member.email, "password": "wrong"}, **address)
    client.post("/account/login/", {"login": member.email, "password": PASSWORD}, **address)
    client.get("/account/", **address)
    assert [str(entry.ip) for entry in UserSession.objects.all()] == ["192.0.2.0"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM results_cache")
        keys = [key for (key,) in cursor.fetchall()]
    assert len(keys) >= 2
    assert [key for key in keys if not re.fullmatch(r"[0-9a-f]{64}", key)] == []


def test_mailed_links_use_the_site_url_whatever_host_was_requested(client, member, settings):
    settings.SITE_URL = "https://slog.example"
    link = reset_link(client, HTTP_HOST="localhost:666", HTTP_X_FORWARDED_HOST="evil.example")
    assert link.startswith("https://slog.example/account/password/reset/key/")
    assert "evil" not in mail.outbox[-1].body + mail.outbox[-1].subject


def test_a_password_reset_does_not_bypass_the_second_factor(client, member):
    TOTP.activate(member, SECRET)
    reset_password(client, NEW)
    assert client.get("/account/").status_code == 302
    assert sign_in(client, NEW).url.startswith("/account/2fa/authenticate/")
    assert client.get("/account/").status_code == 302


@pytest.mark.parametrize("password", ["slogdb-slogdb-1", "TrueNAS-diskinfo", "passwordBenchmark"])
def test_passwords_of_obvious_words_are_refused(client, password):
    response = client.post("/account/signup/", {"email": "new@example.org", "password1": password})
    assert "consists mainly of words" in response.text


def test_long_passwords_are_not_truncated(client, member):
    long = "x1 y2 z3 " * 20
    member.set_password(long.strip())
    member.save()
    sign_in(client, long.strip()[:-1])
    assert client.get("/account/").status_code == 302
    sign_in(client, long.strip())
    assert client.get("/account/").status_code == 200
