import pytest

from results.devices.firmware import find_differences, firmware_figures
from results.models import DeviceRanking
from results.ranking.standing import main_rows
from tests.factories import make_device, make_member, make_result, rank_everything

pytestmark = pytest.mark.django_db


def figures_of(*stored, spread):
    """The figures of versions that a ranking stored: name, number of units, and latency."""
    firmwares = [
        {"version": version, "unit_count": units, "latency_us": latency_us, "deviation": 0.0}
        for version, units, latency_us in stored
    ]
    return firmware_figures(DeviceRanking(firmwares=firmwares, board_spread=spread))


def test_versions_are_ordered_by_worst_case_latency():
    figures = figures_of(("lucky", 1, 19.0), ("sure", 9, 20.0), spread=0.3)
    assert [figure.version for figure in figures] == ["sure", "lucky"]


@pytest.mark.parametrize(
    ("stored", "spread", "expected"),
    [
        ([("old", 4, 20.0), ("new", 4, 60.0)], 0.1, [("old", "new", 3)]),
        ([("old", 1, 20.0), ("new", 1, 24.0)], 0.3, []),  # their intervals overlap
        (  # each beside the best
            [("a", 4, 20.0), ("b", 4, 21.0), ("c", 4, 60.0), ("d", 4, 200.0)],
            0.1,
            [("a", "c", 3), ("a", "d", 10)],
        ),
        ([("1.0", 1, 20.0)], 0.1, []),
        ([], 0.1, []),
    ],
)
def test_versions_with_separate_intervals_differ(stored, spread, expected):
    found = find_differences(figures_of(*stored, spread=spread))
    assert [
        (difference.faster.version, difference.slower.version, pytest.approx(difference.factor))
        for difference in found
    ] == expected


def ranked_figures(device):
    rank_everything()
    return firmware_figures(main_rows().get(device=device))


def test_a_version_is_the_median_over_its_units_not_over_their_runs():
    device = make_device()
    for number, latency_us in enumerate([*[100] * 9, 20, 20]):
        unit = "busy" if latency_us == 100 else f"unit {number}"
        make_result(latency_us, device=device, unit=unit, firmware__version="1.0")
    (figure,) = ranked_figures(device)
    assert (figure.unit_count, figure.latency_us) == (3, pytest.approx(20))


def test_units_of_one_owner_count_as_one():
    device, owner = make_device(), make_member()
    for number in range(9):
        make_result(
            100, device=device, unit=f"unit {number}", firmware__version="1.0", submission__owner=owner
        )
    for number in range(2):
        make_result(20, device=device, unit=f"other {number}", firmware__version="1.0")
    (figure,) = ranked_figures(device)
    assert (figure.unit_count, figure.latency_us) == (3, pytest.approx(20))


def test_a_sender_counts_once_for_each_version():
    device, owner = make_device(), make_member()
    for version, latency_us in [("1.0", 20), ("2.0", 40)]:
        for _ in range(2):
            make_result(latency_us, device=device, firmware__version=version, submission__owner=owner)
    assert [
        (figure.version, figure.unit_count, round(figure.latency_us)) for figure in ranked_figures(device)
    ] == [("1.0", 1, 20), ("2.0", 1, 40)]


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
    with django_assert_num_queries(0):
        (figure,) = firmware_figures(ranking)
    assert (figure.version, figure.latency_us) == ("1.0", pytest.approx(20))


def test_a_device_of_one_firmware_has_the_interval_of_the_ranking():
    device = make_device()
    for latency_us in (20, 25, 60):
        make_result(latency_us, device=device, firmware__version="1.0")
    rank_everything()
    ranking = main_rows().get(device=device)
    (figure,) = firmware_figures(ranking)
    assert (figure.interval.low, figure.interval.high) == pytest.approx((ranking.low, ranking.high))
