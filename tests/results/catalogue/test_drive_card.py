from decimal import Decimal

from django.template.loader import render_to_string

from results.advice.criteria import Need, Option
from results.advice.link import Claimed, Reached, Throughput
from results.catalogue.drive_card import DriveCard, link_chips
from results.core.drive_names import DriveName
from results.core.prices import Sighting

SIZE = 480 * 10**9


def make_card(name="Aldera P1", device_class="nvme", *, option, **values):
    named = DriveName(name, option.capacity_bytes)
    return DriveCard(name=named, url="/products/p1/", device_class=device_class, option=option, **values)


def text_of(card):
    return " ".join(render_to_string("results/parts/card.html", {"card": card}).split())


def test_links_are_measured_or_on_paper_or_too_fast_or_unknown():
    known = Throughput(measured=Reached(400), claims=[Claimed(1500, "Aldera")])
    assert [chip.state for chip in link_chips(known)] == [
        "carried",
        "carried",
        "on-paper",
        "on-paper",
        "too-slow",
    ]
    assert {chip.state for chip in link_chips(Throughput())} == {"unknown"}
    assert link_chips(known)[2].meaning == "5 GbE: on paper"


def test_a_card_shows_what_is_known(today):
    option = Option(
        plp="yes",
        capacity_bytes=SIZE,
        form_factors="M.2 22110",
        throughput=Throughput(measured=Reached(400)),
        price=Sighting(Decimal("99.90"), "USD", "2024-06", 1, SIZE, "new", "shop", "https://shop.example/"),
    )
    need = Need(is_mirror=True)
    card = make_card(option=option, need=need, latency_us=10.123, digits=3, sentence="Keeps up.")
    assert (card.form, card.price.text, card.price.note[:13]) == ("m2-22110", "$199.80", "for two, new,")
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
    card = make_card("N" * 120, "unknown", option=Option(plp="unknown"))
    assert (card.form, card.price, card.name.capacity) == ("", None, "")
    shown = text_of(card)
    assert "Speed not measured" in shown
    assert "No known price in USD" in shown
    assert "form-drawing" not in shown


def test_the_drawing_is_that_of_the_page_of_the_line():
    option = Option(plp="no", form_factors="2.5-inch 15 mm U.2, HHHL add-in card")
    assert make_card(option=option, form_factors="PCIe card, U.2").form == "card"
