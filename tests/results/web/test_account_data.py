import io
import json
import zipfile

import pytest
from allauth.account.models import EmailAddress

from results.ingest.receive import Sender, receive_submission
from results.ingest.states import change_state
from results.models import Member, Result, Submission
from results.models.choices import State
from tests import pastes
from tests.factories import make_member

pytestmark = pytest.mark.django_db
PASSWORD = "seventeen slow disks"


@pytest.fixture
def member(client):
    made = make_member(password=PASSWORD, forum_handle="ann_o")
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    client.force_login(made)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return made


@pytest.fixture
def submission(member):
    sender = Sender(owner=member, forum_handle="ann_o", network="net")
    return receive_submission(pastes.FIRST_PASTE, sender).submission


def test_a_member_takes_everything_along(client, member, submission):
    response = client.get("/account/data/slogdb-my-data.zip")
    with zipfile.ZipFile(io.BytesIO(response.getvalue())) as archive:
        told = json.loads(archive.read("slogdb.json"))
        text = archive.read(f"texts/{submission.public_id}.txt").decode()
    assert told["account"]["email"] == member.email
    assert told["submissions"][0]["results"][0]["latency_us"] == list(pastes.FIRST_CURVE)
    assert text == submission.text
    assert pastes.SERIAL not in text + json.dumps(told)


def close(client, **sent):
    return client.post("/account/data/", {"results": "keep", "confirm": "on", **sent})


def test_an_account_is_closed_and_its_results_stay_without_a_name(client, member, submission):
    assert "Nothing that names you is left" in close(client).text
    assert not Member.objects.exists()
    kept = Submission.objects.get()
    assert (kept.owner, kept.forum_handle, kept.state) == (None, "", State.PUBLISHED)
    assert Result.objects.get().is_ranked
    assert client.get("/account/").status_code == 302


def test_an_account_is_closed_with_its_results(client, member, submission):
    close(client, results="erase")
    assert not Member.objects.exists()
    assert not Result.objects.exists()
    assert Submission.objects.get().state == State.ERASED


def test_what_was_held_does_not_outlive_the_account(client, member, submission):
    change_state(submission, State.HELD, reason="odd")
    close(client)
    assert Submission.objects.get().state == State.ERASED


@pytest.mark.parametrize("sent", [{"results": "sell"}, {"confirm": ""}])
def test_an_account_is_not_closed_by_half_a_form(client, member, sent):
    assert close(client, **sent).status_code == 422
    assert Member.objects.exists()
