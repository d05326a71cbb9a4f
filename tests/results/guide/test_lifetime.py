from decimal import Decimal

import pytest

from tests.factories import make_product
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db

URL = "/guide/how-long-does-it-last/"
SOURCE = "https://a.example/sheet"


@pytest.fixture
def product():
    return make_product(
        slug="aldera-s1",
        name="S1",
        endurance_tbw=[
            {"capacity_bytes": 480_000_000_000, "written_bytes": 365 * 10**12},
            {"capacity_bytes": None, "written_bytes": 730 * 10**12},
        ],
        endurance_source_url=SOURCE,
    )


@pytest.fixture
def rated_by_the_day():
    return make_product(
        slug="aldera-s2",
        endurance_dwpd_low=Decimal(1),
        endurance_dwpd_high=Decimal(3),
        endurance_years=5,
        endurance_source_url=SOURCE,
    )


def rows(client, **query):
    return Page(client.get(URL, query)).tables[0][1:]


def test_a_rating_lasts_for_years_and_five_years_allow_so_many_gigabytes_a_day(client):
    for query, row in (
        ("written=500&tbw=365", ["as typed", "365", "2.0", "200"]),
        ("written=1000&dwpd=10&capacity=280", ["280", "5,110", "14.0", "2,800"]),
        ("written=1000&dwpd=10&capacity=280&years=2.5", ["280", "2,555", "7.0", "1,400"]),
        ("written=0.01&dwpd=0.001&capacity=1", ["1", "0.00183", "0.5", "under 0.01"]),
        ("written=0.01&tbw=1000", ["as typed", "1,000", "over 50", "548"]),
    ):
        assert Page(client.get(f"{URL}?{query}")).tables[0][1:] == [row], query


def test_a_product_has_a_row_for_every_rated_capacity_and_its_source(client, product):
    page = Page(client.get(URL, {"written": "500", "product": "aldera-s1"}))
    units = [text_of(unit) for unit in page.root.xpath(".//thead//*[@class='unit']")]
    assert units == ["GB", "TB written", "years", "GB a day"]
    assert page.tables[0][1:] == [["480", "365", "2.0", "200"], ["the largest", "730", "4.0", "400"]]
    assert page.links[product.full_name] == "/products/aldera-s1/"
    assert page.links["a.example: sheet"] == SOURCE


@pytest.mark.usefixtures("rated_by_the_day")
def test_product_rated_in_drive_writes_counts_at_its_lowest(client):
    (row,) = rows(client, written="960", product="aldera-s2", capacity="960")
    assert row[::2] == ["960 (from 1 drive write a day)", "5.0"]


@pytest.mark.usefixtures("product", "rated_by_the_day")
def test_product_page_links_to_an_answer(client):
    for slug, has_answer in [("aldera-s1", True), ("aldera-s2", False)]:
        links = Page(client.get(f"/products/{slug}/")).links
        response = client.get(links["How long does that last?"])
        assert (response.status_code, 'id="life"' in response.text) == (200, has_answer)


@pytest.mark.usefixtures("product", "rated_by_the_day")
def test_conflicting_fields_are_named(client, subtests):
    for query, name, message in [
        ({"written": "10"}, "product", "Choose a product, or type TBW or DWPD."),
        ({"written": "10", "tbw": "5", "dwpd": "1"}, "dwpd", "Enter DWPD or TBW, not both."),
        ({"written": "10", "product": "aldera-s1", "tbw": "5"}, "tbw", "Enter TBW or Product, not both."),
        (
            {"written": "10", "dwpd": "1"},
            "capacity",
            "Enter the capacity as well: drive writes per day depend on it.",
        ),
        ({"written": "10", "product": "aldera-s2"}, "capacity", "enter its capacity"),
        ({"written": "10", "product": "none"}, "product", "no rated product with that name"),
        ({"written": "0", "tbw": "1"}, "written", "Written</a>: Enter 0.01 to"),
        ({"tbw": "1"}, "written", "Fill this in."),
    ]:
        with subtests.test(query=query):
            response = client.get(URL, query)
            assert response.status_code == 400
            assert f"#id_{name}" in Page(response).links.values()
            assert message in response.text
