import re
from datetime import date

import pytest

from tests.factories import (
    make_device,
    make_member,
    make_product,
    make_protected_product,
    make_result,
    rank_everything,
)
from tests.page import Page, text_of
from tests.results.links import query_params

pytestmark = pytest.mark.django_db


def names(response):
    labels = Page(response).root.xpath(".//a[@class='compare-add']/@aria-label")
    return [label.removeprefix("Compare ").removesuffix(" 480 GB") for label in labels]


def slugs(response):
    links = Page(response).root.xpath(".//a[@class='compare-add']/@href")
    return [link.removeprefix("/compare/?devices=") for link in links]


def ranks(response):
    return [text_of(rank) for rank in Page(response).root.xpath(".//li//p[starts-with(@class, 'rank ')]")]


def current_links(response, label):
    """The addresses of the current links of a group."""
    return Page(response).root.xpath(f".//nav[@aria-label='{label}']/a[@aria-current]/@href")


def heads(response):
    """The names of the columns."""
    classes = Page(response).root.xpath(".//th[@scope='col'][starts-with(@class, 'is-')]/@class")
    return [name.split()[0].removeprefix("is-") for name in classes]


def test_columns_that_are_empty_in_all_rows_are_not_shown(client):
    product = make_product(form_factors="U.2")
    make_result(20, device=make_device(product=product), metrics={"latency_4k_us": 20.0}, measured_on=None)
    rank_everything()
    usual = ["rank", "device", "interval", "latency_4k", "n_units", "n_results"]
    assert heads(client.get("/leaderboard/?view=table&columns=endurance_tbw")) == usual
    with_facts = client.get("/leaderboard/?view=table&columns=endurance_tbw,form_factors")
    assert heads(with_facts) == [*usual, "form_factors"]
    assert {len(row) for row in Page(with_facts).tables[0]} == {len(usual) + 2}  # one to compare
    assert heads(client.get("/leaderboard/?view=table&sort=zil_latency")) == [
        *usual[:3],
        "zil_latency",
        *usual[3:],
    ]


def test_a_column_that_few_rows_have_is_shown_on_request(client):
    for number in range(6):
        of_all = {"metrics": {"latency_4k_us": 20.0 + number}}
        make_result(20 + number, **({} if number == 0 else of_all))
    rank_everything()
    page = client.get("/leaderboard/?view=table")
    assert "zil_latency" not in heads(page)
    assert "Left out, as few of these drives have a figure: ZIL latency," in page.text
    shown = client.get(Page(page).links["Show these columns"])
    assert {"zil_latency", "latency_8k", "throughput_128k"} < set(heads(shown))
    assert "Left out" not in shown.text
    assert "zil_latency" in Page(shown).fields["columns"].value.split(",")
    other = client.get("/leaderboard/?view=table&columns=latency_8k")
    assert "latency_8k" in heads(other)
    assert "zil_latency" not in heads(other)


def test_a_class_without_a_ranked_drive_says_what_is_known(client):
    make_protected_product(name="Untried", slug="untried", device_class="optane")
    response = client.get("/leaderboard/?class=optane")
    page = Page(response)
    assert current_links(response, "Device class") == ["/leaderboard/?class=optane"]
    assert "Early Optane (Optane 32 GB) 10 µs to 100 ms" in page.text
    assert "diskinfo -wS /dev/EMPTY_DISK" in page.text
    assert "/results/?class=optane" in page.links.values()
    assert page.links["Aldera Untried"] == "/products/untried/"
    hdd = client.get("/leaderboard/?class=unknown").text
    assert "talk found in 2018" not in hdd


def test_ties_are_grouped_with_their_possible_places_in_the_order_of_the_board(client):
    """A device that is surely first, two that can't be told apart, and one that is surely last."""
    for name, latency_us in [("first", 10), ("tied", 100), ("tied, too", 101), ("last", 1000)]:
        device = make_device(model_name=name)
        for _ in range(8):
            make_result(latency_us, device=device)
    rank_everything()
    response = client.get("/leaderboard/")
    assert ranks(response) == ["1", "2–3", "2–3", "4"]
    assert names(response) == ["first", "tied", "tied, too", "last"]
    classes = Page(response).root.xpath(".//li[starts-with(@class, 'drive ')]/@class")
    assert classes == ["drive is-first", "drive is-tied is-first", "drive is-tied", "drive is-first"]
    table = client.get("/leaderboard/?view=table").text
    assert table.count('<tbody role="rowgroup" class="tie">') == 1
    assert "Devices in a bracket are statistically tied" in response.text
    other = client.get("/leaderboard/?sort=throughput_128k")
    assert "is-tied" not in other.text
    assert "bracket" not in other.text
    assert ranks(other) == ["1", "2–3", "2–3", "4"]


