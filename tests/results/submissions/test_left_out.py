"""Left-out runs are reported first, with reason and lines, wherever the text is sent."""

import json

import pytest

from parsers.base.advice import COMMANDS_PAGE
from results.models import Submission
from results.submissions.intake.reread import reread_submission
from tests import pastes
from tests.page import Page
from tests.results.kinds.latency_curve.test_runs import FIO
from tests.results.publishing import publish_by_form, send_by_form

pytestmark = pytest.mark.django_db
ONE = pastes.diskinfo(path="/dev/da1", description="SAMPLE ONE", ident="AA00000001")
TWO = pastes.diskinfo(pastes.FIRST_CURVE, path="/dev/da2", description="SAMPLE TWO", ident="AA00000002")
NAMELESS = TWO.replace("# Disk descr.", "# Disk nothing").replace("AA00000002", "AA00000003")
MIXED = FIO.replace("rw=randwrite", "rw=randrw")
BUSY = "root@freenas:~ # diskinfo -wS /dev/da3\ndiskinfo: /dev/da3: Operation not permitted\n"
SYSBENCH = """sysbench 1.0.20 (using bundled LuaJIT 2.1.0-beta2)

sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)
"""
TEXT = ONE + NAMELESS + TWO
FIRST, LAST = 25, 48  # of NAMELESS


@pytest.mark.parametrize("action", ["preview", "publish"])
def test_the_pages_begin_with_how_many_runs_are_published(client, action):
    text = Page(send_by_form(client, TEXT, action)).text
    outcome = "will be published" if action == "preview" else "were published"
    assert f"2 of 3 runs {outcome}" in text
    assert f"Lines {FIRST}–{LAST}: This run does not say which device it is about" in text
    assert text.count("This run does not say which device") == 1
    assert text.index("2 of 3 runs") < text.index("SAMPLE ONE")


def test_a_paste_that_ends_early_says_so_first(client):
    cut = pastes.diskinfo(list(pastes.FIRST_CURVE)[:7])
    for text, is_cut, is_all_read in [
        (ONE, False, True),
        (cut, True, True),
        (f"{cut}\t  64 kbytes:   1", True, False),
    ]:
        page = Page(send_by_form(client, text)).text
        assert ("Is this all of the output? Line" in page) is is_cut
        assert page.count("the sync write table stops at 32 kbytes") == is_cut
        assert ("we read every line" in page, "couldn’t read every line" in page) == (
            is_all_read,
            not is_all_read,
        )
        assert not is_cut or page.index("Is this all") < page.index("Conditions")


def test_the_result_page_lists_the_runs_left_out(client):
    publish_by_form(client, TEXT)
    for url in Submission.objects.get().results.values_list("public_id", flat=True):
        page = Page(client.get(f"/results/{url}/")).text
        assert "2 of 3 runs were published" in page
        assert f"Lines {FIRST}–{LAST}: This run does not say which device it is about" in page


def test_api_responses_list_the_runs_left_out(client):
    previewed = client.post("/api/v1/parse/", TEXT, content_type="text/plain").json()
    sent = client.post("/api/v1/submissions/", TEXT, content_type="text/plain").json()
    again = client.post(
        "/api/v1/submissions/", json.dumps({"text": TEXT}), content_type="application/json"
    ).json()
    found = client.get(f"/api/v1/submissions/{sent['id']}/").json()
    for answer in (previewed, sent, again, found):
        assert list(answer)[:2] == ["run_count", "left_out"]
        (left_out,) = answer["left_out"]
        assert answer["run_count"] == 3
        assert left_out.pop("message").startswith("This run does not say which device it is about")
        assert left_out == {"code": "no_device", "first_line": FIRST, "last_line": LAST}
        assert all(set(notice) == {"code", "message", "line"} for notice in answer["notices"])
    assert (len(previewed["runs"]), len(sent["results"])) == (2, 2)


@pytest.mark.parametrize(
    ("rest", "code", "first_line", "last_line"),
    [
        (MIXED, "mixed_work", 26, 34),
        (BUSY, "device_in_use", 26, 26),
        (TWO.replace("24575868928", "9" * 30), "impossible_capacity", 25, 48),
        (TWO.replace("137.9", "999999999999.9"), "impossible_latency", 25, 48),
        ('{\n "fio version" : "fio-3.33",\n "jobs" : [ nothing ]\n}\n', "no_result", 25, 28),
        (MIXED.partition("slog: (groupid")[0], "no_result", 26, 27),
    ],
)
def test_every_run_left_out_has_a_reason_and_lines(client, rest, code, first_line, last_line):
    answer = client.post("/api/v1/submissions/", ONE + rest, content_type="text/plain").json()
    (left_out,) = answer["left_out"]
    assert (answer["run_count"], len(answer["results"])) == (2, 1)
    assert (left_out["code"], left_out["first_line"], left_out["last_line"]) == (code, first_line, last_line)
    assert code in [notice["code"] for notice in answer["notices"]]


def test_a_device_without_a_benchmark_is_no_run(client):
    answer = client.post("/api/v1/parse/", ONE + pastes.smartctl(), content_type="text/plain").json()
    assert (answer["run_count"], answer["left_out"]) == (1, [])


def test_runs_left_out_are_updated_by_a_reread(client):
    publish_by_form(client, TEXT)
    submission = Submission.objects.get()
    before = submission.notices
    reread_submission(submission)
    assert Submission.objects.get().notices == before


def test_output_of_a_tool_that_is_not_read_is_named_with_what_to_run_instead(client):
    message = "This is sysbench output, which we can't read yet. Run fio or"
    preview = Page(send_by_form(client, ONE + SYSBENCH))
    assert "1 of 2 runs will be published" in preview.text
    assert f"Lines 25–27: {message}" in preview.text
    assert COMMANDS_PAGE in preview.links.values()
    answer = client.post("/api/v1/parse/", ONE + SYSBENCH, content_type="text/plain").json()
    assert [(notice["code"], notice["line"]) for notice in answer["notices"]][-1] == ("unread_tool", 25)
    refused = send_by_form(client, SYSBENCH)
    (error,) = Page(refused).errors
    assert refused.status_code == 422
    assert f"Line 1: {message}" in error
    assert "See the page of commands" in error
