"""What a recommendation takes: vouched results, protection and a plausible speed."""

from datetime import date

import pytest

from results.core.today import today
from results.models import DeviceRanking, ImportBatch, Product
from results.ranking.class_choice import class_choice
from results.ranking.intervals import GUESSED_SPREAD, half_width, interval
from results.ranking.medians import refresh_devices
from results.ranking.recommend import (
    IS_RECOMMENDED,
    best_of_each_class,
    is_recommended,
    is_too_slow,
    protected_products,
    recommended,
)
from results.ranking.standing import main_rows
from tests.factories import (
    make_device,
    make_known_member,
    make_member,
    make_moderator,
    make_price,
    make_product,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db


def sent_by(kind):
    """What a submission of that kind of sender has."""
    match kind:
        case "member":
            return {"submission__owner": make_known_member()}
        case "stranger":
            return {"submission__owner": make_member()}
        case "moderator":
            return {"submission__owner": make_moderator()}
        case "approved":
            return {"submission__is_approved": True}
        case "imported":
            return {"submission__batch": ImportBatch.objects.create(title="A thread")}
        case "a" | "b" | "c":
            number = ImportBatch.objects.count() + main_rows().count()
            source = f"https://{kind}.example/"
            return {
                "submission__survey_id": f"{kind}{number}",
                "submission__quality": kind,
                "submission__source_url": source,
            }
    assert kind == "network"
    return {}


def high_of(device):
    refresh_devices([device.pk])
    return main_rows().get(device=device).recommended_high


BARS = [
    ("network", False),
    ("network network network", False),  # anonymous ones alone, however many
    ("member", False),
    ("member member", True),
    ("member network", False),
    ("member stranger", False),  # who agrees with a member we know, but may be the same person
    ("stranger stranger", False),  # who agree with nobody else
    ("member imported", True),
    ("imported", False),
    ("imported imported", True),
    ("a", True),
    ("b", True),
    ("c", False),
    ("c member", True),
    ("c network", False),
    ("c stranger", False),
    ("approved", True),
    ("moderator", True),
]


@pytest.mark.parametrize(("senders", "passes"), BARS, ids=[senders for senders, _ in BARS])
def test_the_evidence_that_a_recommendation_needs(senders, passes):
    device = make_device()
    for number, kind in enumerate(senders.split()):
        make_result(20, device=device, unit=f"unit {number}", **sent_by(kind))
    assert (high_of(device) is not None) is passes


def test_one_unit_sent_by_a_member_and_again_without_an_account_is_one_unit():
    device = make_device()
    make_result(20, device=device, unit="one", **sent_by("member"))
    make_result(20, device=device, unit="one", **sent_by("network"))
    assert high_of(device) is None


def test_two_units_of_one_member_are_one():
    device, of_member = make_device(), sent_by("member")
    for unit in ("one", "other"):
        make_result(20, device=device, unit=unit, **of_member)
    assert high_of(device) is None


def test_two_figures_of_one_page_are_one():
    device = make_device()
    for number in (1, 2):
        address = f"https://c.example/article#figure-{number}"
        make_result(
            20,
            device=device,
            submission__survey_id=f"d{number}",
            submission__source_url=address,
            submission__quality="c",
        )
    assert high_of(device) is None


@pytest.mark.parametrize("anonymous_us", [1, 9000])
def test_anonymous_results_contribute_no_figure(anonymous_us):
    device = make_device()
    make_result(40, device=device, unit="source's", **sent_by("a"))
    before = high_of(device)
    for number in range(9):
        make_result(anonymous_us, device=device, unit=f"{number}")
    assert high_of(device) == before == pytest.approx(interval(40, half_width(GUESSED_SPREAD, 1)).high)


def test_anonymous_repeats_of_vouched_units_change_no_figure():
    """Who repeats a unit takes it from its sender in the ranking, but not in what is vouched for."""
    device = make_device()
    for unit, latency_us in [("a", 20), ("b", 80)]:
        make_result(latency_us, device=device, unit=unit, **sent_by("member"))
    before = high_of(device)
    for latency_us in (1, 2, 3):
        make_result(latency_us, device=device, unit="a", **sent_by("network"))
    assert high_of(device) == before is not None


def test_a_device_far_slower_than_its_class_is_not_recommended(subtests):
    for device_class, latency_us, passes in [
        ("nvme", 6000, True),  # three times 2 ms, the slowest that the bands give of NVMe
        ("nvme", 6010, False),
        ("sas_ssd", 290, True),
        ("sas_ssd", 310, False),
        ("sata_ssd", 9577, False),
        ("nvram", 900_000, True),  # no band, no check
        ("unknown", 900_000, True),
    ]:
        with subtests.test(device_class=device_class, latency_us=latency_us):
            device = make_device(device_class=device_class)
            make_result(latency_us, device=device, **sent_by("approved"))
            assert (high_of(device) is not None) is passes
            assert is_too_slow(device_class, latency_us) is not passes


def test_anonymous_results_do_not_hide_a_slow_device():
    device = make_device()
    make_result(6010, device=device, **sent_by("approved"))
    for _ in range(9):
        make_result(20, device=device)
    assert high_of(device) is None


def test_unranked_results_do_not_count():
    device = make_device()
    make_result(20, device=device, **sent_by("member"))
    make_result(20, device=device, not_ranked_reason="a timer's tick", **sent_by("a"))
    make_result(20, device=device, not_ranked_reason="held", **sent_by("network"))
    assert high_of(device) is None


def test_fio_passes_by_its_4_kib_latency():
    device = make_device()
    curve = [None] * 15
    curve[3] = 200.0
    make_result(curve, device=device, method="fio", **sent_by("approved"))
    assert high_of(device) == pytest.approx(interval(200, half_width(GUESSED_SPREAD, 1)).high)


def test_a_row_has_the_figures_of_vouched_results_alone():
    device = make_device()
    for number, latency_us in enumerate((20, 40, 60)):
        make_result(latency_us, device=device, unit=f"unit {number}", **sent_by("member"))
    for number in range(5):
        make_result(1, device=device, unit=f"unit {number}", **sent_by("network"))
    high_us = high_of(device)
    row = main_rows().get(device=device)
    assert (row.unit_count, row.result_count, row.is_vouched) == (3, 3, True)
    assert (row.metrics["zil_latency_us"], row.score, row.recommended_score) == pytest.approx((40, 40, 40))
    assert row.recommended_low < 40 < row.recommended_high == high_us
    assert row.median_us == pytest.approx([40] * 15)


@pytest.mark.parametrize(("latency_us", "agrees"), [(39, False), (40, True), (160, True), (161, False)])
def test_a_strangers_result_counts_within_a_factor_of_two_but_recommends_nothing(latency_us, agrees):
    device = make_device()
    make_result(80, device=device, **sent_by("a"))
    before = high_of(device)
    make_result(latency_us, device=device, **sent_by("stranger"))
    assert high_of(device) == before
    row = main_rows().get(device=device)
    assert row.unit_count == 1 + agrees
    assert (row.recommended_figures or {"unit_count": 1})["unit_count"] == 1


def test_a_stranger_agrees_with_a_source_by_another_method():
    device = make_device()
    make_result(80, device=device, method="fio", **sent_by("a"))
    make_result(100, device=device, **sent_by("stranger"))
    high_of(device)
    assert DeviceRanking.objects.get(device=device, method="diskinfo", board="sync_write").is_vouched


@pytest.mark.parametrize("kind", ["network", "stranger"])
def test_the_main_row_is_of_what_is_vouched_for(kind):
    device = make_device()
    make_result(40, device=device, method="fio", **sent_by("b"))
    before = high_of(device)
    for _ in range(3):
        make_result(4_000, device=device, **sent_by(kind))
    assert high_of(device) == before is not None
    assert main_rows().get(device=device).method == "fio"


def test_a_source_that_is_enough_by_itself_wins_a_tie():
    device = make_device()
    make_result(40, device=device, method="fio", **sent_by("b"))
    make_result(50, device=device, **sent_by("c"))
    high_of(device)
    assert main_rows().get(device=device).method == "fio"


def names(rankings):
    return [ranking.device.model_name for ranking in rankings]


def test_only_protected_devices_are_recommended_the_best_first():
    for plp in ("yes", "by_design", "no", "disputed", "unknown"):
        product = make_stated_product(plp)
        latency_us = 30 if plp == "yes" else 20
        make_result(latency_us, device=make_device(model_name=plp, product=product), **sent_by("approved"))
    make_result(5, device=make_device(model_name="in no catalogue"), **sent_by("approved"))
    make_result(5, device=make_device(model_name="anonymous", product=make_protected_product()))
    rank_everything()
    assert names(recommended()) == names(recommended("nvme")) == ["by_design", "yes"]
    assert names(recommended("hdd")) == []
    for ranking in main_rows().select_related("device__product"):
        product = ranking.device.product
        found = is_recommended(ranking.recommended_high, product)
        assert found == main_rows().filter(IS_RECOMMENDED, pk=ranking.pk).exists()


def test_what_only_some_platforms_take_is_recommended_and_no_choice_of_its_class():
    product = make_protected_product(flags=["platform_dependent"])
    result = make_result(3, device=make_device(model_name="module", product=product), **sent_by("approved"))
    make_result(
        20, device=make_device(model_name="card", product=make_protected_product()), **sent_by("approved")
    )
    rank_everything()
    assert names(recommended()) == ["card"]
    assert main_rows().filter(IS_RECOMMENDED, device=result.device).exists()


def test_well_measured_devices_are_recommended_before_a_single_lucky_one():
    product = make_protected_product()
    lucky, sure = (make_device(model_name=name, product=product) for name in ("lucky", "sure"))
    make_result(19, device=lucky, **sent_by("approved"))
    for _ in range(6):
        make_result(20, device=sure, **sent_by("approved"))
    rank_everything()
    assert names(recommended()) == ["sure", "lucky"]
    best = class_choice("nvme").best
    assert (best.ranking.device, best.metric, best.unit_count) == (sure, "4 KiB latency", 6)


def test_a_device_that_nobody_sells_any_more_is_not_first(monkeypatch):
    found = {}
    for name, latency_us, seen_on in [
        ("unpriced", 10, None),
        ("old", 20, "2024-07"),
        ("sold", 200, "2024-08"),
    ]:
        product = make_protected_product()
        if seen_on:
            make_price(product, seen_on=seen_on)
        found[name] = make_device(model_name=name, product=product)
        make_result(latency_us, device=found[name], **sent_by("approved"))
    rank_everything()
    monkeypatch.setattr("results.core.today.utc_day", lambda: date(2026, 8, 15))
    assert names(recommended()) == ["sold", "unpriced", "old"]
    assert best_of_each_class(1) == [main_rows().get(device=found["sold"]).pk]
    monkeypatch.setattr(
        "results.core.today.utc_day", lambda: date(2026, 9, 1)
    )  # the month in which it was seen is two years ago
    assert names(recommended()) == ["unpriced", "old", "sold"]


def test_a_price_counts_for_its_capacity():
    product = make_protected_product()
    make_price(product, capacity_bytes=800 * 10**9, seen_on=today().isoformat())
    for name, capacity, latency_us in [("small", 100, 10), ("large", 800, 20)]:
        device = make_device(model_name=name, capacity_bytes=capacity * 10**9, product=product)
        make_result(latency_us, device=device, **sent_by("approved"))
    rank_everything()
    assert names(recommended()) == ["large", "small"]


def test_the_best_of_each_class_in_one_query(django_assert_num_queries):
    product = make_protected_product()
    for name, device_class, latency_us in [
        ("a", "nvme", 30),
        ("b", "nvme", 20),
        ("c", "nvme", 40),
        ("d", "optane", 9),
    ]:
        device = make_device(model_name=name, device_class=device_class, product=product)
        make_result(latency_us, device=device, **sent_by("approved"))
        make_result(1, device=device, method="fio", **sent_by("approved"))  # not its main row
    rank_everything()
    with django_assert_num_queries(1):
        keys = best_of_each_class(2)
    by_key = {ranking.pk: ranking.device.model_name for ranking in main_rows().select_related("device")}
    assert [by_key[key] for key in keys] == ["b", "a", "d"]


def test_a_class_without_a_choice_shows_eight_products_and_how_many_more_there_are():
    for number in range(10):
        make_protected_product(name=f"Product {number}")
    none = class_choice("nvme").no_choice
    assert (len(none.measured), len(none.unmeasured), none.more_count) == (0, 8, 2)
    assert class_choice("hdd").no_choice.more_count == 0


def test_protected_products_are_listed_with_and_without_measurements(django_assert_num_queries):
    old = make_protected_product(name="Old", launch_year=2012)
    make_protected_product(name="New", launch_year=2020)
    measured = make_protected_product(name="Measured")
    make_protected_product(name="Disk", device_class="hdd")
    make_product(name="Unsafe")
    make_result(20, device=make_device(product=measured), not_ranked_reason="held")
    make_result(20, device=make_device(product=old), submission__state="held", not_ranked_reason="held")
    weak = {"value": "yes", "evidence": "article", "url": "https://shop.example/"}
    Product.objects.filter(name="Old").update(plp_statements=[weak, *old.plp_statements])
    make_protected_product(name="Weak", launch_year=2025, plp_statements=[weak])
    with django_assert_num_queries(1):
        found = protected_products()
    assert [(product.name, product.is_measured) for product in found["nvme"]] == [
        ("Measured", True),
        ("New", False),
        ("Old", False),
        ("Weak", False),  # the newest, but with a weaker source
    ]
    assert [product.name for product in found["hdd"]] == ["Disk"]
    assert (found["nvme"][2].evidence, found["nvme"][2].evidence_url) == (
        "data_sheet",
        old.plp_statements[0]["url"],
    )