@pytest.mark.usefixtures("three_devices")
def test_the_link_back_keeps_valid_parameters(client, subtests):
    for query, status, back in [
        ("class=floppy", 400, "/leaderboard/"),
        ("class=hdd&min_units=few", 400, "/leaderboard/?class=hdd"),
        ("class=hdd&q=" + "x" * 500, 400, "/leaderboard/?class=hdd"),
        ("class=hdd&page=1000000", 404, "/leaderboard/?class=hdd"),
    ]:
        with subtests.test(query=query):
            response = client.get(f"/leaderboard/?{query}")
            assert response.status_code == status
            assert f'href="{back}"' in response.text
            assert "x" * 60 not in response.text


@pytest.mark.usefixtures("three_devices")
def test_long_urls_redirect_to_the_canonical_one(client, subtests):
    for query, short in [
        ("class=&sort=&q=&page=&method=", ""),
        ("class=hdd&q=&plp=&vendor=", "?class=hdd"),
        ("sort=rank&board=sync_write&page=1&view=bars", ""),
        ("protected=1&class=hdd", "?class=hdd&plp=protected"),
        ("q=+fast++sample+", "?q=fast+sample"),
        ("q=&chart=throughput", "?chart=throughput"),
    ]:
        with subtests.test(query=query):
            response = client.get(f"/leaderboard/?{query}")
            assert (response.status_code, response["Location"]) == (302, f"/leaderboard/{short}")
            assert client.get(response["Location"]).status_code == 200


def test_an_empty_list_suggests_what_to_do(client, subtests):
    for query, expected in [
        ("", "No device measured yet"),
        ("class=nvdimm", "No device of this class is ranked yet"),
        ("method=fio", "No measured device matches"),
        ("q=nothing", "No measured device matches"),
    ]:
        with subtests.test(query=query):
            page = client.get(f"/leaderboard/?{query}").text
            assert (expected in page, "sorted by" in page) == (True, False)


@pytest.mark.usefixtures("three_devices")
def test_similar_matches_are_marked_as_such(client):
    response = client.get("/leaderboard/?q=sampel+fast")
    assert names(response) == ["Sample fast"]
    assert "These have similar names." in response.text


@pytest.mark.usefixtures("three_devices")
def test_a_product_that_is_not_on_the_board_is_linked(client):
    make_product(slug="osprey", vendor="Aldera", name="Osprey 480X", device_class="optane")
    for typed in ("Osprey 480X", "osprey 4"):
        page = Page(client.get("/leaderboard/", {"q": typed}))
        assert "Aldera Osprey 480X isn’t on this leaderboard yet. What we know of it" in page.text
        assert page.links["What we know of it"] == "/products/osprey/"
    assert "isn’t on this leaderboard" not in client.get("/leaderboard/?q=sampel+fast").text


def test_an_unknown_day_leaves_its_cell_empty_for_the_style_to_fill(client):
    make_result(20, measured_on=None)
    make_result(90, measured_on=date(2024, 2, 1))
    rank_everything()
    dates = Page(client.get("/leaderboard/?view=table")).root.xpath(".//td[@class='num date']")
    assert [date.text or "" for date in dates] == ["", "2024-02-01"]


def test_a_class_names_its_best_protected_choice(client):
    product = make_protected_product(name="Falcon")
    for name, latency_us, values in [
        ("anonymous", 10, {}),
        ("approved", 20, {"submission__is_approved": True}),
    ]:
        device = make_device(slug=name, model_name=name, product=product)
        make_result(latency_us, device=device, **values)
    rank_everything()
    response = client.get("/leaderboard/?class=nvme")
    assert slugs(response) == ["anonymous", "approved"]  # anonymous results rank
    assert "Best protected choice: NVMe SSD Aldera Falcon 480 GB" in Page(response).text


def test_a_class_without_a_recommendation_lists_products_that_nobody_measured(client):
    make_protected_product(name="Untried", slug="untried")
    make_result(10)
    rank_everything()
    page = Page(client.get("/leaderboard/?class=nvme"))
    assert "Aldera Untried Protected" in page.text
    assert page.links["Aldera Untried"] == "/products/untried/"
    assert page.links["Be the first"] == "/submit/commands/"


def test_only_the_first_page_of_a_class_names_a_choice(client):
    for number in range(51):
        make_result(10, device__model_name=f"Sample {number}")
    rank_everything()
    for query in ("", "class=nvme&q=sample", "class=nvme&page=2"):
        response = client.get(f"/leaderboard/?{query}")
        assert "Best protected choice" not in response.text, query
    assert "Best protected choice: NVMe SSD" in client.get("/leaderboard/?class=nvme").text


