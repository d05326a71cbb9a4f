"""The claim on the box against what lasts, and what a sustained IOPS costs, on the pages of devices and products."""

import pytest
from django.db.models import Q

from results.kinds.series.figures import newest_sustained
from tests.factories import (
    make_claim,
    make_device,
    make_price,
    make_product,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page
from tests.results.kinds.sustained import texts
from tests.results.kinds.sustained.test_pages import publish

pytestmark = pytest.mark.django_db


def test_pages_put_the_claim_beside_what_lasts(client, django_assert_max_num_queries):
    product = make_product()
    make_result(20, device__product=product)
    device = make_device(model_name="ALDERA S1-480", product=product)
    make_result(20, device=device)
    random = {"quantity": "random_write_4k_iops", "unit": "IOPS"}
    make_claim(product, 50_000, **random)
    make_claim(product, 90_000, capacity_bytes=2_000_000_000_000, **random)
    make_price(product, price=50)
    answers = {
        **texts.ANSWERS,
        "series_device": device.slug,
        "series_pattern": "mixed",
        "series_random": "50",
    }
    publish(client, texts.csv(texts.FALLING), answers)
    sentence = (
        "Up to 50,000 IOPS claimed; 5,000 after 8 minutes (plateau), half random, 4 KiB, 4 KiB aligned, "
        "64 in flight, not synced; the claim is about random writes of 4 KiB"
    )
    page = Page(client.get(device.get_absolute_url())).text
    assert f"{sentence}." in page
    assert "90,000" not in page.partition("Sustained writes")[2].partition("Share")[0]  # of another capacity
    assert "100 ($50, 2024-05-17)" in page


def test_a_newer_series_leaves_the_latency_on_the_page(client):
    product = make_product()
    device = make_device(model_name="ALDERA S1-480", product=product)
    make_result(40, device=device, not_ranked_reason="cut short")
    answers = {**texts.ANSWERS, "series_device": device.slug, "series_depth": "1", "series_workers": "1"}
    publish(client, texts.csv(texts.FALLING), answers)
    page = Page(client.get(product.get_absolute_url())).text
    assert "Fast flushes Unknown cut short" in page
    assert "40.0 µs" in page.partition("Not ranked yet: needs")[2]


def test_a_device_with_many_series_leaves_room_for_others(client):
    few, many = (make_result(20, device__model_name=name).device for name in ("FEW", "MANY"))
    for device, iops, state in (
        (few, 777, "used"),
        (many, 1000, "preconditioned"),
        (many, 1001, "preconditioned"),
        (many, 1002, "used"),
    ):
        answers = {**texts.ANSWERS, "series_device": device.slug, "series_state": state}
        publish(client, texts.csv(texts.minutes(*[iops] * 8)), answers)
    found = newest_sustained(Q(device__in=[few, many]))
    assert [(row["device_id"], row["metrics"]["sustained_iops"]) for row in found] == [
        (many.pk, 1001),
        (few.pk, 777),
    ]


def test_the_shortlist_says_what_a_drive_sustains_and_for_how_much(client):
    product = make_protected_product(name="S9", patterns=["^ALDERA S9-"])
    device = make_device(model_name="ALDERA S9-480", product=product)
    make_result(20, device=device)
    make_price(product, price=50, seen_on="2026-11-01")
    publish(client, texts.csv(texts.FALLING), {**texts.ANSWERS, "series_device": device.slug})
    rank_everything()
    page = Page(client.get("/shortlist/")).text
    assert (
        "Sustains 5,000 IOPS (random, 4 KiB, 4 KiB aligned, 64 in flight, not synced): 100 IOPS per USD"
        in page
    )
