import pytest

from results.models import DeviceRanking
from results.ranking.firsts import find_firsts
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db
STATEMENT = {"value": "yes", "evidence": "data_sheet", "url": "https://maker.example/"}


@pytest.fixture(autouse=True)
def _devices():
    safe = make_product(plp="yes", plp_statements=[STATEMENT])
    told = [
        ("fast", 20, None),
        ("faster", 10, None),
        ("safe", 50, safe),
        ("slow", 90, None),
        ("last", 99, safe),
    ]
    for name, latency_us, product in told:
        make_result(latency_us, device=make_device(model_name=name, product=product, device_class="sata_ssd"))
    make_result(9000, device__device_class="hdd", device__model_name="disk")
    make_result(1, method="fio", device__device_class="nvme")
    rank_everything()


@pytest.mark.parametrize(
    ("count", "names"),
    [
        (1, ["safe", "disk"]),
        (2, ["safe", "last", "disk"]),
        (3, ["safe", "last", "faster", "disk"]),
        (9, ["safe", "last", "faster", "fast", "slow", "disk"]),
    ],
)
def test_the_protected_ones_of_a_class_come_first_and_then_the_fastest(
    count, names, django_assert_num_queries
):
    with django_assert_num_queries(1):
        keys = find_firsts(count)
    named = dict(DeviceRanking.objects.values_list("pk", "device__model_name"))
    found = [named[key] for key in keys]
    assert sorted(found, key=lambda name: name == "disk") == names
