import pytest
from django.db import connection

from results.models import AuditEntry, Report, Result, Submission
from results.models.choices import Action, State
from results.moderation.decide import (
    DecisionError,
    ban,
    decide,
    erase_as_moderator,
    lift_ban,
    submissions_to_review,
)
from results.ranking.standing import main_rows
from results.submissions.edit import erase_submission, withdraw
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_member, make_result, make_submission

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


@pytest.fixture
def moderator():
    return make_member(is_staff=True)


@pytest.fixture
def owner():
    return make_member()


@pytest.fixture
def submission(owner):
    return receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission


@pytest.mark.parametrize("action", [Action.APPROVED, Action.HELD])
def test_a_moderator_cannot_restore_what_its_owner_withdrew(submission, moderator, owner, action):
    seen = Submission.objects.get()
    withdraw(submission, owner)
    with pytest.raises(DecisionError, match="Its owner has withdrawn it"):
        decide(seen, action, moderator=moderator, reason="seen it")
    assert Submission.objects.get().state == State.WITHDRAWN
    decide(seen, Action.REJECTED, moderator=moderator, reason="spam")
    assert Submission.objects.get().state == State.REJECTED


@pytest.mark.parametrize(
    ("action", "state", "counts"),
    [
        (Action.APPROVED, State.PUBLISHED, True),
        (Action.HELD, State.HELD, False),
        (Action.REJECTED, State.REJECTED, False),
    ],
)
def test_a_decision_takes_effect_and_is_logged_with_its_reason(submission, moderator, action, state, counts):
    Report.objects.create(result=Result.objects.get(), reason="figures")
    decide(submission, action, moderator=moderator, reason=" seen \n it ")
    stored = Submission.objects.get()
    assert (stored.state, stored.state_reason, stored.needs_review) == (state, "seen it", False)
    assert main_rows().exists() == counts
    assert Report.objects.get().closed_at is not None
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor_id, entry.submission, entry.reason) == (
        action,
        moderator.pk,
        stored.public_id,
        "seen it",
    )
    assert not submissions_to_review().filter(state=State.PUBLISHED).exists()


def test_nothing_is_decided_without_a_reason(submission, moderator, subtests):
    for reason in ["", " \n "]:
        with subtests.test(reason=reason):
            with pytest.raises(DecisionError, match="Give a reason"):
                decide(submission, Action.REJECTED, moderator=moderator, reason=reason)
            assert Submission.objects.get().state == State.PUBLISHED


def test_moderators_cannot_decide_about_their_own_results(moderator):
    own_submission = receive_submission(pastes.FIRST_PASTE, Sender(owner=moderator)).submission
    with pytest.raises(DecisionError, match="your own results"):
        decide(own_submission, Action.APPROVED, moderator=moderator, reason="mine is good")


def test_erased_submissions_stay_erased(submission, moderator):
    erase_as_moderator(submission, moderator=moderator, reason="an address was in it")
    with pytest.raises(DecisionError, match="can't be restored"):
        decide(submission, Action.APPROVED, moderator=moderator, reason="back")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == (Action.ERASED, "an address was in it")


def test_the_queue_has_reports_first_then_the_held_then_the_new():
    first = make_result(submission=make_submission(needs_review=True)).submission
    held = make_result(submission=make_submission(state=State.HELD)).submission
    make_result()
    reported = make_result()
    Report.objects.create(result=reported, reason="figures")
    Report.objects.create(result=reported, reason="spam")
    assert list(submissions_to_review()) == [reported.submission, held, first]
    assert submissions_to_review()[0].report_count == 2


def test_the_queue_uses_indexes():
    """Among many that nobody has to look at."""
    Submission.objects.bulk_create(Submission(text_digest=f"plain {number}") for number in range(300))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE results_submission")
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert "submission_to_look_at" in submissions_to_review()[:50].explain()


def test_a_ban_revokes_keys_and_can_reject_results(submission, owner, moderator):
    ban(owner, moderator=moderator, reason="made-up figures", rejects_results=True)
    owner.refresh_from_db()
    assert owner.ban_reason == "made-up figures"
    assert Submission.objects.get().state == State.REJECTED
    assert set(AuditEntry.objects.values_list("action", flat=True)) == {Action.BANNED, Action.REJECTED}
    lift_ban(owner, moderator=moderator, reason="a mistake of ours")
    owner.refresh_from_db()
    assert owner.banned_at is None


def test_a_ban_skips_submissions_erased_meanwhile(submission, owner, moderator, monkeypatch):
    erased, last = (make_submission(text="a text", owner=owner) for _ in range(2))

    def erase_and_decide(current, *decided, **named):
        if current.pk == submission.pk:
            erase_submission(erased, reason="by its owner")
        return decide(current, *decided, **named)

    monkeypatch.setattr("results.moderation.decide.decide", erase_and_decide)
    ban(owner, moderator=moderator, reason="made-up figures", rejects_results=True)
    states = dict(Submission.objects.values_list("pk", "state"))
    assert states == {submission.pk: State.REJECTED, erased.pk: State.ERASED, last.pk: State.REJECTED}


def test_a_ban_can_leave_results_published(submission, owner, moderator):
    ban(owner, moderator=moderator, reason="rude", rejects_results=False)
    assert Submission.objects.get().state == State.PUBLISHED


def test_moderators_cannot_be_banned(moderator):
    with pytest.raises(DecisionError, match="Moderators can't be banned"):
        ban(make_member(is_staff=True), moderator=moderator, reason="no", rejects_results=False)
