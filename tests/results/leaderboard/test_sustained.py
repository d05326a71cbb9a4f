"""The boards of sustained IOPS: who is on them, in which order, and what is only shown."""

import csv
from io import StringIO
from math import log, sqrt

import pytest
from django.test import Client

from results.kinds.registry import KINDS
from results.kinds.shipped import read_published
from results.leaderboard.query import ranked_rows
from results.leaderboard.sustained import find_board
from results.models import Device, Result, Submission
from results.ranking.intervals import GUESSED_SPREAD, median_interval
from results.submissions.intake.shipped import load_survey
from tests import pastes
from tests.factories import make_price, make_product
from tests.page import Page
from tests.results.kinds.sustained import texts
from tests.results.kinds.sustained.test_pages import publish

pytestmark = pytest.mark.django_db
STEADY = {**texts.ANSWERS, "series_state": "preconditioned"}


def measure(client, iops, *, model="MARVELL SD88SA02", serial="ZX81SPECTRUM48", **answers):
    text = pastes.smartctl().replace("MARVELL SD88SA02", model).replace("ZX81SPECTRUM48", serial)
    series = texts.csv(texts.minutes(*[iops] * 8))
    (result,) = publish(client, text + series, {**STEADY, **answers})["results"]
    return result


def test_comparisons_and_traits_name_what_a_device_sustains(client):
    measure(client, 5000, model="SLOW 1", serial="A1")
    measure(client, 50_000, model="FAST 1", serial="B1")
    slow, fast = (Device.objects.get(model_name=name) for name in ("SLOW 1", "FAST 1"))
    page = Page(client.get(f"/compare/?devices={fast.slug},{slow.slug}")).text
    assert "Sustained writes" in page
    assert "50,000 IOPS random, 4 KiB" in page
    assert "Measured, but not ranked" not in page  # a series has no latency to show there
    assert "no sync-write figure for either of them" in page
    assert "Only its sustained writes are known." in page
    device, other = client.get(f"/api/v1/compare/?devices={fast.slug},{slow.slug}").json()["devices"]
    assert (device["sustained"]["iops"], other["sustained"]["iops"]) == (50_000, 5000)
    assert device["sustained"]["load"].startswith("random, 4 KiB")
    product = make_product(slug="fast", name="Fast", patterns=["^FAST 1$"])
    Device.objects.filter(pk=fast.pk).update(product=product)
    make_price(product, price="500", capacity_bytes=fast.capacity_bytes)
    (record,) = client.get("/api/v1/traits/?products=fast").json()["results"]
    known = {trait["trait"]: [each["text"] for each in trait["known"]] for trait in record["traits"]}
    assert known["sustained_writes"][0].startswith("50,000 IOPS: random, 4 KiB")
    assert known["iops_per_dollar"][0].startswith("100 per dollar: $500")


def board():
    ((load, _count),), shown, ranked = find_board(None)
    assert load == shown
    return load, ranked


def test_devices_are_in_the_order_of_what_they_sustain(client, django_assert_max_num_queries):
    measure(client, 5000, model="SLOW 1", serial="A1")
    measure(client, 50_000, model="FAST 1", serial="B1")
    measure(client, 52_000, model="FAST 2", serial="C1")
    load, placed = board()
    assert load.label.endswith(": random, 4 KiB, not synced, 64 in flight")
    rows = ranked_rows(placed, "device__model_name")
    assert [(row["device__model_name"], row["place"][1:3], round(row["score"])) for row in rows] == [
        ("FAST 2", (1, 2), 52_000),
        ("FAST 1", (1, 2), 50_000),
        ("SLOW 1", (3, 3), 5000),
    ]
    with django_assert_max_num_queries(8):
        page = Page(client.get("/sustained/")).text
    assert "1–2" in page
    assert "FAST 2" in page
    answer = client.get("/api/v1/sustained/").json()
    assert answer["board"] == load.key
    assert [row["sustained_iops"] for row in answer["rows"]] == [52_000, 50_000, 5000]
    assert client.get("/api/v1/sustained/", {"board": load.key}).json() == answer


def test_csv_has_the_rows_of_a_board(client):
    measure(client, 50_000, model="FAST 1", serial="B1")
    measure(client, 5100, model="SLOW 1", serial="A1", series_pattern="sequential")
    (other, _), (load, _) = find_board(None).boards
    response = client.get(f"/sustained.csv?board={load.key}")
    (row,) = csv.DictReader(StringIO(response.getvalue().decode()))
    assert (row["device.model_name"], row["first_place"], row["sustained_iops"]) == ("FAST 1", "1", "50000.0")
    assert f"/api/v1/sustained/?board={load.key}&format=csv>" in response["Link"]
    assert f"/sustained.csv?board={load.key}" in client.get("/sustained/", {"board": load.key}).text
    lines = client.get(
        "/api/v1/sustained/", {"board": other.key, "format": "csv", "fields": "low,unit_count"}
    )
    assert lines.getvalue().decode().splitlines()[0] == "low,unit_count"
    assert client.get("/sustained.csv?board=nvme-100-4096-fsync-1").status_code == 404


