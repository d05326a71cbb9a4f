import pytest
from django.db import transaction

from results.core.data_version import stored_version
from results.models import ClassRanking
from results.ranking.boards import ClassBoard, dirty_boards, ends_of, factor_of, mark_dirty, place_board
from results.ranking.intervals import GUESSED_SPREAD, MIN_DEVICES
from results.ranking.medians import rerank_devices
from results.ranking.standing import main_rows, span_of
from results.ranking.ties import METHOD_FACTOR, MIN_COMPARED, Place, find_place
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_member, make_result, place_waiting

pytestmark = pytest.mark.django_db

NVME = ClassBoard("sync_write", "nvme")
ALL = ClassBoard("sync_write", "")
ZIL = ClassBoard("zil", "nvme")


def rank(latencies, **values):
    """Devices of these names and latencies, ranked but not placed."""
    results = [
        make_result(latency_us, device__model_name=name, **values) for name, latency_us in latencies.items()
    ]
    rerank_devices([result.device_id for result in results])


def places(board=NVME):
    """First possible, rank and last possible by name."""
    rankings = main_rows(board.board)
    if board.device_class:
        rankings = rankings.filter(device_class=board.device_class)
    found = {row.device.model_name: find_place(ends_of(board), span_of(row)) for row in rankings}
    return {name: (place.first_possible, place.rank, place.last_possible) for name, place in found.items()}


def spread(board, method="diskinfo"):
    row = ClassRanking.objects.get(**board._asdict(), method=method)
    return row.spread, row.spread_source


def make_spread(ratio, *, count=MIN_DEVICES, device_class="nvme"):
    """As many devices of two units each that are `ratio` apart."""
    devices = [make_device(device_class=device_class) for _ in range(count)]
    for device in devices:
        make_result(100, device=device)
        make_result(100 * ratio, device=device)
    rerank_devices([device.pk for device in devices])
    return devices


def test_devices_that_are_far_apart_have_one_place_each():
    rank({"slow": 9000, "fast": 20, "middling": 500})
    place_board(NVME)
    assert places() == {"fast": (1, 1, 1), "middling": (2, 2, 2), "slow": (3, 3, 3)}


def test_devices_whose_intervals_overlap_share_their_places():
    rank({"a": 20, "b": 21, "c": 900})
    place_board(NVME)
    assert places() == {"a": (1, 1, 2), "b": (1, 2, 2), "c": (3, 3, 3)}


def test_the_only_device_of_a_class_is_first_of_one_with_an_interval():
    rank({"lonely": 20})
    place_board(NVME)
    row = main_rows().get()
    assert row.low < 20 < row.high
    assert find_place(ends_of(NVME), span_of(row)) == Place(1, 1, 1, 1)


def test_all_classes_form_a_separate_board():
    rank({"nvme": 20})
    rank({"sata": 900}, device__device_class="sata_ssd")
    rank({"fio": 1}, method="fio")
    place_waiting()
    assert places(ALL) == {"fio": (1, 1, 1), "nvme": (2, 2, 2), "sata": (3, 3, 3)}
    assert places(NVME) == {"fio": (1, 1, 1), "nvme": (2, 2, 2)}


def test_a_run_is_on_each_board_whose_figure_it_has():
    rank({"whole": 20})
    rank({"cut": [None, None, None, 30, *[None] * 11]})
    place_waiting()
    assert sorted(places(NVME)) == ["cut", "whole"]
    assert sorted(places(ZIL)) == ["whole"]


def test_a_device_has_one_place_by_its_main_row():
    device = make_device(model_name="both")
    make_result(20, device=device, method="fio")
    make_result(90, device=device)
    rerank_devices([device.pk])
    place_waiting()
    assert (len(ends_of(NVME)), [row.method for row in main_rows()]) == (1, ["diskinfo"])  # of one unit each
    make_result(21, device=device, method="fio")
    rerank_devices([device.pk])
    assert [row.method for row in main_rows()] == ["fio"]  # now with more units
    make_result(90, device=device, submission__owner=make_member())
    rerank_devices([device.pk])
    assert [row.method for row in main_rows()] == ["diskinfo"]  # with a vouched one
    place_waiting()
    assert list(ends_of(NVME).by_method["fio"].highs) == []


def test_all_rows_enter_the_spread_of_their_method():
    """Also those that are not a device's main row."""
    devices = make_spread(1.1)
    for device in devices:
        for latency_us in (100, 150):
            make_result(latency_us, device=device, method="fio")
        make_result(100, device=device, submission__owner=make_member())
    rerank_devices([device.pk for device in devices])
    place_waiting()
    assert set(main_rows().values_list("method", flat=True)) == {"diskinfo"}
    assert spread(NVME, "fio") == (pytest.approx(0.425), "class")


def make_pairs(ratio, *, count=MIN_COMPARED):
    """As many devices that both methods measured, `ratio` apart; a tenth of them far apart."""
    for number in range(count):
        device = make_device(model_name=f"pair {number}")
        make_result(1000, device=device)
        make_result(1000 * (9 if number % 10 == 9 else ratio), device=device, method="fio")
        rerank_devices([device.pk])


@pytest.mark.parametrize(
    ("count", "factor"),
    # of ten the last is far apart, and a tenth of the way there is 1.8; of 22 nine in ten are less apart
    [(MIN_COMPARED - 1, METHOD_FACTOR), (MIN_COMPARED, 1.8), (2 * MIN_COMPARED + 2, 1.5)],
)
def test_the_factor_is_measured_once_enough_devices_have_both_methods(count, factor):
    make_pairs(1.5, count=count)
    place_waiting()
    assert [ends.factor for ends in (ends_of(NVME), ends_of(ALL))] == [pytest.approx(factor)] * 2
    assert factor_of("sync_write") == pytest.approx(factor)


