"""The list of products: contents, filters, order, and refused parameters."""

import pytest

from results.models import Product
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

pytestmark = pytest.mark.django_db
SHEET = {"value": "yes", "evidence": "data_sheet", "url": "https://a.example/sheet"}
FIGURE = "Measured latency, or a claim"
FORUM = {"value": "no", "evidence": "discussion", "url": "https://a.example/forum"}


def rows(client, query=""):
    response = client.get(f"/products/?{query}")
    assert response.status_code == 200, response.content.decode()
    page = Page(response)
    return page.rows() if page.tables else []


def names(client, query=""):
    return [row["Product"] for row in rows(client, query)]


def add_price(product, price, seen_on="2024-03", currency="USD", **values):
    made = {"capacity_bytes": None, "source_url": "https://shop.example/", "condition": "", **values}
    make_price(product, price=price, seen_on=seen_on, currency=currency, **made)


def add_claim(product, quantity, value, unit, **values):
    source_url = f"https://maker.example/{value}"
    make_claim(product, value, quantity=quantity, unit=unit, source_url=source_url, **values)


@pytest.fixture
def sold():
    """Three different products."""
    fast = make_product(
        name="Fast",
        vendor="Aldera",
        plp="yes",
        plp_statements=[FORUM, SHEET],
        endurance_dwpd_low="1.00",
        endurance_dwpd_high="3.00",
        endurance_years=5,
        launch_year=2018,
        aliases=["AX-9 Pro"],
    )
    slow = make_product(
        name="Slow",
        vendor="Borea",
        device_class="hdd",
        launch_year=2021,
    )
    plain = make_product(name="Plain", vendor="Cyan")
    return {"fast": fast, "slow": slow, "plain": plain}


def test_columns_that_are_empty_in_all_rows_are_not_shown(client):
    usual = ["Product", "Class", "Power-loss protection", "Measured latency, or a claim"]
    product = make_product()
    assert [*rows(client, "columns=endurance_tbw,end_of_sale")[0]] == usual
    Product.objects.update(
        endurance_dwpd_low="1.00",
        endurance_dwpd_high="3.00",
        endurance_years=5,
        form_factors="U.2",
        launch_year=2018,
    )
    add_price(product, "100.00")
    every = [*usual, "Rated endurance", "Form factor", "Price from", "Launched"]
    assert [*rows(client)[0]] == every
    assert [*rows(client, "columns=launch_year,end_of_sale")[0]] == [*every, "Launched year"]


def test_every_product_is_on_one_of_the_pages(client):
    for number in range(60):
        make_product(name=f"S{number:02}")
    first = Page(client.get("/products/"))
    assert "60 product lines" in first.text
    second = Page(client.get(first.links["Next"]))
    assert second.links["Previous"] == "/products/"
    listed = [row["Product"] for page in (first, second) for row in page.rows()]
    assert listed == [f"Aldera S{number:02}" for number in range(60)]


def test_by_default_products_are_listed_by_class_and_name(client, sold):
    make_product(name="Card", vendor="Zeta", device_class="nvram")
    assert names(client) == ["Zeta Card", "Aldera Fast", "Cyan Plain", "Borea Slow"]


def test_words_select_products(client, sold, subtests):
    for query, found in [
        ("q=cyan", ["Cyan Plain"]),
        ("q=fast+aldera", ["Aldera Fast"]),
        ("q=ax-9", ["Aldera Fast"]),
        ("q=100%25", []),
    ]:
        with subtests.test(query=query):
            assert names(client, query) == found


def test_the_lowest_of_the_latest_years_prices_is_shown_with_its_age(client, sold, today):
    add_price(sold["fast"], 30, "2019-05-02")
    add_price(sold["fast"], "74.50", "2023-03-07", condition="used", capacity_bytes=280 * 10**9)
    add_price(sold["fast"], 99, "2024-03-07")
    add_price(sold["fast"], 10, "2024", condition="launch_msrp")
    add_price(sold["slow"], 120, "2023", currency="GBP")
    page = Page(client.get("/products/"))
    assert {row["Product"]: row["Price from"] for row in page.rows()} == {
        "Aldera Fast": "$99 condition not stated, seen 3 months ago",
        "Borea Slow": "£120 condition not stated, seen in 2023",
        "Cyan Plain": "",
    }
    assert page.links["seen 3 months ago"] == "https://shop.example/"


def test_price_condition_selects_new_or_used_prices(client, sold, subtests):
    add_price(sold["fast"], 50, condition="used")
    add_price(sold["fast"], 90, condition="new")
    for query, prices in [("condition=new", []), ("condition=used", ["$50"])]:
        with subtests.test(query=query):
            found = rows(client, f"{query}&price=60")
            assert [row["Price from"].split()[0] for row in found] == prices


def test_price_limit_sorts_fresh_prices_first_and_counts_unpriced_products(client, sold, today):
    add_price(sold["fast"], 50, "2017")
    add_price(sold["slow"], 80, "2024-01")
    make_product(name="Dear", vendor="Delta", device_class="optane")
    add_price(Product.objects.get(name="Dear"), 500, "2024")
    assert names(client, "price=100") == ["Borea Slow", "Aldera Fast"]
    page = client.get("/products/?price=100").text
    assert "1 product line left out: no known price in USD." in page
    assert '<a href="/products/?priced=no">Show them</a>' in page
    assert names(client, "priced=no") == ["Cyan Plain"]
    assert "left out:" not in client.get("/products/?price=100&priced=yes").text


