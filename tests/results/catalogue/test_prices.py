"""Prices as people write them, their ages, and which one of twelve months is shown."""

import re
from datetime import date
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from results.catalogue.prices import (
    OFFERS,
    Price,
    load_line_prices,
    load_shown,
    load_sightings,
    load_sightings_of,
    mark_shown,
    read_price,
    summarize,
)
from results.core.prices import PROBABLY_LISTED, Sighting, age_in_words, end_of_period, is_seen_fresh
from results.models import LifeCycle, PriceSighting
from tests.factories import make_price, make_product
from tests.page import Page

TODAY = date(2024, 6, 30)


def seen(seen_on="2024-05-17", price=100, **values):
    defaults = {
        "product_id": 1,
        "capacity_bytes": 10**12,
        "currency": "USD",
        "condition": "new",
        "seller_kind": "shop",
        "source_url": "https://shop.example/",
    }
    return Sighting(**{**defaults, "seen_on": seen_on, "amount": Decimal(price), **values})


@pytest.mark.parametrize(
    ("seen_on", "launch_year", "condition", "words"),
    [
        ("2020-12-31", 2014, "new", "new"),
        ("2021-01-01", 2014, "new", PROBABLY_LISTED),
        ("2025", 2014, "new", PROBABLY_LISTED),
        ("2025-07-23", None, "new", "new"),
        ("2025-07-23", 2014, "used", "used"),
        ("2025-07-23", 2014, "", ""),
    ],
)
def test_new_long_after_the_launch_is_probably_a_marketplaces_word(seen_on, launch_year, condition, words):
    sighting = seen(seen_on, condition=condition, launch_year=launch_year)
    assert sighting.stated_condition == words


@pytest.mark.django_db
def test_pages_say_where_a_new_price_is_probably_a_marketplace_listing(client):
    product = make_product(slug="old", launch_year=2014)
    make_price(product, price=185, seen_on="2025-07-23")
    others = make_product(slug="source", launch_year=None)
    LifeCycle.objects.create(product=others, launched_on="2012", source_url="https://a.example/")
    make_price(others, price=99, seen_on="2025-07-23")
    recent = make_product(slug="recent", launch_year=2021)
    make_price(recent, price=99, seen_on="2025-07-23")
    for slug, count in (("old", 2), ("source", 2), ("recent", 0)):
        page = client.get(f"/products/{slug}/").text
        assert page.lower().count(PROBABLY_LISTED) == count, slug
    assert PROBABLY_LISTED in client.get("/products/?price=1000").text
    assert f"$185 {PROBABLY_LISTED}, last seen" in Page(client.get("/shortlist/?plp=any")).text


def test_prices_are_read_with_or_without_their_currency(subtests):
    for text, price in [
        ("45", (45, "USD")),
        ("$45", (45, "USD")),
        ("45 $", (45, "USD")),
        ("45.50 EUR", (45.5, "EUR")),
        ("EUR 45", (45, "EUR")),
        ("€45", (45, "EUR")),
        ("45€", (45, "EUR")),
        ("45 chf", (45, "CHF")),
        ("1,200", (1200, "USD")),
        ("$12,345.90", (Decimal("12345.90"), "USD")),
    ]:
        with subtests.test(text=text):
            assert read_price(text) == Price(*price)
    assert (read_price(""), read_price("45", currency="")) == (None, (45, ""))


def test_other_prices_are_refused_with_what_to_write(subtests):
    unread = {
        text: f"We couldn’t read “{text}”. Write it like 45, $45 or 45 EUR."
        for text in ("-1", "$45 EUR", "free", "12,00", "1.000", "1,2000", "1e3", "٣")
    }
    for text, message in {
        **unread,
        "45 XXX": "We don’t know the currency XXX. We have prices in AUD, ",
        "0": "Enter more than 0 and at most 1,000,000, not 0.",
        "2,000,000": "Enter more than 0 and at most 1,000,000, not 2,000,000.",
    }.items():
        with subtests.test(text=text), pytest.raises(ValueError, match=re.escape(message)):
            read_price(text)


def test_a_partial_date_counts_from_the_end_of_its_period(subtests):
    for seen_on, end in [
        ("2018", date(2018, 12, 31)),
        ("2018-01", date(2018, 1, 31)),
        ("2024-02", date(2024, 2, 29)),
        ("2018-01-30", date(2018, 1, 30)),
    ]:
        with subtests.test(seen_on=seen_on):
            assert end_of_period(seen_on) == end


def test_an_age_is_stated_in_words(subtests):
    for seen_on, age, is_fresh in [
        ("2024", "this year", True),
        ("2024-07", "this month", True),
        ("2024-06-30", "today", True),
        ("2024-06", "today", True),
        ("2024-06-29", "1 day ago", True),
        ("2024-05-31", "30 days ago", True),
        ("2024-05-30", "1 month ago", True),
        ("2023-06-30", "12 months ago", True),
        ("2023-06-29", "12 months ago", False),
        ("2023-04", "14 months ago", False),
        ("2022-07-01", "23 months ago", False),
        ("2022-06-30", "2 years ago", False),
        ("2021-10-01", "3 years ago", False),
        ("2011", "in 2011", False),
    ]:
        with subtests.test(seen_on=seen_on, age=age):
            assert (age_in_words(seen_on, TODAY), is_seen_fresh(seen_on, TODAY)) == (age, is_fresh)


def test_a_leap_day_is_fresh_for_a_year():
    assert is_seen_fresh("2024-02-29", date(2025, 2, 28))
    assert not is_seen_fresh("2024-02-29", date(2025, 3, 1))
    assert age_in_words("2024-02-29", date(2025, 2, 28)) == "11 months ago"


