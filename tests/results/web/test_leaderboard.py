import re
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def names(response):
    return [row["model_name"] for group in response.context["groups"] for row in group["rows"]]


def asked(url):
    """The parameters of a link."""
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


@pytest.fixture
def _devices():
    make_result(20, device__model_name="Sample fast", device__device_class="optane")
    make_result(90, device__model_name="Sample slow", device__device_class="hdd")
    make_result(50, device__model_name="Another", device__device_class="hdd")
    rank_everything()


def cells(page):
    """The text of every table cell, by row."""
    rows = re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    return [
        [re.sub(r"<.*?>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in rows
    ]


@pytest.mark.usefixtures("_devices")
def test_devices_are_listed_lowest_latency_first(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(5):
        response = client.get("/leaderboard/")
    assert names(response) == ["Sample fast", "Another", "Sample slow"]
    assert [row[1].split("480")[0] for row in cells(response.text)[1:]] == names(response)


def test_a_longer_list_takes_no_more_queries(client, django_assert_max_num_queries):
    for number in range(60):
        make_result(20 + number)
    rank_everything()
    with django_assert_max_num_queries(5):
        assert len(names(client.get("/leaderboard/"))) == 50
    with django_assert_max_num_queries(5):
        assert len(names(client.get("/leaderboard/?page=2"))) == 10


@pytest.mark.usefixtures("_devices")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("class=hdd", ["Another", "Sample slow"]),
        ("sort=-zil_latency", ["Sample slow", "Another", "Sample fast"]),
        ("q=sample", ["Sample fast", "Sample slow"]),
        ("q=sample&class=hdd", ["Sample slow"]),
        ("method=fio", []),
        ("class=&sort=&q=&page=&method=", ["Sample fast", "Another", "Sample slow"]),
    ],
)
def test_a_list_can_be_filtered_and_ordered(client, query, expected):
    assert names(client.get(f"/leaderboard/?{query}")) == expected


@pytest.mark.usefixtures("_devices")
def test_the_numbers_are_written_out(client):
    page = client.get("/leaderboard/?q=fast").text
    (_, figures) = cells(page)
    assert figures[3:7] == ["20.0", "20.0", "6,250", "400,000"]


@pytest.fixture
def _ties():
    """A device that is surely first, two that can't be told apart, and one that is surely last."""
    for name, latency_us in [("first", 10), ("tied", 100), ("tied, too", 101), ("last", 1000)]:
        device = make_device(model_name=name)
        for _ in range(8):
            make_result(latency_us, device=device)
    rank_everything()


@pytest.mark.usefixtures("_ties")
def test_ties_stand_together_with_the_places_that_are_open(client):
    response = client.get("/leaderboard/")
    shown = [
        (group["is_tie"], [(row["model_name"], row["rank"]) for row in group["rows"]])
        for group in response.context["groups"]
    ]
    assert shown == [
        (False, [("first", "1")]),
        (True, [("tied", "2–3"), ("tied, too", "2–3")]),
        (False, [("last", "4")]),
    ]
    assert response.text.count('<tbody role="rowgroup" class="tie">') == 1
    assert "A bracket joins devices that are tied" in response.text


@pytest.mark.usefixtures("_ties")
def test_an_order_of_its_own_draws_no_ties(client):
    response = client.get("/leaderboard/?sort=throughput_128k")
    assert [group["is_tie"] for group in response.context["groups"]] == [False]
    assert "bracket" not in response.text
    assert [row["rank"] for row in response.context["groups"][0]["rows"]] == ["1", "2–3", "2–3", "4"]


@pytest.mark.usefixtures("_devices")
def test_every_interval_says_its_ends_in_text(client):
    rows = [row for group in client.get("/leaderboard/").context["groups"] for row in group["rows"]]
    (low, high) = re.search(r"<title>([\d.]+)–([\d.]+) µs</title>", rows[0]["interval_svg"]).groups()
    assert float(low) < 20 < float(high)


@pytest.mark.usefixtures("_devices")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("", "the upper end of the 90 % interval of ZIL latency (at worst), lowest first"),
        ("sort=-zil_latency", "the upper end of the 90 % interval of ZIL latency (at worst), highest first"),
        ("sort=throughput_128k", "128 KiB, highest first"),
    ],
)
def test_the_order_is_said_in_words(client, query, text):
    assert f"Sorted by {text}." in client.get(f"/leaderboard/?{query}").text


@pytest.mark.parametrize("query", ["class=floppy", "method=dd", "sort=price", "page=0", "page=x", "q=a%00b"])
def test_nonsense_is_refused_and_says_what(client, query):
    response = client.get(f"/leaderboard/?{query}")
    assert response.status_code == 400
    assert f"<strong>{query.partition('=')[0]}</strong>" in response.text


