import pytest

from tests.factories import make_device, make_result, rank_everything
from tests.page import Page
from tests.results.links import choices, query_params

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("three_devices")]


def test_the_sorted_column_shows_its_direction_and_reverses_it(client, subtests):
    for query, column, direction, target in [
        ("", "rank", "ascending", {"sort": "-rank"}),
        ("sort=-rank", "rank", "descending", {}),
        ("sort=device", "device", "ascending", {"sort": "-device"}),
        ("sort=n_units", "n_units", "descending", {"sort": "-n_units"}),
        ("sort=-n_units", "n_units", "ascending", {"sort": "n_units"}),
        (
            "sort=latency_4k&class=hdd&q=a",
            "latency_4k",
            "ascending",
            {"sort": "-latency_4k", "class": "hdd", "q": "a"},
        ),
    ]:
        with subtests.test(query=query):
            page = Page(client.get(f"/leaderboard/?view=table&{query}"))
            (head,) = page.root.xpath(".//th[@aria-sort]")
            assert (head.get("class").split()[0], head.get("aria-sort")) == (f"is-{column}", direction)
            assert query_params(head.find("a").get("href")) == {"view": "table", **target}


def test_boards_and_methods_keep_class_and_search(client):
    page = Page(client.get("/leaderboard/?class=hdd&q=a&sort=n_units"))
    kept = {"class": "hdd", "q": "a", "sort": "n_units"}
    assert [*choices(page, "Measured with").values()] == [
        (kept, True),
        (kept | {"method": "diskinfo"}, False),
        (kept | {"method": "slogprobe"}, False),
        (kept | {"method": "fio"}, False),
    ]
    assert [*choices(page, "Ranked by").values()] == [
        ({"class": "hdd", "q": "a"}, True),
        ({"class": "hdd", "q": "a", "board": "zil"}, False),
    ]


def test_the_list_names_its_order_and_offers_others(client, subtests):
    for query, current, count in [
        ("", "fastest first", 4),
        ("sort=n_units", "most measured", 4),
        ("sort=-n_units", "Units", 5),
    ]:
        with subtests.test(query=query):
            orders = choices(Page(client.get(f"/leaderboard/?{query}")), "Sorted by")
            assert [label for label, (_, is_current) in orders.items() if is_current] == [current]
            assert len(orders) == count
            table = Page(client.get(f"/leaderboard/?view=table&{query}"))
            assert choices(table, "Sorted by") == {}  # its heads sort


def test_pages_link_to_each_other(client):
    for number in range(51):
        make_result(20, device=make_device(model_name=f"{number:03}"))
    rank_everything()
    first, second = (Page(client.get(f"/leaderboard/?class=nvme{query}")) for query in ("", "&page=2"))
    assert ("Page 1 of 2" in first.text, "Page 2 of 2" in second.text) == (True, True)
    assert ("Previous" in first.links, "Next" in second.links) == (False, False)
    assert query_params(first.links["Next"]) == {"class": "nvme", "page": "2"}
    assert query_params(second.links["Previous"]) == {"class": "nvme"}


def test_an_option_shows_its_count_and_is_dimmed_at_zero(client):
    assert '<a href="/leaderboard/?class=nvdimm" class="is-empty">NVDIMM' in client.get("/leaderboard/").text
    response = client.get("/leaderboard/?class=hdd")
    assert '<option value="256gb-1tb">256 GB to 1 TB (2)</option>' in response.text
    assert '<option value="from-4tb" disabled>4 TB and more (0)</option>' in response.text
