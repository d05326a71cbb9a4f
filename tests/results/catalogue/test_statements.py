"""Stated facts as pages show them."""

import pytest

from results.catalogue.statements import (
    MAX_PRICES,
    ClaimRange,
    ShownFacts,
    Stage,
    stated_facts,
    stated_on_page,
)
from tests.factories import make_claim, make_price, make_product
from tests.page import Page

pytestmark = pytest.mark.django_db
SOURCE = "https://a.example/s1"


def shown(product, capacity_bytes=None):
    return stated_on_page(stated_facts(product.pk).about(capacity_bytes))


def test_a_product_without_facts_has_nothing_to_show():
    assert shown(make_product()) == ShownFacts([], [], None, [], [])


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
    make_claim(product, **{"value": None, "unit": "", **values})
    assert shown(product).claims[0].stated == stated


def test_claims_are_in_the_order_of_quantities_and_capacities():
    product = make_product()
    make_claim(product, None, quantity="nand", unit="", text="TLC")
    for capacity in (10**12, 10**11):
        make_claim(product, 1, quantity="endurance_tbw", unit="TB", capacity_bytes=capacity)
    found = [(claim.quantity, claim.capacity_bytes) for claim in shown(product).claims]
    assert found == [("endurance_tbw", 10**11), ("endurance_tbw", 10**12), ("nand", None)]


def test_the_middle_price_of_each_capacity_is_shown_with_its_age(client, today):
    product = make_product(slug="aldera-s1")
    for capacity, price, seen_on in [
        (10**12, 100, "2024"),
        (10**11, "30.50", "2017-12-07"),
        (10**12, 90, "2024-05-14"),
        (10**12, 20, "2024-06-01"),
        (10**12, 80, "2023-07-05"),
    ]:
        make_price(product, source_url=SOURCE, capacity_bytes=capacity, price=price, seen_on=seen_on)
    make_price(product, capacity_bytes=10**12, price=700, seen_on="2016", condition="launch_msrp")
    page = Page(client.get("/products/aldera-s1/"))
    assert "$90 for 1 TB New, seen 1 month ago: a.example" in page.text
    assert "Middle of 3 prices, 2024-05-14 to 2024; newest $100" in page.text
    assert "100 GB $30.50 new, last seen 7 years ago a.example" in page.text
    assert [row["Price"] for row in page.rows()] == ["$100", "$20", "$90", "$80", "$30.50", "$700"]


def test_prices_are_charted_in_the_most_common_currency():
    product = make_product()
    make_price(product, price=5, currency="EUR")
    for number, seen_on in enumerate(("2017", "2018-03", "2019-04-30")):
        facts = stated_facts(product.pk)
        assert stated_on_page(facts, has_chart=True).prices.chart is None  # of fewer than three
        make_price(product, price=100 + number, seen_on=seen_on, condition="used")
    make_price(product, price=700, seen_on="2016", condition="launch_msrp")
    facts = stated_facts(product.pk)
    chart = stated_on_page(facts, has_chart=True).prices.chart
    assert (chart.svg.count("<circle"), chart.svg.count(' used"'), chart.leaves_out) == (3, 3, True)
    assert "<title>480 GB: $101, used, 2018-03</title>" in chart.svg
    assert ">2017</text>" in chart.svg
    assert ">2019</text>" in chart.svg
    assert chart.capacities == [480 * 10**9]
    assert stated_on_page(facts).prices.chart is None


def test_newest_of_very_many_prices_are_listed_and_the_middle_one_stays_the_price():
    product = make_product()
    make_price(product, price=1000, capacity_bytes=10**12, seen_on="2015")
    middle = MAX_PRICES // 2 + 1
    for price in range(1, MAX_PRICES + 2):
        seen_on = "2018-01" if price == middle else "2018-03"
        make_price(product, price=price, capacity_bytes=10**11, seen_on=seen_on)
    listed = [other.amount for other in stated_facts(product.pk).prices]
    assert (len(listed), middle in listed) == (MAX_PRICES, True)
    assert [summary.shown.amount for summary in shown(product).prices.summaries] == [middle, 1000]


def test_claim_is_shown_beside_the_measurement():
    product = make_product()
    for quantity, value, unit, note in [
        ("write_latency_us", 20, "us", "typical random"),
        ("write_latency_us", 5, "us", "sequential"),
        ("random_write_4k_iops", 50_000, "IOPS", ""),
        ("random_write_4k_iops", 40_000, "IOPS", ""),
        ("sequential_write_mb_s", 2000, "MB/s", ""),
    ]:
        make_claim(product, value, quantity=quantity, unit=unit, note=note)
    measured = [{"latency_4k_us": 200.0}, {"latency_4k_us": 250.0, "throughput_128k_mib_s": 500.0}]
    assert stated_on_page(stated_facts(product.pk), measured).compared == [
        ClaimRange("Write latency", "20 µs", "200–250 µs"),
        ClaimRange("Random writes, 4 kB", "up to 50,000 IOPS", "4,000–5,000 IOPS"),
        ClaimRange("Sequential writes", "up to 2,000 MB/s", "500 MiB/s"),
    ]


def test_life_cycle_stated_by_two_sources_is_shown_once():
    product = make_product()
    for address, note in ((SOURCE, "announced"), ("https://b.example/", "")):
        product.life_cycle.create(launched_on="2017", source_url=address, note=note)
    product.life_cycle.create(source_url=SOURCE, note="older than the S2")
    assert shown(product).life_cycle == [
        Stage("Launched", "2017", "", [(SOURCE, "announced"), ("https://b.example/", "")]),
        Stage("Note", "older than the S2", "", [(SOURCE, "")]),
    ]


def test_most_severe_problems_come_first():
    product = make_product()
    for kind in ("platform_limit", "firmware_bug"):
        product.caveats.create(kind=kind, summary="One.", source_url=SOURCE)
    assert [caveat.kind for caveat in shown(product).caveats] == ["firmware_bug", "platform_limit"]
