"""The highest measured throughput of devices, the claims for a capacity, and what keeps up with a link."""

import pytest

from results.advice.link import LINKS, Claimed, Reached
from results.catalogue.product_facts import DEVICES, FACTS, PRODUCTS, RANKINGS, expressions
from results.catalogue.throughput import claims_about, keeps_up, load_reached, reached_together, write_claims
from results.models import Device, DeviceRanking, Product
from tests.factories import (
    curve_metrics,
    make_claim,
    make_device,
    make_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db
GB = 10**9
TEN, TWENTY_FIVE = LINKS[3:5]
SLOT_4K, SLOT_128K, SLOT_1M = 3, 8, 11
WRITERS = {"code": "several_writers", "effect": "not_ranked", "message": "4 writers"}
PARTITION = {"code": "not_whole_device", "effect": "not_ranked", "message": "a partition"}
WAITS = {"code": "exceeds_link", "effect": "waits", "message": "too fast"}


def curve(latencies_us):
    return [latencies_us.get(slot) for slot in range(15)]


def make_shared(device, writers, latency_us, *flags, **values):
    """A result of several writers at 4 KiB."""
    shared = curve({SLOT_4K: latency_us})
    return make_result(
        shared,
        device=device,
        method="fio",
        writers=writers,
        metrics=curve_metrics(shared, writers=writers),
        flags=[WRITERS, *flags],
        not_ranked_reason="several writers",
        **values,
    )


@pytest.mark.parametrize(
    ("latencies_us", "size"),
    [({SLOT_4K: 10}, 2**12), ({SLOT_4K: 10, SLOT_128K: 100}, 2**17), ({SLOT_4K: 10, SLOT_1M: 500}, None)],
)
def test_throughput_of_one_writer_is_its_peak(latencies_us, size):
    made = make_result(curve(latencies_us), method="fio")
    rank_everything()
    assert load_reached([made.device_id]) == {
        made.device_id: Reached(made.metrics["peak_throughput_mib_s"], size)
    }


def test_a_device_without_ranked_results_has_reached_nothing():
    made = make_result(not_ranked_reason="cut short")
    rank_everything()
    assert load_reached([made.device_id]) == {}


def test_throughput_by_another_method_counts():
    device = make_device()
    make_result(curve({SLOT_4K: 10}), device=device, method="fio")
    make_result(curve({SLOT_4K: 20, SLOT_128K: 100}), device=device, method="diskinfo")
    rank_everything()
    assert load_reached([device.pk])[device.pk] == (pytest.approx(1250), 2**17, 1, None)


def test_throughput_of_several_writers_is_the_best_median(django_assert_num_queries):
    device = make_device()
    for latency_us in (19, 20, 400):
        make_shared(device, 4, latency_us)
    make_shared(device, 8, 80)
    with django_assert_num_queries(1):
        (reached,) = reached_together([device.pk]).values()
    assert reached == (pytest.approx(4096 / 20 * 1e6 / 2**20 * 4), 2**12, 4, None)


def test_doubtful_private_and_copied_results_have_reached_nothing():
    device = make_device()
    make_shared(device, 4, 1, PARTITION)
    make_shared(device, 4, 1, WAITS)
    make_shared(device, 4, 1, submission__state="withdrawn")
    original = make_shared(device, 4, 40)
    make_shared(device, 4, 1, copy_of=original)
    ((rate, *_),) = reached_together().values()
    assert rate == pytest.approx(390.6, abs=0.1)


def test_the_highest_throughput_counts_whoever_wrote():
    device = make_device()
    make_result(curve({SLOT_4K: 10}), device=device, method="fio")
    rank_everything()
    assert load_reached([device.pk])[device.pk].writers == 1
    make_shared(device, 4, 20)
    assert load_reached([device.pk])[device.pk].writers == 4


def test_claims_are_those_for_the_capacity_and_for_the_line():
    product = make_product()
    for mb_s, capacity in ((2000, None), (900, 480 * GB), (1100, 480 * GB), (1500, 960 * GB)):
        stated_by = "reviewer" if mb_s == 1100 else "maker"
        make_claim(product, mb_s, capacity_bytes=capacity, stated_by=stated_by)
    claims = write_claims(product.claims.all())
    assert claims_about(claims, 480_103_981_056, "Aldera") == (
        [Claimed(900, "Aldera"), Claimed(1100, "a reviewer", source="claims.example")],
        [Claimed(2000, "Aldera")],
    )
    assert claims_about(claims, None, "Aldera")[0] == []


@pytest.fixture
def devices():
    """A device measured fast, one by several writers, and ones with claims: for it, for its line, and for a cache."""
    made = {}
    for name in ("alone", "together", "on paper", "of line", "cached"):
        plp = "no" if name == "cached" else "yes"
        product = make_stated_product(plp, name=name, slug=name.replace(" ", "-"))
        made[name] = make_device(model_name=name, product=product, capacity_bytes=480_103_981_056)
        make_result(curve({SLOT_4K: 2 if name == "alone" else 40}), device=made[name], method="fio")
    make_shared(made["together"], 8, 20)
    make_claim(made["on paper"].product, 1500, capacity_bytes=480 * GB)
    make_claim(made["on paper"].product, 9000, capacity_bytes=3840 * GB)
    make_claim(made["of line"].product, 9000)
    make_claim(made["cached"].product, 9000, capacity_bytes=480 * GB)
    rank_everything()
    return made


def test_rows_that_keep_up_are_measured_or_claimed_for_their_capacity(devices):
    rate = TEN.mib_s
    expected = {"alone", "together", "on paper"}
    rankings = DeviceRanking.objects.filter(keeps_up(rate, RANKINGS.paths))
    assert set(rankings.values_list("device__model_name", flat=True)) == expected
    found = Device.objects.filter(keeps_up(rate, DEVICES.paths))
    assert set(found.values_list("model_name", flat=True)) == expected
    lines = Product.objects.filter(keeps_up(rate, PRODUCTS.paths))
    assert list(lines.order_by("name").values_list("name", flat=True)) == ["alone", "on paper", "together"]
    fastest = Product.objects.filter(keeps_up(TWENTY_FIVE.mib_s, PRODUCTS.paths))
    assert [product.name for product in fastest] == ["on paper"]  # its largest capacity


def test_facts_separate_what_is_measured_from_what_is_claimed(devices):
    facts = [FACTS["carries_gbe"], FACTS["carries_gbe_on_paper"]]
    rows = Device.objects.values("model_name", **expressions(facts, DEVICES))
    found = {row["model_name"]: (row["fact_carries_gbe"], row["fact_carries_gbe_on_paper"]) for row in rows}
    assert found == {
        "alone": (10, None),
        "together": (10, None),
        "on paper": (None, 10),
        "of line": (None, None),
        "cached": (None, None),
    }
