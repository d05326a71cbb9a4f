import json

import pytest

from results.models import Report, Submission
from results.moderation.mail import mail_report
from results.moderation.reports import reportable
from results.submissions.edit import erase_submission
from tests.factories import make_member, make_result
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
URL = "/api/v1/results/one/reports/"


def report(client, sent, **headers):
    return client.post(URL, json.dumps(sent), content_type="application/json", **headers)


def test_anybody_can_report_a_result(client):
    make_result(submission__public_id="one")
    response = report(client, {"reason": "figures", "text": "faster than its link"})
    assert (response.status_code, response.json()) == (
        201,
        {"result": "one", "reason": "figures", "is_new": True},
    )
    stored = Report.objects.get()
    assert (stored.reason, stored.text, stored.reporter) == ("figures", "faster than its link", None)
    assert stored.network
    assert report(client, {"reason": "spam"}).json() == {
        "result": "one",
        "reason": "figures",
        "is_new": False,
    }


def erase_meanwhile(public_id):
    """What `reportable` finds, and is erased before it is reported."""
    found = reportable(public_id)
    erase_submission(Submission.objects.get(), reason="asked for")
    return found


@pytest.mark.parametrize(
    ("module", "url"),
    [("results.moderation.api", URL), ("results.moderation.reports", "/results/one/report/")],
)
def test_a_result_erased_meanwhile_is_not_found(client, monkeypatch, module, url):
    make_result(submission__public_id="one")
    monkeypatch.setattr(f"{module}.reportable", erase_meanwhile)
    is_page = module == "results.moderation.reports"
    response = client.post(url, {"reason": "figures"}) if is_page else report(client, {"reason": "figures"})
    assert response.status_code == 404


def test_the_key_identifies_the_reporter(client):
    make_result(submission__public_id="one")
    member = make_member()
    assert report(client, {"reason": "spam"}, **bearer(member)).status_code == 201
    assert (Report.objects.get().reporter, Report.objects.get().network) == (member, "")


def test_reporting_an_own_result_is_refused(client):
    member = make_member()
    make_result(submission__public_id="one", submission__owner=member)
    assert report(client, {"reason": "spam"}, **bearer(member)).status_code == 409


@pytest.mark.parametrize("state", ["held", "withdrawn", "rejected"])
def test_hidden_results_cannot_be_reported(client, state):
    make_result(submission__public_id="one", submission__state=state)
    assert report(client, {"reason": "spam"}).status_code == 404


def test_an_invalid_report_is_refused(client, subtests):
    make_result(submission__public_id="one")
    for sent, wrong in [
        ({}, "reason"),
        ({"reason": "boring"}, "reason"),
        ({"reason": "spam", "text": "x" * 1001}, "text"),
        ({"reason": "spam", "colour": "red"}, "colour"),
        ([], "non_field_errors"),
    ]:
        with subtests.test(sent=sent):
            response = report(client, sent)
            assert (response.status_code, list(response.json()["errors"])) == (400, [wrong])


def test_the_owner_is_notified_of_a_report_once(client, django_capture_on_commit_callbacks, monkeypatch):
    mailed = []
    monkeypatch.setattr(mail_report, "apply_async", lambda *args, kwargs, **_: mailed.append((*args, kwargs)))
    owner = make_member()
    make_result(submission__public_id="one", submission__owner=owner)
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            report(client, {"reason": "spam"})
    assert mailed == [((owner.pk,), {"public_id": "one", "reason": "It is spam"})]
