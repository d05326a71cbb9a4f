"""The shortlist's page: its lists, refused parameters, and number of queries."""

import pytest

from results.models import Device
from results.shortlist.query import MAX_SHOWN
from tests.factories import (
    make_claim,
    make_device,
    make_price,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]
URL = "/shortlist/"
CAPACITY = 480_000_000_000


def make_fast(name, *, price=100, mb_s=2000, is_of_capacity=True, **values):
    """A protected M.2 SSD that writes fast on paper, at a price in dollars."""
    defaults = {"form_factors": "M.2 2280", "interface": "PCIe 3.0 x4 NVMe"}
    product = make_protected_product(name=name, slug=name.lower(), **{**defaults, **values})
    make_claim(product, mb_s, capacity_bytes=CAPACITY if is_of_capacity else None)
    if price:
        make_price(product, price=price, capacity_bytes=CAPACITY)
    return product


def lists_of(response):
    """The devices' slugs or the products' names that definitely fit and those to check, by list, as in the API."""
    found = response.client.get(f"/api/v1/shortlist/?{response.request['QUERY_STRING']}").json()
    names = {
        key: tuple(
            [entry["device"] or entry["name"] for entry in found[field][part]]
            for part in ("entries", "to_check")
        )
        for key, field in (("measured", "measured"), ("paper", "on_paper"))
    }
    return {key: lists for key, lists in names.items() if any(lists)}


def near_misses(response):
    """The names, URLs and reasons of what came closest."""
    return [
        (text_of(term), term.find("a").get("href"), text_of(term.getnext()))
        for term in Page(response).root.xpath(".//section[@aria-labelledby='near']//dt")
    ]


def measure(name, latency_us, product, **values):
    """A result of a device of the product by that model name."""
    device = make_device(slug=name, model_name=name, capacity_bytes=CAPACITY, product=product)
    return make_result(latency_us, device=device, **values)


def test_measured_devices_come_first_by_latency_and_products_follow_by_price(client):
    measured = make_fast("Measured")
    for name, method, latency_us in [
        ("slower", "diskinfo", 40),
        ("faster", "diskinfo", 20),
        ("by-fio", "fio", 10),
    ]:
        measure(name, latency_us, measured, method=method)
    make_result(5, device=Device.objects.get(model_name="slower"), method="fio")
    make_fast("Dear", price=300)
    make_fast("Cheap", price=50)
    rank_everything()
    assert lists_of(client.get(URL, {"link_gbit": "10", "link_share": "100"})) == {
        "measured": (["by-fio", "faster", "slower"], []),
        "paper": (["Aldera Cheap 480 GB", "Aldera Dear 480 GB"], []),
    }


def test_devices_of_one_size_are_judged_by_what_each_reached(client):
    """10 GbE needs 1,192 MiB/s; a device that exceeds the claim of 572 MiB/s may be faster still."""
    product = make_fast("Slow", mb_s=600)
    for name, mib_s in [("below", 300), ("above", 800), ("fast", 1300)]:
        measure(name, [None] * 3 + [1e6 / 256 / mib_s] + [None] * 11, product, method="fio")
    rank_everything()
    response = client.get(URL, {"link_gbit": "10", "link_share": "100"})
    assert lists_of(response) == {"measured": (["fast"], ["above"])}
    assert "at least 800 MiB/s measured (4 KiB, 1 writer)" in response.text


def test_recent_prices_come_before_old_ones_and_measured_throughput_before_claims(client):
    only_4k = [None] * 3 + [5] + [None] * 11
    measure("claimed", only_4k, make_fast("Claimed"), method="fio")
    for name, seen_on, latency_us in [
        ("unpriced", None, 10),
        ("old", "2022-05", 11),
        ("recent", "2022-07", 12),
        ("fresh", "2024-05", 13),
    ]:
        product = make_fast(name.title(), price=None)
        if seen_on:
            make_price(product, price=100, seen_on=seen_on, capacity_bytes=CAPACITY)
        measure(name, latency_us, product)
    rank_everything()
    ((fitting, _),) = lists_of(client.get(URL, {"link_gbit": "10", "link_share": "100"})).values()
    assert fitting == ["fresh", "recent", "old", "unpriced", "claimed"]


def test_nearest_miss_is_in_the_answer_even_if_something_fits(client):
    make_fast("Enough")
    make_fast("Almost", mb_s=1050)
    make_fast("Serial", mb_s=500, interface="SATA 6 Gb/s")
    response = client.get(URL, {"link_gbit": "10", "link_share": "100"})
    assert [name for name, *_ in near_misses(response)] == ["Aldera Almost 480 GB"]
    assert "1,001 of 1,192 MiB/s claimed for this capacity (Aldera)" in response.text


def test_an_unknown_endurance_is_to_be_checked(client):
    make_fast("Unknown")
    assert "check the endurance (TBW)" in client.get(URL, {"gb_per_day": "100"}).text


