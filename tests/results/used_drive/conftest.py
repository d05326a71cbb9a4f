"""A product that drives of several tests are of."""

import pytest

from results.models import Product
from tests.factories import make_protected_product, make_result, rank_everything
from tests.results.used_drive.shown import CAPACITY, MODEL


@pytest.fixture
def rated(db: None) -> Product:
    """480 GB rated for 1,000 TB."""
    return make_protected_product(
        name="S1",
        slug="aldera-s1",
        patterns=["^ALDERA S1-"],
        endurance_tbw=[{"capacity_bytes": 480_000_000_000, "written_bytes": 1000 * 10**12}],
        endurance_source_url="https://a.example/",
    )


@pytest.fixture
def product(rated: Product) -> Product:
    """With a measured device: 20 µs at each size."""
    make_result(20, device__model_name=MODEL, device__capacity_bytes=CAPACITY, device__product=rated)
    rank_everything()
    return rated
