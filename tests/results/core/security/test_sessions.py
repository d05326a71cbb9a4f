"""How long a session lasts."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from results.core.security.sessions import SIGNED_IN_AT
from tests.factories import PASSWORD
from tests.sessions import is_signed_in, sign_in_by_form

pytestmark = pytest.mark.django_db
DAY_S = 24 * 3600


@pytest.fixture
def travel(monkeypatch):
    """A function that moves the clock by a timedelta."""
    now, moved = timezone.now, [timedelta()]
    monkeypatch.setattr(timezone, "now", lambda: now() + moved[0])

    def move(**by):
        moved[0] += timedelta(**by)

    return move


@pytest.fixture
def member(client):
    return sign_in_by_form(client)


def test_a_session_ends_two_weeks_after_signing_in_however_often_it_is_renewed(client, member, travel):
    for days_left in range(14, 0, -1):
        cache.clear()  # attempts are counted by another clock
        client.post(
            "/account/reauthenticate/", {"password": PASSWORD}
        )  # saves the session, and sets its cookie
        age_s = client.cookies["sessionid"]["max-age"]
        assert (days_left - 1) * DAY_S < age_s <= days_left * DAY_S
        copied = Client()
        copied.cookies["sessionid"] = client.cookies["sessionid"].value
        assert is_signed_in(copied)
        travel(days=1)
    assert not is_signed_in(copied)


def test_signing_in_again_begins_another_two_weeks(client, member, travel):
    travel(days=10)
    client.logout()
    client.post("/account/login/", {"login": member.email, "password": PASSWORD})
    travel(days=10)
    assert is_signed_in(client)


def test_a_session_of_unknown_age_ends_when_it_is_saved(client, member):
    session = client.session
    del session[SIGNED_IN_AT]
    session.save()
    assert not is_signed_in(client)
