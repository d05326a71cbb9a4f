"""The ratings that the project ships agree with each other."""

import pytest

from parsers.base.units import TERABYTE
from results.advice.lifetime import rated_bytes
from results.catalogue.endurance import find_endurance
from results.models import Product

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]
TOLERANCE = 0.1
MAKERS_OWN = {"intel-dc-s3610"}  # Intel's manual states 3 drive writes a day and up to 4.2 of them in bytes


def test_bytes_that_may_be_written_are_drive_writes_times_capacity_and_years():
    compared = 0
    for product in Product.objects.prefetch_related("claims"):
        endurance = find_endurance(product, product.claims.all())
        for one in endurance.written:
            rated = [
                rated_bytes(each.value, capacity_bytes=one.capacity_bytes, years=endurance.years)
                for each in (endurance.drive_writes_of(one.capacity_bytes) if one.capacity_bytes else [])
            ]
            if not rated or product.slug in MAKERS_OWN:
                continue
            compared += 1
            low, high = min(rated) * (1 - TOLERANCE), max(rated) * (1 + TOLERANCE)
            assert low <= one.value <= high, (product.slug, one.value / TERABYTE, rated)
    assert compared > 10


def test_endurance_of_one_model_is_not_lent_to_another():
    """Lines of models with different endurance, of which sources state that of one only."""
    for slug in ("micron-p400", "samsung-pm1643a", "kingston-dc500", "hgst-ssd800", "seagate-pulsar"):
        product = Product.objects.get(slug=slug)
        endurance = find_endurance(product, product.claims.all())
        assert (endurance.written, endurance.drive_writes) == ([], []), slug
