import html
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from parsers.text.decode import NOT_TEXT
from results.models import Result, Submission
from results.submissions.intake.receive import SubmissionRefusedError
from tests import pastes
from tests.factories import make_result, rank_everything
from tests.page import Page, text_of
from tests.results.publishing import publish_by_form, send_by_form

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


def box(response):
    """What stands in the text box."""
    return Page(response).fields["text"].value


def errors(response):
    """What the page lists as wrong with the text."""
    return [text_of(error) for error in Page(response).part("paste-errors").root.iter("li")]


def flags(response):
    return [text_of(flag) for flag in Page(response).root.xpath(".//ul[@class='flags']/li")]


def seen_of(preview):
    """The digest of what was previewed."""
    return Page(preview).fields["seen"].value


def wrong_fields(response):
    """The names of the fields that the alert links to."""
    links = Page(response).part("paste-errors").links.values()
    return [link.removeprefix("#id_") for link in links]


def test_the_form_is_never_cached(client):
    response = client.get("/submit/")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    assert "csrftoken" in response.cookies


def test_a_preview_shows_exactly_what_would_be_stored(client):
    text = pastes.FIRST_PASTE + pastes.smartctl()
    response = send_by_form(client, text)
    shown = [line.text_content() for line in Page(response).root.xpath(".//ol/li/code")]
    assert response.status_code == 200
    assert not Submission.objects.exists()
    publish_by_form(client, text)
    assert Submission.objects.get().text.split("\n") == [*shown, ""]
    assert pastes.SERIAL not in response.text.replace(html.escape(box(response)), "")


def test_a_preview_shows_the_estimated_rank(client):
    for latency_us in (5, 10, 20000):
        make_result(latency_us, device__device_class="sata_ssd")
    rank_everything()
    page = Page(send_by_form(client, pastes.FIRST_PASTE))
    assert re.search(r"Will be ranked About rank \S+ of 4 in the class SATA SSD\.", page.text)


@pytest.mark.parametrize(("curve", "flag_count"), [((), 0), ([5.0 + size for size in range(15)], 2)])
def test_a_preview_shows_all_that_the_result_page_will(client, curve, flag_count):
    text = pastes.diskinfo(curve) + pastes.smartctl()
    fields = {"handle": "somebody", "source_url": "https://forum.example/t/1", "measured_on": "2024-02-29"}
    preview = send_by_form(client, text, **fields)
    published = client.get(publish_by_form(client, text, **fields)["Location"])
    assert flags(preview) == flags(published)
    assert len(flags(preview)) == flag_count
    before, after = Page(preview), Page(published)
    assert before.rows() == after.rows()
    assert before.facts.items() >= after.section("conditions").facts.items()
    for shown in (before, after):
        assert "2024-02-29 · by somebody" in shown.text
        assert "forum.example" in shown.text
    assert ("MARVELL SD88SA02" in client.get("/leaderboard/").text) is (flag_count == 0)


@pytest.mark.parametrize(
    "changed",
    [
        {"text": pastes.FIRST_PASTE + "my name is Ann\n"},
        {"handle": "Ann"},
        {"source_url": "https://forum.example/t/2"},
        {"measured_on": "2024-02-29"},
        {"note": "in slot 4"},
        {"hides_unit": "on"},
        {"told-all-log": "none"},
    ],
)
def test_changes_after_the_preview_are_previewed_again(client, changed):
    sent = {"text": pastes.FIRST_PASTE, "handle": "somebody"}
    seen = seen_of(send_by_form(client, **sent))
    again = publish_by_form(client, **{**sent, **changed}, seen=seen)
    assert again.status_code == 200
    assert "You changed something after the preview" in again.text
    assert not Submission.objects.exists()
    assert publish_by_form(client, **{**sent, **changed}, seen=seen_of(again)).status_code == 201


def test_line_endings_changed_by_the_browser_are_no_change(client):
    seen = seen_of(send_by_form(client, pastes.FIRST_PASTE))
    text = pastes.FIRST_PASTE.strip().replace("\n", "\r\n")
    assert publish_by_form(client, text, seen=seen).status_code == 201


def test_text_broken_after_the_preview_is_refused_and_stays_in_the_box(client):
    seen = seen_of(send_by_form(client, pastes.FIRST_PASTE))
    response = publish_by_form(client, "nothing", seen=seen)
    assert (response.status_code, box(response)) == (422, "nothing")


def test_the_form_can_decline_storing_the_unit_digest(client):
    text = pastes.FIRST_PASTE + pastes.smartctl()
    preview = Page(send_by_form(client, text, hides_unit="on"))
    assert preview.facts["Serial number"].startswith("Not stored")
    publish_by_form(client, text, hides_unit="on")
    assert (Result.objects.get().unit, Submission.objects.get().unit_digests) == ("", {})


def test_a_text_without_a_run_is_refused_and_stays_in_the_box(client, subtests):
    for action in ["preview", "publish"]:
        for text, expected in [
            ("", "The paste is empty"),
            ("hello <b>there</b>", "We found no output of "),
            (pastes.smartctl(), "We found no benchmark, only a description of the device"),
        ]:
            with subtests.test(action=action, expected=expected):
                response = send_by_form(client, text, action=action)
                (error,) = errors(response)
                assert (response.status_code, box(response)) == (422, text)
                assert error.startswith(expected)
                assert not Submission.objects.exists()