def test_products_are_sorted_by_the_shown_price(client, sold):
    add_price(sold["fast"], 5, "2015", capacity_bytes=100 * 10**9)
    add_price(sold["fast"], 90, "2024")
    add_price(sold["slow"], 80, "2023")
    found = [(row["Product"], row["Price from"][:3]) for row in rows(client, "sort=price")]
    assert found == [("Borea Slow", "$80"), ("Aldera Fast", "$90"), ("Cyan Plain", "")]


def test_products_are_sorted_by_their_lowest_latency_by_any_method(client, sold):
    make_result(90, device=make_device(product=sold["slow"]))
    make_result(200, device=make_device(product=sold["slow"]))
    make_result(10, device=make_device(product=sold["plain"]), method="fio")
    rank_everything()
    listed = rows(client, "sort=latency")
    assert [(row["Product"], row[FIGURE].partition(" unit,")[0]) for row in listed] == [
        ("Cyan Plain", "10.0 µs measured: 4 KiB latency, fio, 1"),
        ("Borea Slow", "90.0 µs measured: 4 KiB latency, diskinfo, 1"),
        ("Aldera Fast", ""),
    ]


def test_unknown_values_are_last_in_every_order(client, sold, subtests):
    for sort, first in [("endurance", "Aldera Fast"), ("launch", "Borea Slow")]:
        with subtests.test(sort=sort):
            assert names(client, f"sort={sort}")[0] == first


def test_claim_is_shown_for_an_unmeasured_product(client, sold):
    for product in sold.values():
        add_claim(product, "random_write_4k_iops", 88000, "IOPS", capacity_bytes=800 * 10**9)
        add_claim(product, "random_write_4k_iops", 40000, "IOPS")
    add_claim(sold["slow"], "write_latency_us", 52, "us", note="typical, random write")
    add_claim(sold["slow"], "write_latency_us", 66, "us", note="typical, random write")
    add_claim(sold["plain"], "write_latency_us", 20, "us", note="typical, sequential")
    make_result(30, device=make_device(product=sold["fast"]))
    rank_everything()
    fast, plain, slow = (row[FIGURE] for row in rows(client))
    assert fast.startswith("30.0 µs measured: 4 KiB latency, diskinfo")
    assert plain == "Claim 88,000 IOPS Random writes, 4 kB, 800 GB, says maker"
    assert slow == "Claim 52 µs Write latency, says maker"


def test_endurance_is_drive_writes_a_day_or_total_writes(client, sold):
    add_claim(sold["slow"], "endurance_dwpd", "0.5", "DWPD")
    sold["plain"].endurance_tbw = [
        {"capacity_bytes": 10**12, "written_bytes": 10**15},
        {"capacity_bytes": None, "written_bytes": 3 * 10**15},
    ]
    sold["plain"].save()
    assert [row["Rated endurance"] for row in rows(client)] == ["1 to 3 DWPD", "up to 3,000 TB", "0.5 DWPD"]
    assert names(client, "dwpd=0.5") == ["Aldera Fast", "Borea Slow"]


def test_the_strongest_source_of_the_value_is_linked(client, sold):
    page = Page(client.get("/products/"))
    shown = [row["Power-loss protection"] for row in page.rows()]
    assert shown[:2] == ["Protected maker's data sheet or manual", "Protection unknown"]
    assert page.links["maker's data sheet or manual"] == "https://a.example/sheet"


def test_results_that_are_not_ranked_are_mentioned(client, sold):
    make_result(20, device=make_device(product=sold["fast"]), not_ranked_reason="cut short")
    rank_everything()
    assert "measured, but not ranked" in client.get("/products/").content.decode()


def test_form_redirects_to_the_canonical_url(client, subtests):
    for query, shorter in [
        ("q=&class=&plp=no&currency=USD&sort=protected&price=", "?plp=no"),
        ("dwpd=0.50&page=1", "?dwpd=0.5"),
        ("q=+fast++one+", "?q=fast+one"),
    ]:
        with subtests.test(query=query):
            response = client.get(f"/products/?{query}", follow=True)
            assert response.redirect_chain[-1] == (f"/products/{shorter}", 302)


def test_a_line_has_the_capacities_that_its_endurance_is_stated_for(client):
    make_product(name="Fast", endurance_tbw=[{"capacity_bytes": 10**12, "written_bytes": 10**15}])
    make_product(name="Unrated")
    assert names(client, "capacity=1-4tb") == ["Aldera Fast"]
    assert names(client, "capacity=from-4tb") == []


def test_fact_columns_need_no_more_queries(client, django_assert_num_queries, today):
    product = make_product(name="Fast", launch_year=2018)
    make_price(product, price=48, seen_on="2023-03", capacity_bytes=960 * 10**9)
    with django_assert_num_queries(6):
        (row,) = rows(client, "columns=launch_year,latest_price,price_per_gb")
    assert [*row.values()][-3:] == ["2018", "$48 last seen 14 months ago", "$0.05 last seen 14 months ago"]


def test_protected_and_new_lines_come_first_in_their_class(client):
    make_product(name="Doubted", plp="unknown", device_class="nvme", launch_year=2025)
    for name, year in (("Old", 2014), ("Unknown", None), ("New", 2024)):
        make_protected_product(name=f"Safe {name}", device_class="nvme", launch_year=year)
    make_protected_product(name="Other class", device_class="sata_ssd", launch_year=2026)
    assert [name.removeprefix("Aldera ") for name in names(client)] == [
        "Safe New",
        "Safe Old",
        "Safe Unknown",
        "Doubted",
        "Other class",
    ]
