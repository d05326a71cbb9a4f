"""The drives of the catalogue that ships are found by the names that they report."""

import pytest

from results.models import Product
from results.search.products import find_products

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]


def test_each_example_name_is_found():
    products = Product.objects.exclude(example_model="")
    assert products.count() > 200
    missed = [
        product.example_model
        for product in products
        if find_products(product.example_model).match != product.pk
    ]
    assert missed == []
