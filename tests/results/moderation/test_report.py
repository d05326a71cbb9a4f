import pytest
from django.core import mail

from results.models import Report, Result
from results.moderation.mail import mail_report
from tests.factories import make_member, make_result, make_submission
from tests.page import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def result():
    return make_result(submission=make_submission(owner=make_member()))


def send(client, result, **sent):
    return client.post(
        f"/results/{result.public_id}/report/", {"reason": "figures", "text": "twice too fast", **sent}
    )


def test_a_reporter_can_report_a_result_once(client, result):
    for _ in range(2):
        assert "A moderator will look at it" in send(client, result).text
    row = Report.objects.get()
    assert (row.result, row.reason, row.text, row.reporter) == (result, "figures", "twice too fast", None)


def test_owners_are_told_to_withdraw_instead_of_reporting(client, result):
    client.force_login(result.submission.owner)
    response = send(client, result)
    assert response.status_code == 422
    assert "You can withdraw or erase it" in response.text
    assert not Report.objects.exists()


def test_an_incomplete_report_is_refused_with_the_missing_part(client, result, subtests):
    for sent, expected in [
        ({"reason": ""}, "Choose a reason."),
        ({"reason": "dislike"}, "Choose a reason."),
        ({"text": "x" * 1001}, "This is longer than 1,000 characters."),
    ]:
        with subtests.test(sent=sent):
            response = send(client, result, **sent)
            assert response.status_code == 422
            assert Page(response).errors == [expected]
            assert not Report.objects.exists()


def test_unpublished_results_cannot_be_reported(client, result):
    assert client.get("/results/none/report/").status_code == 404


def test_only_owners_who_want_mails_are_notified(result):
    owner = result.submission.owner
    mail_report(owner.pk, public_id=result.submission.public_id, reason="It is spam")
    owner.wants_report_mail = False
    owner.save()
    mail_report(owner.pk, public_id=result.submission.public_id, reason="It is spam")
    assert [message.to for message in mail.outbox] == [[owner.email]]
    assert "It is spam" in mail.outbox[0].body


def test_the_owners_notes_are_shown_on_the_result(client, result):
    Result.objects.update(notes="in a <b>rear</b> bay", told_conditions={"attachment": "LSI 9207-8i"})
    page = client.get(result.get_absolute_url()).text
    assert "in a &lt;b&gt;rear&lt;/b&gt; bay" in page
    assert "LSI 9207-8i" in page
