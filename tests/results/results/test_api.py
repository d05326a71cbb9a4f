from datetime import UTC, date, datetime

import pytest

from results.catalogue.matching.merge import merge_devices
from results.models import Result, Submission
from results.submissions.edit import erase_submission
from tests.factories import make_device, make_product, make_result, make_submission

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"


def make_sample():
    make_result(
        submission=make_submission(
            public_id="sample",
            text="Serial Number: [serial-1]\n",
            unit_digests={"[serial-1]": "secret digest"},
            sender_digest="secret network",
        ),
        unit="secret unit",
        platform="Linux 6.1",
        path="/dev/nvme0n1",
        wear_percent=3,
        raw_wear="Total_LBAs_Written 100, raw 5",
        host_bytes_written=123_456_789_012_345,
    )


def test_a_result_is_shown_with_its_conditions_and_its_text(client):
    make_sample()
    record = client.get("/api/v1/results/sample/").json()
    assert {name: stated for name, stated in record["conditions"].items() if stated is not None} == {
        "path": "/dev/nvme0n1",
        "platform": "Linux 6.1",
        "attachment": "",
        "percentage_used": 3,
        "wear_percent": 3,
        "raw_wear": "Total_LBAs_Written 100, raw 5",
        "host_bytes_written": 123_456_789_012_345,
    }
    assert record["text"] == "Serial Number: [serial-1]\n"


def test_derived_wear_is_not_what_a_tool_stated(client):
    make_result(submission__public_id="sample", wear_percent=3, wear_source="Media_Wearout_Indicator 97")
    conditions = client.get("/api/v1/results/sample/").json()["conditions"]
    stated = {
        name: value for name, value in conditions.items() if "wear" in name or name == "percentage_used"
    }
    derived = {"wear_percent": 3, "wear_source": "Media_Wearout_Indicator 97"}
    assert stated == {"percentage_used": None, "raw_wear": None, **derived}


def test_neither_unit_nor_network_is_exposed(client, subtests):
    make_sample()
    for url in ["/api/v1/results/", "/api/v1/results/sample/", "/results/sample/"]:
        with subtests.test(url=url):
            response = client.get(url)
            assert (response.status_code, b"secret" in response.content) == (200, False)


def listed(client, query):
    return [row["id"] for row in client.get(f"/api/v1/results/?{query}").json()["results"]]


def test_results_can_be_filtered(client):
    product = make_product(slug="aldera-s1", vendor="Aldera / Borealis")
    one = make_result(
        submission__public_id="1",
        device__slug="first",
        device__device_class="hdd",
        device__vendor="CORVUS",
        measured_on=date(2020, 5, 1),
        attachment="mps0, LSI SAS2308",
    )
    Submission.objects.filter(pk=one.submission_id).update(
        created_at=datetime(2021, 2, 3, 23, 30, tzinfo=UTC)
    )
    make_result(
        submission__public_id="2",
        method="fio",
        firmware__version="2.0",
        device__product=product,
        submission__survey_id="d2",
        measured_on=date(2020, 5, 2),
        told_conditions={"attachment": "LSI 9207-8i"},
    )
    cases = {
        "device=first": ["1"],
        "firmware=2.0": ["2"],
        "method=fio": ["2"],
        "kind=latency_curve": ["2", "1"],
        "class=hdd": ["1"],
        "class=hdd&method=fio": [],
        "product=aldera-s1": ["2"],
        "vendor=corvus": ["1"],
        "vendor=Borealis,CORVUS": ["2", "1"],
        "origin=submitted_here": ["1"],
        "origin=published_elsewhere": ["2"],
        "origin=submitted_here,published_elsewhere": ["2", "1"],
        "attachment=9207": ["2"],
        "attachment=lsi%20sas,9300": ["1"],
        "measured_after=2020-05-02": ["2"],
        "measured_before=2020-05-02": ["1"],
        "measured_after=2020-05-01&measured_before=2020-05-03": ["2", "1"],
        "submitted_after=2021-02-03": ["1"],
        "submitted_after=2021-02-04": [],
        "submitted_before=2021-02-04": ["1"],
        "submitted_before=2021-02-03": [],
        "": ["2", "1"],
    }
    assert {query: listed(client, query) for query in cases} == cases


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("product=no-such", 404),
        ("vendor=no-such", 404),
        ("origin=here", 400),
        ("measured_after=05/01/2020", 400),
        ("submitted_before=2020-02-30", 400),
        ("measured_after=2020-05-01&measured_before=2020-05-01", 400),
        ("attachment=mps0,mpr0,ahci", 400),
        ("attachment=mps0,sa", 400),
    ],
)
def test_a_filter_says_what_is_wrong(client, query, status):
    problem = client.get(f"/api/v1/results/?{query}").json()
    assert (problem["status"], len(problem["errors"])) == (status, 1)


