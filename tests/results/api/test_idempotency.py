from datetime import timedelta

import pytest
from cryptography.fernet import InvalidToken
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from results.api.idempotency import (
    PURPOSE,
    REMEMBERED_FOR,
    forget_answers,
    forget_answers_about,
    forget_old_answers,
)
from results.core.security.sealing import cipher
from results.models import Member, RememberedAnswer, Report, Submission
from results.submissions.claim import claim_submission
from results.submissions.edit import erase_submission
from results.submissions.intake.receive import receive_submission
from tests import pastes
from tests.concurrency import threads
from tests.factories import make_member
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db


def submit(client, text=pastes.FIRST_PASTE, key="once", **headers):
    return client.post(
        "/api/v1/submissions/", text, content_type="text/plain", HTTP_IDEMPOTENCY_KEY=key, **headers
    )


def test_repeated_request_gets_the_same_response_and_runs_once(client):
    first, second = submit(client), submit(client)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert first["Location"] == second["Location"]
    assert [answer.get("Idempotent-Replayed") for answer in (first, second)] == [None, "true"]
    assert "Idempotent-Replayed" in second["Access-Control-Expose-Headers"].split(", ")
    assert Submission.objects.count() == 1


def test_claim_token_is_returned_again_without_being_stored(client):
    first = submit(client).json()["claim_token"]
    token = submit(client).json()["claim_token"]
    assert token.startswith("slogdb_claim_")
    assert token == first
    assert token not in str(list(RememberedAnswer.objects.values()))
    claim_submission(token, make_member())


def test_stored_claim_token_needs_the_senders_key_and_the_sites_secret(client, settings):
    submit(client)
    sealed = RememberedAnswer.objects.get().body["claim_token"]
    with pytest.raises(InvalidToken):
        cipher(PURPOSE, known_to_holder="another").decrypt(sealed)
    settings.SECRET_KEY = "another one, of which nobody knows anything at all"
    assert submit(client).json()["claim_token"] == ""


def test_same_key_in_the_same_network_never_gets_the_token_of_an_erased_submission(client):
    first = submit(client).json()
    mine = claim_submission(first["claim_token"], make_member())
    erase_submission(mine, reason="mine")
    again = submit(client, pastes.diskinfo(media_size=5 << 30)).json()
    assert again["is_new"]
    assert again["claim_token"].startswith("slogdb_claim_")
    assert again["claim_token"] != first["claim_token"]


def test_different_request_with_the_same_key_is_refused(client):
    submit(client)
    response = submit(client, pastes.diskinfo(media_size=5 << 30))
    assert (response.status_code, response.json()["code"]) == (422, "idempotency_key_reused")
    assert Submission.objects.count() == 1


def test_keys_are_separate_per_sender(client):
    assert submit(client).json()["is_new"]
    for headers in ({"key": "twice"}, {"REMOTE_ADDR": "192.0.2.1"}, bearer()):
        assert submit(client, **headers).json()["is_new"] is False


def test_refusal_is_not_stored(client):
    assert submit(client, "hello").status_code == 422
    assert submit(client).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "\xe9"])
def test_malformed_key_is_refused(client, key):
    assert submit(client, key=key).status_code == 400
    assert not Submission.objects.exists()


def test_answers_expire_after_a_day(client):
    submit(client)
    RememberedAnswer.objects.update(created_at=timezone.now() - REMEMBERED_FOR - timedelta(seconds=1))
    assert submit(client).json()["is_new"] is False
    assert submit(client, pastes.FIRST_PASTE).status_code == 200
    RememberedAnswer.objects.update(created_at=timezone.now() - REMEMBERED_FOR)
    assert forget_old_answers() == 1
    forget_answers()


def test_answers_about_a_submission_are_found_by_an_index():
    with CaptureQueriesContext(connection) as queries:
        forget_answers_about("b" * 10)
    (statement,) = [query["sql"] for query in queries if "rememberedanswer" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {statement}")
        assert "answer_about" in " ".join(line for (line,) in cursor.fetchall())


def test_answer_is_deleted_with_its_submission(client):
    submit(client)
    erase_submission(Submission.objects.get(), reason="asked for")
    assert not RememberedAnswer.objects.exists()
    assert not Report.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("header", [{"HTTP_IDEMPOTENCY_KEY": "once"}, {}], ids=["with a key", "without"])
def test_sender_whose_account_is_closed_meanwhile_learns_that_nothing_was_stored(client, monkeypatch, header):
    owner = make_member()

    def receive_after_closing(raw, sender):
        with threads() as start:
            start(Member.objects.filter(pk=owner.pk).delete).result()
        return receive_submission(raw, sender)

    monkeypatch.setattr("results.submissions.api.views.receive_submission", receive_after_closing)
    url = "/api/v1/submissions/"
    response = client.post(url, pastes.FIRST_PASTE, content_type="text/plain", **bearer(owner), **header)
    assert (response.status_code, response.json()["notices"][0]["code"]) == (422, "account_closed")
    assert not Submission.objects.exists()
    assert not RememberedAnswer.objects.exists()
