import base64
from datetime import date
from urllib.parse import quote

import pytest

from tests.factories import make_device, make_result, make_submission

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"
ROW = {
    "id": "sample",
    "url": f"{SITE}/results/sample/",
    "device": "sample-ssd",
    "device_class": "nvme",
    "firmware_version": "1.0",
    "method": "fio",
    "is_complete": False,
    "is_ranked": False,
    "not_ranked_reason": "cut short",
    "flags": [],
    "measured_on": "2024-02-29",
    "zil_latency_us": None,
    "latency_4k_us": 200,
    "throughput_128k_mib_s": 125,
    "peak_throughput_mib_s": 125,
    "points": [
        {"block_size": 4096, "latency_us": 200, "throughput_mib_s": 19.531},
        {"block_size": 131072, "latency_us": 1000, "throughput_mib_s": 125},
    ],
}


def make_sample():
    curve = [None] * 15
    curve[3], curve[8] = 200.0, 1000.0
    return make_result(
        curve,
        submission=make_submission(
            public_id="sample",
            text="Serial Number: [serial-1]\n",
            unit_digests={"[serial-1]": "secret digest"},
            network="secret network",
            notices=[{"code": "truncated", "message": "it stops at 128 kbytes", "line": 20}],
            forum_handle="somebody",
            source_url="https://forum.example/t/1",
        ),
        device__slug="sample-ssd",
        firmware__version="1.0",
        method="fio",
        not_ranked_reason="cut short",
        measured_on=date(2024, 2, 29),
        unit="secret unit",
        platform="Linux 6.1",
        path="/dev/nvme0n1",
        percentage_used=3,
        host_bytes_written=123_456_789_012_345,
        parser_version="1.0",
    )


def test_results_are_listed_newest_first(client, django_assert_num_queries):
    make_sample()
    make_result(submission__public_id="newer")
    with django_assert_num_queries(1):
        page = client.get("/api/v1/results/").json()
    assert [row["id"] for row in page["results"]] == ["newer", "sample"]
    assert (page["next"], page["previous"], page["results"][1]) == (None, None, ROW)


def test_a_result_is_shown_with_its_conditions_and_its_text(client, django_assert_num_queries):
    make_sample()
    with django_assert_num_queries(1):
        record = client.get("/api/v1/results/sample/").json()
    assert record == {
        **ROW,
        "state": "published",
        "state_reason": "",
        "source_url": "https://forum.example/t/1",
        "forum_handle": "somebody",
        "parser_version": "1.0",
        "conditions": {
            "path": "/dev/nvme0n1",
            "platform": "Linux 6.1",
            "attachment": "",
            "sector_size": None,
            "write_cache_enabled": None,
            "power_on_hours": None,
            "percentage_used": 3,
            "host_bytes_written": 123_456_789_012_345,
        },
        "notices": [{"code": "truncated", "message": "it stops at 128 kbytes", "line": 20}],
        "text": "Serial Number: [serial-1]\n",
    }


@pytest.mark.parametrize("url", ["/api/v1/results/", "/api/v1/results/sample/", "/results/sample/"])
def test_neither_the_unit_nor_the_network_is_told(client, url):
    make_sample()
    response = client.get(url)
    assert response.status_code == 200
    assert b"secret" not in response.content


def test_what_is_not_published_is_not_listed(client):
    make_result(submission__state="held")
    make_result(submission__state="withdrawn")
    assert client.get("/api/v1/results/").json()["results"] == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("device=first", ["1"]),
        ("firmware=2.0", ["2"]),
        ("method=fio", ["2"]),
        ("class=hdd", ["1"]),
        ("class=hdd&method=fio", []),
        ("device=nobody", []),
        ("", ["2", "1"]),
    ],
)
def test_results_can_be_filtered(client, query, expected):
    make_result(submission__public_id="1", device__slug="first", device__device_class="hdd")
    make_result(submission__public_id="2", method="fio", firmware__version="2.0")
    page = client.get(f"/api/v1/results/?{query}").json()
    assert [row["id"] for row in page["results"]] == expected


def test_a_reader_who_follows_the_pages_sees_each_result_once_while_others_come_in(client):
    device = make_device()
    for number in range(120):
        make_result(device=device, submission__public_id=f"{number:03}")
    seen, url = [], "/api/v1/results/?utm_source=elsewhere&method=diskinfo"
    while url:
        page = client.get(url).json()
        seen += [row["id"] for row in page["results"]]
        url = page["next"]
        assert "elsewhere" not in str(url)
        make_result(device=device)
    assert seen == [f"{number:03}" for number in range(119, -1, -1)]
    assert page["previous"].startswith(f"{SITE}/api/v1/results/?")


@pytest.mark.parametrize(
    "cursor",
    [
        "nonsense",
        *(
            base64.b64encode(inner).decode()
            for inner in (b"p=abc", b"p=1%00", b"p=99999999999999999999", b"o=-1")
        ),
    ],
)
def test_a_broken_cursor_is_not_found(client, cursor):
    make_result()
    response = client.get(f"/api/v1/results/?cursor={quote(cursor)}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("query", ["class=floppy", "method=dd", "device=a%00b", "firmware=a%00b"])
def test_nonsense_is_refused(client, query):
    response = client.get(f"/api/v1/results/?{query}")
    assert (response.status_code, list(response.json()["errors"])) == (400, [query.partition("=")[0]])


def test_an_unknown_result_is_not_found(client):
    assert client.get("/api/v1/results/nobody/").json()["status"] == 404