def test_sighting_is_an_offer_new_or_used(subtests):
    for condition, seller_kind, offer in [
        ("new", "marketplace", "new"),
        ("used", "shop", "used"),
        ("refurbished", "shop", "used"),
        ("", "shop", "new"),
        ("", "press", "new"),
        ("", "marketplace", "used"),
        ("launch_msrp", "press", None),
    ]:
        with subtests.test(condition=condition, seller_kind=seller_kind):
            assert seen(condition=condition, seller_kind=seller_kind).offer == offer


def test_the_middle_price_of_the_twelve_months_before_the_newest_sighting_is_shown():
    (summary,) = summarize(
        [seen("2020-03-01", 50), seen("2019-03-01", 60), seen("2019-02-28", 1), seen("2019-09", 100)]
    )
    assert (summary.newest.amount, summary.shown.amount, len(summary.recent)) == (50, 60, 3)
    assert summary.recent[-1].seen_on == "2019-03-01"


@pytest.mark.parametrize(
    ("prices", "shown"),
    [([100, 30], "seen 1"), ([10, 20, 30, 40], "seen 3"), ([70, 50, 50, 20], "seen 2"), ([100], "seen 1")],
)
def test_the_dearer_of_two_middle_prices_and_the_newest_of_equal_ones_is_shown(prices, shown):
    (summary,) = summarize(
        seen(f"2024-05-{20 - place}", price, source_url=f"seen {place}")
        for place, price in enumerate(prices, start=1)
    )
    assert summary.shown.source_url == shown


def test_capacities_currencies_and_offers_are_separate_without_list_prices():
    summaries = summarize(
        [
            seen(price=1, capacity_bytes=2 * 10**12),
            seen(price=2, condition="used"),
            seen(price=3, currency="EUR"),
            seen(price=4, condition="launch_msrp"),
            seen(price=5),
        ]
    )
    assert [summary.shown.amount for summary in summaries] == [3, 5, 2, 1]


@pytest.mark.django_db
def test_shown_prices_of_many_products_need_one_query(django_assert_num_queries):
    first, second = make_product(), make_product()
    make_price(first, price=90, seen_on="2022")
    make_price(first, price=80, seen_on="2024-01-01")
    make_price(first, price=40, condition="refurbished")
    make_price(first, price=70, currency="EUR")
    make_price(first, price=1, condition="launch_msrp", seen_on="2024-06")
    make_price(second, price=60, capacity_bytes=None)
    with django_assert_num_queries(1):
        found = load_shown([first.pk, second.pk])
    assert [(price.product_id, price.amount) for price in found] == [
        (first.pk, 80),
        (first.pk, 40),
        (second.pk, 60),
    ]
    assert [sighting.amount for sighting in load_shown(offers=["used"])] == [40]
    assert [sighting.amount for sighting in load_shown([first.pk], currency="EUR")] == [70]


@pytest.mark.django_db
def test_sightings_are_loaded_newest_first(django_assert_num_queries):
    product = make_product()
    for price, seen_on in ((1, "2023-12-30"), (2, "2023"), (3, "2024-01")):
        make_price(product, price=price, seen_on=seen_on)
    with django_assert_num_queries(1):
        assert [sighting.amount for sighting in load_sightings([product.pk])] == [3, 2, 1]
    launch_year = load_sightings([product.pk])[0].launch_year
    assert load_sightings_of({product.pk: launch_year}) == load_sightings([product.pk])


@pytest.mark.django_db
def test_database_refuses_invalid_prices(subtests):
    product = make_product()
    for values in [
        {"price": 0},
        {"price": 2_000_001},
        {"seen_on": "1979-12"},
        {"seen_on": "2101"},
        {"seen_on": "May 2024"},
        {"currency": "usd"},
    ]:
        with subtests.test(values=values):
            with pytest.raises(IntegrityError), transaction.atomic():
                make_price(product, **values)
            assert not PriceSighting.objects.exists()


@pytest.mark.django_db
def test_the_database_stores_a_sighting_once():
    made = make_price(make_product(), capacity_bytes=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        make_price(made.product, capacity_bytes=None, source_url=made.source_url)


@pytest.mark.django_db
def test_a_line_is_listed_at_its_cheapest_price_of_the_latest_year_in_each_currency():
    product = make_product()
    make_price(product, price=20, seen_on="2019-03")
    make_price(product, price=90, seen_on="2024-01", capacity_bytes=960 * 10**9)
    make_price(product, price=70, seen_on="2024-02", capacity_bytes=1920 * 10**9)
    make_price(product, price=60, seen_on="2023-12", condition="used")
    make_price(product, price=10, seen_on="2024", condition="launch_msrp")
    make_price(product, price=80, seen_on="2020", currency="EUR")

    def listed(*offers):
        return {price.currency: price.amount for price in load_line_prices([product.pk], offers or OFFERS)}

    assert listed() == {"USD": 70, "EUR": 80}
    assert (listed("used"), listed("new")) == ({"USD": 60}, {"USD": 70, "EUR": 80})
    product.prices.filter(price=70).delete()
    mark_shown([product.pk])
    assert listed() == {"USD": 90, "EUR": 80}


def test_a_price_from_before_flash_became_expensive_says_so():
    assert age_in_words("2025-12", date(2026, 11, 29)) == "10 months ago, before prices rose"
    assert age_in_words("2025", date(2026, 11, 29)) == "in 2025, before prices rose"
    assert age_in_words("2026-01-02", date(2026, 11, 29)) == "10 months ago"
    assert age_in_words("2024-05", date(2025, 11, 29)) == "17 months ago"
