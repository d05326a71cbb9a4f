import pytest
from django.utils import timezone

from results.models import AuditEntry, Member, Result, Submission
from results.models.choices import State
from results.ranking.standing import main_rows
from results.submissions.claim import ClaimError, claim_submission
from results.submissions.edit import (
    NotAllowedError,
    change_state,
    describe,
    erase,
    forget_unit,
    restore,
    withdraw,
)
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


@pytest.fixture
def owner():
    return make_member()


@pytest.fixture
def submission(owner):
    return receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission


def log():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor_id", "submission"))


def test_an_owner_withdraws_and_publishes_again(submission, owner):
    withdraw(submission, owner)
    assert (submission.state, main_rows().exists()) == (State.WITHDRAWN, False)
    restore(submission, owner)
    assert (submission.state, main_rows().exists()) == (State.PUBLISHED, True)
    made = submission.public_id
    assert log() == [("withdrawn", owner.pk, made), ("restored", owner.pk, made)]


@pytest.mark.parametrize("state", [State.HELD, State.REJECTED])
def test_an_owner_cannot_override_a_moderator(submission, owner, state):
    change_state(submission, state, reason="odd")
    with pytest.raises(NotAllowedError, match="Only published submissions"):
        withdraw(submission, owner)
    with pytest.raises(NotAllowedError, match="Only submissions withdrawn by their owner"):
        restore(submission, owner)
    assert Submission.objects.get().state == state


@pytest.mark.parametrize("state", [State.PUBLISHED, State.HELD, State.REJECTED, State.WITHDRAWN])
def test_an_owner_erases_in_any_state_and_once(submission, owner, state):
    change_state(submission, state, reason="so")
    erase(submission, owner)
    erase(submission, owner)
    assert log() == [("erased", owner.pk, submission.public_id)]
    assert not Result.objects.exists()


def test_an_owner_adds_notes_to_a_result(submission):
    result = Result.objects.get()
    describe(result, notes=" in the second slot \0", told_conditions={"host": " SC846 ", "platform": ""})
    result.refresh_from_db()
    assert (result.notes, result.told_conditions) == ("in the second slot \ufffd", {"host": "SC846"})
    with pytest.raises(NotAllowedError, match="is_ranked"):
        describe(result, notes="", told_conditions={"is_ranked": "yes"})


def test_what_is_described_at_the_same_time_is_kept(submission):
    result, same = Result.objects.get(), Result.objects.get()
    describe(result, notes="in the second slot")
    describe(same, told_conditions={"host": "SC846"})
    result.refresh_from_db()
    assert (result.notes, result.told_conditions) == ("in the second slot", {"host": "SC846"})


def test_a_just_erased_result_cannot_be_described(submission, owner):
    result = Result.objects.get()
    erase(submission, owner)
    with pytest.raises(Result.DoesNotExist):
        describe(result, notes="in the second slot", told_conditions={})


def test_a_unit_is_forgotten_for_good(submission, owner):
    digest = Result.objects.get().unit
    assert digest
    forget_unit(submission)
    result = Result.objects.get()
    assert (result.unit, result.ranking_unit) == ("", f"account {owner.pk}")
    assert digest not in str(Submission.objects.values().get())


def test_a_banned_owner_cannot_publish_again(submission, owner):
    withdraw(submission, owner)
    Member.objects.update(banned_at=timezone.now(), ban_reason="made-up figures")
    owner.refresh_from_db()
    with pytest.raises(NotAllowedError, match="made-up figures"):
        restore(submission, owner)
    with pytest.raises(ClaimError, match="made-up figures"):
        claim_submission(receive_submission(pastes.diskinfo(ident="ZZ81"), Sender()).claim_token, owner)
    erase(submission, owner)
    assert Submission.objects.get(pk=submission.pk).text == ""


def test_withdrawing_and_publishing_again_does_not_bypass_moderation(submission, owner):
    assert submission.needs_review
    withdraw(submission, owner)
    restore(submission, owner)
    assert Submission.objects.get().needs_review
