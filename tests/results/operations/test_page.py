"""The operator's page: what it says, and who may see it."""

import pytest
from allauth.mfa.models import Authenticator

from results.operations import site_state
from results.operations.page import written_age
from slogdb.version import version
from tests.factories import make_member
from tests.results.conftest import read_only_connection
from tests.results.operations.site import operator_rows
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db(transaction=True)


def sign_in(client, *, is_staff=True, has_factor=True, is_superuser=True):
    member = make_member(is_staff=is_staff, is_superuser=is_superuser)
    if has_factor:
        Authenticator.objects.create(user=member, type=Authenticator.Type.TOTP, data={})
    sign_in_with(client, member, "mfa")


def test_the_page_names_the_release(client):
    assert operator_rows(client)["slogdb"] == version()


def test_a_read_only_database_is_shown(client):
    sign_in(client)
    assert "<td>responds, but is read-only</td>" not in client.get("/operator/").text
    with read_only_connection():
        assert "<td>responds, but is read-only</td>" in client.get("/operator/").text


@pytest.mark.usefixtures("redis_away")
def test_the_page_works_without_redis(client):
    sign_in(client)
    assert "unavailable" in client.get("/operator/").text


def test_only_staff_with_a_second_factor_see_it(client):
    assert client.get("/operator/").status_code == 302
    sign_in(client, is_staff=False, is_superuser=False)
    assert client.get("/operator/").status_code == 302
    sign_in(client, is_superuser=False)
    assert client.get("/operator/").status_code == 403
    sign_in(client, has_factor=False)
    assert client.get("/operator/").status_code == 302


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(None, "none"), (5.9, "5 s ago"), (60, "1 minute ago"), (7300, "2 hours ago"), (90_000, "1 day ago")],
)
def test_an_age_is_in_words(seconds, expected):
    assert written_age(seconds) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"), [(None, "not known"), (-1, "has expired"), (14 * 86_400, "expires in 14 days")]
)
def test_a_certificate_says_when_it_expires(client, monkeypatch, seconds, expected):
    monkeypatch.setattr(site_state, "certificate_left_s", lambda: seconds)
    assert operator_rows(client)["TLS certificate"] == expected
