"""The suggestions of the comparison before a device is chosen."""

import pytest

from results.core.public import MARK
from tests.factories import make_device, make_product, make_protected_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def measured(slug, latency_us, *, units=1, product=None, **device):
    product = product or make_protected_product(name=slug.title())
    one = make_device(
        slug=slug, model_name=slug.upper(), capacity_bytes=280_000_000_000, product=product, **device
    )
    for _ in range(units):
        make_result(latency_us, device=one, submission__is_approved=True)


@pytest.fixture
def _devices():
    measured("fast", 20, product=make_product())
    measured("safe", 90, units=8)
    measured("slow", 3000)
    for slug in ("disk", "twin"):
        measured(slug, 5000, units=3, device_class="hdd")
    measured("alone", 15, device_class="optane")
    rank_everything()


def summary(client, title):
    start = client.get("/compare/").context["page"].start
    return ", ".join(next(one.names for one in start.offers if one.title == title))


def offered(client):
    start = client.get("/compare/").context["page"].start
    return (
        {one.title: one.url for one in start.offers},
        {one.class_label: (one.url, one.verdict) for one in start.pairs},
    )


def test_the_field_hints_at_comparing_two(client):
    make_product(slug="p1600x", name="P1600X")
    make_product(slug="900p", name="900P")
    assert 'placeholder="P1600X vs 900P"' in client.get("/compare/").text
    assert len(client.get("/compare/?add=P1600X+vs+900P", follow=True).context["page"].columns) == 2


@pytest.mark.usefixtures("_devices")
def test_only_recommended_devices_are_offered_as_best(client):
    offers, pairs = offered(client)
    assert offers["The best choices in 3 classes"] == "/compare/?devices=alone,safe,disk"
    assert pairs["NVMe SSD"] == ("/compare/?devices=safe,slow", "probably different")


def test_anonymous_results_offer_no_best_choice(client):
    for latency_us in (20, 30):
        make_result(latency_us, device=make_device(product=make_protected_product()))
    rank_everything()
    offers, pairs = offered(client)
    assert (list(offers), pairs) == (["Measured most often"], {})


@pytest.mark.usefixtures("_devices")
def test_devices_with_most_units_come_first(client):
    offers, _ = offered(client)
    assert offers["Measured most often"] == "/compare/?devices=safe,disk,twin,alone,fast,slow"
    assert summary(client, "Measured most often").startswith("Aldera Safe 280 GB, Aldera Disk 280 GB, ")
    first, *_ = client.get("/compare/").context["page"].suggested
    assert (first.slug, first.full_name) == ("alone", "Aldera Alone 280 GB")


@pytest.mark.usefixtures("_devices")
def test_pair_states_whether_it_is_too_close_to_call(client):
    _, pairs = offered(client)
    assert pairs["Hard disk"] == ("/compare/?devices=disk,twin", "too close to call")
    assert "Optane" not in pairs  # one alone is no pair
    assert "Aldera Safe 280 GB vs. Aldera Slow 280 GB" in client.get("/compare/").text


@pytest.mark.usefixtures("_devices")
def test_every_offer_links_to_a_comparison(client):
    offers, pairs = offered(client)
    for url in (*offers.values(), *(url for url, _ in pairs.values())):
        assert client.get(url).context["page"].sections


def test_empty_site_explains_what_to_do(client):
    assert offered(client) == ({}, {})
    assert "A comparison needs two measured devices." in client.get("/compare/").text


@pytest.mark.usefixtures("_devices")
def test_nothing_is_offered_once_a_device_is_chosen(client):
    for query in ("devices=fast", "add=fa"):
        assert client.get(f"/compare/?{query}", follow=True).context["page"].start is None


@pytest.mark.usefixtures("_devices")
def test_more_devices_and_classes_take_no_more_queries(client, django_assert_num_queries):
    with django_assert_num_queries(5):
        assert client.get("/compare/")[MARK] == "1"
    for number, device_class in enumerate(("sata_ssd", "sas_ssd", "nvram", "nvdimm") * 3):
        measured(f"more-{number}", 100 + number, device_class=device_class)
    rank_everything()
    with django_assert_num_queries(5):
        client.get("/compare/")
