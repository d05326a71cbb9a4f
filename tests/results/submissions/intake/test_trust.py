import pytest

from results.models import Submission
from results.models.choices import State
from results.ranking.standing import main_rows
from results.submissions.intake.judge import TRUSTED_AFTER, is_trusted
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member, make_submission

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


def send(owner):
    return receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission


def trusted_member():
    owner = make_member()
    for _ in range(TRUSTED_AFTER):
        make_submission(owner=owner, is_approved=True)
    return owner


@pytest.mark.parametrize("make_owner", [lambda: None, make_member], ids=["nobody", "a new member"])
def test_first_results_count_immediately_and_are_reviewed(make_owner):
    submission = send(make_owner())
    assert (submission.state, submission.needs_review) == (State.PUBLISHED, True)
    assert main_rows().exists()


@pytest.mark.parametrize("make_owner", [lambda: None, make_member], ids=["nobody", "a new member"])
def test_the_operator_can_hold_first_results(settings, make_owner):
    settings.HOLD_FIRST_RESULTS = True
    submission = send(make_owner())
    assert (submission.state, submission.state_reason) == (
        State.HELD,
        "First results wait for a moderator's review.",
    )
    assert not main_rows().exists()


@pytest.mark.parametrize("holds", [True, False])
def test_trusted_members_results_are_not_reviewed(settings, holds):
    settings.HOLD_FIRST_RESULTS = holds
    submission = send(trusted_member())
    assert (submission.state, submission.needs_review) == (State.PUBLISHED, False)


def test_trust_needs_enough_results_that_are_still_approved():
    owner = trusted_member()
    assert is_trusted(owner)
    Submission.objects.filter(owner=owner).order_by("pk").last().delete()
    assert not is_trusted(owner)
    make_submission(owner=owner, is_approved=True, state=State.REJECTED)
    make_submission(owner=owner)
    assert not is_trusted(owner)


def test_held_results_of_trusted_members_are_reviewed():
    text = pastes.diskinfo([0.8] * 15, description="ATA ST4000NM0033-9ZM") + pastes.smartctl(
        model="ST4000NM0033-9ZM170", rotation="7200 rpm"
    )
    submission = receive_submission(text, Sender(owner=trusted_member())).submission
    submission.refresh_from_db()
    assert submission.needs_review
