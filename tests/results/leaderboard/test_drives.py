"""The leaderboard as a list of drives on one axis."""

from itertools import pairwise

import pytest

from results.models.choices import Board
from results.ranking.rows import board_axis
from tests.factories import (
    make_device,
    make_price,
    make_product,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db


def on_axis(response, condition):
    """The labels of the axis that meet an XPath condition."""
    (axis,) = Page(response).root.find_class("drive-axis")
    return [text_of(label) for label in axis.xpath(f".//text[{condition}]")]


def test_every_page_and_class_has_the_same_axis(client):
    for number in range(51):
        make_result(5 + number, device__device_class="nvme")
    make_result(5000, device__device_class="hdd")
    rank_everything()
    pages = [client.get(f"/leaderboard/?{query}") for query in ("", "page=2", "class=nvme", "q=sample")]
    for page in pages:
        assert on_axis(page, "@text-anchor") == ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms"]
    assert pages[1].text.count('<li class="drive') == 2


def test_no_label_of_a_phone_touches_the_last_one(client):
    make_result(20)
    rank_everything()
    page = client.get("/leaderboard/")
    assert on_axis(page, "@text-anchor") == ["5 µs", "10 µs", "20 µs", "50 µs", "100 µs"]
    assert on_axis(page, "@text-anchor and not(@class)") == ["5 µs", "10 µs", "20 µs", "100 µs"]


def test_a_row_has_its_bar_with_its_figure_its_price_and_its_form_factor(client):
    product = make_protected_product(form_factors="U.2")
    make_price(product, price="249.90", capacity_bytes=480 * 10**9, seen_on="2019-05-02")
    make_result(20, device=make_device(product=product))
    make_result(900, device=make_device())
    rank_everything()
    response = client.get("/leaderboard/")
    cards = Page(response).root.xpath(".//li[starts-with(@class, 'drive')]")
    bars = [bar for card in cards for bar in card.xpath(".//svg[starts-with(@class, 'bar ')]")]
    assert [(bar.get("class"), bar.findtext(".//text")) for bar in bars] == [
        ("bar good", "20.0 µs"),
        ("bar muted", "900 µs"),
    ]
    prices = [card.find(".//p[@class='card-price']") for card in cards]
    assert [*map(text_of, prices)] == ["$250 in 2019", ""]
    assert prices[0].get("title").startswith("Last seen ")
    assert cards[0].xpath(".//div[@class='form has-capacitors']/svg/use/@href") == ["#form-u2"]
    assert response.text.count('id="form-') == 1  # the drawings that the page needs
    assert text_of(cards[0].find("p[@class='slot small']")) == "U.2"


def test_tiers_are_marked_across_the_board_that_they_judge(client):
    for latency_us in (5, 9000):
        make_result(latency_us)
    rank_everything()
    page = client.get("/leaderboard/")
    lines = ["excellent", "very", "good", "good", "slow", "helps hard", "disks only"]
    assert on_axis(page, "not(@text-anchor)") == lines
    assert page.text.count('class="mark"') == 4
    assert on_axis(client.get("/leaderboard/?board=zil"), "not(@text-anchor)") == []


def test_a_drive_has_the_name_that_people_use_and_its_part_number_small(client):
    product = make_product(name="SSD 900P", slug="s900p")
    make_result(20, device=make_device(model_name="ALDSSD280GA", product=product, capacity_bytes=280 * 10**9))
    make_result(90, device=make_device(model_name="Aldera SSD 900P", product=product))
    rank_everything()
    page = Page(client.get("/leaderboard/"))
    assert [text_of(drive) for drive in page.root.iter("h3")] == ["Aldera 900P 280 GB", "Aldera 900P 480 GB"]
    small = [text_of(line) for line in page.root.xpath(".//li//p[@class='small muted']")]
    assert [line.partition(",")[0] for line in small if line.startswith("NVMe")] == [
        "NVMe SSD · ALDSSD280GA",
        "NVMe SSD",
    ]


def test_the_other_methods_figure_is_beside_the_main_one(client):
    device = make_device()
    make_result(20, device=device)
    make_result(30, device=device, method="fio")
    rank_everything()
    page = Page(client.get("/leaderboard/"))
    assert ", 30.0 µs by fio, 1 unit by diskinfo" in page.text
    assert [text_of(figure) for figure in page.root.xpath(".//p[@aria-hidden='true']")] == ["20.0 µs"]


def test_a_row_states_what_it_is_sorted_by_and_the_facts_chosen(client):
    product = make_product(form_factors="U.2")
    make_result(20, device=make_device(product=product))
    rank_everything()
    page = client.get("/leaderboard/?sort=throughput_128k&columns=form_factors").text
    assert '<p class="added small">128 KiB throughput 6,250 MiB/s<span>Form factor U.2</span></p>' in page
    assert 'class="added' not in client.get("/leaderboard/").text


def test_a_phone_gets_the_labels_that_do_not_touch():
    ticks = board_axis([{"low": 20.0, "high": 1500.0}], [], Board.SYNC_WRITE).ticks
    left = [tick.share for tick in ticks if not tick.is_minor]
    assert len(left) < len(ticks)
    assert (ticks[0].is_minor, ticks[-1].is_minor) == (False, False)
    assert all(after - before >= 0.2 for before, after in pairwise(left))


def test_without_a_device_there_is_no_axis(client):
    response = client.get("/leaderboard/")
    assert response.status_code == 200
    assert "drive-axis" not in response.text
