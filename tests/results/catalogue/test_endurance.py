from decimal import Decimal

import pytest

from results.catalogue.endurance import rated_product, rated_products
from results.models import Product
from tests.factories import make_product

pytestmark = pytest.mark.django_db


def test_products_with_a_rating_are_listed_by_name():
    written = [{"capacity_bytes": None, "written_bytes": 10**15}]
    make_product(slug="b", name="B", endurance_tbw=written)
    make_product(
        slug="a", name="A", endurance_dwpd_low=Decimal(1), endurance_dwpd_high=Decimal(1), endurance_years=5
    )
    make_product(slug="c", name="C")
    assert rated_products() == [("a", "Aldera A"), ("b", "Aldera B")]
    assert rated_product("b").written == ((None, 10**15),)
    assert (rated_product("a").needs_capacity, rated_product("a").dwpd) == (True, 1)
    with pytest.raises(Product.DoesNotExist):
        rated_product("c")
