import pytest

from results.devices.firmware import FirmwareRuns, find_differences, firmware_figures, summarize_firmwares
from results.ranking.standing import main_rows
from tests.factories import make_device, make_result, rank_everything


def runs(version, units, latency_us):
    return [
        FirmwareRuns(version, f"{version} {number}", f"owner {number}", [latency_us])
        for number in range(units)
    ]


def versions(figures):
    return [figure.version for figure in figures]


def test_a_version_is_the_median_over_its_units_not_over_their_runs():
    busy = [FirmwareRuns("1.0", "busy", "busy owner", [100.0])] * 9
    (figure,) = summarize_firmwares([*busy, *runs("1.0", 2, 20.0)], spread=0.1)
    assert (figure.unit_count, figure.latency_us) == (3, pytest.approx(20))


def test_units_of_one_owner_count_as_one():
    fleet = [FirmwareRuns("1.0", f"unit {number}", "one owner", [100.0]) for number in range(9)]
    (figure,) = summarize_firmwares([*fleet, *runs("1.0", 2, 20.0)], spread=0.1)
    assert (figure.unit_count, figure.latency_us) == (3, pytest.approx(20))


def test_versions_are_ordered_by_worst_case_latency():
    figures = summarize_firmwares([*runs("lucky", 1, 19.0), *runs("sure", 9, 20.0)], spread=0.3)
    assert versions(figures) == ["sure", "lucky"]


def test_versions_with_separate_intervals_differ():
    (difference,) = find_differences(
        summarize_firmwares([*runs("old", 4, 20.0), *runs("new", 4, 60.0)], spread=0.1)
    )
    assert (difference.faster.version, difference.slower.version) == ("old", "new")
    assert difference.factor == pytest.approx(3)


def test_versions_whose_intervals_overlap_do_not_differ():
    figures = summarize_firmwares([*runs("old", 1, 20.0), *runs("new", 1, 24.0)], spread=0.3)
    assert find_differences(figures) == []


def test_each_version_that_differs_is_named_beside_the_best():
    found = find_differences(
        summarize_firmwares(
            [*runs("a", 4, 20.0), *runs("b", 4, 21.0), *runs("c", 4, 60.0), *runs("d", 4, 200.0)], spread=0.1
        )
    )
    assert [(one.faster.version, one.slower.version) for one in found] == [("a", "c"), ("a", "d")]


@pytest.mark.parametrize("count", [0, 1])
def test_one_version_differs_from_none(count):
    assert find_differences(summarize_firmwares(runs("1.0", count, 20.0), spread=0.1)) == []


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["diskinfo", "fio"])
def test_only_ranked_results_that_name_a_firmware_count(method, django_assert_num_queries):
    device = make_device()
    make_result(20, device=device, method=method, firmware__version="1.0")
    make_result(30, device=device, method=method)
    make_result(40, device=device, method=method, firmware__version="2.0", not_ranked_reason="cut short")
    make_result(
        50, device=device, method="fio" if method == "diskinfo" else "diskinfo", firmware__version="3.0"
    )
    rank_everything()
    ranking = main_rows().get(device=device, method=method)
    with django_assert_num_queries(1):
        (figure,) = firmware_figures(ranking)
    assert (figure.version, figure.latency_us) == ("1.0", pytest.approx(20))


@pytest.mark.django_db
def test_a_device_of_one_firmware_has_the_interval_of_the_ranking():
    device = make_device()
    for latency_us in (20, 25, 60):
        make_result(latency_us, device=device, firmware__version="1.0")
    rank_everything()
    ranking = main_rows().get(device=device)
    (figure,) = firmware_figures(ranking)
    assert (figure.interval.low, figure.interval.high) == pytest.approx((ranking.low, ranking.high))
