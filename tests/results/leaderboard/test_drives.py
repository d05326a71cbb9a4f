"""The leaderboard as a list of drives on one axis."""

import re
from itertools import pairwise

import pytest

from tests.factories import (
    make_device,
    make_price,
    make_product,
    make_protected_product,
    make_result,
    rank_everything,
)

pytestmark = pytest.mark.django_db


def test_every_page_and_class_has_the_same_axis(client):
    for number in range(51):
        make_result(5 + number, device__device_class="nvme")
    make_result(5000, device__device_class="hdd")
    rank_everything()
    pages = [client.get(f"/leaderboard/?{query}") for query in ("", "page=2", "class=nvme", "q=sample")]
    axes = [[tick.value for tick in page.context["axis"].ticks] for page in pages]
    assert axes[1:] == axes[:1] * 3
    assert axes[0] == [1, 10, 100, 1000, 10_000]
    assert pages[1].text.count('<li class="drive') == 2


def test_a_row_has_its_bar_with_its_figure_its_price_and_its_form_factor(client):
    product = make_protected_product(form_factors="U.2")
    make_price(product, price="249.90", capacity_bytes=480 * 10**9, seen_on="2019-05-02")
    make_result(20, device=make_device(product=product))
    make_result(900, device=make_device())
    rank_everything()
    page = client.get("/leaderboard/").text
    assert re.findall(r'<svg class="bar (\w+)" .*?>([^<>]+)</text></svg>', page) == [
        ("good", "20.0 µs"),
        ("muted", "900 µs"),
    ]
    ((css, title, price),) = re.findall(r'<p class="price([^"]*)" title="([^"]*)">(.*?)</p>', page)
    assert (css, price) == (" muted", '$250 <span class="meta">in 2019</span>')
    assert title.startswith("Last seen ")
    assert '<use href="#form-u2"/></svg><span>U.2</span></p>' in page
    assert page.count('id="form-') == 1  # the drawings that the page needs


def test_tiers_are_marked_across_the_board_that_they_judge(client):
    for latency_us in (5, 9000):
        make_result(latency_us)
    rank_everything()
    tiers = client.get("/leaderboard/").context["axis"].tiers
    assert [tier.lines for tier in tiers] == [
        ["excellent"],
        ["very", "good"],
        ["good"],
        ["slow"],
        ["helps hard", "disks only"],
    ]
    assert client.get("/leaderboard/").text.count('class="mark"') == len(tiers) - 1
    assert client.get("/leaderboard/?board=zil").context["axis"].tiers == []


def test_a_drive_has_the_name_that_people_use_and_its_part_number_small(client):
    product = make_product(name="SSD 900P", slug="s900p")
    make_result(20, device=make_device(model_name="ALDSSD280GA", product=product, capacity_bytes=280 * 10**9))
    make_result(90, device=make_device(model_name="Aldera SSD 900P", product=product))
    rank_everything()
    page = client.get("/leaderboard/").text
    named = re.findall(r'class="drive-name"><a [^>]*>([^<]*)<', page)
    assert named == ["Aldera 900P 280 GB", "Aldera 900P 480 GB"]
    assert re.findall(r'<p class="meta">NVMe SSD ?([^,]*),', page) == ["ALDSSD280GA", ""]


def test_the_other_methods_figure_is_beside_the_main_one(client):
    device = make_device()
    make_result(20, device=device)
    make_result(30, device=device, method="fio")
    rank_everything()
    page = client.get("/leaderboard/").text
    assert re.search(r'<p class="meta">[^<]*, 30.0 µs by fio, 1 unit by diskinfo', page)
    assert '<p class="figure" aria-hidden="true">20.0 µs</p>' in page


def test_a_row_states_what_it_is_sorted_by_and_the_facts_chosen(client):
    product = make_product(form_factors="U.2")
    make_result(20, device=make_device(product=product))
    rank_everything()
    page = client.get("/leaderboard/?sort=throughput_128k&columns=form_factors").text
    assert '<p class="added small">128 KiB throughput 6,250 MiB/s<span>Form factor U.2</span></p>' in page
    assert 'class="added' not in client.get("/leaderboard/").text


def test_a_phone_gets_the_labels_that_do_not_touch(client):
    for latency_us in (60, 500):
        make_result(latency_us)
    rank_everything()
    ticks = client.get("/leaderboard/").context["axis"].ticks
    left = [tick.share for tick in ticks if not tick.is_minor]
    assert len(left) < len(ticks)
    assert (ticks[0].is_minor, ticks[-1].is_minor) == (False, False)
    assert all(after - before >= 0.2 for before, after in pairwise(left))


def test_without_a_device_there_is_no_axis(client):
    response = client.get("/leaderboard/")
    assert response.status_code == 200
    assert response.context["axis"] is None
