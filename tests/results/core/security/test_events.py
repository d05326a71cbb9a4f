"""Each security event is a line that names nobody, and is counted."""

import json
import logging
import re
from pathlib import Path

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.test import Client
from prometheus_client import REGISTRY

from results.core.security.digests import digest_network, digest_secret
from results.core.security.events import EVENTS, FAILURES, log_event
from results.models import ApiKey, Submission
from results.submissions.claim import draw_token
from tests.factories import PASSWORD, make_result, make_submission, make_verified_member
from tests.results.accounts.openid_provider import running_forum
from tests.results.accounts.test_mfa_adapter import code_of
from tests.results.accounts.test_mfa_keys import well_credential
from tests.results.accounts.test_openid import begin, come_back
from tests.sessions import mailed_code, reset_password

pytestmark = pytest.mark.django_db
NEW = "eighteen slower disks"
ADDRESS = "203.0.113.7"
NETWORK = digest_network(ADDRESS)[:12]
SECRET = "JBSWY3DPEHPK3PXP"


@pytest.fixture
def member():
    cache.clear()
    return make_verified_member(email="ann@example.org")


@pytest.fixture
def client():
    return Client(REMOTE_ADDR=ADDRESS)


@pytest.fixture
def logged(caplog):
    """Returns the events since the last call; fails if a line names somebody, or isn't counted."""
    caplog.set_level(logging.INFO)
    counts = {}

    def logged():
        found = [record.msg for record in caplog.records if record.name == "results.core.security.events"]
        for line in found:
            assert re.search(rf"@|{re.escape(ADDRESS)}|slogdb_|{PASSWORD}|{NEW}", str(line)) is None
        for line in found:
            name = line["security_event"]
            counts[name] = counts.get(name, before(name)) + 1
        assert counts == {name: counted(name) for name in counts}
        caplog.clear()
        return found

    started = {name: counted(name) for name in {**EVENTS, **FAILURES}}
    before = started.get
    return logged


def counted(event):
    return REGISTRY.get_sample_value("slogdb_security_events_total", {"event": event}) or 0


def names(lines):
    return [line["security_event"] for line in lines]


def sign_in(client, password=PASSWORD):
    return client.post("/account/login/", {"login": "ann@example.org", "password": password})


def test_sign_ins_and_failures_are_logged_without_names(client, member, logged):
    sign_in(client, NEW)
    sign_in(client)
    client.post("/account/logout/")
    failed, signed_in, signed_out = logged()
    assert failed["security_event"] == "sign_in_failed"
    assert (failed["level"], failed["network"], "member" in failed) == ("warning", NETWORK, False)
    known = {"security_event": "signed_in", "member": member.pk, "network": NETWORK, "methods": ["password"]}
    assert known.items() <= signed_in.items()
    assert (signed_out["security_event"], signed_out["member"]) == ("signed_out", member.pk)


def test_second_factors_and_step_up_are_logged(client, member, logged):
    TOTP.activate(member, SECRET)
    sign_in(client)
    client.post("/account/2fa/authenticate/", {"code": "000000"})
    client.post("/account/2fa/authenticate/", {"code": code_of(SECRET)})
    assert names(lines := logged()) == ["second_factor_failed", "signed_in"]
    assert [line["member"] for line in lines] == [member.pk] * 2
    assert (lines[0]["method"], lines[1]["methods"]) == ("totp", ["password", "totp"])
    client.post("/account/2fa/reauthenticate/", {"code": "000000"})
    assert names(logged()) == ["step_up_failed"]


def test_wrong_keys_are_logged(client, member, logged):
    """Of the member who is signing in, of nobody where the key alone signs in, and of who confirms with it."""
    Authenticator.objects.create(
        user=member, type="webauthn", data={"name": "old", "credential": well_credential()}
    )
    sent = {"credential": json.dumps(well_credential())}
    client.post("/account/2fa/webauthn/login/", sent)
    sign_in(client)
    client.post("/account/2fa/authenticate/", sent)
    client.force_login(member)
    client.post("/account/2fa/webauthn/reauthenticate/", sent)
    lines = [line for line in logged() if line["level"] == "warning"]
    assert names(lines) == ["sign_in_failed", "second_factor_failed", "step_up_failed"]
    assert [line.get("member") for line in lines] == [None, member.pk, member.pk]
    assert {line["method"] for line in lines} == {"webauthn"}


