"""Stated facts as pages show them."""

import pytest

from results.catalogue.stated import stated_context, stated_facts
from tests.factories import make_facts, make_product

pytestmark = pytest.mark.django_db
SOURCE = "https://a.example/s1"
LINK = {"url": SOURCE, "site": "a.example", "page": "a.example: s1"}
CLAIM = {"quantity": "write_latency_us", "stated_by": "maker", "source_url": SOURCE}
PRICE = {"currency": "USD", "seller_kind": "shop", "source_url": SOURCE}


def shown(product, capacity_bytes=None):
    return stated_context(stated_facts(product.pk, capacity_bytes))


def test_a_product_without_facts_has_nothing_to_show():
    assert not any(shown(make_product()).values())


def test_a_fact_comes_with_its_source(django_assert_num_queries):
    product = make_product()
    make_facts(product)
    with django_assert_num_queries(4):
        stated = shown(product)
    sites = [one["source"]["site"] for name in ("caveats", "prices", "claims") for one in stated[name]]
    assert sites == ["caveats.example", "prices.example", "claims.example"]
    life_cycle = [(one["label"], one["sources"][0]) for one in stated["life_cycle"]]
    assert [(label, source["site"], source["note"]) for label, source in life_cycle] == [
        ("Launched", "life.example", "announced"),
        ("End of sale", "life.example", ""),
        ("Successor", "life.example", ""),
    ]


@pytest.mark.parametrize(
    ("values", "stated"),
    [
        ({"value": 20, "unit": "us"}, "20 µs"),
        ({"value": "7.5", "unit": "W", "is_below": True}, "under 7.5 W"),
        ({"value": 2_000_000, "unit": "hours"}, "2,000,000 hours"),
        ({"value": 3, "unit": "DWPD"}, "3 a day"),
        ({"text": "3D TLC"}, "3D TLC"),
    ],
)
def test_a_figure_has_its_unit(values, stated):
    product = make_product()
    product.claims.create(**CLAIM, **values)
    assert shown(product)["claims"][0]["stated"] == stated


def test_claims_are_in_the_order_of_quantities_and_capacities():
    product = make_product()
    for quantity, capacity in (("nand", None), ("endurance_tbw", 10**12), ("endurance_tbw", 10**11)):
        values = {"text": "TLC"} if quantity == "nand" else {"value": 1, "unit": "TB"}
        product.claims.create(**{**CLAIM, "quantity": quantity}, capacity_bytes=capacity, **values)
    found = [(one["quantity"], one["capacity"]) for one in shown(product)["claims"]]
    assert found == [("Endurance, written", "100 GB"), ("Endurance, written", "1 TB"), ("Flash", "all")]


def test_of_each_capacity_the_latest_price_is_shown_first():
    product = make_product()
    for capacity, price, seen_on in [
        (10**12, 100, "2024"),
        (10**11, 30, "2017-12-07"),
        (10**12, 90, "2024-05-14"),
        (10**12, 80, "2023-07-05"),
    ]:
        product.prices.create(**PRICE, capacity_bytes=capacity, price=price, seen_on=seen_on)
    stated = shown(product)
    assert stated["last_seen"] == [
        {
            "seen_on": "2017-12-07",
            "capacity": "100 GB",
            "price": "30.00 USD",
            "offer": "condition not stated, shop",
            "source": LINK,
        },
        {
            "seen_on": "2024-05-14",
            "capacity": "1 TB",
            "price": "90.00 USD",
            "offer": "condition not stated, shop",
            "source": LINK,
        },
    ]
    assert [one["price"] for one in stated["prices"]] == ["90.00 USD", "100.00 USD", "80.00 USD", "30.00 USD"]


def test_what_two_sources_say_of_a_life_cycle_is_said_once():
    product = make_product()
    for address, note in ((SOURCE, "announced"), ("https://b.example/", "")):
        product.life_cycle.create(launched_on="2017", source_url=address, note=note)
    product.life_cycle.create(source_url=SOURCE, note="older than the S2")
    launched, remark = shown(product)["life_cycle"]
    assert (launched["label"], launched["value"]) == ("Launched", "2017")
    assert [(one["site"], one["note"]) for one in launched["sources"]] == [
        ("a.example", "announced"),
        ("b.example", ""),
    ]
    assert (remark["label"], remark["value"], remark["sources"]) == (
        "Note",
        "older than the S2",
        [{**LINK, "note": ""}],
    )


def test_the_gravest_problems_come_first():
    product = make_product()
    for kind in ("platform_limit", "firmware_bug"):
        product.caveats.create(kind=kind, summary="One.", source_url=SOURCE)
    assert [one["kind"] for one in shown(product)["caveats"]] == ["Firmware bug", "Limits"]