def test_only_the_first_recommended_device_is_tagged_recommended(client):
    for name, latency_us, values in (
        ("alone", 10, {}),
        ("vouched", 20, {"submission__survey_id": "x", "submission__quality": "a"}),
        ("slower", 30, {"submission__survey_id": "y", "submission__quality": "a"}),
    ):
        device = make_device(model_name=name, capacity_bytes=CAPACITY, product=make_fast(name.title()))
        make_result(latency_us, device=device, **values)
    rank_everything()
    cards = [text_of(card) for card in Page(client.get(URL)).section("first").root.xpath("ol/li")]
    tags = {
        name: ("Recommended" in card, "too few results" in card)
        for name in ("alone", "vouched", "slower")
        for card in cards
        if f" · {name} " in card
    }
    assert tags == {"alone": (False, True), "vouched": (True, False), "slower": (False, False)}


def test_condition_selects_prices_of_that_kind(client):
    product = make_fast("Both", price=200)
    make_price(product, price=80, condition="used", capacity_bytes=CAPACITY)
    for condition, price, note in (("used", "$80", "used, seen"), ("new", "$200", "new, seen")):
        response = client.get(URL, {"condition": condition})
        assert f"{price} {note}" in Page(response).section("first").text
    assert "No known price in EUR" in client.get(URL, {"currency": "EUR"}).text


def test_invalid_fields_are_named_and_input_is_preserved(client, subtests):
    for stated, name, message in [
        ({"link_gbit": "10", "mib_s": "500"}, "mib_s", "not both"),
        ({"budget": "0"}, "budget", "Total budget</a>: Enter more than 0 and at most 1,000,000, not 0."),
        (
            {"budget": "€1,000"},
            "budget",
            "This is in EUR, but the currency is USD. Choose EUR, or write an amount in USD, like 250.",
        ),
        ({"mib_s": "1e9"}, "mib_s", "is not a number"),
        ({"form_factor": "<script>"}, "form_factor", "“&lt;script&gt;” isn’t one of 2.5-sata"),
    ]:
        with subtests.test(stated=stated):
            response = client.get(URL, {**stated, "gb_per_day": "250"})
            assert response.status_code == 400
            page = Page(response)
            assert {link for link in page.links.values() if link.startswith("#id_")} == {f"#id_{name}"}
            assert message in response.text
            assert page.fields["gb_per_day"].value == "250"
            assert page.fields[name].choices or page.fields[name].value == stated[name]


def test_need_has_one_canonical_url(client, subtests):
    for query, canonical in [
        ("?link_gbit=10&budget=&years=", "?link_gbit=10"),
        ("?plp=protected&currency=USD&mirror=0&budget=300&utm_source=x", "?budget=300"),
        ("?budget=1&budget=2", "?budget=2"),
        ("?plp=protected", ""),
        ("?budget=%24250", "?budget=250"),
        ("?budget=1,000+eur&currency=EUR&years=", "?budget=1000&currency=EUR"),
        ("?link_gbit=10&budget=100&other_budget=$68", "?link_gbit=10&budget=68"),
        ("?budget=&other_budget=68&currency=USD", "?budget=68"),
    ]:
        with subtests.test(query=query):
            response = client.get(URL + query, follow=True)
            assert {status for _, status in response.redirect_chain} == {302}
            assert response.redirect_chain[-1][0] == URL + canonical


def test_list_shows_the_first_entries_and_counts_the_others(client):
    for number in range(MAX_SHOWN + 3):
        make_fast(f"P{number}", price=100 + number)
    page = Page(client.get(URL))
    cards = page.section("first").root.findall(".//h3")
    assert text_of(cards[0]) == "Aldera P0 480 GB"
    assert len(cards) + len(page.section("others").rows()) == MAX_SHOWN
    assert "And 3 more fit." in page.text


def test_five_have_cards_and_the_others_a_row_with_the_price_of_a_year(client):
    for number in range(8):
        product = make_fast(f"P{number}", price=100 + number)
        product.endurance_tbw = [{"capacity_bytes": CAPACITY, "written_bytes": 730 * 10**12}]
        product.save()
    response = client.get(URL)
    page = Page(response)
    cards = [text_of(card) for card in page.section("first").root.findall(".//h3")]
    assert cards == [f"Aldera P{number} 480 GB" for number in range(5)]
    assert [(row["Price"], row["A year"]) for row in page.section("others").rows()] == [
        ("$105", "$21"),
        ("$106", "$21"),
        ("$107", "$21"),
    ]
    assert "A year: the price over 5 years" in response.text
    stated = client.get(URL, {"gb_per_day": "100", "mirror": "1"})
    prices = [row["A year"] for row in Page(stated).section("others").rows()]
    assert prices == ["$10", "$11", "$11"]  # twice 105 by 20 years
    assert "by the years that its rating lasts at 100 GB a day" in stated.text


@pytest.mark.parametrize(
    ("stated", "is_open"),
    [({"link_gbit": "10", "budget": "68"}, False), ({"mirror": "1"}, True), ({"years": "x"}, True)],
)
def test_the_other_fields_are_folded_until_one_is_filled_in(client, stated, is_open):
    folded = Page(client.get(URL, stated)).root.find(".//form/details")
    assert ("open" in folded.attrib) is is_open
