"""The day of a run: by the text, else by its sender, else unknown; never one in the future."""

import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from results.imports.bulk import Text, import_texts
from results.models import ImportBatch, Result, Submission
from results.submissions.intake.receive import Sender, preview_text, receive_submission
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.page import Page
from tests.results.publishing import publish_by_form, send_by_form
from tests.results.submissions.form.test_page import wrong_fields

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
TODAY = date(2026, 3, 1)
STATED = date(2024, 2, 29)
REFUSED = "The day of the run can’t be in the future or before 2000."
API = "/api/v1/submissions/"


@pytest.fixture(autouse=True)
def _that_day(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))


def dated(day):
    """A run with the output of smartctl on that day."""
    return (
        pastes.FIRST_PASTE + pastes.smartctl() + f"Local Time is:    {day:%a %b %d} 23:59:01 {day:%Y} UTC\n"
    )


def post(client, text, **fields):
    return client.post(API, json.dumps({"text": text, **fields}), content_type="application/json")


def shown(client):
    """The day as the result's page says it."""
    text = Page(client.get(Result.objects.get().get_absolute_url())).text
    return re.search(r"diskinfo -wS · (.*?) (?:·|Submitted here)", text)[1]


@pytest.mark.parametrize(
    ("text", "stated", "measured_on", "day"),
    [
        (pastes.FIRST_PASTE, STATED, STATED, "2024-02-29"),
        (pastes.FIRST_PASTE, None, None, "sent 2026-03-01"),
        (dated(date(2023, 3, 2)), STATED, date(2023, 3, 2), "2023-03-02"),  # takes precedence
        (pastes.FIRST_PASTE, date(2026, 3, 2), date(2026, 3, 2), "2026-03-02"),  # the last possible one
        (pastes.FIRST_PASTE, date(2000, 1, 1), date(2000, 1, 1), "2000-01-01"),
    ],
)
def test_a_day_of_the_text_or_of_the_sender_is_stored_and_shown(client, text, stated, measured_on, day):
    assert publish_by_form(client, text, measured_on=stated or "").status_code == 201
    assert (Submission.objects.get().measured_on, Result.objects.get().measured_on) == (stated, measured_on)
    assert shown(client) == day


def test_the_form_refuses_an_impossible_day(client, subtests):
    for action in ["preview", "publish"]:
        for measured_on in ["2026-03-03", "1999-12-31", "2126-03-01"]:
            with subtests.test(action=action, measured_on=measured_on):
                response = send_by_form(client, pastes.FIRST_PASTE, action, measured_on=measured_on)
                assert (response.status_code, wrong_fields(response)) == (400, ["measured_on"])
                assert REFUSED in response.text
                assert f'name="measured_on" min="2000-01-01" value="{measured_on}"' in response.text
                assert not Submission.objects.exists()


def test_the_api_refuses_an_impossible_day(client, subtests):
    for measured_on in ["2026-03-03", "1999-12-31"]:
        for url in [API, "/api/v1/parse/"]:
            with subtests.test(measured_on=measured_on, url=url):
                fields = {"text": pastes.FIRST_PASTE, "measured_on": measured_on}
                response = client.post(url, json.dumps(fields), content_type="application/json")
                problem = response.json()
                assert (response.status_code, problem["code"], problem["detail"]) == (422, "refused", REFUSED)
                assert problem["notices"] == [{"code": "impossible_day", "message": REFUSED, "line": None}]
                assert not Submission.objects.exists()


def test_an_invalid_day_is_refused(client, subtests):
    for measured_on in ["2024-02-30", "yesterday"]:
        with subtests.test(measured_on=measured_on):
            refused = publish_by_form(client, pastes.FIRST_PASTE, measured_on=measured_on)
            assert wrong_fields(refused) == ["measured_on"]
            response = post(client, pastes.FIRST_PASTE, measured_on=measured_on)
            assert (response.status_code, list(response.json()["errors"])) == (400, ["measured_on"])


@pytest.mark.parametrize(
    ("days_later", "stated", "expected"),
    [(0, None, TODAY), (1, None, date(2026, 3, 2)), (2, None, None), (2, STATED, STATED), (9000, None, None)],
)
def test_a_date_in_the_text_counts_up_to_tomorrow(days_later, stated, expected):
    text = dated(TODAY + timedelta(days=days_later))
    (run,) = preview_text(text, Sender(measured_on=stated)).found.runs
    assert run.measured_on == expected
    receive_submission(text, Sender(measured_on=stated))
    assert Result.objects.get().measured_on == expected


def test_rereading_preserves_the_stated_day():
    receive_submission(pastes.FIRST_PASTE, Sender(measured_on=STATED))
    Result.objects.update(measured_on=None)
    list(reread_all(only_outdated=False))
    assert Result.objects.get().measured_on == STATED


def test_rereading_finds_a_day_that_older_parsers_missed():
    receive_submission(dated(date(2023, 3, 2)), Sender())
    Result.objects.update(measured_on=TODAY)
    list(reread_all(only_outdated=False))
    assert Result.objects.get().measured_on == date(2023, 3, 2)


def test_a_day_after_that_of_sending_stays_unknown_when_the_text_is_read_later(monkeypatch):
    receive_submission(dated(TODAY + timedelta(days=2)), Sender())
    monkeypatch.setattr(timezone, "now", lambda: datetime(2027, 3, 1, 12, tzinfo=UTC))
    list(reread_all(only_outdated=False))
    assert Result.objects.get().measured_on is None


def test_the_day_of_a_post_is_not_that_of_its_run(client):
    texts = [Text(text=pastes.FIRST_PASTE, posted_on=date(2019, 1, 18))]
    list(import_texts(texts, ImportBatch.objects.create(title="a thread")))
    assert Result.objects.get().measured_on is None
    assert shown(client) == "posted 2019-01-18"


def test_the_api_returns_the_days_of_measurement_and_submission(client):
    response = post(client, pastes.FIRST_PASTE, measured_on="2024-02-29")
    assert response.status_code == 201
    (listed,) = client.get("/api/v1/results/").json()["results"]
    for record in (
        response.json()["results"][0],
        listed,
        client.get(response["Location"]).json()["results"][0],
    ):
        dates = {name: record[name] for name in ("measured_on", "submitted_at", "posted_on", "origin")}
        assert dates == {
            "measured_on": "2024-02-29",
            "submitted_at": "2026-03-01T12:00:00+00:00",
            "posted_on": None,
            "origin": "submitted_here",
        }


def test_a_preview_by_the_api_has_the_day_that_would_be_stored(client, subtests):
    for text, expected in [(pastes.FIRST_PASTE, "2024-02-29"), (dated(date(2023, 3, 2)), "2023-03-02")]:
        with subtests.test(expected=expected):
            fields = {"text": text, "measured_on": "2024-02-29"}
            response = client.post("/api/v1/parse/", json.dumps(fields), content_type="application/json")
            assert [run["measured_on"] for run in response.json()["runs"]] == [expected]


def test_an_upload_has_a_field_for_the_day(client):
    response = client.post(API, {"text": pastes.FIRST_PASTE, "measured_on": "2024-02-29"})
    assert (response.status_code, Result.objects.get().measured_on) == (201, STATED)
