"""Second factors' secrets in the database: plain ones are encrypted, and a new key of the site takes over."""

import pytest
from allauth.mfa.models import Authenticator
from django.core.management import CommandError, call_command

from results.accounts.mfa import seal, unseal
from tests.factories import make_member

pytestmark = pytest.mark.django_db
PLAIN = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
SEED = "ab" * 40
NEW = "another one, of which nobody knows anything at all"


def keep(**data_by_type):
    """One member with these authenticators."""
    member = make_member()
    for kind, data in data_by_type.items():
        Authenticator.objects.create(user=member, type=kind, data=data)
    return {entry.type: entry for entry in Authenticator.objects.filter(user=member)}


def everything():
    return str(list(Authenticator.objects.order_by("pk").values_list("data", flat=True)))


def test_only_plain_secrets_are_encrypted():
    passkey = {"name": "key", "credential": {"rawId": "abc"}}
    authenticators = keep(
        totp={"secret": PLAIN},
        recovery_codes={"seed": SEED, "used_mask": 5, "migrated_codes": ["11111111", "22222222"]},
        webauthn=passkey,
    )
    call_command("seal_second_factors")
    assert [secret for secret in (PLAIN, SEED, "11111111", "22222222") if secret in everything()] == []
    for value in authenticators.values():
        value.refresh_from_db()
    codes = authenticators["recovery_codes"].data
    assert unseal(authenticators["totp"].data["secret"]) == PLAIN
    assert (unseal(codes["seed"]), codes["used_mask"]) == (SEED, 5)
    assert [unseal(code) for code in codes["migrated_codes"]] == ["11111111", "22222222"]
    assert authenticators["webauthn"].data == passkey
    before = everything()
    call_command("seal_second_factors")
    assert everything() == before


def test_secrets_are_re_encrypted_with_a_new_key(settings, capsys):
    authenticators = keep(totp={"secret": seal(PLAIN)}, recovery_codes={"seed": SEED, "used_mask": 0})
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [settings.SECRET_KEY]
    call_command("seal_second_factors")
    assert capsys.readouterr().out.startswith("2 second factors")
    settings.SECRET_KEY_FALLBACKS = []
    authenticators["totp"].refresh_from_db()
    assert unseal(authenticators["totp"].data["secret"]) == PLAIN
    call_command("seal_second_factors")
    assert capsys.readouterr().out.startswith("0 second factors")


def test_secrets_with_a_lost_key_are_unchanged_and_reported(settings):
    keep(totp={"secret": seal(PLAIN)})
    keep(totp={"secret": PLAIN})
    lost = Authenticator.objects.order_by("pk")[0]
    settings.SECRET_KEY = NEW
    with pytest.raises(
        CommandError, match="1 were encrypted with a key that SLOGDB_SECRET_KEY_FALLBACKS lacks"
    ):
        call_command("seal_second_factors")
    assert Authenticator.objects.get(pk=lost.pk).data == lost.data
    assert PLAIN not in everything()
