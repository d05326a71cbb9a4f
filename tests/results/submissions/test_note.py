"""A sender's note: one public text for all results of a submission, without links, with identifiers masked."""

import json

import pytest

from results.models import Result, Submission
from results.submissions.note import LinkInNoteError, read_note
from tests import pastes
from tests.factories import make_member
from tests.page import Page
from tests.results.publishing import send_by_form
from tests.results.submissions.form.test_page import wrong_fields

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
TWO_RUNS = pastes.diskinfo(description="ATA SAMPLE ONE", ident="AB12345678") + pastes.diskinfo(
    description="ATA SAMPLE TWO", ident="CD12345678", path="/dev/da25"
)
NOTE = "behind an <i>expander</i>, fan at 5 V"
LINKS = (
    "see https://evil.example/x",
    "hxxp://evil.example",
    "www.evil.example",
    "WWW.EVIL.EXAMPLE",
    "buy at cheap-ssd.com today",
    "evil.example/offer",
    "[url=evil.example]x[/url]",
    "[x](evil)",
    "<a href=//evil>x</a>",
    "mailto:x",
    "https://me@evil.example/x",
)
NO_LINKS = (
    "firmware 1.02, mps.ko, fio-3.36",
    "e.g. this, i.e. that; TrueNAS 13.0-U6.1 and/or SCALE",
    "10 W/m, 2 x 400 GB, SATA/SAS",
    "it’s in slot 4.It runs warm",
)


def submit(client, action="publish", **fields):
    return send_by_form(client, TWO_RUNS, action, **fields)


def post(client, path="submissions", **fields):
    return client.post(f"/api/v1/{path}/", json.dumps(fields), content_type="application/json")


def test_a_note_is_shown_with_each_result(client):
    preview = submit(client, action="preview", note=f"  {NOTE}\n")
    assert submit(client, note=f"  {NOTE}\n").status_code == 201
    shown = "behind an &lt;i&gt;expander&lt;/i&gt;, fan at 5 V"
    assert shown in preview.text
    assert Result.objects.count() == 2
    for result in Result.objects.all():
        assert shown in client.get(result.get_absolute_url()).text
        assert client.get(f"/api/v1/results/{result.public_id}/").json()["note"] == NOTE


def test_identifiers_in_a_note_are_masked(client):
    note = "serial number S4EVNX0M123456, ask me@example.org at 192.168.7.21"
    sent = post(client, text=TWO_RUNS, note=note).json()
    assert sent["note"] == "serial number [serial-1], ask [address-1] at [address-2]"
    assert Submission.objects.get().note == sent["note"]


def test_links_in_a_note_are_refused(client):
    assert [link for link in LINKS if not _is_refused(link)] == []
    assert [link for link in NO_LINKS if _is_refused(link)] == []
    response = submit(client, note=LINKS[0])
    assert (response.status_code, wrong_fields(response)) == (400, ["note"])
    assert "Notes and timings can’t contain links" in response.text
    answer = post(client, text=TWO_RUNS, note=LINKS[0])
    assert (answer.status_code, answer.json()["notices"][0]["code"]) == (422, "link_in_note")
    assert not Submission.objects.exists()


def _is_refused(note):
    try:
        read_note(note)
    except LinkInNoteError:
        return True
    return False


def test_a_note_has_at_most_300_characters(client):
    response = submit(client, note="x" * 301)
    assert (response.status_code, wrong_fields(response)) == (400, ["note"])
    assert post(client, text=TWO_RUNS, note="x" * 301).status_code == 400
    assert post(client, text=TWO_RUNS, note="me@a.de " * 37).status_code == 201  # masks are longer
    assert len(Submission.objects.get().note) == 300


def test_a_known_text_keeps_its_first_note(client):
    submit(client, note="first")
    again = submit(client, note="second")
    assert (again.status_code, post(client, text=TWO_RUNS, note="third").json()["note"]) == (200, "first")
    assert "It keeps its first note" in again.text
    assert "It keeps its first note" not in submit(client, note="first").text
    assert Submission.objects.get().note == "first"


def test_a_member_sees_the_note_in_their_account(client):
    client.force_login(make_member())
    submit(client, note=NOTE)
    page = client.get(f"/account/results/{Submission.objects.get().public_id}/").text
    assert "behind an &lt;i&gt;expander&lt;/i&gt;, fan at 5 V" in page


def test_the_note_of_a_hidden_submission_is_hidden(client):
    sent = post(client, text=TWO_RUNS, note=NOTE).json()
    Submission.objects.update(state="held")
    assert client.get(f"/api/v1/submissions/{sent['id']}/").json()["note"] == ""


def test_a_note_does_not_show_a_serial_number_of_the_text(client):
    note = "AB12345678 is the left one, CD12345678 the right one"
    hidden = "[serial-1] is the left one, [serial-2] the right one"
    assert hidden in Page(submit(client, action="preview", note=note)).section("note").text
    assert post(client, path="parse", text=TWO_RUNS, note=note).json()["note"] == hidden
    assert post(client, text=TWO_RUNS, note=note).status_code == 201
    assert Submission.objects.get().note == hidden
    assert "It keeps its first note" not in submit(client, note=note).text  # the same again


@pytest.mark.parametrize("timing", ["buy at https://spam.example/x took 3 s", "www.spam.example took 3 s"])
def test_timings_with_links_are_refused_by_the_api_as_by_the_form(client, timing):
    body = json.dumps({"text": pastes.FIRST_PASTE, "timings": ["installation took 5:31", timing]})
    answer = client.post("/api/v1/submissions/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["notices"][0]["code"]) == (422, "link_in_note")
    form = {"text": pastes.FIRST_PASTE, "timings": timing, "action": "publish"}
    assert client.post("/submit/", form).status_code == 400
    assert not Submission.objects.exists()


def test_lines_within_a_timing_count_as_timings(client):
    body = json.dumps({"text": pastes.FIRST_PASTE, "timings": ["boot took 1 s\n" * 30] * 2})
    answer = client.post("/api/v1/submissions/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (400, "Some parameters are invalid.")
    body = json.dumps({"text": pastes.FIRST_PASTE, "timings": ["x took 1 s\n" * 27] * 2})
    answer = client.post("/api/v1/submissions/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (422, "At most 50 timings, one in each line.")
