from datetime import UTC, date, datetime

import pytest

from results.models import Submission
from results.submissions.edit import erase, withdraw
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.result_summary import stated_conditions
from tests import pastes
from tests.factories import make_member, make_result, make_submission, rank_everything
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db


def conditions_of(client, result):
    return Page(client.get(result.get_absolute_url())).section("conditions").facts


def labels_of_text(response):
    """The headings of the blocks of its text, with the names of their elements."""
    labels = ".//*[self::p[@class='block-label'] or self::summary]"
    return [
        (label.tag, text_of(label))
        for text in Page(response).root.find_class("raw-text")
        for label in text.xpath(labels)
    ]


def shared_texts(response):
    """The texts to share it by, with their labels."""
    return {
        text_of(label): label.getparent().find(".//pre").text_content()
        for label in Page(response).root.find_class("way")
    }


def test_a_ranked_result_begins_with_what_its_figure_means(client):
    fast = make_result([17.6] * 15, submission__public_id="fast")
    assert "lede" not in client.get("/results/fast/").text  # there is nothing to compare it with
    for latency_us in (30, 5_000, 6_000):
        make_result(latency_us)
    make_result(9, submission__public_id="odd", not_ranked_reason="Too fast.")
    rank_everything()
    said = "17.6 µs: probably faster than 2 of the 3 other drives here."
    assert said in Page(client.get(fast.get_absolute_url())).text
    assert "lede" not in client.get("/results/odd/").text


def test_the_conditions_are_those_that_were_stated(client):
    result = make_result(
        path="/dev/nvd0",
        write_cache_enabled=False,
        power_on_hours=0,
        wear_percent=0,
        sector_size=4096,
        host_bytes_written=1_500_000_000_000,
    )
    assert conditions_of(client, result) == {
        "Path": "/dev/nvd0",
        "Sector size": "4096 B",
        "Write cache": "disabled",
        "Power-on time": "0 h",
        "Wear": "0 %",
        "Written by hosts": "1.50 TB",
    }


def test_derived_wear_names_its_attribute_and_unknown_ones_are_shown():
    derived = make_result(wear_percent=3, wear_source="Media_Wearout_Indicator 97")
    unknown = make_result(raw_wear="Wear_Leveling_Count 95, raw 123")
    assert [stated_conditions(result) for result in (derived, unknown)] == [
        {"Wear": "3 % (derived from Media_Wearout_Indicator 97)"},
        {"Raw SMART values": "Wear_Leveling_Count 95, raw 123"},
    ]


def test_the_lines_of_a_run_are_marked(client):
    submission = make_submission(text="prompt\nfirst\nsecond\n" + "tail\n" * 20)
    result = make_result(submission=submission, first_line=2, last_line=3)
    response = client.get(result.get_absolute_url())
    assert labels_of_text(response) == [
        ("p", "Line 1: around the run"),
        ("p", "Lines 2 to 3: read as a run"),
        ("summary", "Lines 4 to 23: around the run"),  # folded
    ]


def test_a_line_named_in_a_notice_is_not_folded(client):
    notices = [{"code": "odd", "message": "Odd.", "line": 9}]
    result = make_result(submission__text="x\n" * 60, submission__notices=notices)
    ((element, _),) = labels_of_text(client.get(result.get_absolute_url()))
    assert element == "p"  # not folded


def test_an_undated_result_shows_when_it_was_posted_or_submitted(client, subtests):
    make_result(submission__public_id="sample", measured_on=None)
    for values, expected in [
        ({}, "sent 2026-03-01"),
        ({"posted_on": date(2019, 1, 18)}, "posted 2019-01-18"),
        ({"survey_id": "x1", "posted_on": date(2019, 1, 18)}, "on a page dated 2019-01-18"),
        ({"survey_id": "x1"}, "undated"),
    ]:
        with subtests.test(values=values):
            stated = {"posted_on": None, "survey_id": None, **values}
            Submission.objects.update(created_at=datetime(2026, 3, 1, 12, tzinfo=UTC), **stated)
            assert f"· diskinfo -wS · {expected}</p>" in client.get("/results/sample/").text


def test_a_shared_unranked_result_is_marked(client):
    result = make_result(not_ranked_reason="Cut short.")
    texts = shared_texts(client.get(result.get_absolute_url()))
    assert texts["BBCode"].endswith(", not ranked")


def test_an_unranked_result_shows_why(client):
    waits = {"code": "cached_disk", "effect": "waits", "message": "Too soon."}
    for flags, expected in (([], "Shown, but not ranked"), ([waits], "Waiting for a moderator")):
        page = client.get(make_result(not_ranked_reason="Too soon.", flags=flags).get_absolute_url()).text
        assert (expected in page, "Too soon." in page) == (True, True), expected


@pytest.mark.parametrize(
    ("state", "expected", "status"),
    [("held", "Held", 200), ("withdrawn", "Withdrawn", 410), ("rejected", "Not accepted", 410)],
)
def test_an_unpublished_result_has_a_page_without_figures(client, state, expected, status):
    make_result(
        25,
        submission__public_id="sample",
        submission__text="the masked text",
        submission__state=state,
        submission__state_reason="A reason of its own.",
        device__model_name="Sample SSD",
    )
    response = client.get("/results/sample/")
    assert response.status_code == status
    assert f"<h1>{expected}</h1>" in response.text
    assert "A reason of its own." in response.text
    for kept_back in ("25.0", "the masked text", "Sample SSD"):
        assert kept_back not in response.text
    for url in (
        "/results/sample/preview.png",
        "/oembed?url=http%3A%2F%2F127.0.0.1%3A8000%2Fresults%2Fsample%2F",
    ):
        assert client.get(url).status_code == 404


def test_an_erased_result_has_a_page_that_says_so(client):
    make_submission(public_id="sample", state="erased", state_reason="Asked for.", text_digest=None)
    for url in ("/results/sample/", "/results/sample-2/"):
        response = client.get(url)
        assert (response.status_code, "Asked for." in response.text) == (410, True)


def test_a_removed_result_states_its_reason_once_and_addresses_its_owner(client):
    owner = make_member()
    texts = [pastes.diskinfo(ident=serial) for serial in ("ABCD1234", "ABCD1235")]
    made = [receive_submission(text, Sender(owner=owner)).submission for text in texts]
    withdraw(made[0], owner)
    erase(made[1], owner)
    withdrawn, erased = (client.get(result.get_absolute_url()).text for result in made)
    assert "Why:" not in withdrawn
    assert ("Its owner permanently removed its text and figures." in erased, "Why:" in erased) == (
        True,
        False,
    )
    assert "Is it yours?" not in erased
    client.force_login(owner)
    links = Page(withdrawn).links
    for link in (links["claim token"], links["account"]):
        assert "token" in Page(client.get(link)).fields


def test_a_published_figure_shows_its_platform_as_platform_and_its_tool_apart(client):
    result = make_result(platform="TrueNAS SCALE, fio-3.25, fdatasync=1", method="fio")
    assert conditions_of(client, result) == {
        "Platform": "TrueNAS SCALE",
        "Measured with": "fio-3.25, fdatasync=1",
    }
    bare = make_result(platform="fio-3.33, fsync=1", method="fio")
    assert conditions_of(client, bare) == {"Measured with": "fio-3.33, fsync=1"}
