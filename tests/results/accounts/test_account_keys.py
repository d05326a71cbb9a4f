import re

import pytest
from allauth.account.models import EmailAddress

from results.api.keys import KeyRefusedError, find_key
from results.models import ApiKey
from tests.factories import make_member

pytestmark = pytest.mark.django_db
PASSWORD = "seventeen slow disks"


@pytest.fixture
def member(client):
    made = make_member(password=PASSWORD)
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    client.force_login(made)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return made


def make(client, **sent):
    return client.post("/account/keys/", {"name": "cron", "scopes": ["submit"], "days": "30", **sent})


def test_a_key_is_shown_once_and_has_its_scopes(client, member):
    text = re.search(r"slogdb_[0-9a-f]{40}", make(client).text)[0]
    assert text not in client.get("/account/keys/").text
    key = find_key(text)
    assert (key.owner, key.scopes) == (member, ["submit"])
    assert key.expires_at is not None
    assert text not in str(ApiKey.objects.values().get())


def test_a_revoked_key_is_refused(client, member):
    text = re.search(r"slogdb_[0-9a-f]{40}", make(client).text)[0]
    page = client.post(f"/account/keys/{ApiKey.objects.get().pk}/revoke/", follow=True).text
    assert "revoked" in page
    with pytest.raises(KeyRefusedError):
        find_key(text)


def test_a_member_cannot_revoke_another_members_key(client, member):
    make(client)
    client.force_login(make_member())
    page = client.post(f"/account/keys/{ApiKey.objects.get().pk}/revoke/", follow=True).text
    assert ApiKey.objects.get().revoked_at is None
    assert "slogdb_" not in page


@pytest.mark.parametrize("sent", [{"name": ""}, {"scopes": ["admin"]}, {"scopes": []}, {"days": "7"}])
def test_an_invalid_key_form_creates_no_key(client, member, sent):
    assert make(client, **sent).status_code == 422
    assert not ApiKey.objects.exists()


def test_managing_keys_requires_reauthentication(client):
    client.force_login(make_member(password=PASSWORD))
    assert client.get("/account/keys/").url.startswith("/account/reauthenticate/")
