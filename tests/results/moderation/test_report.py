import re

import pytest
from django.core import mail

from results.models import Report, Result
from results.moderation.mail import mail_report
from tests.factories import make_member, make_result, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def result():
    return make_result(submission=make_submission(owner=make_member()))


def send(client, result, **sent):
    return client.post(
        f"/results/{result.public_id}/report/", {"reason": "figures", "text": "twice too fast", **sent}
    )


def test_the_page_of_a_result_leads_to_it(client, result):
    assert f'href="/results/{result.public_id}/report/"' in client.get(result.get_absolute_url()).text
    assert "can&#x27;t be right" in client.get(f"/results/{result.public_id}/report/").text


def test_anybody_reports_once(client, result):
    for _ in range(2):
        assert "A moderator looks at it" in send(client, result).text
    kept = Report.objects.get()
    assert (kept.result, kept.reason, kept.text, kept.reporter) == (result, "figures", "twice too fast", None)


def test_the_owner_takes_it_back_instead(client, result):
    client.force_login(result.submission.owner)
    response = send(client, result)
    assert response.status_code == 422
    assert "withdraw it" in response.text
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"reason": ""}, "Choose what is wrong."),
        ({"reason": "dislike"}, "Choose what is wrong."),
        ({"text": "x" * 1001}, "That is longer than 1,000 characters."),
    ],
)
def test_half_a_report_is_none_and_says_what_it_lacks(client, result, sent, says):
    response = send(client, result, **sent)
    assert response.status_code == 422
    assert re.findall(r'<p class="error"[^>]*>(.*?) ?</p>', response.text) == [says]
    assert not Report.objects.exists()


def test_what_is_not_public_can_not_be_reported(client, result):
    assert client.get("/results/none/report/").status_code == 404


def test_the_owner_hears_of_it_who_wants_to(result):
    owner = result.submission.owner
    mail_report(owner.pk, public_id=result.submission.public_id, reason="It is spam")
    owner.wants_report_mail = False
    owner.save()
    mail_report(owner.pk, public_id=result.submission.public_id, reason="It is spam")
    assert [one.to for one in mail.outbox] == [[owner.email]]
    assert "It is spam" in mail.outbox[0].body


def test_what_the_owner_says_stands_on_the_result(client, result):
    Result.objects.update(notes="in a <b>rear</b> bay", told_conditions={"attachment": "LSI 9207-8i"})
    page = client.get(result.get_absolute_url()).text
    assert "in a &lt;b&gt;rear&lt;/b&gt; bay" in page
    assert "LSI 9207-8i" in page
