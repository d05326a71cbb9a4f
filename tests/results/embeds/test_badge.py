"""The badge of a device: what is known of it now, under whatever address it was pasted."""

import pytest

from results.charts.badge import TONES
from tests.factories import (
    make_device,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db


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


def test_a_badge_names_fio_and_keeps_abbreviations(client):
    device = make_device(slug="sample", product=make_stated_product("external"))
    make_result(30, device=device, method="fio")
    rank_everything()
    badge = client.get("/devices/sample/badge.svg").text
    assert "4 KiB latency by fio" in badge
    assert "needs a battery or UPS" in badge


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
    assert response.json()["message"] in client.get("/devices/sample/badge.svg").text


def test_a_pair_with_an_unknown_result_has_no_badge(client):
    make_result(submission__public_id="a")
    assert client.get("/compare/results/badge.svg?a=a&b=none").status_code == 404
    assert client.get("/compare/results/badge.svg?a=a").status_code == 400
