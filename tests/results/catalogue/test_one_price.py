"""One drive costs the same wherever somebody looks: the middle of three prices, of which the newest is an outlier."""

import re

import pytest

from tests.factories import (
    make_claim,
    make_device,
    make_price,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]
SIZE = 480 * 10**9


@pytest.fixture
def product():
    made = make_protected_product(name="P4801X", slug="p4801x", patterns=["^ALDERA P48"])
    make_claim(made, 2000, capacity_bytes=SIZE)
    for price, seen_on in ((80, "2024-04"), (90, "2024-03"), (5, "2024-06-01")):
        make_price(made, price=price, seen_on=seen_on, condition="used", capacity_bytes=SIZE)
    return made


def amounts(text):
    return re.findall(r"\$[\d,.]+\d", text)


def test_every_page_and_the_api_name_the_same_price(client, product):
    used = Page(client.get("/used-drive/?model=P4801X+480+GB&price=80")).text
    (listed,) = Page(client.get("/products/")).rows()
    offered = client.get("/api/v1/shortlist/?link_gbit=10").json()["on_paper"]["entries"][0]["price"]
    described = client.get("/api/v1/products/p4801x/").json()

    for url in ("/", "/shortlist/?link_gbit=10", "/products/p4801x/"):
        assert "$80" in amounts(Page(client.get(url)).text), url
    assert "about what a used one cost ($80, middle of 3 prices, seen 2 months ago)" in used
    assert amounts(listed["Price from"]) == ["$80"]
    assert (offered["amount"], offered["seen_on"]) == (80, "2024-04")
    assert (described["facts"]["latest_price"], described["facts"]["price_per_gb"]) == (80, 0.1667)
    assert [price["price"] for price in described["prices"]] == [5, 80, 90]


@pytest.mark.parametrize(
    ("new", "used"), [("2024-06", "2024-02"), ("2019-12-05", "2019"), ("2019-12", "2019-02-28")]
)
def test_of_a_new_and_a_used_price_all_pages_choose_the_same(client, new, used):
    product = make_protected_product(name="P4801X", slug="p4801x", interface="PCIe 3.0 x4 NVMe")
    make_price(product, price=200, seen_on=new, capacity_bytes=SIZE)
    make_price(product, price=50, seen_on=used, condition="used", capacity_bytes=SIZE)
    for slug in ("one", "two"):
        device = make_device(slug=slug, model_name=slug, product=product, capacity_bytes=SIZE)
        make_result(20, device=device, submission__is_approved=True)
    rank_everything()
    ranked = client.get("/api/v1/leaderboard/").json()["results"]
    (listed,) = Page(client.get("/products/")).rows()
    described = client.get("/api/v1/products/p4801x/").json()
    found = client.get("/api/v1/shortlist/?mib_s=1").json()["measured"]

    for url in ("/compare/?devices=one,two", "/devices/one/", "/products/p4801x/"):
        assert amounts(Page(client.get(url, follow=True)).text)[0] == "$50", url
    assert {row["facts"]["latest_price"] for row in ranked} == {50}
    assert {row["facts"]["price_per_gb"] for row in ranked} == {0.1042}
    assert amounts(listed["Price from"]) == ["$50"]
    assert described["facts"]["latest_price"] == 50
    assert {entry["price"]["amount"] for entry in [*found["entries"], *found["to_check"]]} == {50}
