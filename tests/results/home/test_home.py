import re

import brotli
import pytest

from results.models import Result
from slogdb.page_cache import BROTLI_QUALITY
from tests.factories import (
    make_claim,
    make_device,
    make_known_member,
    make_member,
    make_price,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)
from tests.page import Page, head_of
from tests.results.leaderboard.test_page_weight import served_styles

pytestmark = pytest.mark.django_db
APPROVED = {"submission__is_approved": True}
SIZE = 480 * 10**9
LIMIT_BYTES = 27 * 1024


def answers(response):
    """The cards by the needs, and None for a need that nothing fits."""
    listed = Page(response).section("answers").root.findall("ul/li")
    return {item.findtext("p/strong"): item.findtext(".//h3/a") for item in listed}


def make_drive(name, latency_us, plp="yes", **values):
    product = make_stated_product(plp, name=name, slug=name.lower())
    device = make_device(model_name=f"Aldera {name}", slug=f"drive-{name.lower()}", product=product)
    return make_result(latency_us, device=device, **{**APPROVED, **values})


def make_offered(name, *, mb_s, price, **values):
    """A protected product with a claimed throughput and a price, which nobody measured."""
    product = make_protected_product(name=name, slug=name.lower(), **values)
    make_claim(product, mb_s, capacity_bytes=SIZE)
    make_price(product, price=price, capacity_bytes=SIZE)
    return product


def test_protected_drives_that_are_not_ahead_are_named_beside_the_headline(client):
    make_drive("P1", 20)
    make_drive("N1", 570, plp="no")
    make_drive("P3", 700)
    rank_everything()
    page = client.get("/").text
    assert "1 of 2 ranked protected drives beat every unprotected one" in page
    assert "20.0 to 700 µs on drives with power-loss protection, 570 µs on drives without it." in page
    assert "Part of the gap" not in page
    assert '<a href="/products/p3/480-gb/">Aldera P3</a> is protected and took 700 µs.' in page


def test_a_withheld_figure_is_not_on_the_page_and_the_rule_is_named(client):
    make_drive("P1", 20)
    make_drive("N1", 570, plp="no")
    make_drive("F1", 9.87, plp="no", not_ranked_reason="Too fast.")
    make_drive("U1", 445, plp="unknown")
    rank_everything()
    page = client.get("/").text
    assert "drive-f1" not in page
    assert "9.87" not in page
    assert "Part of the gap is our own rule: we <a" in page
    assert "results under 60 µs (NVMe) or 100 µs (others) from flash without known protection" in page
    assert "put enterprise SATA SSDs at about 1 ms" in page
    assert "All 1 ranked protected drives beat all 1 unprotected ones" in page
    assert "Not counted: 1 more ranked drive with partial or unknown protection, 445 µs." in page


def test_drives_of_unknown_protection_are_drawn_if_asked_for(client):
    for name, latency_us, plp in (("P1", 20, "yes"), ("N1", 570, "no"), ("U1", 445, "unknown")):
        make_drive(name, latency_us, plp)
    rank_everything()
    page = client.get("/").text
    assert 'href="/?all=1#chart">Also show 1 of partial or unknown protection' in page
    assert page.count('tabindex="-1"><ellipse') == 2
    assert "U1" in page.split("</live-chart>")[1]  # in the list of all drives
    page = client.get("/?all=1").text
    assert page.count('tabindex="-1"><ellipse') == 3
    assert "Only protected and unprotected drives" in page
    assert client.get("/?all=2").status_code == 400


@pytest.mark.parametrize("name", ["P1", "aldera p1", "U1"])
def test_a_drive_is_ringed_by_its_name(client, name):
    for model_name, latency_us, plp in (("P1", 20, "yes"), ("N1", 570, "no"), ("U1", 445, "unknown")):
        make_drive(model_name, latency_us, plp)
    rank_everything()
    page = client.get("/", {"q": name})
    assert page.text.count('class="ring"') == 1
    assert re.search(rf"Ringed: Aldera {name[-2:].upper()} 480 GB, (20\.0|445) µs\.", Page(page).text)


