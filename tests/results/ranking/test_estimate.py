import pytest

from results.models import Device
from results.ranking.boards import ClassBoard
from results.ranking.standing import estimate_place
from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db
NVME = ClassBoard("sync_write", "nvme")


def estimated(latency_us, *, device=None):
    return estimate_place(NVME, method="diskinfo", device_id=device and device.pk, score=latency_us)


def place(estimate):
    return estimate.place.rank, estimate.place.first_possible, estimate.place.last_possible


@pytest.fixture
def _ranked():
    for latency_us in (20, 500, 900):
        make_result(latency_us, device__model_name=f"At {latency_us}")
    make_result(1, device__device_class="hdd")
    rank_everything()


@pytest.mark.usefixtures("_ranked")
def test_a_new_device_gets_its_range_of_places(subtests):
    for latency_us, expected in [(1, (1, 1, 1)), (600, (3, 2, 4)), (550, (3, 2, 4)), (9000, (4, 4, 4))]:
        with subtests.test(latency_us=latency_us):
            estimate = estimated(latency_us)
            assert place(estimate) == expected
            assert (estimate.device_count, estimate.results_before) == (4, 0)


@pytest.mark.usefixtures("_ranked")
def test_a_known_device_is_not_compared_with_itself():
    estimate = estimated(9000, device=Device.objects.get(model_name="At 500"))
    assert place(estimate) == (3, 3, 3)
    assert (estimate.device_count, estimate.results_before) == (3, 1)


def test_the_only_device_of_a_class_ranks_first_of_one():
    estimate = estimated(20)
    assert (place(estimate), estimate.device_count) == ((1, 1, 1), 1)
