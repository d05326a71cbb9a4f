"""What is requested of pages rendered on a cache miss, and how large and small sites are compared."""

import pytest

from bench import misses
from bench.bars import BenchmarkError
from bench.misses import board_addresses, linked_addresses, page_count
from bench.wrk import NOT_MEASURED, Load
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


def test_the_empty_view_has_no_bar():
    alone = {"empty view": Load(1.0, 90.0, 900.0), **loads(1, 1, 1, 1)}
    floors = misses.rows(alone, alone, few=10, many=99)[:2]
    assert [(row.what, row.measured, row.limit) for row in floors] == [
        ("empty Django view, median alone", 90.0, None),
        ("empty Django view, p99 at 16 connections", 900.0, None),
    ]


def test_a_page_without_a_response_fails_only_its_rows():
    alone = {**loads(1, 1, 1, 1), "device, 99 results": NOT_MEASURED}
    failed = [row.what for row in misses.rows(alone, {}, few=10, many=99) if not row.passes]
    assert failed == ["device, 99 results on a miss, median alone", "device, 99 results, of 10"]


def test_each_address_of_a_leaderboard_is_requested_once():
    boards = board_addresses(3)
    assert (boards[0], boards[1], len(boards)) == ("/leaderboard/", "/leaderboard/?page=2", 45)
    assert len(set(boards)) == len(boards)


def test_the_same_pages_are_requested_at_every_size():
    assert board_addresses(8) == board_addresses(400)


def test_the_page_count_is_read_from_the_leaderboard():
    assert page_count(b'<span class="number">Page 1 of 59</span>') == 59
    assert page_count(b"<p>Nothing</p>") == 1


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