def test_wrong_passwords_of_a_member_are_steps_up_and_too_many_are_said_to_be(client, member, logged):
    client.force_login(member)
    logged()
    for _ in range(6):
        client.post("/account/reauthenticate/", {"password": NEW})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    lines = logged()
    assert names(lines) == ["step_up_failed"] * 5 + ["sign_in_throttled"] * 2
    assert {line["member"] for line in lines} == {member.pk}


@pytest.mark.django_db(transaction=True)  # the library sends some signals when the transaction ends
def test_changes_of_an_account_are_logged(client, member, logged):
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post("/account/keys/", {"name": "cron", "scopes": ["submit"], "days": "30"})
    client.post(f"/account/keys/{ApiKey.objects.get().pk}/revoke/")
    client.post("/account/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    client.get("/account/2fa/totp/activate/")
    client.post("/account/2fa/totp/activate/", {"code": code_of(client.session["mfa.totp.secret"])})
    client.post("/account/2fa/recovery-codes/generate/")
    client.post("/account/2fa/totp/deactivate/")
    client.post("/account/data/", {"results": "keep", "confirm": "on"})
    lines = logged()
    assert names(lines) == [
        "signed_in",
        "stepped_up",
        "key_created",
        "key_revoked",
        "password_changed",
        "factor_added",
        "stepped_up",  # by the code that set the factor up
        "factor_added",  # recovery codes
        "factor_replaced",
        "factor_removed",
        "factor_removed",
        "signed_out",
        "account_closed",
    ]
    assert {line["member"] for line in lines} == {member.pk}


def test_an_address_and_a_reset_are_logged(client, member, logged):
    sign_in(client)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post("/account/email/", {"action_add": "", "email": "anna@example.org"})
    logged()
    code = mailed_code()
    client.post("/account/confirm-email/", {"code": "AAA-AAA"})
    client.post("/account/confirm-email/", {"code": code})
    assert names(logged()) == ["mailed_code_failed", "email_added", "email_changed"]
    reset_password(Client(REMOTE_ADDR=ADDRESS), NEW, "anna@example.org")
    lines = logged()
    assert "password_reset" in names(lines)
    assert {line["member"] for line in lines} == {member.pk}


def test_a_forum_account_is_logged(client, logged, settings):
    with running_forum(settings):
        come_back(client, begin(client)["state"])
    assert names(logged())[:1] == ["signed_up"]


def test_refused_requests_are_logged_once_each(client, member, logged, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-read": (4, 3600)}
    client.get("/api/v1/me/", HTTP_AUTHORIZATION=f"Bearer slogdb_{'0' * 40}")
    assert names(logged()) == ["key_refused", "refused_401"]
    client.get("/api/v1/me/")
    assert names(logged()) == ["refused_401"]
    for _ in range(5):
        answered = client.get("/api/v1/devices/")
    assert answered.status_code == 429
    assert set(names(lines := logged())) == {"refused_429"}
    assert {line["network"] for line in lines} == {NETWORK}
    client.force_login(member)
    logged()
    assert client.get("/moderation/").status_code == 403
    (line,) = logged()
    assert (line["security_event"], line["member"], line["network"]) == ("refused_403", member.pk, NETWORK)
    client.get("/")
    client.get("/nothing/")
    assert logged() == []


def test_claims_are_logged(client, member, logged, django_capture_on_commit_callbacks):
    token = draw_token()
    make_result(submission=make_submission(claim_digest=digest_secret(token)))
    client.force_login(member)
    logged()
    client.post("/account/claim/", {"token": "slogdb_claim_of_nobody"})
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/account/claim/", {"token": token})
    lines = logged()
    assert names(lines) == ["claim_refused", "claim_taken"]
    assert {line["member"] for line in lines} == {member.pk} == {Submission.objects.get().owner_id}


def test_an_unknown_event_is_an_error():
    with pytest.raises(KeyError):
        log_event("something")


def test_each_event_is_in_the_document():
    document = (Path(__file__).parents[4] / "docs" / "security.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([a-z_0-9]+)` \| ([^|]*) \|$", document, re.MULTILINE))
    assert rows == {**EVENTS, **FAILURES}
