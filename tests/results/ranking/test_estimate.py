import pytest

from results.ranking.aggregate import refresh_all
from results.ranking.estimate import Estimate, estimate_place
from results.ranking.places import Board
from tests.factories import make_device, make_result

pytestmark = pytest.mark.django_db
NVME = Board("nvme", "diskinfo")


def estimated(latency_us, *, model_name="New", capacity_bytes=480_000_000_000):
    return estimate_place(
        NVME, model_name=model_name, capacity_bytes=capacity_bytes, zil_latency_us=latency_us
    )


@pytest.fixture
def _ranked():
    for latency_us in (20, 50, 90):
        make_result(latency_us, device__model_name=f"At {latency_us}")
    make_result(1, device__device_class="hdd")
    refresh_all()


@pytest.mark.usefixtures("_ranked")
@pytest.mark.parametrize(("latency_us", "place"), [(10, 1), (60, 3), (100, 4)])
def test_a_new_device_stands_behind_those_that_are_faster(latency_us, place):
    assert estimated(latency_us) == Estimate(place=place, device_count=4, results_before=0)


@pytest.mark.usefixtures("_ranked")
def test_a_known_device_does_not_stand_against_itself():
    assert estimated(60, model_name="At 50") == Estimate(place=2, device_count=3, results_before=1)


def test_a_model_of_unknown_capacity_is_recognised():
    make_result(20, device=make_device(model_name="Known", capacity_bytes=None))
    refresh_all()
    assert estimated(30, model_name="Known", capacity_bytes=None).results_before == 1
