"""The check of a live log on its page and in the API: the drives' facts, refusals, nothing stored, nothing leaked."""

import re

import pytest

from results.advice.lights import rules
from results.models import Submission
from tests.live_logs import Machine
from tests.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]
RATED = 1000 * 10**12
OCP = """\
{
  "mn" : "ALDERA S1-480", "sn" : "S64HNE0R12345X", "fr" : "GDC5602Q"
}
{
  "Capacitor health" : HEALTH
}
"""


def check(client, text, **options):
    return client.post("/api/v1/check/", text, content_type="text/plain", **options)


def colors(client, machine):
    response = check(client, machine.text())
    assert response.status_code == 200, response.text
    return {light["key"]: light["color"] for light in response.json()["lights"]}


def test_a_healthy_log_has_green_lights_on_the_page_and_in_the_api(client, product):
    text, count = Machine().text(), Submission.objects.count()
    found = check(client, text).json()
    assert {light["color"] for light in found["lights"]} == {"green"}, found
    assert [light["key"] for light in found["lights"]] == list(rules())
    assert (found["commits_s"], found["log_bytes_s"], found["share"]) == (2000, 12_000_000, 1)
    assert (found["write_us"], found["flush_us"]) == (20, 10)
    assert found["client_iops"] == pytest.approx(1e6 / (100 + 50 + 55 + 30), abs=1)
    assert found["years"] == pytest.approx(0.68 * RATED / (12e6 * 86_400 * 365), rel=0.001)  # 32 % wear
    page = Page(client.post("/check/", {"text": text}))
    assert found["summary"] == "Used, not saturated, safe, 22 months left."
    for words in (found["summary"], "2,000 a second", *(light["text"] for light in found["lights"])):
        assert words in page.text
    assert Submission.objects.count() == count


def test_texts_are_read_in_the_reader_process(client, settings, product):
    settings.READ_DEADLINE_S = 60
    found = check(client, Machine().text()).json()
    assert {light["color"] for light in found["lights"]} == {"green"}


def test_a_light_is_about_the_drives_that_the_disks_are(client, product):
    one = {"logs": "/dev/nvme0n1p1 ONLINE", "disks": ("nvme0n1",), "drive": {"serial": "X"}}
    for changes, expected in (
        ({"drive": {"wear": 85}}, {"worn": "amber"}),
        ({"drive": {"spare": 5}}, {"worn": "red"}),
        ({"drive": {"warning": "0x10"}}, {"safe": "red"}),
        ({"drive": {"model": "NOBODY KNOWS 1"}}, {"safe": "not_stated", "speed": "not_stated"}),
        ({**one, "drive": {"model": "NOBODY KNOWS 1"}, "vwc": "0"}, {"safe": "amber"}),
        ({**one, "more": OCP.replace("HEALTH", "98")}, {"safe": "green"}),
        ({**one, "more": OCP.replace("HEALTH", "0")}, {"safe": "red"}),
        ({"drives": {"nvme1n1": {"model": ""}}}, {"safe": "not_stated", "worn": "not_stated"}),
        ({"write_ms": 6000}, {"speed": "red", "saturated": "green"}),
        ({"drive": {"model": "NOBODY KNOWS 1"}, "write_cache": "write through"}, {"flushed": "red"}),
    ):
        found = colors(client, Machine(**changes))
        assert found == found | expected, changes


def test_what_is_no_output_is_refused_with_what_to_do(client):
    others = (
        "SunOS zfs0 5.11 11.4\nmodule: zfs   instance: 0\n\tzil_commit_count    12\n",
        "Darwin\n/dev/disk0 (internal, physical):\n",
    )
    words = "smartctl 7.4\nDevice Model: X\n", "=== before 1764481426\n", "nonsense\n" * 50, "a\x00b", ""
    for text in (*words, *others):
        problem = check(client, text)
        assert (problem.status_code, problem.json()["code"]) == (422, "no_sections")
        page = client.post("/check/", {"text": text})
        assert page.status_code in {400, 422}
        assert Page(page).errors
    too_long = "x" * (5 * 1024 * 1024)
    assert check(client, too_long).status_code == 413
    assert check(client, too_long[: 1024 * 1024]).json()["code"] == "too_large"
    for body, status in (
        ({"text": Machine().text()}, 200),
        ({"text": "x"}, 422),
        ({"text": ""}, 400),
        ({"log": "x"}, 400),
    ):
        assert client.post("/api/v1/check/", body, content_type="application/json").status_code == status
    assert client.post("/api/v1/check/", {"text": "x"}).status_code == 415


def test_impossible_figures_are_no_failure(client):
    largest = 9 * 10**17
    counters = dict.fromkeys(Machine().counters, largest)
    machine = Machine(start=1, stats=counters, dmu_tx={"dmu_tx_dirty_delay": largest}, pools=2)
    many = machine.text().replace("zil_", "zil_itx_", 1).replace("queue", "9" * 200)
    odd = Machine().text().replace("/stat:", "/stat:" + "1 " * 3)
    odd = odd.replace("pend", "activ").replace("5 1 0x01", "9" * 60)
    none = re.sub(r"/stat:[ 0-9]+", "/stat:" + "7" * 300, Machine().text())
    for text in (machine.text(), many, odd, none):
        assert check(client, text).status_code == 200
        assert client.post("/check/", {"text": text}).status_code == 200


