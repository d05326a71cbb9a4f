"""What a copy of the database tells of second factors, and what happens when the site's secret changes."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth

from results.accounts.mfa import AuthenticatorApp, MFAAdapter
from tests.concurrency import threads
from tests.factories import make_member

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code_of(secret, *, later=0):
    """What an app shows now, or so many codes later."""
    counters = list(auth.yield_hotp_counters_from_time())
    return auth.format_hotp_value(auth.hotp_value(secret, counters[len(counters) // 2] + later))


def test_the_database_has_no_usable_secrets():
    member = make_member()
    auth.TOTP.activate(member, SECRET)
    RecoveryCodes.activate(member)
    stored = {entry.type: entry for entry in Authenticator.objects.filter(user=member)}
    assert SECRET not in str(stored["totp"].data)
    seed = stored["recovery_codes"].data["seed"]
    assert not re.fullmatch(r"[0-9a-f]+", seed)
    assert stored["totp"].wrap().validate_code(code_of(SECRET))
    assert len(stored["recovery_codes"].wrap().get_unused_codes()) == 10


@pytest.mark.parametrize(("later", "opens"), [(1, True), (3, False), (-2, False)])
def test_a_clock_may_be_wrong_by_one_code(later, opens):
    factor = auth.TOTP.activate(make_member(), SECRET)
    assert factor.validate_code(code_of(SECRET, later=later)) is opens


@pytest.mark.django_db(transaction=True)
def test_of_two_requests_with_one_code_at_the_same_time_one_is_accepted():
    factor, code = auth.TOTP.activate(make_member(), SECRET).instance, code_of(SECRET)
    with threads() as start:
        answers = [start(AuthenticatorApp(factor).validate_code, code) for _ in range(2)]
        assert sorted(answer.result() for answer in answers) == [False, True]


def test_encrypting_a_secret_twice_gives_different_tokens():
    assert MFAAdapter().encrypt(SECRET) != MFAAdapter().encrypt(SECRET)


def test_an_unencrypted_secret_still_works():
    assert MFAAdapter().decrypt(SECRET) == SECRET


def test_the_secret_key_can_be_rotated_with_a_fallback(settings):
    sealed, old = MFAAdapter().encrypt(SECRET), settings.SECRET_KEY
    settings.SECRET_KEY = "another one, of which nobody knows anything at all"
    settings.SECRET_KEY_FALLBACKS = [old]
    assert MFAAdapter().decrypt(sealed) == SECRET


def test_no_code_matches_if_the_key_is_lost(settings, caplog):
    member = make_member()
    auth.TOTP.activate(member, SECRET)
    settings.SECRET_KEY = "another one, of which nobody knows anything at all"
    assert not Authenticator.objects.get(user=member).wrap().validate_code(code_of(SECRET))
    sealed = Authenticator.objects.get(user=member).data["secret"]
    assert MFAAdapter().decrypt(sealed) != MFAAdapter().decrypt(sealed)
    assert "SLOGDB_SECRET_KEY_FALLBACKS" in caplog.text
