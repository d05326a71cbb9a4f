import pytest

from results.catalogue.lists import ListTools
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from results.models.choices import DEVICE_CLASSES
from tests.factories import make_device, make_result, rank_everything
from tests.page import Page
from tests.results.links import query_params

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


def test_another_column_starts_with_its_best_end(client):
    heads = client.get("/leaderboard/?class=hdd&sort=-zil_latency").context["tools"].heads
    urls = {column.key: query_params(url) for column, url in heads}
    assert urls["throughput_128k"] == {"sort": "throughput_128k", "class": "hdd"}


def test_tabs_count_the_devices_of_each_class(client):
    filters = LeaderboardFilter(chosen={"class": "hdd"}, sort="n_units")
    found = rank_devices(filters, with_options=True)
    tabs = ListTools(filters, found.counts.options, "").tabs
    assert [(tab.label, tab.count, tab.is_current) for tab in tabs] == [
        ("All", 3, False),
        *(
            (label, {"optane": 1, "hdd": 2}.get(value, 0), value == "hdd")
            for value, label in DEVICE_CLASSES.items()
            if value != "unknown"
        ),
    ]
    assert [query_params(tab.url) for tab in tabs[:2]] == [
        {"sort": "n_units"},
        {"class": "optane", "sort": "n_units"},
    ]
    assert '<a href="/leaderboard/?class=nvdimm" class="is-empty">NVDIMM' in client.get("/leaderboard/").text


def test_boards_and_methods_keep_class_and_search(client):
    choices = dict(client.get("/leaderboard/?class=hdd&q=a&sort=n_units").context["tools"].more_choices)
    tabs, boards = choices["Measured with"], choices["Ranked by"]
    kept = {"class": "hdd", "q": "a", "sort": "n_units"}
    assert [(query_params(tab.url), tab.is_current) for tab in tabs] == [
        (kept, True),
        (kept | {"method": "diskinfo"}, False),
        (kept | {"method": "fio"}, False),
    ]
    assert [(query_params(tab.url), tab.is_current) for tab in boards] == [
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
            links = dict(client.get(f"/leaderboard/?{query}").context["tools"].more_choices)["Sorted by"]
            assert [link.label for link in links if link.is_current] == [current]
            assert len(links) == count
            table = client.get("/leaderboard/?view=table").context["tools"]
            assert "Sorted by" not in dict(table.more_choices)  # its heads sort


def test_pages_link_to_each_other(client):
    for number in range(51):
        make_result(20, device=make_device(model_name=f"{number:03}"))
    rank_everything()
    first, second = (
        client.get(f"/leaderboard/?class=nvme{query}").context["page"] for query in ("", "&page=2")
    )
    assert (first.number, first.count, second.number) == (1, 2, 2)
    assert (first.previous_url, second.next_url) == ("", "")
    assert query_params(first.next_url) == {"class": "nvme", "page": "2"}
    assert query_params(second.previous_url) == {"class": "nvme"}


def test_filters_are_shown_as_removable_chips(client):
    tools = client.get("/leaderboard/?class=hdd&capacity=256gb-1tb&q=sample&sort=device").context["tools"]
    assert {chip.label: query_params(chip.url) for chip in tools.chips} == {
        "Capacity: 256 GB to 1 TB": {"class": "hdd", "q": "sample", "sort": "device"},
        "“sample”": {"class": "hdd", "capacity": "256gb-1tb", "sort": "device"},
    }
    assert tools.clear_url == "/leaderboard/"


def test_an_option_shows_its_count_and_is_dimmed_at_zero(client):
    response = client.get("/leaderboard/?class=hdd")
    assert '<option value="256gb-1tb">256 GB to 1 TB (2)</option>' in response.text
    assert '<option value="from-4tb" disabled>4 TB and more (0)</option>' in response.text


def test_the_form_keeps_what_it_has_no_field_for(client):
    page = client.get("/leaderboard/?class=hdd&sort=n_units").text
    assert '<input type="hidden" name="class" value="hdd">' in page
    assert '<input type="hidden" name="sort" value="n_units">' in page
