import pytest

from results.core.security.audit import log_action
from results.models import Result, Submission
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.submissions.edit import change_state
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_device, make_member
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client):
    member = make_member()
    client.force_login(member)
    return member


@pytest.fixture
def submission(owner):
    return receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission


def step(client, submission, name, **sent):
    return client.post(f"/account/results/{submission.public_id}/{name}/", sent, follow=True).text


def state():
    return Submission.objects.get().state


def test_a_member_sees_their_results_with_state_and_reason(client, owner, submission):
    change_state(submission, State.HELD, reason="Two of the figures are odd.")
    page = client.get("/account/results/").text
    assert "MARVELL SD88SA02" in page
    assert "Two of the figures are odd." in page


@pytest.mark.parametrize("is_decided", [True, False])
def test_the_reason_for_a_hidden_result_is_shown_once(client, submission, *, is_decided):
    reason = "Two of the figures are odd."
    if is_decided:
        decide(submission, Action.HELD, moderator=make_member(is_staff=True), reason=reason)
    else:
        change_state(submission, State.HELD, reason=reason)
    page = client.get(f"/account/results/{submission.public_id}/").text
    assert (page.count(reason), "not ranked" in page) == (1, False)


def test_decisions_about_the_device_are_shown_with_their_reason(client, submission):
    device = Result.objects.get().device
    moderator = make_member()
    log_action(moderator, Action.OVERRULED, device=device, reason="It is an Optane.")
    log_action(moderator, Action.MERGED, device=make_device(slug="another"), reason="The same drive.")
    page = client.get(f"/account/results/{submission.public_id}/").text
    assert "Overruled a class. It is an Optane." in page
    assert "The same drive." not in page


def test_withdraw_and_restore(client, submission):
    assert "no longer counts" in step(client, submission, "withdraw")
    assert state() == State.WITHDRAWN
    page = step(client, submission, "restore")
    assert ("Published again" in page, "Moderators’ decisions" in page) == (True, False)
    assert state() == State.PUBLISHED
    assert "Only submissions withdrawn by their owner" in step(client, submission, "restore")


def test_erasing_requires_confirmation(client, submission):
    assert "Check the box" in step(client, submission, "erase")
    assert state() == State.PUBLISHED
    assert "Erased. The text" in step(client, submission, "erase", confirm="yes")
    assert state() == State.ERASED


def test_the_unit_is_forgotten(client, submission):
    step(client, submission, "forget-unit")
    assert Result.objects.get().unit == ""


def test_the_owner_adds_notes_to_a_result(client, submission):
    public_id = Result.objects.get().public_id
    sent = {
        "result": public_id,
        f"{public_id}-notes": "in a <b>rear</b> bay",
        f"{public_id}-write_cache": "off",
    }
    page = client.post(f"/account/results/{submission.public_id}/", sent, follow=True).text
    assert "in a &lt;b&gt;rear&lt;/b&gt; bay" in page
    assert Result.objects.get().told_conditions == {"write_cache": "off"}
    refused = client.post(
        f"/account/results/{submission.public_id}/", {**sent, f"{public_id}-write_cache": "sideways"}
    )
    assert (refused.status_code, Result.objects.get().told_conditions) == (422, {"write_cache": "off"})


def test_a_get_request_for_an_action_redirects_to_the_page(client, submission, subtests):
    for address, page in [
        ("/account/results/{}/withdraw/", "/account/results/{}/"),
        ("/account/claim/", "/account/results/"),
        ("/account/keys/1/revoke/", "/account/keys/"),
    ]:
        with subtests.test(address=address):
            address, page = (template.format(submission.public_id) for template in (address, page))
            sign_in_with(client, submission.owner, "code")
            led = client.get(address, follow=True)
            assert (led.redirect_chain, state()) == ([(page, 302)], State.PUBLISHED)
            assert "Nothing has changed yet" in led.text
            client.logout()
            response = client.post(address)
            assert response.status_code == 302
            assert response["Location"].endswith(f"next={address}")


def test_an_anonymous_submission_is_claimed(client, owner):
    received = receive_submission(pastes.FIRST_PASTE, Sender())
    assert (
        "There is no result for this token"
        in client.post("/account/claim/", {"token": "guess"}, follow=True).text
    )
    page = client.post("/account/claim/", {"token": received.claim_token}, follow=True).text
    assert "The result now belongs to your account." in page
    assert Submission.objects.get().owner == owner


def test_notes_count_against_the_limit_of_writes(client, submission, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "member-write": (1, 600)}
    public_id = Result.objects.get().public_id
    answers = [
        client.post(
            f"/account/results/{submission.public_id}/", {"result": public_id, f"{public_id}-notes": text}
        )
        for text in ("first", "second")
    ]
    assert [answer.status_code for answer in answers] == [302, 422]
    assert "Too many changes. Try again in 10 minutes." in answers[1].text
    assert "second" in answers[1].text
    assert Result.objects.get().notes == "first"
