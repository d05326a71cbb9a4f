"""The suggestions of the comparison before a device is chosen."""

import pytest

from tests.factories import make_device, make_product, make_protected_product, make_result, rank_everything
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db


def measured(slug, latency_us, *, units=1, product=None, **device):
    product = product or make_protected_product(name=slug.title())
    page = make_device(
        slug=slug, model_name=slug.upper(), capacity_bytes=280_000_000_000, product=product, **device
    )
    for _ in range(units):
        make_result(latency_us, device=page, submission__is_approved=True)


@pytest.fixture
def _devices():
    measured("fast", 20, product=make_product())
    measured("safe", 90, units=8)
    measured("slow", 3000)
    for slug in ("disk", "twin"):
        measured(slug, 5000, units=3, device_class="hdd")
    measured("alone", 15, device_class="optane")
    rank_everything()


def offered(client):
    """The offers by title, and the pairs by class: for each the address and what is said of it."""
    page = Page(client.get("/compare/")).root
    offers, pairs = (
        [
            (offer.find("a").get("href"), *map(text_of, offer))
            for offer in page.xpath(f"//*[@id='{name}']/..//li")
        ]
        for name in ("begin", "pairs")
    )
    return (
        {title: (url, names) for url, title, names in offers},
        {label: (url, said.partition(": ")[2]) for url, label, _, said in pairs},
    )


def test_the_field_hints_at_comparing_two(client):
    make_product(slug="p1600x", name="P1600X")
    make_product(slug="900p", name="900P")
    assert 'placeholder="P1600X vs 900P"' in client.get("/compare/").text
    page = Page(client.get("/compare/?add=P1600X+vs+900P", follow=True))
    assert len(page.root.findall(".//li[@data-slug]")) == 2


@pytest.mark.usefixtures("_devices")
def test_the_best_the_most_measured_and_pairs_of_one_class_are_offered(client):
    offers, pairs = offered(client)
    assert offers["The best choices in 3 classes"][0] == "/compare/?devices=alone,safe,disk"
    url, names = offers["Measured most often"]
    assert url == "/compare/?devices=safe,disk,twin,alone,fast,slow"
    assert names.startswith("Aldera Safe 280 GB, Aldera Disk 280 GB, ")
    assert pairs["NVMe SSD"] == ("/compare/?devices=safe,slow", "probably different")
    assert pairs["Hard disk"] == ("/compare/?devices=disk,twin", "too close to call")
    assert "Optane" not in pairs  # one alone is no pair
    page = client.get("/compare/")
    assert "Aldera Safe 280 GB vs. Aldera Slow 280 GB" in page.text
    first = Page(page).root.find(".//option")
    assert (first.get("value"), first.text) == ("alone", "Aldera Alone 280 GB")
    for url, _ in (*offers.values(), *pairs.values()):
        assert Page(client.get(url)).tables


def test_anonymous_results_offer_no_best_choice(client):
    for latency_us in (20, 30):
        make_result(latency_us, device=make_device(product=make_protected_product()))
    rank_everything()
    offers, pairs = offered(client)
    assert (list(offers), pairs) == (["Measured most often"], {})


def test_empty_site_explains_what_to_do(client):
    assert offered(client) == ({}, {})
    assert "A comparison needs two measured devices." in client.get("/compare/").text


@pytest.mark.usefixtures("_devices")
def test_nothing_is_offered_once_a_device_is_chosen(client):
    for query in ("devices=fast", "add=fa"):
        assert "More to compare" not in client.get(f"/compare/?{query}", follow=True).text
