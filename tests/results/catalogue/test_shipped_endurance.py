"""The ratings that the project ships agree with each other."""

import re

import pytest

from parsers.base.units import TERABYTE
from results.advice.lifetime import rated_bytes
from results.catalogue.endurance import find_endurance
from results.catalogue.product_facts import DEVICES, FACTS, expressions
from results.models import Device, Product
from tests.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]
TOLERANCE = 0.1
MAKERS_OWN = {"intel-dc-s3610"}  # Intel's manual states 3 drive writes a day and up to 4.2 of them in bytes


def test_bytes_that_may_be_written_are_drive_writes_times_capacity_and_years():
    compared = 0
    for product in Product.objects.prefetch_related("claims"):
        endurance = find_endurance(product, product.claims.all())
        for rating in endurance.written:
            rated = [
                rated_bytes(each.value, capacity_bytes=rating.capacity_bytes, years=endurance.years)
                for each in (
                    endurance.drive_writes_of(rating.capacity_bytes) if rating.capacity_bytes else []
                )
                if not rating.variant or each.variant in {"", rating.variant}
            ]
            if not rated or product.slug in MAKERS_OWN:
                continue
            compared += 1
            low, high = min(rated) * (1 - TOLERANCE), max(rated) * (1 + TOLERANCE)
            assert low <= rating.value <= high, (product.slug, rating.value / TERABYTE, rated)
    assert compared > 30


def test_endurance_of_one_model_is_not_lent_to_another():
    """Lines of models with different endurance, of which sources state that of one only."""
    for slug in ("micron-p400", "seagate-pulsar", "hgst-ssd400", "toshiba-px05s"):
        product = Product.objects.get(slug=slug)
        endurance = find_endurance(product, product.claims.all())
        assert (endurance.written, endurance.drive_writes) == ([], []), slug


def test_a_capacity_is_rated_the_same_everywhere():
    """Lists rate a device as its page does, unless the page has to compute it."""
    facts = Device.objects.annotate(
        **expressions([FACTS["endurance_tbw"]], DEVICES), **expressions([FACTS["launch_year"]], DEVICES)
    )
    compared = 0
    for device in facts.filter(product__isnull=False).select_related("product"):
        rated = find_endurance(device.product, device.product.claims.all()).of(device.capacity_bytes)
        if device.fact_endurance_tbw is not None:
            compared += 1
            assert rated.bytes <= device.fact_endurance_tbw * TERABYTE, device.slug
            assert rated.dwpd or rated.bytes == device.fact_endurance_tbw * TERABYTE, device.slug
        else:
            assert rated is None or rated.dwpd, device.slug
        assert device.fact_launch_year == device.product.launch_year
    assert compared > 20


def test_no_page_of_a_product_shows_one_rating_for_all_capacities(client):
    """A rating in bytes always names its capacity."""
    rated = Product.objects.filter(slug__in=("samsung-860-870-evo", "intel-dc-p3700", "samsung-pm983"))
    for product in rated:
        record = client.get(f"/api/v1/products/{product.slug}/").json()
        assert record["facts"]["endurance_tbw"] is None
        assert record["launch_year"] == record["facts"]["launch_year"]
        assert len({rating["written_bytes"] for rating in record["endurance"]}) > 1
        page = Page(client.get(f"/products/{product.slug}/"))
        ratings = re.findall(r"Rated for .+?\. ", page.section("endurance").text)
        assert ratings
        assert [rating for rating in ratings if not rating.endswith("). ")] == []
