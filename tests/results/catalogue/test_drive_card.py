from decimal import Decimal

import pytest
from django.template.loader import render_to_string

from results.advice.criteria import Need, Option
from results.advice.link import Claimed, Reached, Throughput
from results.catalogue.drive_card import Shown, drive_card, link_chips
from results.catalogue.prices import Sighting
from results.catalogue.purchase_options import SeenPrice

SIZE = 480 * 10**9
SHOWN = Shown(name="Aldera P1", url="/products/p1/", device_class="nvme", latency_us=10.123, digits=3)


def priced(amount, today, **values):
    sighting = Sighting(
        1, SIZE, Decimal(amount), "USD", "new", "shop", "2024-06", "https://shop.example/", **values
    )
    return SeenPrice(sighting, today)


def text_of(card):
    return " ".join(render_to_string("results/parts/card.html", {"card": card}).split())


def test_links_are_measured_or_on_paper_or_too_fast_or_unknown():
    known = Throughput(measured=Reached(400), claims=[Claimed(1500, "Aldera")])
    assert [one.state for one in link_chips(known)] == [
        "carried",
        "carried",
        "on-paper",
        "on-paper",
        "too-slow",
    ]
    assert {one.state for one in link_chips(Throughput())} == {"unknown"}
    assert link_chips(known)[2].meaning == "5 GbE: on paper"


def test_a_card_shows_what_is_known(today):
    option = Option(
        plp="yes",
        capacity_bytes=SIZE,
        form_factors="M.2 22110",
        throughput=Throughput(measured=Reached(400)),
        price=priced("99.90", today),
    )
    card = drive_card(SHOWN, option, Need(is_mirror=True), "Keeps up.")
    assert (card.full_name, card.form, card.has_capacitors) == ("Aldera P1 480 GB", "m2-22110", True)
    assert (card.price.text, card.price.note[:13], card.fastest.gbit_s) == ("$199.80", "for two, new,", "2.5")
    shown = text_of(card)
    for words in (
        "10.1 µs",
        "has-capacitors",
        "Protected",
        "1 GbE: yes",
        "$199.80",
        "Keeps up.",
        "shop.example",
    ):
        assert words in shown
    assert shown.count('href="/products/p1/"') == 1  # its title alone


def test_a_card_of_a_drive_that_nothing_is_known_of(today):
    card = drive_card(
        Shown(name="N" * 120, url="/p/", device_class="unknown"), Option(plp="unknown"), Need(), ""
    )
    assert (card.form, card.price, card.fastest, card.capacity) == ("", None, None, "")
    shown = text_of(card)
    assert "Speed not measured" in shown
    assert "No known price in USD" in shown
    assert "form-drawing" not in shown


@pytest.mark.parametrize(("name", "capacity"), [("Aldera P1", "480 GB"), ("Aldera P1 480GB", "")])
def test_a_capacity_is_not_said_twice(name, capacity):
    shown = Shown(name=name, url="/p/", device_class="nvme")
    assert drive_card(shown, Option(plp="no", capacity_bytes=SIZE), Need(), "").capacity == capacity


def test_the_drawing_is_that_of_the_page_of_the_line():
    shown = Shown(name="A", url="/p/", device_class="nvme", form_factors="PCIe card, U.2")
    option = Option(plp="no", form_factors="2.5-inch 15 mm U.2, HHHL add-in card")
    assert drive_card(shown, option, Need(), "").form == "card"
