"""A device against all classes and against hard disks, and those that it can't be told apart from."""

import pytest

from results.ranking.boards import ALL_CLASSES, ClassBoard, ends_of
from results.ranking.standing import Standing, find_figures, find_neighbors, main_rows, standing_among
from tests.factories import (
    make_device,
    make_member,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)

pytestmark = pytest.mark.django_db


def ranking_of(slug):
    return main_rows().get(device__slug=slug)


def measured(slug, latency_us, device_class="nvme"):
    make_result(latency_us, device=make_device(slug=slug, device_class=device_class))


def standing_of(ranking):
    return standing_among(
        ranking, *(ends_of(ClassBoard(ranking.board, device_class)) for device_class in (ALL_CLASSES, "hdd"))
    )


def test_standing_counts_slower_devices_and_finds_the_median_disk():
    measured("fast", 20)
    measured("close", 21)
    for number, latency_us in enumerate((8_000, 9_000, 90_000)):
        measured(f"disk-{number}", latency_us, "hdd")
    rank_everything()
    assert standing_of(ranking_of("fast")) == Standing(
        5, 3, True, 3, pytest.approx(ranking_of("disk-1").high)
    )


def test_there_is_no_standing_before_the_first_pass():
    measured("fast", 20)
    rank_everything()
    ranking = ranking_of("fast")
    ranking.board = "unknown"
    assert standing_of(ranking) == Standing(0, 0, False, 0, None)


def test_neighbors_are_the_nearest_whose_intervals_overlap(django_assert_num_queries):
    for latency_us in range(100, 110):
        measured(f"at-{latency_us}", latency_us)
    measured("far", 9_000)
    measured("other-class", 105, "optane")
    rank_everything()
    ranking = ranking_of("at-105")
    with django_assert_num_queries(1):
        found = find_neighbors(ranking, 2)
    assert [drive.slug for drive in found] == ["at-102", "at-103", "at-104", "at-106", "at-107", "at-108"]


def test_neighbors_by_another_method_are_those_within_the_factor():
    measured("best", 20)
    measured("as-slow-by-its-own", 140)
    for latency_us in (1, 3, 140, 500):
        device = make_device(slug=f"fio-{latency_us}")
        make_result(latency_us, device=device, method="fio")
    rank_everything()
    found = [neighbor.slug for neighbor in find_neighbors(ranking_of("best"), 2)]
    assert found == ["fio-3", "fio-140"]
    assert find_neighbors(ranking_of("best"), 1) == []


def test_the_best_device_has_neighbors_on_one_side():
    measured("best", 20)
    measured("next", 21)
    measured("far", 90_000)
    rank_everything()
    assert [neighbor.slug for neighbor in find_neighbors(ranking_of("best"), 2)] == ["next"]
    assert find_neighbors(ranking_of("far"), 2) == []


def test_the_figures_of_a_device_say_in_one_line_what_is_known_of_it(subtests):
    protected, bare = make_protected_product(), make_stated_product("no")
    devices = {
        name: make_device(slug=name, product=bare if name == "bare" else protected)
        for name in ("unmeasured", "fit", "few", "slow", "bare")
    }
    make_result(20, device=devices["fit"], submission__is_approved=True)
    make_result(
        20, device=devices["fit"], submission__owner=make_member()
    )  # nobody is accountable for this one
    make_result(20, device=devices["few"])
    make_result(50_000, device=devices["slow"], submission__is_approved=True)
    make_result(20, device=devices["bare"], method="fio")
    rank_everything()
    for name, is_recommended, tone, summary in [
        ("unmeasured", False, "", "no ranked result yet, protected"),
        ("fit", True, "good", "rank 1–3 of 4, 4 KiB latency 7.89–50.7 µs, protected"),
        (
            "few",
            False,
            "",
            "rank 1–3 of 4, 4 KiB latency 7.89–50.7 µs, protected, too few results to judge speed",
        ),
        (
            "slow",
            False,
            "",
            "rank 4 of 4, 4 KiB latency 19,733–126,690 µs, protected, far slower than its class",
        ),
        ("bare", False, "warn", "rank 1–3 of 4, 4 KiB latency by fio 7.89–50.7 µs, not protected"),
    ]:
        with subtests.test(name):
            figures = find_figures(devices[name])
            assert (figures.is_recommended, figures.tone) == (is_recommended, tone)
            assert figures.summary == f"NVMe SSD, {summary}"
