"""Server makers' numbers and names lead to the product that they are sold as."""

import pytest

from results.catalogue.files.aliases_csv import OEM, read_aliases
from results.catalogue.files.products_csv import CATALOGUE_FILE, read_catalogue
from results.catalogue.matching.match import match_product
from results.models import Product
from results.search.products import find_products
from results.used_drive.drives import Listing, find_drive
from tests.factories import make_product
from tests.page import Page

SLUGS = {line.slug for line in read_catalogue()}
NAMES = [
    aliase for aliase in read_aliases(CATALOGUE_FILE.with_name("aliases.csv"), SLUGS) if aliase.kind == OEM
]
# Asked for, and no source names the product
UNKNOWN = """
    877825-001 MK0400GCTZA VK0240GEPQQ EK0400JEAPL VO000960JWZJH MO000400JWFWN 400-AZTR J7X13 00AJ405 01DE357
"""


@pytest.mark.django_db
@pytest.mark.usefixtures("shipped")
class TestShipped:
    def test_every_name_is_found_by_search_and_in_output(self):
        """Each has a source; a part of them is looked up as a used drive, too, which takes longer."""
        assert len(NAMES) >= 500
        assert all(name.source_url.startswith("http") for name in NAMES)
        slugs = dict(Product.objects.values_list("pk", "slug"))
        wrong = [
            (name.alias, name.slug)
            for name in NAMES
            if {slugs.get(find_products(name.alias).match), slugs.get(match_product(name.alias))}
            != {name.slug}
        ]
        assert wrong == []
        for name in NAMES[::25]:
            assert slugs.get(find_drive(name.alias, Listing()).drive.product_id) == name.slug

    def test_a_number_that_no_source_names_finds_no_product(self):
        assert [
            number for number in UNKNOWN.split() if find_products(number).match or match_product(number)
        ] == []


@pytest.mark.django_db
def test_the_pages_say_what_a_name_is_sold_as(client):
    sold_as = [{"name": "9QZX7", "url": "https://dell.example/matrix"}]
    make_product(slug="s1", name="S1", aliases=["9QZX7"], oem_names=sold_as)
    found = client.get("/search/", {"q": "9qzx7"})
    assert (found.status_code, found["Location"]) == (302, "/products/s1/"), found.text
    assert Page(client.get("/products/s1/")).links["dell.example"] == "https://dell.example/matrix"
    used = client.get("/used-drive/", {"model": "9QZX7"}).text
    assert "9QZX7: a server maker’s name for the Aldera S1" in used
