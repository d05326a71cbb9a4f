"""Whoever runs the site ends the session of another."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from tests.factories import make_member

pytestmark = pytest.mark.django_db
LIST = "/admin/usersessions/usersession/"


@pytest.fixture
def thief():
    """A client that is signed in as a member."""
    client = Client()
    client.force_login(make_member())
    assert client.get("/account/").status_code == 200
    return client


@pytest.mark.parametrize("way", ["one", "several"])
def test_deleting_a_session_ends_it(admin_client, thief, way):
    session = UserSession.objects.get(session_key=thief.session.session_key)
    if way == "one":
        admin_client.post(f"{LIST}{session.pk}/delete/", {"post": "yes"})
    else:
        chosen = {"action": "delete_selected", "_selected_action": [session.pk], "post": "yes"}
        admin_client.post(LIST, chosen)
    assert thief.get("/account/").status_code == 302


def test_sessions_cannot_be_added_by_hand(admin_client, thief):
    session = UserSession.objects.get(session_key=thief.session.session_key)
    assert admin_client.get(f"{LIST}add/").status_code == 403
    assert admin_client.post(f"{LIST}{session.pk}/change/", {"ip": "1.2.3.4"}).status_code == 403
