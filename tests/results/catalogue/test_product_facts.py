"""Facts of products, devices and ranked devices, in lists and in the API."""

import pytest

from results.catalogue.product_facts import (
    DEVICES,
    FACTS,
    PRODUCTS,
    RANKINGS,
    expressions,
    fact_cells,
    fact_record,
)
from results.models import Device, DeviceRanking, Product
from tests.factories import make_claim, make_price, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db
ENDURANCE = [
    {"capacity_bytes": 480 * 10**9, "written_bytes": 10**15},
    {"capacity_bytes": 960 * 10**9, "written_bytes": 2 * 10**15},
]


@pytest.fixture
def product():
    made = make_product(form_factors="M.2", launch_year=2018, endurance_tbw=ENDURANCE)
    make_claim(made, 3, quantity="endurance_dwpd", unit="DWPD")
    made.life_cycle.create(end_of_sale="last orders 2023", source_url="https://a.example/")
    make_price(made, price=48, seen_on="2024-02")
    make_price(made, price=48, seen_on="2024-01-31", capacity_bytes=960 * 10**9)
    make_price(made, price=20, seen_on="2023-03", condition="used", capacity_bytes=960 * 10**9)
    make_price(made, price=40, currency="EUR")
    for latency_us, capacity in ((100, 480_103_981_056), (150, 960_197_124_096)):
        make_result(latency_us, device__capacity_bytes=capacity, device__product=made)
    rank_everything()
    return made


def record(rows, scope, **found):
    return fact_record(
        rows.filter(**found).values(**expressions(FACTS.values(), scope)).get(), FACTS.values()
    )


def test_product_facts_are_the_best_of_its_capacities_and_the_latest_year(product, django_assert_num_queries):
    with django_assert_num_queries(1):
        facts = record(Product.objects, PRODUCTS, pk=product.pk)
    assert facts == {
        "endurance_tbw": None,
        "endurance_dwpd": 3.0,
        "form_factors": "M.2",
        "launch_year": 2018,
        "end_of_sale": "last orders 2023",
        "latest_price": 48.0,
        "seen_latest_price": "2024-02",
        "price_per_gb": pytest.approx(48 / 960),
        "seen_price_per_gb": "2024-01-31",
        "carries_gbe": 100.0,
        "carries_gbe_on_paper": None,
        "price_currency": "USD",
    }


@pytest.mark.parametrize(
    ("table", "scope", "path"), [(Device, DEVICES, ""), (DeviceRanking, RANKINGS, "device__")]
)
def test_device_facts_are_those_of_its_capacity(product, table, scope, path):
    found = {f"{path}product": product, f"{path}capacity_bytes__lt": 5 * 10**11}
    found |= {"board": "sync_write"} if path else {}
    facts = record(table.objects, scope, **found)
    assert (facts["endurance_tbw"], facts["endurance_dwpd"]) == (1000.0, 1.14)
    assert (facts["latest_price"], facts["seen_latest_price"]) == (48.0, "2024-02")
    assert (facts["price_per_gb"], facts["carries_gbe"]) == (0.1, 100.0)


def test_unknown_facts_are_null_and_a_dash(today):
    made = make_result()
    rank_everything()
    for_device = Device.objects.filter(pk=made.device_id).values(**expressions(FACTS.values(), DEVICES)).get()
    shown = {cell.fact.key: cell.value for cell in fact_cells(for_device, FACTS.values(), DEVICES, today)}
    assert {key for key, value in shown.items() if value != "–"} <= {"carries_gbe"}
    bare = make_product()
    assert set(record(Product.objects, PRODUCTS, pk=bare.pk).values()) == {None, "USD"}


def test_cells_have_their_units_and_prices_their_age(product, today):
    row = Product.objects.values(**expressions(FACTS.values(), PRODUCTS)).get()
    cells = fact_cells(row, FACTS.values(), PRODUCTS, today)
    assert [(cell.value, cell.age, cell.is_stale) for cell in cells] == [
        ("–", "", False),
        ("3", "", False),
        ("M.2", "", False),
        ("2018", "", False),
        ("last orders 2023", "", False),
        ("$48", "seen 4 months ago", False),
        ("$0.05", "seen 4 months ago", False),
        ("100 GbE", "", False),
        ("–", "", False),
    ]


def test_launch_year_is_that_of_the_earliest_source():
    made = make_product()
    for launched_on in ("2019-03", "2018-11-05"):
        made.life_cycle.create(launched_on=launched_on, source_url="https://a.example/")
    assert record(Product.objects, PRODUCTS, pk=made.pk)["launch_year"] == 2018


def test_drive_writes_of_a_capacity_agree_with_its_tbw():
    made = make_product(endurance_dwpd_low=10, endurance_dwpd_high=17, endurance_years=5)
    make_claim(made, 7300, quantity="endurance_tbw", unit="TB", capacity_bytes=400 * 10**9)
    for capacity in (400_088_457_216, 1_600_321_314_816):
        make_result(device__product=made, device__capacity_bytes=capacity)
    rank_everything()
    facts = [FACTS["endurance_tbw"], FACTS["endurance_dwpd"]]
    rows = Device.objects.order_by("capacity_bytes").values(**expressions(facts, DEVICES))
    assert [tuple(row.values()) for row in rows] == [(7300, 10), (None, 10)]
    (line,) = Product.objects.values(**expressions(facts, PRODUCTS))
    assert line["fact_endurance_dwpd"] == 17
