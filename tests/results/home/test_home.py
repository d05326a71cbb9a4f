import pytest

from tests.factories import make_device, make_protected_product, make_result, rank_everything

pytestmark = pytest.mark.django_db
APPROVED = {"submission__is_approved": True}


def rows(response):
    return {row["label"]: row["best"] and row["best"]["model_name"] for row in response.context["classes"]}


def test_each_class_shows_its_best_recommended_device(client, django_assert_max_num_queries):
    product = make_protected_product()
    for name, latency_us, device_class in [("slow", 90, "nvme"), ("fast", 20, "nvme"), ("cache", 9, "nvram")]:
        device = make_device(model_name=name, device_class=device_class, product=product)
        make_result(latency_us, device=device, submission__is_approved=True)
    rank_everything()
    with django_assert_max_num_queries(11):  # three of them for what fio ranks and recommends
        response = client.get("/")
    shown = rows(response)
    assert (shown["NVMe SSD"], shown["NVRAM card"], shown["Optane"]) == ("fast", "cache", None)
    assert "Class unknown" not in shown
    assert "The best protected choice in each class" in response.text


def test_an_unprotected_device_is_not_recommended(client):
    make_result(90, device=make_device(model_name="safe", product=make_protected_product()), **APPROVED)
    make_result(20, device__model_name="fast", **APPROVED)
    make_result(9000, device__model_name="disk", device__device_class="hdd", **APPROVED)
    rank_everything()
    response = client.get("/")
    assert (rows(response)["NVMe SSD"], rows(response)["Hard disk"]) == ("safe", None)
    assert response.text.count('<span class="tag tag-good">Protected</span>') == 1
    assert "Our catalogue has no protected product in this class." in response.text


def test_anonymous_results_alone_recommend_nothing(client):
    device = make_device(model_name="forged", product=make_protected_product(name="Target"))
    for _ in range(9):
        make_result(5, device=device)
    rank_everything()
    response = client.get("/")
    assert rows(response)["NVMe SSD"] is None
    assert "Promising, needs one more owner:" in response.text


def test_classes_without_a_recommendation_list_products_to_measure(client):
    for year in range(2010, 2015):
        make_protected_product(name=f"P{year}", slug=f"p{year}", launch_year=year)
    make_result(20)
    (nvme,) = [row for row in client.get("/").context["classes"] if row["slug"] == "nvme"]
    named = [one["name"] for one in nvme["no_choice"]["unmeasured"]]
    assert (named, nvme["no_choice"]["more_count"]) == (["Aldera P2014", "Aldera P2013", "Aldera P2012"], 2)
    text = client.get("/").text
    assert '<a href="/products/p2014/">Aldera P2014</a> <span class="tag tag-good">Protected</span>' in text
    assert (
        'href="https://maker.example/sheet.pdf" rel="nofollow">maker&#x27;s data sheet or manual</a>' in text
    )
    assert 'not measured yet. <a href="/submit/commands/">Be the first</a>' in text


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
def test_a_site_with_few_results_has_a_notice(client, count, is_sparse):
    device = make_device()
    for _ in range(count):
        make_result(device=device)
    assert ("Just getting started" in client.get("/").text) is is_sparse


@pytest.mark.parametrize("is_demo", [True, False])
def test_every_page_of_the_demo_states_that_figures_are_made_up(client, settings, is_demo):
    settings.IS_DEMO = is_demo
    for url in ("/", "/leaderboard/", "/about/", "/submit/"):
        assert ("Every figure on this site is made up" in client.get(url).text) is is_demo


def test_the_first_of_a_class_shows_how_many_it_may_share_its_place_with(client):
    product = make_protected_product()
    for latency_us in (20, 21, 22):
        make_result(latency_us, device=make_device(device_class="optane", product=product), **APPROVED)
    rank_everything()
    (optane,) = [row for row in client.get("/").context["classes"] if row["slug"] == "optane"]
    assert (optane["best"]["rank"], optane["device_count"]) == ("1–3", "3")


def of_class(response, slug):
    (found,) = [one for one in response.context["classes"] if one["slug"] == slug]
    return found


def test_the_choice_of_a_class_may_be_by_fio(client):
    safe = make_device(model_name="safe", slug="safe", product=make_protected_product())
    make_result([None, None, None, 900, *[None] * 11], device=safe, method="fio", **APPROVED)
    make_result(10, device__model_name="fast", method="fio")
    rank_everything()
    response = client.get("/")
    nvme = of_class(response, "nvme")
    assert (nvme["best"]["model_name"], nvme["best"]["method"]) == ("safe", "fio")
    assert (nvme["best"]["rank"], nvme["device_count"]) == ("2", "2")
    assert nvme["url"] == "/leaderboard/?class=nvme"
    assert "chart_svg" not in response.context  # fio measured one block size


def test_a_class_counts_the_devices_of_both_methods(client):
    make_result(30, method="fio", device__device_class="hdd")
    make_result(40, device__device_class="hdd")
    rank_everything()
    assert of_class(client.get("/"), "hdd")["device_count"] == "2"


def test_totals_are_written_in_thousands(client, monkeypatch):
    make_result()
    totals = {"devices": 7, "results": 1_234_567}
    monkeypatch.setattr("results.home.page.count_published", lambda: totals)
    page = client.get("/").text
    assert "7 devices, 1,234,567 results." in page
