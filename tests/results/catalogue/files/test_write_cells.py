"""Stored products survive a round trip through cells."""

import pytest

from results.catalogue.files.load import load_catalogue
from results.catalogue.files.products_csv import read_catalogue, read_cells
from results.catalogue.files.write_cells import write_cells
from results.models import Product


@pytest.mark.django_db
def test_every_shipped_line_survives_a_round_trip():
    lines = {line.slug: line for line in read_catalogue()}
    load_catalogue(lines.values())
    products = Product.objects.select_related("vendor")
    assert {product.slug: read_cells(write_cells(product)) for product in products} == lines
