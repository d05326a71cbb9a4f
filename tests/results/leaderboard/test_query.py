import pytest

from results.catalogue.lists import NoSuchPageError
from results.leaderboard.forms import LeaderboardFilter, LeaderboardForm, LeaderboardPageForm
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
@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("", ["latency", "peak", "many"]),
        ("rank", ["latency", "peak", "many"]),
        ("device", ["latency", "many", "peak"]),
        ("zil_latency", ["latency", "peak", "many"]),
        ("latency_4k", ["latency", "peak", "many"]),
        ("throughput_128k", ["latency", "peak", "many"]),
        ("peak_throughput", ["latency", "peak", "many"]),
        ("n_units", ["many", "latency", "peak"]),
        ("n_results", ["many", "latency", "peak"]),
    ],
)
def test_each_metric_orders_best_first(sort, expected):
    for name, peak in (("peak", 100), ("many", 50)):
        row = main_rows().get(device__model_name=name)
        row.metrics["peak_throughput_mib_s"] = peak
        row.save()
    assert names(sort=sort or "rank") == expected


@pytest.mark.usefixtures("_three")
def test_the_narrowest_interval_comes_first():
    assert names(sort="interval")[0] == "many"


@pytest.mark.usefixtures("_three")
def test_reversed_puts_the_worst_first():
    assert names(sort="zil_latency", is_reversed=True) == ["many", "peak", "latency"]


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("sort", ["latency_4k", "throughput_128k", "peak_throughput", "last_measured"])
def test_unmeasured_rows_come_last_in_both_directions(sort, is_reversed):
    make_result(20, device=make_device(model_name="measured"))
    make_result(30, device=make_device(model_name="unknown"))
    rank_everything()
    main_rows().filter(device__model_name="unknown").update(metrics={}, last_measured_on=None)
    assert names(sort=sort, is_reversed=is_reversed) == ["measured", "unknown"]


def test_equal_figures_are_ordered_by_id():
    for name in ("b", "c", "a"):
        make_result(20, device=make_device(model_name=name))
    rank_everything()
    assert names(sort="n_units") == ["b", "c", "a"]


@pytest.mark.usefixtures("_three")
@pytest.mark.parametrize(
    ("query", "expected"),
    [("PEAK", ["peak"]), ("alder", ["peak"]), ("eak dera", ["peak"]), ("peak many", []), ("%", [])],
)
def test_each_word_must_match_the_name_or_the_vendor(query, expected):
    assert names(query=query) == expected


def test_class_and_method_restrict():
    make_result(10, device__device_class="optane", device__model_name="optane")
    make_result(20, device__device_class="hdd", device__model_name="disk")
    make_result(30, device__device_class="hdd", device__model_name="by fio", method="fio")
    rank_everything()
    assert names() == ["optane", "disk", "by fio"]
    assert names(chosen={"class": "hdd"}) == ["disk", "by fio"]
    assert names(chosen={"class": "hdd", "method": "fio"}) == ["by fio"]
    assert names(chosen={"class": "nvdimm"}) == []


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


@pytest.mark.parametrize("page", [2, 1_000_000])
def test_there_is_no_page_past_the_end(page):
    make_result()
    rank_everything()
    with pytest.raises(NoSuchPageError):
        rank_devices(LeaderboardFilter(page=page))


def test_an_empty_leaderboard_has_one_page():
    page = rank_devices(LeaderboardFilter())
    assert (page.rows, page.count, page.page_count) == ([], 0, 1)


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


def test_rows_have_their_possible_places():
    for name, latency_us in {"a": 20, "b": 21, "c": 900}.items():
        make_result(latency_us, device__model_name=name)
    rank_everything()
    rows = rank_devices(LeaderboardFilter(chosen={"class": "nvme"})).rows
    assert [row["place"] for row in rows] == [Place(1, 1, 2, 1), Place(2, 1, 2, 1), Place(3, 3, 3, 2)]