def test_an_overlong_text_is_refused(client, settings):
    response = send_by_form(client, "x" * (settings.PASTE_LIMIT_BYTES + 1))
    assert (response.status_code, len(errors(response))) == (413, 1)
    assert "This is more than " in errors(response)[0]


def test_a_source_must_be_a_web_address(client, subtests):
    for source_url in [
        "javascript:alert(1)",
        "data:text/html,x",
        "JaVaScRiPt://forum.example/%0aalert(1)",
        "https://",
        "x" * 501,
    ]:
        with subtests.test(source_url=source_url):
            response = publish_by_form(client, pastes.FIRST_PASTE, source_url=source_url)
            assert (response.status_code, wrong_fields(response)) == (400, ["source_url"])
            assert box(response).splitlines() == pastes.FIRST_PASTE.splitlines()


def test_null_bytes_are_refused(client, subtests):
    for field in ["text", "handle", "source_url", "note"]:
        with subtests.test(field=field):
            response = publish_by_form(client, **{"text": pastes.FIRST_PASTE, field: "a\x00b"})
            assert (response.status_code, wrong_fields(response)) == (400, [field])


def file(text, name="run.txt", encoding="utf-8"):
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode(encoding))


def test_several_files_and_the_box_make_one_paste(client):
    response = publish_by_form(
        client, "quiet host", files=[file(pastes.diskinfo()), file(pastes.smartctl(), encoding="utf-16")]
    )
    assert response.status_code == 201
    assert Result.objects.get().firmware.version == "D20Y"
    assert Submission.objects.get().text.startswith("… 1 line left out …\n/dev/da24\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le"])
def test_one_file_is_enough_in_any_encoding(client, encoding):
    assert publish_by_form(client, "", files=[file(pastes.FIRST_PASTE, encoding=encoding)]).status_code == 201
    assert Result.objects.get().latency_us == list(pastes.FIRST_CURVE)


def test_files_can_be_published_from_their_preview(client):
    """A browser does not send files a second time, so their text stands in the box."""
    preview = send_by_form(client, "", files=[file(pastes.FIRST_PASTE, encoding="utf-16")], handle="somebody")
    assert Page(preview).fields["handle"].value == "somebody"
    assert publish_by_form(client, box(preview)).status_code == 201
    assert Result.objects.get().latency_us == list(pastes.FIRST_CURVE)


def test_files_stay_in_the_box_when_something_else_is_wrong(client):
    files = [file(""), file(pastes.FIRST_PASTE, encoding="utf-16")]
    response = publish_by_form(client, "", files=files, source_url="nowhere")
    assert (response.status_code, box(response)) == (400, pastes.FIRST_PASTE)
    assert publish_by_form(client, box(response)).status_code == 201


def test_every_refusal_has_a_message():
    assert [notice.code for notice in SubmissionRefusedError([]).notices] == ["no_run"]


def test_a_file_that_is_no_text_is_refused(client, subtests):
    for count in [1, 2]:
        with subtests.test(count=count):
            photo = file(b"\xff\xd8\xff\x00\x01\x02" * 50, name="photo.jpg")
            response = send_by_form(client, "", files=[photo, file(pastes.diskinfo())][:count])
            (error,) = errors(response)
            assert (response.status_code, error.startswith(f"photo.jpg: {NOT_TEXT}")) == (422, True)
    pasted = send_by_form(client, "\x89PNG\x00\x00")
    assert (pasted.status_code, NOT_TEXT in pasted.text) == (400, True)


def test_a_file_that_is_too_long_is_refused(client, settings, subtests):
    for count in [1, 2]:
        with subtests.test(count=count):
            heap = file(b"x" * (settings.PASTE_LIMIT_BYTES + 1))
            response = send_by_form(client, "", files=[heap, file(pastes.diskinfo())][:count])
            (error,) = errors(response)
            assert (response.status_code, "is more than " in error) == (413, True)


def test_other_methods_are_not_allowed(client):
    assert client.put("/submit/").status_code == 405


def test_a_preview_shows_once_why_a_run_is_held(client):
    response = send_by_form(client, pastes.diskinfo([5] * 15))
    message = Page(response).root.xpath("string(.//ul[@class='flags']/li/text())").strip()
    assert (bool(message), Page(response).text.count(message)) == (True, 1)
    assert "Will not be ranked" in response.text


def test_the_form_lists_the_first_problems_of_a_text(client):
    text = "".join(pastes.diskinfo(media_size=0, path=f"/dev/da{number}") for number in range(30))
    listed = errors(send_by_form(client, text))
    assert (len(listed), "Line" in listed[-1]) == (21, False)


def test_more_answers_than_anybody_needs_are_refused(client):
    answers = {f"told-line-{number}-series_device": "intel ssd x" for number in range(1, 102)}
    response = publish_by_form(client, pastes.FIRST_PASTE, **answers)
    assert (response.status_code, Submission.objects.count()) == (400, 0)
    assert "At most 100 answers" in response.text
    blank = dict.fromkeys(answers, "")
    assert publish_by_form(client, pastes.FIRST_PASTE, **blank).status_code == 201