def test_an_answer_repeats_nothing_that_identifies_somebody(client, product):
    names = ("AcmeCorp", "AcmeCorp/payroll")
    machine = Machine(pool="AcmeCorp", datasets=names, properties=[(names[1], "sync", "disabled")])
    for answer in (check(client, machine.text()), client.post("/check/", {"text": machine.text()})):
        assert answer.status_code == 200
        assert not {word for word in ("Acme", "payroll", "S64HNE0R") if word in answer.text}
        assert "zfs inherit sync [pool-1]/[pool-2]" in answer.text


def test_each_disk_costs_two_queries(client, product, django_assert_num_queries):
    check(client, Machine().text())  # compiles the catalogue's patterns
    for disks, queries in ((0, 0), (1, 9), (2, 11)):
        text = Machine(disks=("nvme0n1", "nvme1n1")[:disks]).text()
        with django_assert_num_queries(queries):
            assert check(client, text).status_code == 200


def test_scripts_of_other_sites_may_send_a_text(client):
    asked = client.options(
        "/api/v1/check/", HTTP_ORIGIN="https://a.example", HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST"
    )
    assert "POST" in asked["Access-Control-Allow-Methods"]
    assert check(client, "x")["Access-Control-Allow-Origin"] == "*"


def test_the_method_page_shows_each_rule(client):
    method = Page(client.get("/about/")).text
    for rule in rules().values():
        assert rule.question in method
        assert rule.rule in method


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        # 30 µs in the log, 50 + 55 µs of both ends and ZFS, and the round trip
        ({}, "of 4 KiB with a round trip of 100 µs takes about 235 µs: 4,300 a second"),
        ({"round_trip": "1000"}, "of 1,000 µs takes about 1,135 µs: 880 a second"),
        ({"round_trip": "1.5", "writers": ""}, "of 1.50 µs takes about 136 µs: 7,300 a second"),
        ({"writers": "8"}, "8 of them together get at most 34,000 a second"),
        ({"size": "16384", "writers": "2"}, "of 16 KiB with a round trip of 100 µs takes about"),
        ({"size": "16384", "round_trip": "300"}, "of 16 KiB with a round trip of 300 µs takes about"),
    ],
)
def test_a_vm_notices_the_log_by_its_round_trip_size_and_writers(client, product, fields, words):
    page = Page(client.post("/check/", {"text": Machine().text(), **fields}))
    section = page.section("noticed")
    assert words in section.text, section.text
    ((head, *rows),) = section.tables
    assert head == ["Round trip µs", "4 KiB", "16 KiB", "64 KiB"]
    assert [row[0] for row in rows] == ["50", "100", "300", "1000"]
    assert "—" not in " ".join(" ".join(row) for row in rows)
    assert {name: page.fields[name].value for name in fields} == fields


@pytest.mark.parametrize(
    ("machine", "fields", "words"),
    [
        (
            {"drive": {"model": "NOBODY KNOWS 1"}},
            {"size": "65536"},
            "Nobody has measured this drive with 64 KiB",
        ),
        ({"drive": {"model": "NOBODY KNOWS 1"}}, {}, "about 235 µs"),
        ({"seconds": 2}, {}, "since the check counted no times"),
        ({"seconds": 2, "drive": {"model": "NOBODY KNOWS 1"}}, {}, None),
        ({"left_out": ("disk", "before")}, {}, None),
    ],
)
def test_what_a_vm_notices_is_said_as_far_as_it_is_known(client, product, machine, fields, words):
    page = Page(client.post("/check/", {"text": Machine(**machine).text(), **fields}))
    headings = "What will my VM notice?" in page.headings
    assert headings == (words is not None)
    if words:
        assert words in page.section("noticed").text


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("round_trip", value) for value in ("abc", "0.5", "-1", "1e3", "2000000", "1" * 20)],
        *[("writers", value) for value in ("many", "0", "0.5", "1001")],
        *[("size", value) for value in ("4096.0", "x", "12345")],
    ],
)
def test_a_field_that_makes_no_sense_is_refused_and_the_text_stays(client, field, value):
    text = Machine().text()
    response = client.post("/check/", {"text": text, field: value})
    page = Page(response)
    assert (response.status_code, page.fields["text"].value.strip()) == (400, text.strip())
    assert page.fields[field].error


def test_the_api_says_what_a_client_notices(client, product):
    noticed = check(client, Machine().text()).json()["noticed"]
    assert noticed == {
        "round_trip_us": 100,
        "write_bytes": 4096,
        "writers": 1,
        "wait_us": 235,
        "writes_s": pytest.approx(1e6 / 235, rel=1e-5),
        "most_s": pytest.approx(1e6 / 235, rel=1e-5),
    }
    asked = {"text": Machine().text(), "round_trip_us": 1000, "write_bytes": 16384, "writers": 8}
    noticed = client.post("/api/v1/check/", asked, content_type="application/json").json()["noticed"]
    assert noticed["wait_us"] == 1135  # the fixture's curve is flat
    assert noticed["most_s"] == pytest.approx(8 * 1e6 / 1135, rel=1e-5)
    unknown = {"text": Machine(drive={"model": "NOBODY KNOWS 1"}).text(), "write_bytes": 65536}
    noticed = client.post("/api/v1/check/", unknown, content_type="application/json").json()["noticed"]
    assert (noticed["wait_us"], noticed["writes_s"], noticed["most_s"]) == (None, None, None)
    assert check(client, Machine(left_out=("before", "disk")).text()).json()["noticed"] is None
    for wrong in (
        {"round_trip_us": 0},
        {"write_bytes": 5},
        {"writers": 1.5},
        {"writers": 1001},
        {"round_trip_us": "nan"},
    ):
        body = {"text": Machine().text(), **wrong}
        assert client.post("/api/v1/check/", body, content_type="application/json").status_code == 400
