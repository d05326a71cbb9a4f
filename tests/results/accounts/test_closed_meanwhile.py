"""Something comes from a member whose account is closed before it can be stored, as from another tab."""

from pkgutil import resolve_name

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import DatabaseError

from results.accounts.data import close_account
from results.models import ApiKey, Member, Report, Submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.concurrency import threads
from tests.factories import make_member, make_result
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member():
    return make_member()


@pytest.fixture
def close_before(monkeypatch, member):
    """Closes the account, over a connection of its own, right before the function of that name is called."""

    def close_before(name):
        function = resolve_name(name)

        def late(*given, **named):
            with threads() as start:
                start(lambda: close_account(Member.objects.get(pk=member.pk), keeps_results=True)).result()
            return function(*given, **named)

        monkeypatch.setattr(name.replace(":", "."), late)

    return close_before


@pytest.fixture
def token():
    return receive_submission(pastes.diskinfo(ident=""), Sender(sender_digest="net")).claim_token


@pytest.mark.parametrize(
    ("name", "url", "sent"),
    [
        (
            "results.submissions.form.page:receive_submission",
            "/submit/",
            {"text": pastes.FIRST_PASTE, "action": "publish"},
        ),
        ("results.moderation.reports:report_result", "/results/one/report/", {"reason": "figures"}),
        ("results.accounts.results_page:claim_submission", "/account/claim/", "token"),
        ("results.accounts.page:ProfileForm.save", "/account/", {"display_name": "back again"}),
    ],
    ids=["paste", "report", "claim", "profile"],
)
def test_a_form_for_a_closed_account_gets_a_page_that_explains_it(
    client, member, close_before, token, name, url, sent
):
    make_result(submission__public_id="one")
    before = Submission.objects.count()
    client.force_login(member)
    close_before(name)
    response = client.post(url, {"token": token} if sent == "token" else sent)
    assert response.status_code == 403
    assert "closed before this request arrived, so nothing was stored" in response.text
    assert client.get("/account/").status_code == 302
    assert (Submission.objects.count(), Report.objects.count(), Member.objects.count()) == (before, 0, 0)
    assert not Submission.objects.filter(owner__isnull=False).exists()


@pytest.mark.parametrize(
    ("name", "url", "sent"),
    [
        (
            "results.submissions.api.views:receive_submission",
            "/api/v1/submissions/",
            {"text": pastes.FIRST_PASTE},
        ),
        ("results.moderation.api:report_result", "/api/v1/results/one/reports/", {"reason": "figures"}),
        ("results.accounts.api:claim_submission", "/api/v1/claims/", "token"),
    ],
    ids=["paste", "report", "claim"],
)
def test_an_api_request_for_a_closed_account_gets_a_problem(
    client, member, close_before, token, name, url, sent
):
    make_result(submission__public_id="one")
    before = Submission.objects.count()
    key = bearer(member)
    close_before(name)
    body = {"token": token} if sent == "token" else sent
    response = client.post(url, body, content_type="application/json", **key)
    assert response.status_code == 422
    assert [notice["code"] for notice in response.json()["notices"]] == ["account_closed"]
    assert response.json()["detail"] == response.json()["notices"][0]["message"]
    assert (Submission.objects.count(), Report.objects.count(), ApiKey.objects.count()) == (before, 0, 0)


@pytest.mark.parametrize("name", ["UserSessionManager.create_from_request", "UserSession.save"])
def test_recording_activity_for_a_closed_account_gets_the_same_page(client, member, close_before, name):
    client.force_login(member)
    client.get("/account/")
    close_before(f"allauth.usersessions.models:{name}")
    response = client.get("/account/")
    assert response.status_code == 403
    assert "Your account is closed" in response.text
    assert (UserSession.objects.count(), Session.objects.count()) == (0, 0)


def test_saving_a_closed_account_does_not_bring_it_back(member):
    Member.objects.all().delete()
    with pytest.raises(DatabaseError):
        member.save()
    assert not Member.objects.exists()


def test_other_database_errors_are_not_hidden(client, member, monkeypatch):
    def fail(*_, **__):
        raise DatabaseError("of another kind")

    monkeypatch.setattr("results.accounts.page.ProfileForm.save", fail)
    client.force_login(member)
    with pytest.raises(DatabaseError, match="of another kind"):
        client.post("/account/", {"display_name": "a name"})