def test_the_answers_are_the_shortlists(client):
    small = make_offered("Small", mb_s=890, price=32)
    for latency_us, capacity in ((25, SIZE), (30, SIZE), (90, None)):
        make_claim(small, latency_us, quantity="write_latency_us", unit="us", capacity_bytes=capacity)
    make_offered("Quick", mb_s=2000, price=275)
    make_offered("Dimm", mb_s=9000, price=20).caveats.create(
        kind="platform_limit", summary="Needs a board made for it.", source_url="https://caveats.example/"
    )
    measured = make_drive("P1", 10)
    product = measured.device.product
    product.endurance_tbw = [{"capacity_bytes": SIZE, "written_bytes": 9 * 10**15}]
    product.save()
    make_price(product, price=999, capacity_bytes=SIZE)
    rank_everything()
    response = client.get("/")
    assert answers(response)["Cheap"] == "Aldera Small"
    assert answers(response)["Busy server"] == "Aldera P1"
    listed = Page(response).section("answers").root.findall("ul/li")
    cheap, _, busy = (Page(item).text for item in listed)
    for words in ("Speed not measured (hatched: claimed 30 µs per write)", "$32 ", ": on paper"):
        assert words in cheap
    assert ": yes" not in cheap
    assert "849 MiB/s claimed for this capacity (Aldera)" in cheap
    assert re.search("10.0 µs per 4 KiB sync write .*: yes", busy)
    for item in listed:
        (card,), (more,) = item.xpath(".//h3/a/@href"), item.xpath("p/a/@href")
        first = Page(client.get(more)).root.xpath(".//h3/a/@href")[0]
        assert first == card or "/dimm/" in first, more
    assert 'class="claimed"' in response.text


def test_nothing_that_few_boards_take_is_an_answer(client):
    product = make_offered("Dimm", mb_s=9000, price=20)
    assert set(answers(client.get("/")).values()) == {"Aldera Dimm", None}
    product.caveats.create(kind="platform_limit", summary="Needs a board.", source_url="https://a.example/")
    assert set(answers(client.get("/")).values()) == {None}
    assert "Nothing we know of fits yet." in client.get("/").text


def test_results_that_are_too_few_change_no_answer_unless_they_prove_a_product_too_slow(client):
    product = make_offered("Target", mb_s=2000, price=20)
    for number, (latency_us, sender, answer) in enumerate(
        [
            (5, {}, "Aldera Target"),
            (90_000, {}, "Aldera Target"),
            (5, {"submission__owner": make_member()}, "Aldera Target"),
            (90_000, {"submission__owner": make_member()}, "Aldera Target"),
            (90_000, {"submission__owner": make_known_member()}, None),
        ]
    ):
        Result.objects.all().delete()
        device = make_device(model_name=f"Sent {number}", product=product)
        make_result(latency_us, device=device, **sender)
        rank_everything()
        assert answers(client.get("/"))["10 GbE"] == answer, (latency_us, sender)


def test_the_best_known_unmeasured_products_are_wanted(client):
    make_protected_product(name="Known", aliases=["A", "B"])
    make_protected_product(name="Rare")
    make_price(make_protected_product(name="Sold"), seen_on="2026-01-02")
    make_protected_product(name="Had", aliases=["C", "D", "E"])
    make_drive("Measured", 20)
    make_stated_product("no", name="Unsafe")
    make_result(20, device=make_device(product=Result.objects.get().device.product))
    wanted = ["Aldera Sold", "Aldera Had", "Aldera Known", "Aldera Rare"]
    assert [name for name in Page(client.get("/")).links if name in wanted] == wanted


def test_an_empty_site_asks_for_the_first_result(client):
    page = client.get("/").text
    assert "Nothing has been measured here yet" in page
    assert "live-chart" not in page


@pytest.mark.parametrize("is_demo", [True, False])
def test_every_page_of_the_demo_states_that_figures_are_made_up(client, settings, is_demo):
    settings.IS_DEMO = is_demo
    for url in ("/", "/leaderboard/", "/about/", "/submit/"):
        assert ("Every figure on this site is made up" in client.get(url).text) is is_demo


def test_totals_are_written_in_thousands(client, monkeypatch):
    make_result()
    totals = {"devices": 7, "results": 1_234_567}
    monkeypatch.setattr("results.home.page.count_published", lambda: totals)
    page = client.get("/").text
    assert '7 devices, <a href="/results/">1,234,567 results</a>' in page


def test_a_full_page_with_its_chart_and_styles_is_small(client):
    for number in range(58):
        make_drive(f"P{number}", 20 * 1.03**number)
        make_drive(f"N{number}", 400 * 1.03**number, plp="no")
        make_drive(f"U{number}", 90 * 1.05**number, plp="unknown")
        make_drive(f"W{number}", 9 + number, plp="no", not_ranked_reason="Too fast.")
    rank_everything()
    page = client.get("/?all=1").text
    assert page.count("tabindex=") > 170
    page_bytes = len(brotli.compress(page.encode(), quality=BROTLI_QUALITY))
    styles = [len(sheet) for sheet in served_styles(page)]
    assert page_bytes + sum(styles) <= LIMIT_BYTES, (page_bytes, styles)


def test_the_picture_shows_the_strips(client):
    make_drive("P1", 20)
    make_drive("N1", 570, plp="no")
    rank_everything()
    assert head_of(client.get("/"))["og:image"].endswith("/preview.png")
    before = client.get("/preview.png")
    assert before["Content-Type"] == "image/png"
    make_drive("P2", 30)
    rank_everything()
    assert client.get("/preview.png").content != before.content
