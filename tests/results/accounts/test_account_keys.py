import re

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from results.api.keys import KeyRefusedError, find_key, make_key
from results.models import ApiKey
from tests.factories import PASSWORD, make_member, make_verified_member
from tests.sessions import reset_password, sign_in_with

pytestmark = pytest.mark.django_db
NEW = "nineteen rather slow disks"


@pytest.fixture
def member(client):
    cache.clear()
    made = make_verified_member()
    sign_in_with(client, made, "password")
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


def test_an_invalid_key_form_creates_no_key(client, member, subtests):
    for sent in [{"name": ""}, {"scopes": ["admin"]}, {"scopes": []}, {"days": "7"}]:
        with subtests.test(sent=sent):
            assert make(client, **sent).status_code == 422
            assert not ApiKey.objects.exists()


def test_a_new_key_is_announced_by_mail_with_how_to_revoke_it(client, member, settings):
    settings.SITE_URL = "https://slog.example"
    text = re.search(r"slogdb_[0-9a-f]{40}", make(client, name="cron & co").text)[0]
    (message,) = mail.outbox
    assert (message.to, message.subject) == ([member.email], "slogdb: New API key: cron & co")
    assert f'"cron & co" ({text[:12]}…), submit, valid until 20' in message.body
    assert "https://slog.example/account/keys/" in message.body
    assert text not in message.body


def test_a_key_that_cannot_be_announced_is_not_created(client, member, settings):
    settings.EMAIL_BACKEND = "nowhere.to.be.found"
    with pytest.raises(ModuleNotFoundError):
        make(client)
    assert not ApiKey.objects.exists()


def change_password(client, **sent):
    new = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    return client.post("/account/password/change/", {**new, **sent})


@pytest.mark.parametrize(("sent", "is_revoked"), [({"revoke_keys": "on"}, True), ({}, False)])
def test_a_new_password_revokes_keys_only_if_their_owner_wants_that(client, member, sent, is_revoked):
    make(client)
    assert "Revoke my API keys, too" in client.get("/account/password/change/").text
    change_password(client, **sent)
    member.refresh_from_db()
    assert member.check_password(NEW)
    assert (ApiKey.objects.get().revoked_at is not None) is is_revoked


def test_revoking_keys_is_offered_to_who_has_one(client, member):
    assert "Revoke my API keys" not in client.get("/account/password/change/").text
    change_password(client, revoke_keys="on")
    member.refresh_from_db()
    assert member.check_password(NEW)


def test_a_password_reset_revokes_all_keys_of_the_member(client, member):
    text = re.search(r"slogdb_[0-9a-f]{40}", make(client).text)[0]
    others = make_key(make_member(), name="other", scopes=["read"]).text
    reset_password(Client(), NEW, member.email)
    assert find_key(others)
    with pytest.raises(KeyRefusedError, match="revoked"):
        find_key(text)
    assert "Any API keys you had no longer work" in mail.outbox[-1].body