def test_units_of_a_device_count_once_each(client):
    measure(client, 5000, serial="A1")
    measure(client, 5200, serial="A1")
    measure(Client(REMOTE_ADDR="198.51.100.7"), 9000, serial="B1")
    _, (ranked,) = board()
    units = sqrt(5000 * 5200), 9000
    assert ranked.score == pytest.approx(sqrt(units[0] * units[1]))
    assert (ranked.unit_count, ranked.result_count) == (2, 3)
    deviation = log(units[1] / units[0]) / 2
    assert (ranked.low, ranked.high) == pytest.approx(
        median_interval(ranked.score, deviation, 2, spread=GUESSED_SPREAD)
    )


def test_made_up_serial_numbers_of_one_network_are_one_unit(client):
    for number, serial in enumerate(("A1", "B1", "C1")):
        measure(client, 5000 + 100 * number, serial=serial)
    _, (device,) = board()
    assert (device.unit_count, device.result_count) == (1, 3)


def test_what_nobody_vouches_for_counts_only_alone(client):
    measure(client, 90_000, serial="A1")
    measure(Client(REMOTE_ADDR="198.51.100.7"), 5000, serial="B1")
    Submission.objects.filter(results__sustained__sustained_iops=5000).update(is_approved=True)
    _, (ranked,) = board()
    assert (round(ranked.score), ranked.unit_count) == (5000, 1)


@pytest.mark.parametrize(
    ("interface", "is_on_board"), [("SATA 1 (1.5 Gb/s)", False), ("SATA 3 (6 Gb/s)", True)]
)
def test_figures_beyond_the_products_link_wait_for_a_moderator(client, interface, is_on_board):
    make_product(patterns=["^FAST 1$"], interface=interface, device_class="sata_ssd")
    answer = measure(client, 60_000, model="FAST 1")
    (result,) = Result.objects.filter(public_id=answer["id"])
    assert bool(find_board(None).boards) is is_on_board
    assert ("exceeds_link" in [flag["code"] for flag in result.flags]) is not is_on_board
    assert result.submission.needs_review
    Submission.objects.update(is_approved=True)
    assert find_board(None).boards


def test_synced_writes_that_unprotected_flash_cannot_do_wait_for_a_moderator(client):
    answer = measure(client, 50_000, series_sync="fsync", series_depth="1", series_workers="1")
    (result,) = Result.objects.filter(public_id=answer["id"])
    assert "cached_flash" in [flag["code"] for flag in result.flags]
    assert not find_board(None).boards


def test_other_loads_are_other_boards(client):
    measure(client, 5000)
    measure(client, 5100, serial="B1", series_pattern="sequential")
    measure(client, 5200, serial="C1", series_sync="fsync")
    measure(client, 5300, serial="D1", series_depth="1", series_workers="1")
    assert {(load.random_percent, load.sync, load.in_flight) for load, _ in find_board(None).boards} == {
        (100, "none", 64),
        (0, "none", 64),
        (100, "fsync", 64),
        (100, "none", 1),
    }
    for load, count in find_board(None).boards:
        shown = find_board(load.key)
        assert (shown.load, count, len(shown.ranked)) == (load, 1, 1)
        assert client.get("/sustained/", {"board": load.key}).status_code == 200


def test_a_board_that_does_not_exist_is_404(client, subtests):
    for key in ["x", "nvme-100-4096-none-0", "floppy-1-2-none-3", "nvme-1-99999999999-none-1"]:
        with subtests.test(key=key):
            assert client.get("/sustained/", {"board": key}).status_code == 404
            assert client.get("/api/v1/sustained/", {"board": key}).status_code in {400, 404}


def test_published_figures_are_shown_and_never_ranked(client, django_assert_max_num_queries):
    load_survey(read_published(*KINDS["sustained"].shipped))
    assert not find_board(None).boards
    assert not Result.objects.exclude(is_ranked=False).exists()
    with django_assert_max_num_queries(6):
        response = client.get("/sustained/")
    page, others = Page(response).text, response.text.partition('id="others"')[2]
    assert others.count('class="tag') == others.count('data-name="Result"') > 0
    assert "OCZ Vertex 2 Pro" in page
    assert "3,252" in page
    assert "minute 180" in page
    assert "half random, 4 KiB, 4 KiB aligned, 64 in flight" in page
    vertex = Result.objects.get(submission__survey_id="s001")
    shown = Page(client.get(vertex.get_absolute_url())).text
    assert "3,252 writes per second in minute 180. Only this figure was published" in shown
    assert vertex.metrics == {"sustained_iops": 3252.45, "sustained_latency_us": 19679.3}
