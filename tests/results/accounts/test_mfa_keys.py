"""A key that is unknown, or a hostile response of a browser, is refused with a message."""

import json

import pytest
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

pytestmark = pytest.mark.django_db
KEY_ID = b"of a key that is well"


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


def test_an_unknown_passkey_is_refused_with_a_message(client):
    refused = client.post(
        "/account/2fa/webauthn/login/", {"credential": json.dumps(well_credential())}, follow=True
    )
    assert "The key was not accepted." in refused.text


def test_a_credential_that_nests_too_deep_is_refused(client, subtests):
    for depth in [300, 950, 1_000]:
        for opening, closing in [("[", "]"), ('{"response":', "}")]:
            with subtests.test(depth=depth, opening=opening):
                assert_is_refused(client, opening * depth + "1" + closing * depth)


def test_a_credential_with_a_number_of_thousands_of_digits_is_refused(client):
    assert_is_refused(client, "9" * 4400)


def assert_is_refused(client, credential):
    response = client.post("/account/2fa/webauthn/login/", {"credential": credential}, follow=True)
    assert response.status_code == 200
    assert "_auth_user_id" not in client.session
