"""The dead letters of bulk imports: seen, and read again for a reason."""

import pytest

from results.imports.batches import ATTEMPTS
from results.models import AuditEntry, Submission
from results.models.choices import State
from tests import pastes
from tests.factories import make_submission

pytestmark = pytest.mark.django_db
LIST = "/admin/results/submission/"


def held(**values):
    return make_submission(
        state=State.HELD,
        state_reason="Reading it failed 3 times",
        read_attempts=ATTEMPTS,
        text=pastes.FIRST_PASTE,
        **values,
    )


def act(client, submissions, **values):
    data = {"action": "read_again", "_selected_action": [one.pk for one in submissions], **values}
    return client.post(LIST, data, follow=True).content.decode()


def test_dead_letters_are_listed_with_attempts_and_reason(admin_client, django_assert_max_num_queries):
    dead = [held() for _ in range(5)]
    failed_once = make_submission(state=State.WAITING, read_attempts=1)
    others = [
        make_submission(state=State.HELD),
        make_submission(state=State.WAITING),
        held(parser_version="1"),
    ]
    with django_assert_max_num_queries(14):  # two of them for the filters' own choices
        page = admin_client.get(LIST, {"reading": "dead"}).content.decode()
    assert all(one.public_id in page for one in (*dead, failed_once))
    assert not any(one.public_id in page for one in others)
    assert "Reading it failed 3 times" in page
    waiting = admin_client.get(LIST, {"reading": "waiting"}).content.decode()
    assert others[1].public_id in waiting
    assert dead[0].public_id not in waiting


def test_rereading_a_dead_letter_is_logged_with_its_moderator(admin_client, admin_user):
    dead, other = held(), make_submission(state=State.PUBLISHED)
    page = act(admin_client, [dead, other], reason="the reader was mended")
    assert "1 will be read again; 1 weren&#x27;t dead letters" in page
    kept = Submission.objects.get(pk=dead.pk)
    assert (kept.state, kept.read_attempts, kept.state_reason) == (State.WAITING, 0, "")
    entry = AuditEntry.objects.get()
    assert (entry.actor_id, entry.submission) == (admin_user.pk, dead.public_id)
    assert entry.reason == "To be read again: the reader was mended"
    assert Submission.objects.get(pk=other.pk).state == State.PUBLISHED


def test_without_a_reason_nothing_is_read_again(admin_client):
    dead = held()
    assert "Give a reason" in act(admin_client, [dead], reason="  ")
    assert Submission.objects.get(pk=dead.pk).state == State.HELD


@pytest.mark.usefixtures("redis_away")
def test_rereading_is_left_to_the_sweep_without_redis(admin_client):
    assert "1 will be read again" in act(admin_client, [held()], reason="mended")
