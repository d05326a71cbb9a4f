"""Looking drives up and checking their SMART in the API: matches, verdicts, codes, refusals, nothing stored."""

import json
import logging
from pathlib import Path

import pytest
from django.conf import settings

from results.models import Device, Product, Submission
from results.used_drive.oddities import Code
from tests import pastes
from tests.factories import make_protected_product, make_stated_product
from tests.results.used_drive.shown import CAPACITY, MODEL
from tests.results.used_drive.test_page import ATTRIBUTES, drive

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]
LOOKUP, CHECK = "/api/v1/lookup/", "/api/v1/drives/check/"
JSON = "application/json"
SERIAL = "S64HNE0R123456"
ID_CTRL = {"vid": 5197, "sn": f"{SERIAL}      ", "mn": f"{MODEL}    ", "fr": "GDC5602Q", "tnvmcap": CAPACITY}
SMART_LOG = {
    "critical_warning": 0,
    "avail_spare": 100,
    "spare_thresh": 10,
    "percent_used": 3,
    "data_units_written": 195312500,
    "power_on_hours": 20000,
}
CAP_TEST = "175 Power_Loss_Cap_Test     0x0033   {0}   {0}   010    Pre-fail  Always   -       5151 (54 1)\n"


def look_up(client, model, **stated):
    response = client.get(LOOKUP, {"model": model, **stated})
    assert response.status_code == 200, response.text
    return response.json()


def check(client, *documents, content_type="text/plain"):
    texts = (part if isinstance(part, str) else json.dumps(part, indent=2) for part in documents)
    return client.post(CHECK, "\n".join(texts), content_type=content_type)


def test_a_model_is_looked_up_with_its_rating_and_latency(client, product):
    found = look_up(client, MODEL.lower())
    assert found == found | {
        "match": "exact",
        "may_be": [],
        "product": "aldera-s1",
        "device": Device.objects.get(model_name=MODEL).slug,
        "capacity_bytes": 480_000_000_000,
        "plp": "yes",
        "rated_bytes": {"low": 10**15, "high": 10**15},
        "written_bytes": None,
        "life_left_bytes": None,
    }
    assert found["protection"]["evidence"] == found["protection"]["statements"][0]["evidence"]
    assert (found["latency"]["latency_4k_us"], found["latency"]["tier"][0]) == (20, "excellent")
    assert found["latency"]["low_us"] < 20 < found["latency"]["high_us"]
    assert (found["verdict"]["level"], found["verdict"]["code"]) == ("warn", "wear_unknown")
    assert "https://a.example/" in found["sources"]


def test_a_name_with_a_capacity_has_the_latency_of_its_products_device(client, product):
    found = look_up(client, "Aldera S1", capacity="480GB", firmware="1.0")
    assert found["drive"] == {"model": "Aldera S1", "capacity_bytes": 480 * 10**9, "firmware": "1.0"}
    assert (found["device"], found["latency"]["latency_4k_us"]) == (None, 20)
    assert look_up(client, "Aldera S1", capacity="960000000000")["latency"] is None


def test_a_name_that_is_shared_or_only_similar_lends_no_facts(client, product):
    make_protected_product(vendor="Borealis", name="S1", slug="borealis-s1")
    for model, match, slugs in [
        ("S1", "shared", {"aldera-s1", "borealis-s1"}),
        ("Alderra S1", "similar", {"aldera-s1"}),
        ("zzzz 9", None, set()),
    ]:
        found = look_up(client, model)
        assert (found["match"], {other["slug"] for other in found["may_be"]}) == (match, slugs), model
        assert (found["product"], found["plp"], found["latency"]) == (None, "unknown", None)
        assert found["verdict"]["level"] == "unknown"


def test_many_are_looked_up_at_once_in_the_same_queries(client, product, django_assert_num_queries):
    make_stated_product("no", name="S2", slug="aldera-s2", patterns=["^ALDERA S2"])
    look_up(client, "ALDERA S2-1")  # compiles the catalogue's patterns
    for times in (1, 16):
        models = [MODEL, "ALDERA S2-1", "Aldera S1"] * times
        body = {"drives": [{"model": model, "capacity": CAPACITY} for model in models]}
        with django_assert_num_queries(10):
            response = client.post(LOOKUP, body, content_type=JSON)
        assert [found["drive"]["model"] for found in response.json()["results"]] == models
    assert [found["plp"] for found in response.json()["results"][:3]] == ["yes", "no", "yes"]


