"""A key whose record can't be read opens nothing, and keeps nobody from their other factors."""

import json

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.webauthn.internal import auth
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

from slogdb import urls
from tests.factories import PASSWORD, make_verified_member

pytestmark = pytest.mark.django_db
KEY_ID = b"of a key that is well"
BROKEN = {
    "nothing": {},
    "no credential": {"name": "old key"},
    "an empty one": {"name": "old key", "credential": {}},
    "text": {"name": "old key", "credential": "garbled"},
    "no bytes": {
        "name": "old key",
        "credential": {"id": "§", "rawId": 5, "type": "public-key", "response": []},
    },
    "no attestation": {
        "name": "old key",
        "credential": {
            "id": "YQ",
            "rawId": "YQ",
            "type": "public-key",
            "response": {"clientDataJSON": "e30", "attestationObject": "_w"},
        },
    },
    "no object": "garbled",
}


def well_credential():
    public_key = ES256({1: 2, 3: -7, -1: 1, -2: b"x" * 32, -3: b"y" * 32})
    credential = AttestedCredentialData.create(bytes(16), KEY_ID, public_key)
    data = AuthenticatorData.create(bytes(32), AuthenticatorData.FLAG.AT, 0, credential)
    client = json.dumps({"type": "webauthn.create", "challenge": "YQ", "origin": "https://x"}).encode()
    response = {
        "clientDataJSON": websafe_encode(client),
        "attestationObject": websafe_encode(bytes(AttestationObject.create("none", data, {}))),
    }
    name = websafe_encode(KEY_ID)
    return {"id": name, "rawId": name, "type": "public-key", "response": response}


@pytest.fixture(params=BROKEN)
def member(request):
    made = make_verified_member(email="ann@example.org")
    Authenticator.objects.create(user=made, type="webauthn", data=BROKEN[request.param])
    RecoveryCodes.activate(made)
    return made


def test_a_recovery_code_signs_in_and_the_unreadable_key_can_be_removed(client, member, caplog):
    client.post("/account/login/", {"login": member.email, "password": PASSWORD})
    response = client.get("/account/2fa/authenticate/")
    assert response.status_code == 200
    assert f"key {Authenticator.objects.get(type='webauthn').pk} of a member can't be read" in caplog.text
    refused = client.post("/account/2fa/authenticate/", {"credential": json.dumps(well_credential())})
    assert "The key was not accepted." in refused.text
    code, another = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[:2]
    client.post("/account/2fa/authenticate/", {"code": code})
    assert client.get("/account/2fa/reauthenticate/").status_code == 200
    client.post("/account/2fa/reauthenticate/", {"code": another})
    for path in ("2fa/", "2fa/webauthn/", "2fa/webauthn/add/", "data/"):
        assert client.get(f"/account/{path}").status_code == 200, path
    broken = Authenticator.objects.get(type="webauthn")
    edited = client.post(f"/account/2fa/webauthn/keys/{broken.pk}/edit/", {"name": "broken"})
    assert edited.status_code == 302
    assert client.get(f"/account/2fa/webauthn/keys/{broken.pk}/remove/").status_code == 200
    client.post(f"/account/2fa/webauthn/keys/{broken.pk}/remove/")
    assert not Authenticator.objects.filter(type="webauthn").exists()


def test_an_unknown_passkey_is_refused_with_a_message(client):
    refused = client.post(
        "/account/2fa/webauthn/login/", {"credential": json.dumps(well_credential())}, follow=True
    )
    assert "The key was not accepted." in refused.text


def test_a_readable_key_works_beside_an_unreadable_one(member):
    assert urls.replace_library_classes  # with the pages its own class is there
    well = auth.WebAuthn.add(member, "well", well_credential()).instance
    assert [one.credential_id for one in auth.get_credentials(member)] == [KEY_ID]
    assert auth.get_authenticator_by_credential_id(member, KEY_ID) == well
    assert auth.get_authenticator_by_credential_id(member, b"") is None


@pytest.mark.parametrize("depth", [300, 950, 1_000, 20_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"response":', "}")])
def test_a_credential_that_nests_too_deep_is_refused(client, depth, opening, closing):
    assert_is_refused(client, opening * depth + "1" + closing * depth)


def test_a_credential_with_a_number_of_thousands_of_digits_is_refused(client):
    assert_is_refused(client, "9" * 4400)


def assert_is_refused(client, credential):
    response = client.post("/account/2fa/webauthn/login/", {"credential": credential}, follow=True)
    assert response.status_code == 200
    assert "_auth_user_id" not in client.session