def test_results_without_a_rank_are_left_out_on_demand(client):
    waits = {"code": "implausible", "effect": "waits", "message": "Faster than its link."}
    noted = {**waits, "effect": "noted"}
    make_result(submission__public_id="1")
    make_result(submission__public_id="2", not_ranked_reason="A partition.", flags=[waits, noted])
    make_result(submission__public_id="3", not_ranked_reason=waits["message"], flags=[noted])
    make_result(submission__public_id="4", not_ranked_reason=waits["message"], flags=[noted, waits])
    everything = ["4", "3", "2", "1"]
    cases = {
        "": everything,
        "ranking_state=ranked": ["1"],
        "ranking_state=unranked": ["3", "2"],
        "ranking_state=waiting": ["4"],
        "ranking_state=ranked,waiting": ["4", "1"],
        "ranking_state=ranked,unranked,waiting": everything,
        "include=ranked": ["1"],
        "include=unranked": ["3", "2", "1"],
        "include=waiting": ["4", "1"],
        "include=unranked,waiting": everything,
    }
    for query, expected in cases.items():
        page = client.get(f"/api/v1/results/?{query}").json()
        assert [row["id"] for row in page["results"]] == expected, query
        assert page["count"] == len(expected) or not query
    problem = client.get("/api/v1/results/?include=held").json()
    assert (problem["status"], list(problem["errors"])) == (400, ["include"])
    assert "ranked, unranked, waiting" in problem["errors"]["include"][0]


def test_paging_shows_each_result_once_while_others_are_added(client):
    device = make_device()
    for number in range(5):
        make_result(device=device, submission__public_id=f"{number}")
    seen, url = [], "/api/v1/results/?device=&method=diskinfo&page_size=2"
    while url:
        page = client.get(url).json()
        seen += [row["id"] for row in page["results"]]
        url = page["next"]
        make_result(device=device)
    assert seen == ["4", "3", "2", "1", "0"]
    assert page["previous"].startswith(f"{SITE}/api/v1/results/?")


def test_pages_link_backward_and_forward(client):
    device = make_device()
    for _ in range(5):
        make_result(device=device)
    first = client.get("/api/v1/results/?fields=id&page_size=2").json()
    second = client.get(first["next"]).json()
    third = client.get(second["next"]).json()
    assert (len(third["results"]), third["next"]) == (1, None)
    back = client.get(third["previous"]).json()
    assert back["results"] == second["results"]
    assert client.get(back["previous"]).json()["results"] == first["results"]
    assert client.get(back["previous"]).json()["previous"] is None
    assert client.get(back["next"]).json()["results"] == third["results"]


def test_a_cursor_beyond_the_end_gives_no_results(client):
    for _ in range(2):
        make_result()
    onward = client.get("/api/v1/results/?page_size=1").json()["next"]
    Result.objects.all().delete()
    assert client.get(onward).json()["results"] == []