@pytest.mark.parametrize(
    ("drives", "field"),
    [
        ([{"model": "x" * 300}], "drives.0.model"),
        ([{"model": "a\x07b"}], "drives.0.model"),
        ([{"model": "a\nb"}], "drives.0.model"),
        ([{"model": " "}], "drives.0.model"),
        ([{"model": 850}], "drives.0.model"),
        ([{"model": MODEL}] * 51, "drives"),
        ([], "drives"),
        ([{"model": MODEL, "capacity": "480"}], "drives.0.capacity"),
        ([{"model": MODEL, "capacity": True}], "drives.0.capacity"),
        ([{"model": MODEL, "serial": "x"}], "drives.0.serial"),
    ],
)
def test_a_bad_lookup_is_refused_by_its_field(client, drives, field):
    response = client.post(LOOKUP, {"drives": drives}, content_type=JSON)
    assert response.status_code == 400
    assert list(response.json()["errors"]) == [field]


def test_a_bad_address_of_a_lookup_is_refused(client):
    for query in ({"model": ""}, {"model": "a\tb"}):
        assert client.get(LOOKUP, query).status_code == 400, query


def test_smart_text_is_checked(client, product):
    found = check(client, drive()).json()
    assert found == found | {
        "match": "exact",
        "product": "aldera-s1",
        "written_bytes": 10**14,
        "power_on_hours": 20000,
        "life_left_bytes": {"low": 9 * 10**14, "high": 9 * 10**14},
        "life_left_text": "about 900 TB of writes: its rating minus what was written",
        "notices": [],
    }
    assert (found["verdict"]["level"], found["verdict"]["code"]) == ("ok", "ok")
    assert found["findings"] == []


def test_smartctl_json_is_checked_in_any_order_of_keys(client, product):
    document = {
        "model_name": MODEL,
        "device": {"name": "/dev/sda", "type": "sat", "protocol": "ATA"},
        "smartctl": {"version": [7, 3]},
        "serial_number": SERIAL,
        "user_capacity": {"bytes": CAPACITY},
        "smart_status": {"passed": False},
    }
    response = check(client, document, content_type=JSON)
    found = response.json()
    assert (found["drive"]["model"], found["product"]) == (MODEL, "aldera-s1")
    assert found["device"] is not None
    assert (found["verdict"]["level"], found["verdict"]["code"]) == ("bad", "failing")
    assert SERIAL not in response.text


def test_nvme_cli_is_checked(client, product):
    response = check(client, ID_CTRL, SMART_LOG)
    found = response.json()
    assert (found["product"], found["drive"]["firmware"]) == ("aldera-s1", "GDC5602Q")
    assert (found["wear_percent"], found["written_bytes"]) == (3, 10**14)
    assert found["protection"]["unit_state"] is None
    assert SERIAL not in response.text
    assert check(client, ID_CTRL, content_type=JSON).json()["product"] == "aldera-s1"


@pytest.mark.parametrize(
    ("documents", "state", "level", "code"),
    [
        ([ID_CTRL, SMART_LOG | {"critical_warning": 0x10}], "failed", "bad", "protection_failed"),
        ([ID_CTRL, SMART_LOG | {"critical_warning": {"value": 0x10}}], "failed", "bad", "protection_failed"),
        ([ID_CTRL, SMART_LOG | {"critical_warning": 0x0F}], None, "unknown", "protection_unknown"),
        ([ID_CTRL, SMART_LOG, {"Capacitor health": 0xFFFF}], None, "unknown", "protection_unknown"),
        ([ID_CTRL, SMART_LOG, {"Capacitor health": 100}], "working", "ok", "ok"),
        ([ID_CTRL, SMART_LOG, {"capacitor_health": 131}], "working", "ok", "ok"),
        ([ID_CTRL, {"capacitor_health": 0}], "failed", "bad", "protection_failed"),
        ([drive(more=ATTRIBUTES.replace(" 12 P", CAP_TEST.format("100") + " 12 P"))], "working", "ok", "ok"),
        ([drive(more=ATTRIBUTES.replace(" 12 P", CAP_TEST.format("001") + " 12 P"))], "failed", "bad", None),
    ],
)
def test_a_drives_own_report_is_evidence_of_its_protection(client, documents, state, level, code):
    rating = [{"capacity_bytes": 480_000_000_000, "written_bytes": 1000 * 10**12}]
    make_stated_product("unknown", name="S1", slug="s1", patterns=["^ALDERA S1-"], endurance_tbw=rating)
    found = check(client, *documents).json()
    assert (found["plp"], found["protection"]["unit_state"]) == ("unknown", state)
    assert (found["verdict"]["level"], found["verdict"]["code"]) == (level, code or "protection_failed")
    codes = [finding["code"] for finding in found["findings"]]
    assert ("protection_works" in codes, bool(found["protection"]["unit_evidence"])) == (
        state == "working",
        state is not None,
    )


