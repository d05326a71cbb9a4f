"""Wherever a request has a text read: one that isn't read in time is refused, with the reason and the text."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.html import escape

from results.api.keys import make_key
from results.core.reader import TOO_SLOW, reader
from results.models import Submission
from results.models.choices import State
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes, threads
from tests.factories import make_member, make_moderator
from tests.sessions import sign_in_with
from tests.slow_reader import never_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
DEADLINE_S = 0.1  # a reading that doesn't end takes longer
API = "/api/v1/"


@pytest.fixture
def no_time(settings, monkeypatch):
    """From here on, no text is read in time."""

    def begin():
        settings.READ_DEADLINE_S = DEADLINE_S
        monkeypatch.setattr("results.submissions.intake.parse.parser_of_site", lambda *_: never_end)

    yield begin
    reader.stop()


def assert_refused(response, *, keeps):
    text = response.text if keeps is None else response.text.replace(escape(keeps), "KEPT")
    assert response.status_code == 422
    assert escape(TOO_SLOW.message) in text
    assert keeps is None or "KEPT" in text


def test_forms_keep_the_text(client, no_time):
    no_time()
    text = pastes.FIRST_PASTE.strip()
    for way in ({"action": "preview"}, {"action": "publish"}):
        assert_refused(client.post("/submit/", {"text": text, **way}), keeps=text)
    file = SimpleUploadedFile("a.txt", text.encode())
    assert_refused(client.post("/submit/", {"action": "preview", "files": file}), keeps=text)
    assert_refused(client.post("/used-drive/", {"text": text}), keeps=text)
    assert not Submission.objects.exists()


def test_the_api_answers_with_a_problem(client, no_time):
    no_time()
    as_json = json.dumps({"text": pastes.FIRST_PASTE})
    for path, body, content_type, headers in (
        ("parse/", pastes.FIRST_PASTE, "text/plain", {}),
        ("submissions/", as_json, "application/json", {"Idempotency-Key": "one"}),
    ):
        response = client.post(API + path, body, content_type=content_type, headers=headers)
        problem = response.json()
        assert (response.status_code, response["Content-Type"]) == (422, "application/problem+json")
        assert (problem["code"], problem["detail"]) == ("too_slow", TOO_SLOW.message)
    assert not Submission.objects.exists()


def test_owners_keep_their_results(client, no_time):
    owner = make_member()
    client.force_login(owner)
    submission = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission
    key = make_key(owner, name="nas", scopes=["submit"]).text
    no_time()
    assert_refused(client.post(f"/account/results/{submission.public_id}/withdraw/"), keeps=None)
    response = client.post(
        f"{API}submissions/{submission.public_id}/withdraw/",
        content_type="application/json",
        headers={"Authorization": f"Bearer {key}"},
    )
    assert (response.status_code, response.json()["code"]) == (422, "too_slow")
    assert Submission.objects.get().state == State.PUBLISHED


def test_moderators_see_which_post_of_a_thread_is_slow(client, no_time):
    sign_in_with(client, make_moderator(), "mfa")
    no_time()
    thread = SimpleUploadedFile("thread.html", threads.THREAD.encode())
    response = client.post("/moderation/import/", {"pages": thread})
    assert_refused(response, keeps=None)
    assert "The post by " in response.text


def test_a_text_is_read_the_same_with_a_deadline(client, settings):
    pages = []
    for settings.READ_DEADLINE_S in (0, 30):
        pages.append(client.post(f"{API}parse/", pastes.FIRST_PASTE, content_type="text/plain").json())
    reader.stop()
    assert pages[0] == pages[1]
