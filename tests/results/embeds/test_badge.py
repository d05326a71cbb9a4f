"""The badge of a device: what is known of it now, under whatever address it was pasted."""

import pytest

from results.charts.badge import TONES
from results.core.public import MARK
from tests.factories import (
    make_device,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db


def test_the_badge_shows_rank_latency_and_protection(client):
    product = make_protected_product(name="Sample")
    sample = make_device(slug="sample", product=product)
    make_result(20, device=sample, submission__is_approved=True)
    make_result(9_000)
    rank_everything()
    response = client.get("/devices/sample/badge.svg")
    assert (response["Content-Type"], response[MARK]) == ("image/svg+xml", "1")
    assert "Aldera Sample 480 GB: NVMe SSD rank 1 of 2 · 4 KiB latency " in response.text
    assert "µs · protected</title>" in response.text
    assert not response.cookies


@pytest.mark.parametrize(
    ("latency_us", "approved", "expected"),
    [(20, False, "too few results to judge speed"), (9_577, True, "far slower than its class")],
)
def test_what_is_not_recommended_is_not_green(client, latency_us, approved, expected):
    product = make_protected_product()
    device = make_device(slug="sample", product=product)
    make_result(latency_us, device=device, submission__is_approved=approved)
    rank_everything()
    badge = client.get("/devices/sample/badge.svg").text
    assert f"µs · protected · {expected}</title>" in badge
    assert TONES["good"] not in badge
    make_result(20, device=device, submission__is_approved=True)
    make_result(20, device=device, submission__is_approved=True)
    rank_everything()
    badge = client.get("/devices/sample/badge.svg").text
    assert "µs · protected</title>" in badge
    assert TONES["good"] in badge


def test_a_device_without_a_ranked_result_is_marked(client):
    make_result(device__slug="sample", not_ranked_reason="Too soon.")
    assert "no ranked result yet · protection unknown" in client.get("/devices/sample/badge.svg").text


def test_fio_results_are_not_shown_as_diskinfo_results(client):
    make_result(30, device__slug="sample", method="fio")
    rank_everything()
    assert "4 KiB latency by fio" in client.get("/devices/sample/badge.svg").text


def test_an_abbreviation_stays_one(client):
    product = make_stated_product("external")
    make_result(20, device=make_device(slug="sample", product=product))
    rank_everything()
    assert "needs a battery or UPS" in client.get("/devices/sample/badge.svg").text


def test_a_product_has_the_badge_of_its_best_device(client):
    product = make_protected_product(slug="s1", name="S1", vendor="Aldera")
    make_result(20, device__product=product, device__slug="fast")
    make_result(900, device__product=product, device__slug="slow", device__capacity_bytes=960_000_000_000)
    rank_everything()
    for kind in ("svg", "json"):
        of_product = client.get(f"/products/s1/badge.{kind}")
        assert of_product.content == client.get(f"/devices/fast/badge.{kind}").content
    make_stated_product("yes", slug="s2", name="S2", vendor="Aldera")
    assert "Aldera S2: no ranked result yet · protected" in client.get("/products/s2/badge.svg").text


def test_a_badge_is_also_what_shields_io_takes(client):
    make_result(20, device__slug="sample", not_ranked_reason="Too soon.", device__model_name="Sample")
    response = client.get("/devices/sample/badge.json")
    assert response.json() == {
        "schemaVersion": 1,
        "label": "Sample 480 GB",
        "message": "no ranked result yet · protection unknown",
        "color": TONES[""].removeprefix("#"),
    }
    assert response["Access-Control-Allow-Origin"] == "*"


def test_a_pair_has_a_badge_with_its_first_ratio(client):
    for public_id, latency_us in (("a", 20), ("b", 60)):
        make_result(latency_us, submission__public_id=public_id, device__model_name=public_id.upper())
    badge = client.get("/compare/results/badge.json?a=a&b=b").json()
    assert badge["label"] == "A 480 GB vs. B 480 GB"
    assert badge["message"].startswith("ZIL latency: A is 3 times better, 20")
    assert badge["message"] in client.get("/compare/results/badge.svg?a=a&b=b").text
    assert client.get("/compare/results/badge.svg?a=a&b=none").status_code == 404
    assert client.get("/compare/results/badge.svg?a=a").status_code == 400
