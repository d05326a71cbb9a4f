"""What expires is deleted, and nothing else: sessions, what is known of them, rows of the cache."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from results.accounts.expiry import forget_expired
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def test_what_has_expired_goes_and_the_rest_stays():
    member, now = make_member(), timezone.now()
    for name, days in {"open": 1, "expired": -1}.items():
        Session.objects.create(session_key=name, session_data="", expire_date=now + timedelta(days=days))
    for name in ("open", "expired", "ended"):
        UserSession.objects.create(user=member, session_key=name, ip="192.0.2.0", user_agent="a browser")
    cache.clear()
    for name in ("current", "past"):
        cache.set(name, 1, 60)
    with connection.cursor() as cursor:
        past = "UPDATE results_cache SET expires = now() - interval '1 day' WHERE cache_key = %s"
        cursor.execute(past, [cache.make_key("past")])

    forget_expired()

    assert [entry.session_key for entry in Session.objects.all()] == ["open"]
    assert [entry.session_key for entry in UserSession.objects.all()] == ["open"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT cache_key FROM results_cache")
        assert cursor.fetchall() == [(cache.make_key("current"),)]
