import pytest

from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def rows(response):
    return {row["label"]: row["best"] and row["best"]["model_name"] for row in response.context["classes"]}


def test_each_class_shows_its_fastest_device(client, django_assert_max_num_queries):
    for name, latency_us, device_class in [("slow", 90, "nvme"), ("fast", 20, "nvme"), ("disk", 9000, "hdd")]:
        make_result(latency_us, device__model_name=name, device__device_class=device_class)
    rank_everything()
    with django_assert_max_num_queries(7):
        response = client.get("/")
    shown = rows(response)
    assert (shown["NVMe SSD"], shown["Hard disk"], shown["Optane"]) == ("fast", "disk", None)
    assert "Class unknown" not in shown


def test_a_protected_device_stands_before_a_faster_one(client):
    statement = {"value": "yes", "evidence": "data_sheet", "url": "https://maker.example/"}
    safe = make_product(plp="yes", plp_statements=[statement])
    make_result(90, device=make_device(model_name="safe", product=safe))
    make_result(20, device__model_name="fast")
    make_result(9000, device__model_name="disk", device__device_class="hdd")
    rank_everything()
    response = client.get("/")
    assert (rows(response)["NVMe SSD"], rows(response)["Hard disk"]) == ("safe", "disk")
    assert response.text.count('<span class="tag tag-good">Protected</span>') == 1
    assert response.text.count("none is known to be protected") == 1


def test_the_class_of_the_unknown_is_shown_only_when_there_is_one(client):
    make_result(device__device_class="unknown", device__model_name="riddle")
    rank_everything()
    assert rows(client.get("/"))["Class unknown"] == "riddle"


def test_the_newest_results_are_shown(client):
    device = make_device(model_name="Sample")
    for number in range(10):
        make_result(20 + number, device=device, submission__public_id=f"sample{number}")
    newest = client.get("/").context["newest"]
    assert [row["url"] for row in newest] == [f"/results/sample{number}/" for number in range(9, 1, -1)]
    assert (newest[0]["device"], newest[0]["class_label"]) == ("Sample", "NVMe SSD")


def test_an_empty_site_asks_for_the_first_result(client):
    response = client.get("/")
    assert set(rows(response).values()) == {None}
    assert "Nothing has been measured here yet" in response.text
    assert "<table" not in response.text
    assert response.context["totals"] == {
        "devices": "0 devices",
        "results": "0 results",
    }


@pytest.mark.parametrize(("count", "is_sparse"), [(49, True), (50, False)])
def test_a_site_with_few_results_says_so(client, count, is_sparse):
    device = make_device()
    for _ in range(count):
        make_result(device=device)
    assert ("There is little here yet" in client.get("/").text) is is_sparse


@pytest.mark.parametrize("is_demo", [True, False])
def test_the_demo_says_on_every_page_that_its_figures_are_made_up(client, settings, is_demo):
    settings.IS_DEMO = is_demo
    for url in ("/", "/leaderboard/", "/about/", "/submit/"):
        assert ("Every figure on this site is made up" in client.get(url).text) is is_demo


def test_the_first_of_a_class_shows_how_many_it_may_share_its_place_with(client):
    for latency_us in (20, 21, 22):
        make_result(latency_us, device__device_class="optane")
    rank_everything()
    (optane,) = [row for row in client.get("/").context["classes"] if row["slug"] == "optane"]
    assert (optane["best"]["rank"], optane["device_count"]) == ("1–3", "3")


def test_totals_are_written_in_thousands(client, monkeypatch):
    make_result()
    totals = {"devices": 7, "results": 1_234_567}
    monkeypatch.setattr("results.web.home.count_published", lambda: totals)
    page = client.get("/").text
    assert "7 devices, 1,234,567 results." in page
