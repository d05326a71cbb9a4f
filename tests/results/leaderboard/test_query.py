import pytest

from results.leaderboard.forms import LeaderboardFilter, LeaderboardPageForm
from results.leaderboard.query import PAGE_SIZE, rank_devices
from results.ranking.leaders import best_by_class, count_by_class
from results.ranking.standing import main_rows
from results.ranking.ties import Place
from tests.factories import (
    flat,
    make_device,
    make_product,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db
SMALL = [None, None, None, 30, *[None] * 11]  # 4 KiB alone, in µs


def names(**filters):
    return [row["device__model_name"] for row in rank_devices(LeaderboardFilter(**filters)).rows]


@pytest.fixture
def _three():
    """Named after what they are best at."""
    make_result([*flat(20)[:14], 9e6], device=make_device(model_name="latency"))
    make_result([*flat(50)[:8], *[60] * 7], device=make_device(model_name="peak", vendor="Aldera"))
    many = make_device(model_name="many")
    for _ in range(3):
        make_result(90, device=many)
    rank_everything()


@pytest.mark.usefixtures("_three")
def test_each_metric_orders_best_first(subtests):
    for name, peak in (("peak", 100), ("many", 50)):
        row = main_rows().get(device__model_name=name)
        row.metrics["peak_throughput_mib_s"] = peak
        row.save()
    for sort, expected in [
        ("", ["latency", "peak", "many"]),
        ("rank", ["latency", "peak", "many"]),
        ("device", ["latency", "many", "peak"]),
        ("zil_latency", ["latency", "peak", "many"]),
        ("latency_4k", ["latency", "peak", "many"]),
        ("throughput_128k", ["latency", "peak", "many"]),
        ("peak_throughput", ["latency", "peak", "many"]),
        ("n_units", ["many", "latency", "peak"]),
        ("n_results", ["many", "latency", "peak"]),
    ]:
        with subtests.test(sort=sort):
            assert names(sort=sort or "rank") == expected
    assert names(sort="interval")[0] == "many"  # the narrowest
    assert names(sort="zil_latency", is_reversed=True) == ["many", "peak", "latency"]


def test_unmeasured_rows_come_last_in_both_directions(subtests):
    make_result(20, device=make_device(model_name="measured"))
    make_result(30, device=make_device(model_name="unknown"))
    rank_everything()
    main_rows().filter(device__model_name="unknown").update(metrics={}, last_measured_on=None)
    for is_reversed in [False, True]:
        for sort in ["latency_4k", "throughput_128k", "peak_throughput", "last_measured"]:
            with subtests.test(is_reversed=is_reversed, sort=sort):
                assert names(sort=sort, is_reversed=is_reversed) == ["measured", "unknown"]


def test_equal_figures_are_ordered_by_id():
    for name in ("b", "c", "a"):
        make_result(20, device=make_device(model_name=name))
    rank_everything()
    assert names(sort="n_units") == ["b", "c", "a"]


@pytest.mark.usefixtures("_three")
def test_each_word_must_match_the_name_or_the_vendor(subtests):
    for query, expected in [
        ("PEAK", ["peak"]),
        ("alder", ["peak"]),
        ("eak dera", ["peak"]),
        ("peak many", []),
        ("%", []),
    ]:
        with subtests.test(query=query):
            assert names(query=query) == expected


def test_pages_follow_each_other_without_gap_or_overlap(django_assert_num_queries):
    for number in range(PAGE_SIZE + 2):
        make_result(20, device__model_name=f"{number:03}")
    rank_everything()
    first = rank_devices(LeaderboardFilter())
    with django_assert_num_queries(4):  # the page, the count, the ends of the board, other methods
        second = rank_devices(LeaderboardFilter(page=2))
    assert (first.count, first.page_count, second.page_count) == (PAGE_SIZE + 2, 2, 2)
    rows = [*first.rows, *second.rows]
    assert [row["device__model_name"] for row in rows] == [f"{number:03}" for number in range(PAGE_SIZE + 2)]


def test_classes_are_counted_in_the_order_in_which_they_are_shown():
    for device_class in ("hdd", "optane", "hdd"):
        make_result(device__device_class=device_class)
    make_result(SMALL, device__device_class="nvme", method="fio")
    rank_everything()
    assert list(count_by_class().items()) == [("optane", 1), ("nvme", 1), ("hdd", 2)]
    assert list(count_by_class("zil").items()) == [("optane", 1), ("hdd", 2)]


def test_one_lucky_result_does_not_lead():
    make_result(95, device=make_device(model_name="lucky"))
    proven = make_device(model_name="proven")
    for latency_us in (99, 100, 101):
        make_result(latency_us, device=proven)
    rank_everything()
    assert names() == ["proven", "lucky"]
    assert names(sort="latency_4k") == ["lucky", "proven"]


def test_a_class_has_one_choice_with_its_place_and_its_vouched_figures(django_assert_num_queries):
    safe = make_protected_product()
    approved = {"submission__is_approved": True}
    for device_class in ("hdd", "optane"):
        device = make_device(model_name=f"{device_class} by fio", device_class=device_class, product=safe)
        make_result(900, method="fio", device=device, **approved)
        make_result(30, method="fio", device__device_class=device_class)
    make_result(800, device=make_device(model_name="disk", device_class="hdd", product=safe), **approved)
    make_result(2000, device=make_device(model_name="anonymous", device_class="optane", product=safe))
    rank_everything()
    with django_assert_num_queries(3):
        rows = best_by_class()
    assert [(row["device_class"], row["device__model_name"], row["method"]) for row in rows] == [
        ("hdd", "disk", "diskinfo"),
        ("optane", "optane by fio", "fio"),
    ]
    assert [row["place"] for row in rows] == [Place(2, 2, 3, 2), Place(2, 2, 3, 2)]
    assert rows[1]["metrics"]["latency_4k_us"] == 900
    assert rows[1]["low"] < rows[1]["score"] == 900 < rows[1]["high"]


def test_a_device_of_two_methods_has_one_row_with_the_other_figure_beside_it():
    device = make_device(model_name="both")
    make_result(20, device=device)
    make_result(50, device=device, method="fio")
    make_result(40, device__model_name="one")
    rank_everything()
    for chosen in ({}, {"method": "fio"}, {"method": "diskinfo"}):
        first, *_ = rank_devices(LeaderboardFilter(chosen=chosen)).rows
        assert (first["device__model_name"], first["method"], first["score"]) == ("both", "diskinfo", 20)
        assert [(other["method"], other["score"]) for other in first["others"]] == [("fio", 50)]
    assert names(chosen={"method": "fio"}) == ["both"]


def test_each_board_has_its_devices_in_its_order():
    make_result([*flat(20)[:4], *flat(900)[4:]], device__model_name="small writes")
    make_result([*flat(50)[:4], *flat(60)[4:]], device__model_name="large writes")
    make_result(SMALL, device__model_name="4 KiB alone", method="fio")
    rank_everything()
    assert names() == ["small writes", "4 KiB alone", "large writes"]
    assert names(board="zil") == ["large writes", "small writes"]


def test_nonsense_is_refused(subtests):
    for data in [
        {"sort": "--n_units"},
        {"page": "0"},
        {"page": "-1"},
        {"page": "1000001"},
        {"page": "9" * 5000},
        {"q": "a\x00b"},
        {"more": "2"},
    ]:
        with subtests.test(data=data):
            assert list(LeaderboardPageForm(data).errors) == list(data)


def test_a_changed_filter_resets_the_page():
    assert LeaderboardFilter(page=3).parameters(sort="device") == {"sort": "device"}
    assert LeaderboardFilter(page=3).parameters(page="4") == {"page": "4"}


def test_protected_only_excludes_devices_that_may_lose_writes():
    for plp in ("yes", "by_design", "no", "unknown"):
        product = make_product() if plp == "unknown" else make_stated_product(plp)
        make_result(20, device=make_device(model_name=f"plp {plp}", product=product))
    make_result(20, device=make_device(model_name="no product"))
    rank_everything()
    assert names(chosen={"plp": "protected"}) == ["plp yes", "plp by_design"]