def test_a_broken_cursor_is_refused(client):
    for cursor in ["nonsense", "on", "on..1", "WyIiLCIiLFtmYWxzZSxbMV1dXQ:x", "9" * 3000, "%00", "é"]:
        response = client.get(f"/api/v1/results/?cursor={cursor}")
        assert (response.status_code, list(response.json()["errors"])) == (400, ["cursor"]), cursor


def test_a_cursor_of_another_query_is_refused(client):
    for _ in range(2):
        make_result()
    onward = client.get("/api/v1/results/?method=diskinfo&page_size=1").json()["next"]
    for other in (onward.replace("method=diskinfo", "method=fio"), onward.replace("&method=diskinfo", "")):
        response = client.get(other)
        assert (response.status_code, list(response.json()["errors"])) == (400, ["cursor"])
    assert client.get(f"{onward}&fields=id").status_code == 200


def test_results_can_be_filtered_by_a_limited_number_of_ids(client):
    for name in ("one", "two", "three"):
        make_result(submission__public_id=name)
    page = client.get("/api/v1/results/?id=one,three,nobody").json()
    assert [row["id"] for row in page["results"]] == ["three", "one"]
    response = client.get(f"/api/v1/results/?id={','.join(f'b{number}' for number in range(10_000))}")
    assert (response.status_code, response.json()["errors"]) == (
        400,
        {"id": ["At most 50 ids at once, not 10,000."]},
    )


@pytest.mark.parametrize(
    ("state", "status", "code"),
    [("withdrawn", 410, "withdrawn"), ("rejected", 410, "rejected"), ("held", 404, "held")],
)
def test_an_unpublished_result_shows_only_its_state(client, state, status, code):
    make_result(submission__public_id="one", submission__state=state, submission__text="private words")
    assert client.get("/api/v1/results/").json()["results"] == []
    response = client.get("/api/v1/results/one/")
    problem = response.json()
    assert (response.status_code, problem["code"]) == (status, code)
    assert sorted(problem) == ["code", "detail", "status", "title", "type"]
    record = client.get("/api/v1/submissions/one/").json()
    assert (record["state"], record["results"], record["notices"]) == (state, [], [])


def test_an_erased_result_shows_only_that_it_was_erased(client):
    result = make_result(submission__public_id="one")
    erase_submission(result.submission, reason="asked for")
    for path in ("results/one", "results/one-2", "submissions/one"):
        response = client.get(f"/api/v1/{path}/")
        assert (response.status_code, response.json()["code"]) == (410, "erased")


def test_an_unknown_device_or_version_is_named(client, subtests):
    make_result(device__slug="sample", firmware__version="2.0")
    make_result(device__slug="other")
    make_result(device__slug="held", firmware__version="3.0", submission__state="held")
    for query, expected in [
        ("device=nobody", "There is no device “nobody”. /api/v1/search/?q=… finds devices by their names."),
        ("device=held", "There is no device “held”. /api/v1/search/?q=… finds devices by their names."),
        (
            "firmware=3.0",
            "There is no firmware version “3.0”. /api/v1/devices/{slug}/firmware/ has those of a device.",
        ),
        (
            "device=other&firmware=2.0",
            "There is no firmware version “2.0”. /api/v1/devices/{slug}/firmware/ has those of a device.",
        ),
    ]:
        with subtests.test(query=query):
            response = client.get(f"/api/v1/results/?{query}")
            problem = response.json()
            ((_, messages),) = problem["errors"].items()
            assert (response.status_code, problem["code"], messages) == (404, "not_found", [expected])


def test_results_of_a_merged_spelling_are_those_of_its_device(client):
    result = make_result(device__slug="sample")
    spelling = make_device(slug="other", model_name="other")
    merge_devices([spelling], result.device, reason="the same")
    rows = client.get("/api/v1/results/?device=other").json()["results"]
    assert [(row["id"], row["device"]) for row in rows] == [(result.public_id, "sample")]
