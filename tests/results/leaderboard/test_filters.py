"""The leaderboard narrowed by price, endurance, speed, evidence and conditions, and with columns of product facts."""

import csv
import re
from io import StringIO

import pytest

from tests.factories import make_price, make_product, make_protected_product, make_result, rank_everything
from tests.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("board")]


@pytest.fixture
def board():
    """One that is protected, dear and fast, one that is cheap and slow, and one of no product."""
    dear = make_protected_product(endurance_dwpd_low=1, endurance_dwpd_high=10, endurance_years=5)
    cheap = make_product(endurance_tbw=[{"capacity_bytes": 480 * 10**9, "written_bytes": 4 * 10**14}])
    make_price(dear, price=300, seen_on="2024-06")
    make_price(dear, price=90, condition="used", seen_on="2022")
    make_price(cheap, price=50, seen_on="2024-06-01")
    make_result(
        20,
        device__model_name="Dear",
        device__product=dear,
        platform="FreeBSD 13.1-RELEASE amd64",
        write_cache_enabled=True,
    )
    make_result(
        900,
        device__model_name="Cheap",
        device__product=cheap,
        platform="x86_64-linux-6.1.0",
        write_cache_enabled=False,
    )
    make_result(100, device__model_name="Other")
    rank_everything()


def names(client, query):
    response = client.get(f"/leaderboard/?view=table&{query}")
    return [re.search("Dear|Cheap|Other", row["Device"])[0] for row in Page(response).rows()]


def test_rows_are_in_the_order_of_a_fact(client, subtests):
    for query, expected in [
        ("sort=latest_price", ["Cheap", "Dear", "Other"]),
        ("sort=-latest_price", ["Dear", "Cheap", "Other"]),
        ("sort=endurance_dwpd", ["Dear", "Cheap", "Other"]),
    ]:
        with subtests.test(query=query):
            assert names(client, query) == expected
            ordering = {"sort=endurance_dwpd": "ordering=-endurance_dwpd"}.get(
                query, query.replace("sort=", "ordering=")
            )
            api = client.get(f"/api/v1/leaderboard/?{ordering}").json()["results"]
            assert [row["device"]["model_name"] for row in api] == expected


@pytest.mark.usefixtures("today")
def test_columns_show_facts_with_their_age(client):
    page = Page(client.get("/leaderboard/?view=table&columns=latest_price,carries_gbe"))
    assert [row[-3:-1] for row in page.tables[0][1:]] == [
        ["$300 seen today", "100 GbE"],
        ["–", "100 GbE"],
        ["$50 seen 29 days ago", "40 GbE"],
    ]


@pytest.mark.usefixtures("today")
def test_exports_have_the_same_columns(client):
    query = "columns=latest_price,form_factors&q=Dear"
    (taken,) = csv.DictReader(StringIO(client.get(f"/leaderboard.csv?{query}").getvalue().decode()))
    names = ("latest_price", "seen_latest_price", "form_factors")
    assert tuple(taken[name] for name in names) == ("300.0", "2024-06", "")
    assert taken["price_currency"] == "USD"
    in_euros = client.get(f"/leaderboard.csv?{query}&currency=EUR").getvalue().decode()
    (other,) = csv.DictReader(StringIO(in_euros))
    assert (other["price_currency"], other["latest_price"]) == ("EUR", "")
    assert "| $300, seen today |" in client.get(f"/leaderboard.md?{query}").text
    assert "[td]$300, seen today[/td]" in client.get(f"/leaderboard.bbcode?{query}").text


def test_the_default_page_has_no_fact_columns_and_links_to_more_fields(client):
    page, added = Page(client.get("/leaderboard/")), {"price", "dwpd", "currency", "columns"}
    assert page.root.find_class("added") == []
    assert not added & page.fields.keys()
    assert added < Page(client.get(page.links["Price, speed, columns"])).fields.keys()


def test_checkbox_parameters_redirect_to_the_canonical_url(client):
    response = client.get(
        "/leaderboard/?columns=carries_gbe&columns=latest_price&price=&dwpd=1.50", follow=True
    )
    assert response.redirect_chain == [
        ("/leaderboard/?columns=carries_gbe,latest_price&dwpd=1.50", 302),
        ("/leaderboard/?dwpd=1.5&columns=latest_price,carries_gbe", 302),
    ]


def test_a_chip_removes_each_limit(client):
    links = Page(client.get("/leaderboard/?price=100&link_gbit=1&system=linux")).links
    for chip, url in (
        ("Price at most $100", "/leaderboard/?link_gbit=1&system=linux"),
        ("Fast enough for: 1 GbE", "/leaderboard/?price=100&system=linux"),
        ("Measured on: Linux, TrueNAS SCALE", "/leaderboard/?price=100&link_gbit=1"),
    ):
        assert links[f"Without {chip}"] == url


def test_devices_left_out_by_a_maximum_price_are_counted_and_linked(client, subtests):
    for query, expected, link in [
        ("price=100", "1 device left out: no known price in USD.", "priced=no"),
        ("price=100&currency=EUR", "3 devices left out: no known price in EUR.", "priced=no&currency=EUR"),
        ("q=Other&price=100", "1 device left out", "priced=no&q=Other"),
        *((query, "", "") for query in ("", "price=100&priced=yes", "q=Dear&price=100", "price=100&q=Cheap")),
    ]:
        with subtests.test(query=query):
            page = Page(client.get(f"/leaderboard/?{query}"))
            assert (expected in page.text, "left out:" in page.text) == (True, bool(expected))
            assert page.links.get("Show them", "") == (f"/leaderboard/?{link}" if link else "")


def test_other_limits_state_that_unknown_devices_are_left_out(client, subtests):
    for query, is_stated in [("dwpd=3", True), ("price=100", False), ("", False)]:
        with subtests.test(query=query):
            page = client.get(f"/leaderboard/?{query}").text
            assert ("Devices are left out if we don’t know a value you filter by." in page) is is_stated
