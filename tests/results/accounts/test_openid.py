"""Signing in by an account of a forum, as the operator has configured it."""

from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from results.models import Member
from tests.factories import make_member
from tests.results.accounts.openid_provider import running_forum

pytestmark = pytest.mark.django_db
LOGIN = "/account/oidc/forum/login/"
PROVIDER = {"provider_id": "forum", "name": "The forum", "client_id": "slogdb", "secret": "drawn at random"}


def configure(settings, address):
    app = {**PROVIDER, "settings": {"server_url": address}}
    held = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {**held, "APPS": [app]}}


@pytest.fixture
def forum(settings):
    cache.clear()
    with running_forum() as running:
        configure(settings, running.address)
        yield running


def begin(client):
    """What the browser is sent to the forum with."""
    return {name: value[0] for name, value in parse_qs(urlsplit(client.post(LOGIN).url).query).items()}


def come_back(client, state):
    return client.get(f"{LOGIN}callback/", {"code": "once", "state": state}, follow=True)


def is_signed_in(client):
    return client.get("/account/").status_code == 200


def test_who_the_forum_knows_has_an_account_here(client, forum):
    asked = begin(client)
    assert (asked["client_id"], asked["code_challenge_method"]) == ("slogdb", "S256")
    come_back(client, asked["state"])
    assert forum.asked[0]["code_verifier"]
    assert Member.objects.get().email == "ann@example.org"


def test_an_address_that_the_forum_tells_opens_no_account_of_that_address(client, forum):
    ann = make_member(email="ann@example.org")
    EmailAddress.objects.create(user=ann, email=ann.email, verified=True, primary=True)
    come_back(client, begin(client)["state"])
    assert not is_signed_in(client)
    assert not ann.socialaccount_set.exists()


def test_what_another_browser_began_is_not_ended_here(client, forum):
    state = begin(Client())["state"]
    come_back(client, state)
    assert forum.asked == []
    assert not Member.objects.exists()


@pytest.mark.parametrize("lie", [{"aud": "another site"}, {"iss": "https://evil.example"}, {"exp": 1}])
def test_what_the_forum_says_to_others_opens_nothing(client, forum, lie):
    forum.claims |= lie
    come_back(client, begin(client)["state"])
    assert len(forum.asked) == 1
    assert not is_signed_in(client)
    assert not Member.objects.exists()


def test_a_forum_that_is_away_is_no_fault_of_the_site(client, settings):
    configure(settings, "http://127.0.0.1:9")
    assert "The forum does not answer just now." in client.post(LOGIN, follow=True).text


def test_leading_to_the_forum_takes_a_form(client, forum):
    assert client.get(LOGIN).status_code == 200


def test_where_no_account_elsewhere_can_be_added_none_is_offered(client, settings):
    client.force_login(make_member())
    page = client.get("/account/3rdparty/").text
    assert "This site takes none: your password or a passkey signs you in." in page
    assert ("Add one" in page, "yet" in page) == (False, False)
    configure(settings, "https://forum.example")
    page = client.get("/account/3rdparty/").text
    assert page.index("None signs you in yet.") < page.index("Add one") < page.index("The forum")