def test_classes_become_dirty_when_the_factor_changes():
    rank({"slow": 900}, device__device_class="hdd")
    place_waiting()
    make_pairs(1.2, count=2 * MIN_COMPARED)
    place_waiting()
    assert ends_of(ClassBoard("sync_write", "hdd")).factor < METHOD_FACTOR


def test_a_pass_leaves_other_boards_alone():
    rank({"nvme": 20})
    rank({"sata": 10}, device__device_class="sata_ssd")
    place_board(NVME)
    assert (len(ends_of(NVME)), len(ends_of(ClassBoard("sync_write", "sata_ssd")))) == (1, 0)


def test_a_class_without_pairs_of_units_has_a_guessed_spread():
    rank({"a": 20})
    place_waiting()
    assert spread(NVME) == (GUESSED_SPREAD, "guess")


@pytest.mark.parametrize(("count", "source"), [(MIN_DEVICES - 1, "guess"), (MIN_DEVICES, "class")])
def test_a_class_needs_enough_devices_for_its_own_spread(count, source):
    make_spread(1.1, count=count)
    place_waiting()
    assert spread(NVME)[1] == source


def test_a_class_of_few_devices_borrows_the_spread_of_all_classes():
    make_spread(1.1)
    rank({"a": 20}, device__device_class="hdd")
    place_waiting()
    assert spread(ClassBoard("sync_write", "hdd")) == (0.1, "all")
    assert spread(NVME) == (0.1, "class")
    assert main_rows().get(device_class="hdd").board_spread == 0.1


def test_borrowing_boards_become_dirty_when_the_borrowed_spread_changes():
    make_spread(1.1)
    rank({"a": 20}, device__device_class="hdd")
    place_waiting()
    narrow = main_rows().get(device_class="hdd").high
    make_spread(1.9, count=3 * MIN_DEVICES)
    place_waiting()
    assert spread(ClassBoard("sync_write", "hdd"))[0] > 0.6
    assert main_rows().get(device_class="hdd").high > narrow


def test_a_few_outliers_do_not_change_the_spread():
    make_spread(1.1, count=9)
    make_spread(30, count=4)
    place_waiting()
    assert spread(NVME) == (0.1, "class")


def test_a_board_is_dirty_from_its_change_to_its_pass():
    mark_dirty([NVME, NVME, ZIL])
    assert dirty_boards() == [NVME, ZIL, ALL, ClassBoard("zil", "")]
    place_board(NVME)
    assert dirty_boards() == [ZIL, ALL, ClassBoard("zil", "")]


def test_a_second_pass_does_nothing():
    rank({"a": 20})
    place_waiting()
    before = list(ClassRanking.objects.order_by("pk").values()), stored_version()
    place_board(NVME)
    assert (list(ClassRanking.objects.order_by("pk").values()), stored_version()) == before


def test_an_unknown_board_has_no_pass():
    place_board(ClassBoard("zil", "nvdimm"))
    assert not ClassRanking.objects.exists()


def test_the_data_version_changes_only_with_a_place():
    rank({"a": 20, "b": 30})
    place_waiting()
    placed = stored_version()
    mark_dirty([NVME])
    place_waiting()
    assert stored_version() == placed
    rank({"c": 10})
    place_board(NVME)
    assert stored_version() > placed


@pytest.mark.django_db(transaction=True)
def test_a_change_during_a_pass_leaves_the_board_dirty():
    rank({"a": 20})
    with threads() as start:
        with transaction.atomic():
            mark_dirty([NVME])
            passing = start(place_board, NVME)
            wait_until_queueing(1)
        passing.result()
    assert NVME in dirty_boards()
    assert places() == {"a": (1, 1, 1)}


@pytest.mark.django_db(transaction=True)
def test_a_row_that_changes_during_a_pass_gets_the_interval_of_its_new_score():
    devices = make_spread(1.1)  # wants all rows settled anew: the guess no longer holds
    with threads() as start:
        with transaction.atomic():
            make_result(9000, device=devices[0])
            make_result(9000, device=devices[0])
            make_result(9000, device=devices[0])
            rerank_devices([devices[0].pk])
            passing = start(place_board, NVME)
            wait_until_queueing(1)
        passing.result()
    row = main_rows().get(device=devices[0])
    assert row.score == pytest.approx(9000)
    assert row.low < row.score < row.high
    assert row.board_spread == 0.1


@pytest.mark.django_db(transaction=True)
def test_a_device_that_is_new_during_a_pass_gets_its_interval_from_the_next_one():
    make_spread(1.1)
    with threads() as start:
        with transaction.atomic():
            rank({"new": 20})  # by the guess, as the pass has not ended
            passing = start(place_board, NVME)
            wait_until_queueing(1)
        passing.result()
    assert main_rows().get(device__model_name="new").board_spread == GUESSED_SPREAD
    place_waiting()
    assert main_rows().get(device__model_name="new").board_spread == 0.1


@pytest.mark.django_db(transaction=True)
def test_an_earlier_pass_does_not_overwrite_a_later_one():
    rank({"a": 2000, "b": 3_000_000})
    place_waiting()
    rank({"c": 2})
    with threads() as start:
        with transaction.atomic():
            mark_dirty([NVME])
            early = start(place_board, NVME)  # holds what it read, and waits for the board's row
            wait_until_queueing(1)
            rank({"d": 0.002})
            late = start(place_board, NVME)  # waits for its turn
            wait_until_queueing(2)
        early.result()
        late.result()
    assert {name: place[1] for name, place in places().items()} == {"d": 1, "c": 2, "a": 3, "b": 4}
    assert NVME not in dirty_boards()
