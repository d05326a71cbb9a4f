import pytest

from results.core.data_version import stored_version
from results.models import Result, Submission
from results.models.choices import State
from results.ranking.boards import ClassBoard, dirty_boards
from results.ranking.standing import main_rows
from results.submissions.edit import StateError, change_state, erase_submission
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.factories import rank_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]

BOARD = ClassBoard("sync_write", "sata_ssd")


@pytest.fixture
def submission():
    return receive_submission(pastes.FIRST_PASTE, Sender(forum_handle="somebody")).submission


@pytest.mark.parametrize("state", [State.HELD, State.REJECTED, State.WITHDRAWN])
def test_unpublished_results_do_not_count(submission, state):
    rank_everything()
    version = stored_version()
    change_state(submission, state, reason="looked at")
    assert dirty_boards()[0] == BOARD
    assert (submission.state, submission.state_reason) == (state, "looked at")
    result = Result.objects.get()
    assert (result.is_ranked, result.not_ranked_reason) == (False, "looked at")
    assert not main_rows().exists()
    assert stored_version() > version


def test_a_restored_result_counts_again_with_the_same_id(submission):
    before = Result.objects.get().pk
    change_state(submission, State.WITHDRAWN, reason="not yet")
    change_state(submission, State.PUBLISHED, reason="")
    assert Result.objects.get().pk == before
    assert main_rows().get().result_count == 1


def test_a_reread_does_not_restore_unpublished_results(submission):
    change_state(submission, State.HELD, reason="looked at")
    assert list(reread_all(only_outdated=False))
    assert not Result.objects.get().is_ranked


def test_a_held_result_counts_once_a_moderator_approves_it():
    text = pastes.diskinfo([0.8] * 15, description="ATA ST4000NM0033-9ZM") + pastes.smartctl(
        model="ST4000NM0033-9ZM170", rotation="7200 rpm"
    )
    submission = receive_submission(text, Sender()).submission
    held = Result.objects.get()
    assert not held.is_ranked
    change_state(submission, State.PUBLISHED, reason="I saw the battery", is_approved=True)
    approved = Result.objects.get()
    assert approved.is_ranked
    assert approved.flags == held.flags


def test_erased_is_erased(submission):
    rank_everything()
    erase_submission(submission, reason="by its owner")
    assert dirty_boards()[0] == BOARD
    kept = Submission.objects.get()
    assert (kept.state, kept.text, kept.text_digest, kept.unit_digests) == (State.ERASED, "", None, {})
    assert kept.forum_handle == ""
    assert not Result.objects.exists()
    assert not main_rows().exists()
    rank_everything()
    erase_submission(submission, reason="again")
    assert dirty_boards() == []
    with pytest.raises(StateError):
        change_state(submission, State.PUBLISHED, reason="back")


def test_notes_of_the_owner_outlast_a_reread(submission):
    Result.objects.update(notes="second slot", told_conditions={"attachment": "LSI 9207-8i"})
    list(reread_all(only_outdated=False))
    result = Result.objects.get()
    assert (result.notes, result.told_conditions) == ("second slot", {"attachment": "LSI 9207-8i"})


def test_no_unit_digest_is_stored_if_the_sender_declines():
    received = receive_submission(pastes.FIRST_PASTE, Sender(keeps_unit=False, sender_digest="net"))
    result = Result.objects.get()
    assert received.submission.unit_digests == {}
    assert (result.unit, result.ranking_unit) == ("", "network net")
    assert pastes.SERIAL not in received.submission.text
