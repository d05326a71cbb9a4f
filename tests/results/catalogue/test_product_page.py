"""The product page, and links to it from devices."""

from datetime import date

import pytest

from results.catalogue.matching.merge import merge_devices
from results.catalogue.matching.pages import assign_pages
from results.ranking.medians import refresh_devices
from tests.factories import (
    make_claim,
    make_device,
    make_facts,
    make_product,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def product():
    return make_protected_product(slug="aldera-s1", name="S1", media="MLC")


def choices_of(response):
    """The entries of each switch: their text and address, and whether they are shown."""
    return {
        switch.get("aria-label"): [
            (text_of(link), link.get("href"), link.get("aria-current") == "true") for link in switch
        ]
        for switch in Page(response).root.find_class("switch")
    }


def test_a_line_is_shown_by_its_best_device_and_the_others_are_a_switch_away(client, product):
    for capacity in (10**11, 2 * 10**11):
        make_result(20, device__model_name="S1", device__capacity_bytes=capacity, device__product=product)
    twin = make_device(model_name="S1-B", product=product, capacity_bytes=10**11, slug="twin")
    make_result(10, device=twin, submission__is_approved=True)
    doubted = make_device(model_name="S1 doubted", product=product)
    make_result(40, device=doubted, not_ranked_reason="cut short")
    rank_everything()
    make_facts(product)
    response = client.get("/products/aldera-s1/")
    assert choices_of(response) == {
        "Capacity": [
            ("100 GB 10.0 µs", "/products/aldera-s1/100-gb/", True),
            ("200 GB 20.0 µs", "/products/aldera-s1/200-gb/", False),
            ("480 GB", "/products/aldera-s1/480-gb/", False),
        ],
        "Model": [
            ("S1 20.0 µs", "/products/aldera-s1/100-gb/", False),
            ("S1-B 10.0 µs", "/products/aldera-s1/100-gb/twin/", True),
        ],
    }
    assert Page(response).headings[0] == "Aldera S1"
    assert ">reported as S1-B</span>" in response.text
    assert "maker&#x27;s data sheet" in response.text
    for kind in ("caveats", "claims", "prices", "life"):
        assert f'href="https://{kind}.example/s1" rel="nofollow"' in response.text
    assert Page(response).facts["Media"] == "MLC"
    for url, name in (("100-gb/", "S1"), ("100-gb/twin/", "S1-B"), ("480-gb/", "S1 doubted")):
        response = client.get(f"/products/aldera-s1/{url}")
        assert f">reported as {name}</span>" in response.text
        assert ("Model" in choices_of(response)) == (url != "480-gb/")


def test_a_capacity_that_nobody_measured_has_a_page_with_what_is_known_of_it(client, product):
    make_result(20, device__capacity_bytes=2 * 10**11, device__product=product)
    for capacity, mb_s in ((10**11, 500), (4 * 10**11, 2000)):
        make_claim(product, mb_s, capacity_bytes=capacity)
    response = client.get("/products/aldera-s1/400-gb/")
    assert "Nobody has measured it yet" in response.text
    assert "2,000 MB/s" in response.text
    assert "500 MB/s" not in response.text
    links = Page(response).section("carries").root.find_class("links")[0]
    assert [link.get("class") for link in links] == ["is-on-paper"] * 4 + ["is-too-slow"]
    assert 'name="robots"' in response.text  # search engines list only pages with results
    assert client.get("/products/aldera-s1/800-gb/").status_code == 404


def test_addresses_of_devices_lead_to_the_page_of_their_product_and_stay(client, product):
    first, second = (make_device(slug=slug, product=product) for slug in ("first", "second"))
    for device in (first, second):
        make_result(device=device)
    for slug, page in (("first", "480-gb/"), ("second", "480-gb/second/")):
        response = client.get(f"/devices/{slug}/?chart=throughput")
        expected = (301, f"/products/aldera-s1/{page}?chart=throughput")
        assert (response.status_code, response["Location"]) == expected
    assert client.get("/products/aldera-s1/480-gb/first/")["Location"] == "/products/aldera-s1/480-gb/"
    assert client.get("/products/aldera-s1/1-tb/second/")["Location"] == "/products/aldera-s1/480-gb/second/"
    merge_devices([second], first, reason="one spelling")
    moved = client.get("/products/aldera-s1/480-gb/second/")
    assert (moved.status_code, moved["Location"]) == (301, "/products/aldera-s1/480-gb/")
    second = make_device(slug="second-again", product=product)
    other = make_product(slug="aldera-s2")
    for device in (first, second):
        device.product = other
        assert assign_pages([device]) == [device]
        device.save()
    assert [device.page for device in (first, second)] == [
        "aldera-s2/480-gb",
        "aldera-s2/480-gb/second-again",
    ]
    assert assign_pages([first, second]) == []


def test_a_product_without_results_and_facts_asks_for_a_measurement(client, product):
    page = client.get("/products/aldera-s1/").text
    assert "Nobody has measured it yet" in page
    assert "diskinfo" not in page
    assert 'href="/submit/commands/?product=aldera-s1"' in page
    for section in ("caveats", "life-cycle", "claims"):
        assert f'id="{section}"' not in page
    assert "We haven’t seen a price yet." in page


def test_offers_are_searched_by_the_name_that_people_use(client):
    make_product(slug="p1600x", vendor="Intel", name="Optane SSD P1600X")
    response = client.get("/products/p1600x/")
    for query in ("?_nkw=Intel+Optane+P1600X", "?udm=28&q=Intel+Optane+P1600X"):
        assert any(url.endswith(query) for url in Page(response).links.values()), query


def test_a_device_shows_the_prices_of_its_capacity(client, product):
    make_facts(product)
    make_result(device__slug="s1", device__capacity_bytes=480_103_981_056, device__product=product)
    make_result(device__slug="s1-big", device__capacity_bytes=960_197_124_096, device__product=product)
    for slug, price in (("s1", "€1,299.90"), ("s1-big", "We haven’t seen a price yet.")):
        assert price in Page(client.get(f"/devices/{slug}/", follow=True)).text


def test_remarks_are_sentences(client):
    make_product(slug="s2", patterns=[], flags=["smr", "plp_partly_stated"])
    remarks = "Shingled recording (SMR). We know no model name that identifies its results."
    assert remarks in Page(client.get("/products/s2/")).text


def test_a_moderators_class_is_shown_with_its_reason(client):
    device = make_device(slug="s1", class_overrule="optane", class_overrule_reason="I have one here")
    make_result(device=device)
    page = client.get("/devices/s1/").content.decode()
    assert "A moderator set the class: I have one here" in page


def test_the_page_begins_with_what_a_shopper_asks(client, product, monkeypatch):
    monkeypatch.setattr("results.core.today.utc_day", lambda: date(2026, 6, 30))
    product.form_factors = "M.2"
    product.save()
    make_facts(product)

    def head():
        return Page(client.get("/products/aldera-s1/")).text.partition("Known problems")[0]

    unmeasured = head()
    assert "€1,299.90 for 480 GB" in unmeasured
    assert "Fast flushes Unknown Not ranked yet." in unmeasured
    assert 'class="form has-capacitors"' in client.get("/products/aldera-s1/").text
    make_claim(product, 35000, quantity="random_write_4k_iops", unit="IOPS")
    withheld = make_result(
        9, device__model_name="S1-W", device__product=product, not_ranked_reason="Page cache."
    )
    assert "Unknown Page cache. Not ranked yet." in head()  # figures that aren't ranked are further down
    withheld.delete()
    make_result(20, device__model_name="S1", device__product=product)
    refresh_devices([device.pk for device in product.devices.all()])
    assert "Fast flushes 20.0 µs 4 KiB latency" in head()


def test_a_line_and_its_capacity_say_the_same(client, product):
    def verdict(url="/products/aldera-s1/"):
        page = Page(client.get(url))
        return page.section("verdict").text, page.section("carries").text, page.section("endurance").text

    assert "Protected, but no result counts yet, so we can’t judge speed" in verdict()[0]
    for capacity, mb_s in ((10**11, 500), (4 * 10**11, 2000)):
        make_claim(product, mb_s, capacity_bytes=capacity)
    assert "Keeps up with 10 GbE on paper." in verdict()[1]  # of the faster capacity
    device = make_device(model_name="S1", capacity_bytes=4 * 10**11, product=product)
    make_result([1e6 / 8 / 400] * 15, device=device, submission__is_approved=True)
    rank_everything()
    assert verdict() == verdict(device.get_absolute_url())
    product.plp = "no"
    product.save()
    assert "Not a good SLOG: slow if it obeys flushes, and it can lose writes if it doesn’t" in verdict()[0]


def test_comparing_takes_the_device_that_is_shown(client):
    line = make_product(slug="birch-q7")
    assert 'href="/compare/?devices=birch-q7"' in client.get("/products/birch-q7/").text
    for slug, values in (("birch-q7", {"not_ranked_reason": "Cut short."}), ("birch-q7-400-gb", {})):
        make_result(25, device=make_device(slug=slug, product=line), **values)
    rank_everything()
    assert 'href="/compare/?devices=birch-q7-400-gb"' in client.get("/products/birch-q7/").text