def test_known_problems_are_told_apart_by_firmware(client, product):
    product.caveats.create(
        kind="firmware",
        summary="Version 8DV10131 can hang.",
        fixed_in_firmware="8DV10171",
        source_url="https://c.example/",
    )
    for firmware, state, code in [
        ("8DV10131", "applies", "firmware_bug"),
        ("8DV10171", "fixed", "firmware_fixed"),
        ("OTHER", "unknown", "firmware_check"),
    ]:
        found = look_up(client, MODEL, firmware=firmware)
        assert [caveat["state"] for caveat in found["caveats"]] == [state]
        sources = {finding["code"]: finding["source_url"] for finding in found["findings"]}
        assert sources[code] == "https://c.example/"


RAID = "smartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.10.0] (local build)\n=== START OF INFORMATION SECTION ===\n"


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        ("", 422, "no_drive"),
        ("Is this drive any good?", 422, "no_drive"),
        ("{}", 422, "no_drive"),
        (json.dumps(SMART_LOG), 422, "no_device"),
        (drive() + drive("ALDERA S1-960", serial="ZX80"), 422, "several_drives"),
        (json.dumps(ID_CTRL) + "\n" + json.dumps(ID_CTRL | {"sn": "OTHER1234567"}), 422, "several_drives"),
        (
            f"{RAID}/dev/sda: Unknown USB bridge [0x0bda:0x9210 (0xf200)]\n"
            "Please specify device type with the -d option.\n",
            422,
            "usb_bridge",
        ),
        ("x" * 1_000_000, 422, "too_large"),
        ("x" * 5_000_000, 413, "too_long"),
        ("x" * 13_000_000, 413, "too_long"),
    ],
)
def test_what_is_no_drive_is_refused_with_the_reason(client, text, status, code):
    response = check(client, text)
    assert response.status_code == status, response.text
    problem = response.json()
    codes = [notice["code"] for notice in problem.get("notices", [])] or [problem["code"]]
    assert code in codes, problem


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ("Vendor:               DELL\nProduct:              PERC H730 Mini\n", "raid_volume"),
        ("Vendor:               QEMU\nProduct:              QEMU HARDDISK\n", "virtual_disk"),
    ],
)
def test_what_stands_in_for_a_drive_is_honestly_not_known(client, product, lines, code):
    size = "Revision:             4.2\nUser Capacity:        400,088,457,216 bytes [400 GB]\n"
    found = check(client, RAID + lines + size).json()
    assert [notice["code"] for notice in found["notices"]] == [code]
    assert (found["match"], found["plp"], found["verdict"]["level"]) == (None, "unknown", "unknown")


def test_nothing_is_stored_or_logged_and_identifiers_are_masked(client, product, caplog):
    caplog.set_level(logging.DEBUG)
    before = Submission.objects.count(), Device.objects.count()
    mail = "ann@example.org"
    texts = [
        check(client, drive("NOBODY KNOWS 1")).text,
        check(client, ID_CTRL | {"mn": "NOBODY KNOWS 2"}, SMART_LOG).text,
        client.post(LOOKUP, {"drives": [{"model": f"S1 SN: {SERIAL} {mail}"}]}, content_type=JSON).text,
    ]
    logged = "\n".join(record.getMessage() for record in caplog.records)
    for secret in (pastes.SERIAL, SERIAL, mail):
        assert not [text for text in (*texts, logged) if secret in text], secret
    assert (Submission.objects.count(), Device.objects.count()) == before


def test_checks_and_lookups_count_as_reads_by_the_size_of_their_body(client, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-read": (5, 60), "anonymous-write": (0, 60)}
    response = check(client, drive())
    assert response["RateLimit-Policy"] == '"anonymous-read";q=5;w=60'
    assert check(client, "x" * 300_000)["RateLimit"].startswith('"anonymous-read";r=1;')
    assert client.post(LOOKUP, {"drives": [{"model": "a"}]}, content_type=JSON).status_code == 200
    assert client.post(LOOKUP, {"drives": [{"model": "a"}]}, content_type=JSON).status_code == 429


def test_a_check_takes_few_queries(client, product, django_assert_num_queries):
    with django_assert_num_queries(9):
        check(client, drive())


def test_every_code_is_documented():
    text = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text(encoding="utf-8")
    assert [code for code in Code.values if f"`{code}`" not in text] == []


def test_the_page_says_the_same(client, product):
    page = client.get("/used-drive/", {"model": MODEL}).text
    assert look_up(client, MODEL)["verdict"]["text"].split(",")[0] in page
    assert Product.objects.get(slug="aldera-s1").get_absolute_url() in page