@pytest.mark.parametrize("page", ["2", "1000000"])
def test_there_is_no_page_past_the_end(client, page):
    assert client.get(f"/leaderboard/?page={page}").status_code == 404


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("class=nvdimm", "No measured device in this class yet"),
        ("q=nothing", "No measured device matches"),
    ],
)
def test_an_empty_list_says_what_to_do(client, query, said):
    assert said in client.get(f"/leaderboard/?{query}").text


@pytest.mark.usefixtures("_devices")
@pytest.mark.parametrize(
    ("query", "column", "direction", "target"),
    [
        ("", "zil_latency", "ascending", {"sort": "-zil_latency"}),
        ("sort=-zil_latency", "zil_latency", "descending", {}),
        ("sort=n_units", "n_units", "descending", {"sort": "-n_units"}),
        ("sort=-n_units", "n_units", "ascending", {"sort": "n_units"}),
        (
            "sort=latency_4k&class=hdd&q=a",
            "latency_4k",
            "ascending",
            {"sort": "-latency_4k", "class": "hdd", "q": "a"},
        ),
        ("sort=n_units&page=1", "n_units", "descending", {"sort": "-n_units"}),
        ("method=fio", "latency_4k", "ascending", {"method": "fio", "sort": "-latency_4k"}),
    ],
)
def test_the_column_in_order_says_its_direction_and_turns_it(client, query, column, direction, target):
    columns = client.get(f"/leaderboard/?{query}").context["columns"]
    ordered = {one["key"]: one["aria_sort"] for one in columns if one["aria_sort"]}
    assert ordered == {column: direction}
    assert asked(next(one["url"] for one in columns if one["key"] == column)) == target


@pytest.mark.usefixtures("_devices")
def test_another_column_starts_with_its_best_end(client):
    columns = client.get("/leaderboard/?sort=-zil_latency&class=hdd&page=1").context["columns"]
    urls = {one["key"]: asked(one["url"]) for one in columns}
    assert urls["throughput_128k"] == {"sort": "throughput_128k", "class": "hdd"}


@pytest.mark.usefixtures("_devices")
def test_tabs_count_the_devices_of_each_class(client):
    tabs = client.get("/leaderboard/?class=hdd&sort=n_units").context["tabs"]
    assert [(tab["label"], tab["count"], tab["is_current"]) for tab in tabs] == [
        ("All", 3, False),
        ("Optane", 1, False),
        ("Hard disk", 2, True),
    ]
    assert [asked(tab["url"]) for tab in tabs] == [
        {"sort": "n_units"},
        {"class": "optane", "sort": "n_units"},
        {"class": "hdd", "sort": "n_units"},
    ]


@pytest.mark.usefixtures("_devices")
def test_the_other_method_keeps_class_and_search(client):
    tabs = client.get("/leaderboard/?class=hdd&q=a&sort=n_units").context["method_tabs"]
    assert [(asked(tab["url"]), tab["is_current"]) for tab in tabs] == [
        ({"class": "hdd", "q": "a"}, True),
        ({"class": "hdd", "q": "a", "method": "fio"}, False),
    ]


def test_pages_lead_to_each_other(client):
    for number in range(101):
        make_result(20, device=make_device(model_name=f"{number:03}"))
    rank_everything()

    def links(page):
        pager = client.get(f"/leaderboard/?class=nvme&page={page}").context["page"]
        return pager["number"], pager["count"], asked(pager["previous_url"]), asked(pager["next_url"])

    assert links(1) == (1, 3, {}, {"class": "nvme", "page": "2"})
    assert links(2) == (2, 3, {"class": "nvme"}, {"class": "nvme", "page": "3"})
    assert links(3) == (3, 3, {"class": "nvme", "page": "2"}, {})


@pytest.mark.usefixtures("_devices")
def test_the_chart_shows_the_first_devices_of_the_page(client):
    response = client.get("/leaderboard/")
    labels = [curve["label"] for curve in response.context["chart_data"]]
    assert labels == ["Sample fast 480 GB", "Another 480 GB", "Sample slow 480 GB"]
    assert "<svg" in response.text


def test_protection_stands_in_the_row_and_can_be_asked_for(client):
    statement = {"value": "yes", "evidence": "data_sheet", "url": "https://maker.example/"}
    protected = make_product(plp="yes", plp_statements=[statement])
    make_result(90, device=make_device(model_name="Protected slow", product=protected))
    make_result(20, device=make_device(model_name="Fast and unknown"))
    rank_everything()
    page = client.get("/leaderboard/")
    assert names(page) == ["Fast and unknown", "Protected slow"]
    assert page.content.decode().count('<span class="tag tag-good">Protected</span>') == 1
    (link,) = [tab["url"] for tab in page.context["safety_tabs"] if not tab["is_current"]]
    only = client.get(link)
    assert names(only) == ["Protected slow"]
    assert all(asked(column["url"]).get("protected") == "1" for column in only.context["columns"])
    assert client.get("/leaderboard/?protected=maybe").status_code == 400
