import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from results.models import Result, Submission
from results.submissions.claim import ClaimError, claim_submission
from results.submissions.edit import erase_submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


def test_the_holder_of_the_token_becomes_the_owner_once():
    received = receive_submission(pastes.FIRST_PASTE, Sender(sender_digest="net"))
    member = make_member()
    claimed = claim_submission(f" {received.claim_token}\n", member)
    assert claimed == received.submission
    assert Submission.objects.get().owner == member
    with pytest.raises(ClaimError):
        claim_submission(received.claim_token, make_member())
    assert Submission.objects.get().owner == member


def test_nothing_is_claimed_with_no_token():
    receive_submission(pastes.FIRST_PASTE, Sender(owner=make_member()))
    with pytest.raises(ClaimError):
        claim_submission("", make_member())


def test_erased_submissions_cannot_be_claimed():
    received = receive_submission(pastes.FIRST_PASTE, Sender())
    erase_submission(received.submission, reason="mine")
    with pytest.raises(ClaimError):
        claim_submission(received.claim_token, make_member())


def test_without_a_serial_number_a_claimed_result_counts_as_its_owners():
    received = receive_submission(pastes.diskinfo(ident=""), Sender(sender_digest="net"))
    assert Result.objects.get().ranking_unit == "network net"
    member = make_member()
    claim_submission(received.claim_token, member)
    assert Result.objects.get().ranking_unit == f"account {member.pk}"


def test_a_token_is_found_by_an_index():
    """Among many that anybody may claim no longer."""
    Submission.objects.bulk_create(Submission(text_digest=f"plain {number}") for number in range(300))
    with CaptureQueriesContext(connection) as queries, pytest.raises(ClaimError):
        claim_submission("slogdb_claim_unknown", make_member())
    (statement,) = [query["sql"] for query in queries.captured_queries if "FOR UPDATE" in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE results_submission")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {statement}")
        plan = " ".join(line for (line,) in cursor.fetchall())
    assert "submission_to_claim" in plan
