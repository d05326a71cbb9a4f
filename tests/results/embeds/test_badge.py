"""The badge of a device: what is known of it now, under whatever address it was pasted."""

import pytest

from results.charts.cards import TONES
from results.core.public import MARK
from tests.factories import (
    make_device,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db


def test_the_badge_shows_rank_latency_and_protection(client, django_assert_num_queries):
    product = make_protected_product(name="Sample")
    sample = make_device(slug="sample", product=product)
    make_result(20, device=sample, submission__is_approved=True)
    make_result(9_000)
    rank_everything()
    client.get("/devices/sample/badge.svg")  # what a pass found is kept
    with django_assert_num_queries(3):
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
