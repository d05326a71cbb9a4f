from datetime import timedelta

import pytest
from django.utils import timezone

from results.api.keys import (
    MAX_KEYS,
    BannedError,
    KeyRefusedError,
    KeyRequestError,
    find_key,
    make_key,
    revoke_key,
    usable_keys,
)
from results.models import ApiKey
from tests.factories import make_member

pytestmark = pytest.mark.django_db
A_DAY = timedelta(days=1)


def test_key_is_found_by_its_text_which_is_not_stored():
    member = make_member()
    made = make_key(member, name=" nas  in the\tcellar ", scopes=["submit", "read"])
    assert find_key(made.text) == made.stored
    assert (made.stored.name, made.stored.scopes) == ("nas in the cellar", ["read", "submit"])
    assert made.text.startswith(made.stored.prefix)
    assert made.text not in str(ApiKey.objects.values())


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"name": " ", "scopes": ["read"]}, "name"),
        ({"name": "x" * 61, "scopes": ["read"]}, "name"),
        ({"name": "nas", "scopes": []}, "read, submit"),
        ({"name": "nas", "scopes": ["read", "admin"]}, "read, submit"),
    ],
)
def test_key_with_invalid_name_or_scopes_is_not_created(values, why):
    with pytest.raises(KeyRequestError, match=why):
        make_key(make_member(), **values)


def test_key_can_not_expire_in_the_past():
    with pytest.raises(KeyRequestError, match="future"):
        make_key(make_member(), name="nas", scopes=["read"], expires_at=timezone.now() - A_DAY)


def test_number_of_keys_is_limited_and_revoking_makes_room():
    member = make_member()
    made = [make_key(member, name="nas", scopes=["read"]) for _ in range(MAX_KEYS)]
    with pytest.raises(KeyRequestError, match="revoke"):
        make_key(member, name="nas", scopes=["read"])
    assert revoke_key(member, made[0].stored.pk)
    assert make_key(member, name="nas", scopes=["read"]).stored in usable_keys(member)


@pytest.mark.parametrize("text", ["", "slogdb_", "x" * 47, f"slogdb_{'0' * 40}", "slogdb_\ud800" + "0" * 39])
def test_unknown_or_malformed_key_is_refused(text):
    with pytest.raises(KeyRefusedError):
        find_key(text)


@pytest.mark.parametrize(
    ("values", "why"),
    [({"revoked_at": timezone.now()}, "revoked"), ({"expires_at": timezone.now() - A_DAY}, "expired")],
)
def test_revoked_or_expired_key_is_refused(values, why):
    made = make_key(make_member(), name="nas", scopes=["read"])
    ApiKey.objects.update(**values)
    with pytest.raises(KeyRefusedError, match=why):
        find_key(made.text)


def test_keys_of_closed_or_banned_accounts_are_refused():
    member = make_member()
    made = make_key(member, name="nas", scopes=["read"], expires_at=timezone.now() + A_DAY)
    member.banned_at, member.ban_reason = timezone.now(), "made-up figures"
    member.save()
    with pytest.raises(BannedError, match="made-up figures"):
        find_key(made.text)
    member.is_active = False
    member.save()
    with pytest.raises(KeyRefusedError):
        find_key(made.text)


def test_the_last_use_is_written_once_a_minute(django_assert_num_queries):
    made = make_key(make_member(), name="nas", scopes=["read"])
    before = timezone.now()
    with django_assert_num_queries(2):
        find_key(made.text)
    after = timezone.now()
    with django_assert_num_queries(1):
        key = find_key(made.text)
    assert before <= key.last_used_at <= after
    ApiKey.objects.update(last_used_at=timezone.now() - timedelta(seconds=61))
    with django_assert_num_queries(2):
        find_key(made.text)


def test_only_the_owner_can_revoke_a_key_and_only_once():
    member = make_member()
    made = make_key(member, name="nas", scopes=["read"])
    assert not revoke_key(make_member(), made.stored.pk)
    assert find_key(made.text)
    assert revoke_key(member, made.stored.pk)
    first = ApiKey.objects.get().revoked_at
    assert revoke_key(member, made.stored.pk)
    assert ApiKey.objects.get().revoked_at == first
    assert list(usable_keys(member)) == []
