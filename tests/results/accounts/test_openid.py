"""Signing in by an account of a forum, as the operator has configured it."""

from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from results.models import Member
from tests.factories import PASSWORD, make_member, make_verified_member
from tests.results.accounts.openid_provider import configure, running_forum
from tests.sessions import is_signed_in, mailed_code, reset_password

pytestmark = pytest.mark.django_db
LOGIN = "/account/oidc/forum/login/"


@pytest.fixture
def forum(settings):
    with running_forum(settings) as running:
        yield running


def begin(client):
    """What the browser is sent to the forum with."""
    return {name: value[0] for name, value in parse_qs(urlsplit(client.post(LOGIN).url).query).items()}


def come_back(client, state):
    return client.get(f"{LOGIN}callback/", {"code": "once", "state": state}, follow=True)


def confirm_address(client):
    """Enter the code that was mailed last."""
    client.post("/account/confirm-email/", {"code": mailed_code()})


@pytest.mark.parametrize("stated", [True, False, None, "yes"])
def test_a_forum_member_can_sign_up_with_a_mailed_code_whatever_the_forum_states(client, forum, stated):
    forum.claims["email_verified"] = stated
    parameters = begin(client)
    assert (parameters["client_id"], parameters["code_challenge_method"]) == ("slogdb", "S256")
    page = come_back(client, parameters["state"])
    assert forum.token_requests[0]["code_verifier"]
    assert (page.status_code, is_signed_in(client)) == (200, False)
    confirm_address(client)
    assert is_signed_in(client)
    assert Member.objects.get().email == "ann@example.org"
    assert EmailAddress.objects.get().verified


def test_a_forum_account_does_not_stay_with_an_address_of_somebody_else(client, forum):
    come_back(client, begin(client)["state"])  # states Ann's address, which it doesn't read
    ann = Client()
    reset_password(ann, PASSWORD)
    cache.clear()  # one code in ten seconds
    ann.post("/account/login/", {"login": "ann@example.org", "password": PASSWORD})
    confirm_address(ann)
    assert is_signed_in(ann)
    thief = Client()
    come_back(thief, begin(thief)["state"])
    assert not is_signed_in(thief)
    assert not Member.objects.get().socialaccount_set.exists()


def test_the_page_that_leads_to_a_forum_allows_its_origin_alone(client, forum, settings):
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]
    app |= {"server_url": f"{forum.address}/some/path", "origins": ["https://sso.forum.example/login"]}
    policy = client.get(LOGIN)["Content-Security-Policy"]
    assert f"form-action 'self' {forum.address} https://sso.forum.example;" in f"{policy};"
    for path in ("/account/login/", "/account/signup/", "/account/oidc/none/login/", "/"):
        assert "form-action 'self';" in f"{client.get(path)['Content-Security-Policy']};", path


def test_a_forum_address_does_not_open_an_existing_account(client, forum):
    ann = make_verified_member(email="ann@example.org")
    come_back(client, begin(client)["state"])
    assert not is_signed_in(client)
    assert not ann.socialaccount_set.exists()


def test_a_sign_in_started_in_another_browser_is_refused(client, forum):
    state = begin(Client())["state"]
    come_back(client, state)
    assert forum.token_requests == []
    assert not Member.objects.exists()


@pytest.mark.parametrize("lie", [{"aud": "another site"}, {"iss": "https://evil.example"}, {"exp": 1}])
def test_a_token_with_invalid_claims_is_refused(client, forum, lie):
    forum.claims |= lie
    come_back(client, begin(client)["state"])
    assert len(forum.token_requests) == 1
    assert not is_signed_in(client)
    assert not Member.objects.exists()


def test_an_unreachable_forum_redirects_to_sign_in(client, settings):
    configure(settings, "http://127.0.0.1:9")
    assert "The forum isn&#x27;t responding." in client.post(LOGIN, follow=True).text


def test_redirecting_to_the_forum_requires_a_post(client, forum):
    assert client.get(LOGIN).status_code == 200


def test_linking_accounts_is_not_offered_without_providers(client, settings):
    client.force_login(make_member())
    page = client.get("/account/3rdparty/").text
    assert "No other sites are supported. Sign in with your password or a passkey." in page
    assert ("Link an account" in page, "yet" in page) == (False, False)
    configure(settings, "https://forum.example")
    page = client.get("/account/3rdparty/").text
    assert (
        page.index("You haven't linked an account yet.")
        < page.index("Link an account")
        < page.index("The forum")
    )
