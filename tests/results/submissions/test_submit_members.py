"""Who sends from the form: members, banned members, and those who send too much."""

import pytest
from django.utils import timezone

from results.models import Submission
from tests import pastes
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def send(client, action="publish", text=pastes.FIRST_PASTE):
    return client.post("/submit/", {"text": text, "action": action})


def test_a_members_submission_is_theirs_without_a_token(client):
    member = make_member()
    client.force_login(member)
    response = send(client)
    submission = Submission.objects.get()
    assert (response.status_code, submission.owner, submission.claim_digest) == (201, member, "")
    assert "slogdb_claim_" not in response.text


def test_a_banned_member_cannot_submit_and_sees_why(client, subtests):
    for action in ["preview", "publish"]:
        with subtests.test(action=action):
            client.force_login(make_member(banned_at=timezone.now(), ban_reason="made-up figures"))
            response = send(client, action)
            assert response.status_code == 422
            assert "You can no longer submit results: made-up figures" in response.text
            assert "We couldn’t read this" not in response.text
            assert not Submission.objects.exists()


def test_a_rate_limited_sender_keeps_the_text(client, settings):
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


@pytest.mark.parametrize("path", ["/submit/", "/used-drive/"])
def test_long_texts_cost_more(client, settings, path):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-write": (4, 600)}
    assert client.post(path, {"text": "x" * 400 * 1024, "action": "preview"}).status_code == 422
    assert client.post(path, {"text": "x", "action": "preview"}).status_code == 429
