"""Who sends from the form: members, banned members, and those who send too much."""

import pytest
from django.utils import timezone

from results.models import Submission
from tests import pastes
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def send(client, action="publish", text=pastes.FIRST_PASTE):
    return client.post("/submit/", {"text": text, "action": action})


def test_what_a_member_sends_is_theirs_and_needs_no_token(client):
    member = make_member()
    client.force_login(member)
    response = send(client)
    submission = Submission.objects.get()
    assert (response.status_code, submission.owner, submission.claim_digest) == (201, member, "")
    assert "slogdb_claim_" not in response.text


@pytest.mark.parametrize("action", ["preview", "publish"])
def test_who_is_banned_sends_nothing_and_reads_why(client, action):
    client.force_login(make_member(banned_at=timezone.now(), ban_reason="made-up figures"))
    response = send(client, action)
    assert response.status_code == 422
    assert "You may not send results any more: made-up figures" in response.text
    assert not Submission.objects.exists()


def test_who_sends_too_much_waits_and_keeps_the_text(client, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-write": (1, 600), "member-write": (2, 60)}
    assert send(client, "preview").status_code == 200
    response = send(client)
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 600
    assert "Try again in 10 minutes" in response.text
    assert "MARVELL SD88SA02" in response.text
    assert not Submission.objects.exists()
    client.force_login(make_member())
    assert send(client).status_code == 201
