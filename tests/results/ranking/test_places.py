import pytest
from django.db import transaction

from results.data_version import stored_version
from results.models import ClassRanking, DeviceRanking
from results.ranking.aggregate import refresh_all, refresh_devices
from results.ranking.places import Board, boards_of, mark_changed, place_board, waiting_boards
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_result

NVME = Board("nvme", "diskinfo")


def rank(latencies, **values):
    """Devices of these names and latencies, ranked but not placed."""
    for name, latency_us in latencies.items():
        make_result(latency_us, device__model_name=name, **values)
    refresh_all()


def places():
    return dict(DeviceRanking.objects.values_list("device__model_name", "class_rank"))


@pytest.mark.django_db
def test_the_lowest_zil_latency_comes_first():
    rank({"slow": 90, "fast": 20, "middling": 50})
    mark_changed([NVME])
    place_board(NVME)
    assert places() == {"fast": 1, "middling": 2, "slow": 3}


@pytest.mark.django_db
def test_equal_devices_share_a_place_and_the_next_one_is_left_out():
    rank({"a": 20, "b": 20, "c": 30})
    mark_changed([NVME])
    place_board(NVME)
    assert places() == {"a": 1, "b": 1, "c": 3}


@pytest.mark.django_db
def test_devices_without_a_zil_latency_come_last_by_their_4_kib_latency():
    def only_4k(latency_us):
        return [latency_us if slot == 3 else None for slot in range(15)]

    rank({"whole": 900, "short": only_4k(30), "shorter": only_4k(10)})
    mark_changed([NVME])
    place_board(NVME)
    assert places() == {"whole": 1, "shorter": 2, "short": 3}


@pytest.mark.django_db
def test_a_pass_leaves_other_boards_alone():
    rank({"nvme": 20})
    rank({"sata": 10}, device__device_class="sata_ssd")
    rank({"fio": 10}, method="fio")
    mark_changed([NVME])
    place_board(NVME)
    assert places() == {"nvme": 1, "sata": None, "fio": None}


@pytest.mark.django_db
def test_a_board_waits_from_its_change_to_its_pass():
    rank({"a": 20})
    assert waiting_boards() == []
    mark_changed([NVME, NVME, Board("hdd", "fio")])
    assert waiting_boards() == [Board("hdd", "fio"), NVME]
    place_board(NVME)
    assert waiting_boards() == [Board("hdd", "fio")]


@pytest.mark.django_db
def test_boards_are_those_of_the_devices_rows():
    device = make_device()
    make_result(device=device)
    make_result(device=device, method="fio")
    refresh_all()
    assert boards_of([device.pk]) == {NVME, Board("nvme", "fio")}
    assert boards_of([]) == set()


@pytest.mark.django_db
def test_a_second_pass_does_nothing():
    rank({"a": 20})
    mark_changed([NVME])
    place_board(NVME)
    before = places(), stored_version()
    place_board(NVME)
    assert (places(), stored_version()) == before


@pytest.mark.django_db
def test_a_board_that_nobody_knows_has_no_pass():
    place_board(Board("nvdimm", "fio"))
    assert not ClassRanking.objects.exists()


@pytest.mark.django_db
def test_the_data_version_moves_only_when_a_place_does():
    rank({"a": 20, "b": 30})
    mark_changed([NVME])
    place_board(NVME)
    placed = stored_version()
    mark_changed([NVME])
    place_board(NVME)
    assert (stored_version(), waiting_boards()) == (placed, [])
    rank({"c": 10})
    mark_changed([NVME])
    place_board(NVME)
    assert stored_version() == placed + 1


@pytest.mark.django_db(transaction=True)
def test_a_change_during_a_pass_leaves_the_board_waiting():
    rank({"a": 20})
    mark_changed([NVME])
    with threads() as start:
        with transaction.atomic():
            DeviceRanking.objects.select_for_update().get()
            passing = start(place_board, NVME)
            wait_until_queueing(1)
            mark_changed([NVME])
        passing.result()
    assert (places(), waiting_boards()) == ({"a": 1}, [NVME])


@pytest.mark.django_db(transaction=True)
def test_a_pass_that_began_early_does_not_overwrite_what_a_later_one_saw():
    rank({"a": 20, "b": 30})
    mark_changed([NVME])
    place_board(NVME)
    DeviceRanking.objects.filter(device__model_name="b").update(zil_latency_us=10)
    mark_changed([NVME])
    with threads() as start:
        with transaction.atomic():
            DeviceRanking.objects.select_for_update().get(device__model_name="b")
            early = start(place_board, NVME)  # would put b first, and waits for it
            wait_until_queueing(1)
            start(add_fastest).result()
            late = start(place_board, NVME)  # finds b at its right place
            wait_until_queueing(2)
        early.result()
        late.result()
    assert (places(), waiting_boards()) == ({"c": 1, "b": 2, "a": 3}, [])


def add_fastest():
    refresh_devices([make_result(5, device__model_name="c").device_id])
    mark_changed([NVME])
