"""A text that its owner withdrew belongs to nobody else: whoever sends it again has a submission of their own."""

import pytest

from results.models import Submission
from results.models.choices import State
from results.ranking.standing import main_rows
from results.submissions.edit import change_state, erase, restore, withdraw
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


@pytest.fixture
def owner():
    return make_member()


@pytest.fixture
def withdrawn(owner):
    submission = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission
    withdraw(submission, owner)
    return submission


def states():
    return list(Submission.objects.order_by("pk").values_list("state", flat=True))


@pytest.mark.parametrize("is_member", [False, True])
def test_somebody_else_publishes_a_withdrawn_text_anew(withdrawn, is_member):
    sender = Sender(owner=make_member() if is_member else None)
    received = receive_submission(pastes.FIRST_PASTE, sender)
    assert (received.is_new, bool(received.claim_token)) == (True, not is_member)
    assert received.submission != withdrawn
    assert states() == [State.WITHDRAWN, State.PUBLISHED]
    again = receive_submission(pastes.FIRST_PASTE, Sender())
    assert (again.is_new, again.submission) == (False, received.submission)


def test_its_owner_is_told_what_is_stored(withdrawn, owner):
    received = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner))
    assert (received.is_new, received.submission, states()) == (False, withdrawn, [State.WITHDRAWN])


def test_a_withdrawn_text_of_a_closed_account_is_published_anew(withdrawn):
    Submission.objects.update(owner=None)
    assert receive_submission(pastes.FIRST_PASTE, Sender()).is_new


def test_both_are_published_if_its_owner_restores_it_and_the_run_counts_once(withdrawn, owner):
    receive_submission(pastes.FIRST_PASTE, Sender(owner=make_member()))
    restore(withdrawn, owner)
    assert states() == [State.PUBLISHED, State.PUBLISHED]
    assert list(main_rows().values_list("result_count", flat=True)) == [1]


def test_an_erased_text_is_published_anew(withdrawn, owner):
    erase(withdrawn, owner)
    assert receive_submission(pastes.FIRST_PASTE, Sender()).is_new
    assert states() == [State.ERASED, State.PUBLISHED]


@pytest.mark.parametrize("state", [State.REJECTED, State.HELD])
def test_a_text_that_a_moderator_rejected_or_holds_does_not_come_back(owner, state):
    known = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission
    change_state(known, state, reason="made up")
    received = receive_submission(pastes.FIRST_PASTE, Sender(owner=make_member()))
    assert (received.is_new, received.submission, states()) == (False, known, [state])