def test_no_filter_changes_the_choice_of_a_class(client):
    product = make_protected_product()
    for name, method, latency_us in [
        ("by diskinfo", "diskinfo", 60),
        ("by fio", "fio", 40),
        ("slower by fio", "fio", 90),
    ]:
        device = make_device(slug=name.replace(" ", "-"), model_name=name, product=product)
        make_result(latency_us, device=device, method=method, submission__is_approved=True)
    rank_everything()
    for query in ("", "&method=fio", "&method=diskinfo", "&board=zil"):
        choice = Page(client.get(f"/leaderboard/?class=nvme{query}")).section("choice")
        assert next(iter(choice.links.values())) == f"/products/{product.slug}/480-gb/by-fio/"
        assert re.search(r": 4 KiB latency \S+ µs.*, 1 unit\.", choice.text)


def test_a_choice_names_the_interval_of_its_row_where_that_differs(client):
    device = make_device(model_name="choice", product=make_protected_product())
    make_result(40, device=device, submission__is_approved=True)
    rank_everything()
    response = client.get("/leaderboard/?class=nvme")
    assert "with all results that count" not in response.text
    interval = re.search(r"4 KiB latency \S+ µs", Page(response).section("choice").text)[0]
    make_result(79, device=device, submission__owner=make_member())  # who agrees with it
    rank_everything()
    response = client.get("/leaderboard/?class=nvme")
    assert interval in Page(response).section("choice").text
    low, high = re.search(r"\(([\d.]+)–([\d.]+) µs with all results that count\)", response.text).groups()
    assert float(low) < 56 < float(high)


def test_a_method_narrows_the_list_and_changes_no_rank(client):
    """Optane by both methods, hard disks by fio only."""
    for name, device_class, method in [
        ("Optane", "optane", "diskinfo"),
        ("Optane by fio", "optane", "fio"),
        ("Disk by fio", "hdd", "fio"),
    ]:
        make_result(20, device__model_name=name, device__device_class=device_class, method=method)
    rank_everything()
    response = client.get("/leaderboard/")
    assert names(response) == ["Optane", "Optane by fio", "Disk by fio"]
    assert {"All 3", "Optane 2", "Hard disk 1"} < set(Page(response).links)
    assert response.text.count("1 unit by fio") == 2
    response = client.get("/leaderboard/?method=fio&q=disk")
    assert (names(response), ranks(response)) == (["Disk by fio"], ["1–3"])
    links = Page(response).links
    assert links["Without Measured with: fio"] == "/leaderboard/?q=disk"
    assert links["Without “disk”"] == "/leaderboard/?method=fio"
    tabs = Page(client.get("/leaderboard/?method=fio")).links
    assert query_params(tabs["All 2"]) == {"method": "fio"}
    assert {"Optane 1", "Hard disk 1"} < set(tabs)


def test_devices_without_a_place_are_listed_on_demand_after_the_last_page(client):
    make_result(20, device=make_device(model_name="Ranked"))
    make_result(30, device=make_device(model_name="Partition"), not_ranked_reason="A partition.")
    make_result(
        40, device=make_device(model_name="Held"), submission__state="held", not_ranked_reason="Held."
    )
    rank_everything()
    page = client.get("/leaderboard/")
    assert "+ 1 device without a place" in page.text
    assert "Partition" not in page.text
    url = Page(page).links["Show"].removesuffix("#unplaced")
    assert url == "/leaderboard/?include=unranked,waiting"
    shown = client.get(url)
    (row,) = Page(shown).section("without-a-place").rows()
    assert row["Device"].startswith("Partition")
    assert "not ranked: A partition." in shown.text
    assert "Held" not in shown.text
    assert "Partition" in client.get("/leaderboard/?q=partition&include=unranked").text
    assert "without a place" not in client.get("/leaderboard/?include=waiting").text


def test_rows_state_their_tier_and_how_they_were_measured(client):
    told = {"method": "fio", "pattern": "random", "write_cache_enabled": True, "has_volatile_cache": True}
    device = make_device(model_name="Stated")
    for sync_method in ("fsync", "sync"):
        make_result(28, device=device, sync_method=sync_method, **told)
    make_result(2000, device=make_device(model_name="Silent"))
    rank_everything()
    stated, silent = (row["Device"] for row in Page(client.get("/leaderboard/?view=table")).rows())
    assert "very good or excellent, fsync or O_SYNC, random, write cache enabled, volatile cache" in stated
    assert silent.endswith("slow at best, may help hard disks only, write cache not stated")
    assert "slow at best" not in Page(client.get("/leaderboard/?board=zil&view=table")).rows()[1]["Device"]
    api = {row["device"]["model_name"]: row for row in client.get("/api/v1/leaderboard/").json()["results"]}
    assert api["Stated"]["conditions"] == {
        "sync_method": ["fsync", "sync"],
        "pattern": ["random"],
        "write_cache": ["on"],
        "volatile_cache": ["yes"],
        "kernel_write_cache": [],
        "fua": [],
    }
