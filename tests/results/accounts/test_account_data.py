import io
import json
import zipfile

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.socialaccount.models import SocialAccount
from django.db import connection
from django.test.utils import CaptureQueriesContext

from results.accounts.data import write_archive
from results.models import AuditEntry, Member, Result, Submission
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.submissions.edit import change_state
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member, make_verified_member
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client):
    made = make_verified_member(forum_handle="ann_o")
    sign_in_with(client, made, "password")
    return made


@pytest.fixture
def submission(member):
    address = "https://forum.example.org/members/ann_o"
    sender = Sender(
        owner=member, forum_handle="ann_o", source_url=address, sender_digest="net", note="slot 4"
    )
    return receive_submission(pastes.FIRST_PASTE, sender).submission


def download(client):
    """The archive, and the data in it."""
    response = client.get("/account/data/slogdb-my-data.zip")
    archive = zipfile.ZipFile(io.BytesIO(response.getvalue()))
    return archive, json.loads(archive.read("slogdb.json"))


def test_a_member_downloads_all_their_data(client, member, submission):
    archive, data = download(client)
    text = archive.read(f"texts/{submission.public_id}.txt").decode()
    assert data["account"]["email"] == member.email
    assert data["email_addresses"] == [{"email": member.email, "verified": True, "primary": True}]
    assert data["sessions"][0]["ip"] == "127.0.0.0"
    assert data["submissions"][0]["note"] == "slot 4"
    assert data["submissions"][0]["results"][0]["latency_us"] == list(pastes.FIRST_CURVE)
    assert text == submission.text
    assert pastes.SERIAL not in text + json.dumps(data)


def test_the_download_takes_a_fixed_number_of_queries(member, submission):
    with CaptureQueriesContext(connection) as single:
        write_archive(member, io.BytesIO())
    for number in range(3):
        receive_submission(pastes.FIRST_PASTE + "\n" * number + str(number), Sender(owner=member))
    with CaptureQueriesContext(connection) as of_four:
        write_archive(member, io.BytesIO())
    assert member.submissions.count() == 4
    assert len(of_four) == len(single)


def test_the_download_includes_decisions_and_sign_in_methods(client, member, submission):
    moderator = make_member(display_name="Mo", is_staff=True)
    decide(submission, Action.HELD, moderator=moderator, reason="a figure too good")
    RecoveryCodes.activate(member)
    SocialAccount.objects.create(user=member, provider="forum", uid="ann_o")
    _, data = download(client)
    assert [(entry["action"], entry["reason"]) for entry in data["log"]] == [("held", "a figure too good")]
    assert [account["uid"] for account in data["forum_accounts"]] == ["ann_o"]
    assert [factor["type"] for factor in data["second_factors"]] == ["recovery_codes"]
    assert [secret for secret in ("Mo", "seed") if secret in json.dumps(data)] == []


def test_the_audit_log_does_not_name_closed_accounts(client, member, submission):
    Member.objects.update(display_name="Ann O.")
    client.post(f"/account/results/{submission.public_id}/withdraw/")
    client.post(f"/account/results/{submission.public_id}/restore/")
    close(client)
    assert {entry.actor_name for entry in AuditEntry.objects.all()} == {f"member {member.pk}"}


def close(client, **sent):
    return client.post("/account/data/", {"results": "keep", "confirm": "on", **sent})


@pytest.mark.usefixtures("everyone_is_trusted")
def test_an_account_is_closed_and_its_results_stay_without_a_name(client, member, submission):
    assert "Your personal data has been deleted" in close(client).text
    assert not Member.objects.exists()
    stored = Submission.objects.get()
    assert (stored.owner, stored.forum_handle, stored.source_url) == (None, "", "")
    assert stored.state == State.PUBLISHED
    assert Result.objects.get().is_ranked
    assert client.get("/account/").status_code == 302


def test_an_account_is_closed_with_its_results(client, member, submission):
    close(client, results="erase")
    assert not Member.objects.exists()
    assert not Result.objects.exists()
    assert Submission.objects.get().state == State.ERASED


def test_held_submissions_are_erased_with_the_account(client, member, submission):
    change_state(submission, State.HELD, reason="odd")
    close(client)
    assert Submission.objects.get().state == State.ERASED


def test_an_incomplete_form_does_not_close_the_account(client, member, subtests):
    for sent in [{"results": "sell"}, {"confirm": ""}]:
        with subtests.test(sent=sent):
            assert close(client, **sent).status_code == 422
            assert Member.objects.exists()
