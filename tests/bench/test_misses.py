"""What is requested of pages rendered on a cache miss, and how large and small sites are compared."""

import pytest

from bench import misses
from bench.bars import BenchmarkError
from bench.misses import board_addresses, linked_addresses
from bench.wrk import Load
from tests.factories import make_device, make_product, make_result, rank_everything

PAGES = ("leaderboard, 10 results", "device, 10 results", "leaderboard, 99 results", "device, 99 results")


def loads(*medians_ms):
    return {name: Load(1.0, median, median) for name, median in zip(PAGES, medians_ms, strict=True)}


def test_pages_are_judged_at_1_and_16_connections_and_against_the_small_site():
    alone, crowded = loads(10, 10, 20, 14), loads(100, 100, 200, 501)
    found = {row.what: row.passes for row in misses.rows(alone, crowded, few=10, many=99)}
    assert found == {
        "leaderboard, 99 results on a miss, median alone": True,
        "leaderboard, 99 results on a miss, p99 at 16 connections": True,
        "device, 99 results on a miss, median alone": True,
        "device, 99 results on a miss, p99 at 16 connections": False,
        "leaderboard, 99 results, of 10": False,
        "device, 99 results, of 10": True,
    }


@pytest.mark.django_db
def test_every_url_is_a_page_of_the_site(client):
    make_result(device__slug="sample")
    rank_everything()
    others = [path for paths in misses.OTHERS.values() for path in paths]
    assert {client.get(path).status_code for path in [*board_addresses(1), *others]} == {200}


@pytest.mark.django_db
def test_devices_and_products_are_those_that_lists_link_to_and_neighbours_are_compared(client, monkeypatch):
    for slug in ("one", "two"):
        make_result(device=make_device(slug=slug, model_name=slug, product=make_product(slug=f"line-{slug}")))
    rank_everything()
    monkeypatch.setattr(misses, "fetch", lambda url: client.get(url).content)
    found = misses.pages("", ["/leaderboard/"])
    assert sorted(found["device"]) == ["/devices/one/", "/devices/two/"]
    assert sorted(found["product"]) == ["/products/line-one/", "/products/line-two/"]
    assert found["compare"] in (["/compare/?devices=one,two"], ["/compare/?devices=two,one"])


def test_a_list_without_devices_is_an_error(monkeypatch):
    monkeypatch.setattr(misses, "fetch", lambda _: b"<p>Nothing</p>")
    with pytest.raises(BenchmarkError, match="no devices"):
        linked_addresses("", ["/leaderboard/"], "devices")