def test_filters_do_not_change_places():
    for name, latency_us in {"a": 20, "b": 2000}.items():
        make_result(latency_us, device__model_name=name)
    rank_everything()
    (row,) = rank_devices(LeaderboardFilter(query="b")).rows
    assert row["place"].rank == 2


def test_the_best_of_a_class_is_recommended():
    safe = make_protected_product()
    approved = {"submission__is_approved": True}
    for name, latency_us, product in [("slow and safe", 90, safe), ("safe", 50, safe), ("fast", 20, None)]:
        make_result(latency_us, device=make_device(model_name=name, product=product), **approved)
    make_result(10, device=make_device(model_name="anonymous", product=safe))
    make_result(40, method="fio", device=make_device(model_name="by fio", product=safe), **approved)
    rank_everything()
    assert [row["device__model_name"] for row in best_by_class()] == ["by fio"]


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
        assert [(one["method"], one["score"]) for one in first["others"]] == [("fio", 50)]
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
        {"class": "floppy"},
        {"board": "iops"},
        {"method": "dd"},
        {"sort": "price"},
        {"sort": "--n_units"},
        {"page": "0"},
        {"page": "-1"},
        {"page": "two"},
        {"page": "1000001"},
        {"page": "9" * 5000},
        {"q": "x" * 101},
        {"q": "a\x00b"},
        {"plp": "maybe"},
        {"segment": "toys"},
        {"capacity": "huge"},
        {"interface": "ide"},
        {"form": "round"},
        {"vendor": "nobody"},
        {"min_units": "0"},
        {"min_units": "many"},
        {"view": "pie"},
        {"scale": "square"},
    ]:
        with subtests.test(data=data):
            assert list(LeaderboardPageForm(data).errors) == list(data)


def test_the_default_is_all_classes_by_any_method():
    form = LeaderboardForm({"class": "", "method": "", "sort": "", "page": "", "q": ""})
    assert form.is_valid()
    assert form.filters() == LeaderboardFilter()


def test_a_minus_reverses():
    form = LeaderboardForm({"sort": "-n_units"})
    assert form.is_valid()
    assert (form.filters().sort, form.filters().is_reversed) == ("n_units", True)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, {}),
        (
            {
                "sort": "rank",
                "board": "sync_write",
                "page": "1",
                "view": "list",
                "scale": "log",
                "min_units": "1",
            },
            {},
        ),
        ({"protected": "1"}, {"plp": "protected"}),
        ({"q": "  optane   p4800x "}, {"q": "optane p4800x"}),
        ({"sort": "-rank", "page": "3", "class": "hdd"}, {"class": "hdd", "sort": "-rank", "page": "3"}),
    ],
)
def test_the_shortest_parameters_leave_defaults_out(data, expected):
    form = LeaderboardPageForm(data)
    assert form.is_valid()
    assert form.filters().parameters() == expected


def test_a_changed_filter_resets_the_page():
    assert LeaderboardFilter(page=3).parameters(sort="device") == {"sort": "device"}
    assert LeaderboardFilter(page=3).parameters(page="4") == {"page": "4"}


def test_fio_is_ranked_by_its_4_kib_latency():
    for name, latency_us in {"slow": 90, "fast": 20}.items():
        make_result([None, None, None, latency_us, *[None] * 11], method="fio", device__model_name=name)
    rank_everything()
    assert names(chosen={"method": "fio"}) == ["fast", "slow"]


def test_protected_only_excludes_devices_that_may_lose_writes():
    for plp in ("yes", "by_design", "no", "unknown"):
        statement = {"value": plp, "evidence": "data_sheet", "url": "https://maker.example/"}
        product = make_product(plp=plp, plp_statements=[] if plp == "unknown" else [statement])
        make_result(20, device=make_device(model_name=f"plp {plp}", product=product))
    make_result(20, device=make_device(model_name="no product"))
    rank_everything()
    assert names(chosen={"plp": "protected"}) == ["plp yes", "plp by_design"]
