import re
from decimal import Decimal

import pytest

from tests.factories import make_product

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


def rows(client, **asked):
    return client.get(URL, asked).context["answer"]["rows"]


def test_terabytes_written_against_a_day(client):
    assert rows(client, written="500", tbw="365") == [
        {"label": "as typed", "rated": "365", "years": "2.0", "a_day": "200"}
    ]


def test_drive_writes_a_day_of_a_capacity(client):
    (row,) = rows(client, written="1000", dwpd="10", capacity="280")
    assert (row["rated"], row["years"], row["a_day"]) == ("5,110", "14.0", "2,800")
    (short,) = rows(client, written="1000", dwpd="10", capacity="280", years="2.5")
    assert short["rated"] == "2,555"


def test_a_product_has_a_row_for_every_rated_capacity_and_its_source(client, product):
    answer = client.get(URL, {"written": "500", "product": "aldera-s1"}).context["answer"]
    assert [(row["label"], row["years"]) for row in answer["rows"]] == [
        ("480", "2.0"),
        ("the largest", "4.0"),
    ]
    assert (answer["product"], answer["source"]["url"]) == (product.full_name, SOURCE)


@pytest.mark.usefixtures("rated_by_the_day")
def test_a_product_that_is_rated_by_the_day_counts_at_its_least(client):
    (row,) = rows(client, written="960", product="aldera-s2", capacity="960")
    assert (row["label"], row["years"]) == ("960", "5.0")


def test_units_stand_in_the_head_and_not_in_the_cells(client, product):
    page = client.get(URL, {"written": "500", "product": product.slug}).text
    table = page[page.index("<table>") : page.index("</table>")]
    assert re.findall(r'class="unit">(.*?)<', table) == ["GB", "TB written", "years", "GB a day"]
    cells = re.findall(r"<t[hd][^>]* class=\"num\">(?:<strong>)?([^<]*)<", table.partition("<tbody>")[2])
    assert cells == ["480", "365", "2.0", "200", "the largest", "730", "4.0", "400"]


def test_a_little_a_day_is_not_called_nothing(client):
    assert rows(client, written="0.01", dwpd="0.001", capacity="1")[0]["a_day"] == "under 0.01"


@pytest.mark.usefixtures("product", "rated_by_the_day")
def test_a_product_page_leads_to_an_answer(client):
    for slug, has_answer in [("aldera-s1", True), ("aldera-s2", False)]:
        url = client.get(f"/products/{slug}/").context["endurance"]["calculator_url"]
        response = client.get(url)
        assert (response.status_code, response.context["answer"] is not None) == (200, has_answer)


def test_nobody_is_promised_centuries(client):
    assert rows(client, written="0.01", tbw="1000")[0]["years"] == "over 50"


@pytest.mark.usefixtures("product", "rated_by_the_day")
@pytest.mark.parametrize(
    ("asked", "name", "says"),
    [
        ({"written": "10"}, "product", "Choose a product, or type TBW or DWPD."),
        ({"written": "10", "tbw": "5", "dwpd": "1"}, "dwpd", "Leave DWPD out, or TBW."),
        ({"written": "10", "product": "aldera-s1", "tbw": "5"}, "tbw", "Leave TBW out, or Product."),
        ({"written": "10", "dwpd": "1"}, "capacity", "Drive writes a day need the capacity."),
        ({"written": "10", "product": "aldera-s2"}, "capacity", "say its capacity"),
        ({"written": "10", "product": "none"}, "product", "no rated product of that name"),
        ({"written": "0", "tbw": "1"}, "written", "Written: from 0.01"),
        ({"tbw": "1"}, "written", "Fill this in."),
    ],
)
def test_what_does_not_fit_together_is_named(client, asked, name, says):
    response = client.get(URL, asked)
    assert (response.status_code, response.context["answer"]) == (400, None)
    assert [fault["name"] for fault in response.context["faults"]] == [name]
    assert says in response.text


def test_the_list_of_products_takes_no_query_each(client, django_assert_max_num_queries):
    for _ in range(20):
        make_product(endurance_tbw=[{"capacity_bytes": None, "written_bytes": 10**15}])
    with django_assert_max_num_queries(4):
        client.get(URL)
