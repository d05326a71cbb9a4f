"""The five figures of a class, and the device that stands for it."""

from collections.abc import Sequence

import pytest

from results.models.choices import Board
from results.ranking.distributions import find_distribution
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def found(*measured: tuple[str, float, int]):
    """Of devices with that name, latency and count of units: the distribution, and the typical device's name."""
    names = {}
    for name, latency_us, unit_count in measured:
        device = make_device(device_class="optane")
        names[device.pk] = name
        for _ in range(unit_count):
            make_result(latency_us, device=device)
    make_result(1, device=make_device(device_class="nvme"))
    rank_everything()
    columns = find_distribution(Board.SYNC_WRITE, "optane")
    return columns["distribution"], names.get(columns["typical_device_id"])


def test_the_quartiles_are_those_of_the_logs():
    summary, _typical = found(
        ("a", 10, 1), ("b", 100, 1), ("c", 1000, 1), ("d", 10_000, 1), ("e", 100_000, 1)
    )
    assert summary == {
        "device_count": 5,
        "lowest": 10,
        "lower_quartile": pytest.approx(100),
        "median": pytest.approx(1000),
        "upper_quartile": pytest.approx(10_000),
        "highest": 100_000,
    }


@pytest.mark.parametrize(
    ("measured", "typical"),
    [
        ((("a", 11, 1), ("b", 20, 1), ("c", 40, 1)), "b"),
        ((("a", 11, 2), ("b", 20, 1), ("c", 40, 1)), "a"),
        ((("a", 5, 3), ("b", 18, 1), ("c", 20, 1), ("d", 22, 2), ("e", 90, 3)), "d"),
    ],
    ids=["the nearest to the median", "with more units", "of the nearer half"],
)
def test_the_typical_device_is_the_best_known_of_those_near_the_median(
    measured: Sequence[tuple], typical: str
):
    assert found(*measured)[1] == typical


def test_a_class_without_a_ranked_device_has_neither():
    assert found() == (None, None)
