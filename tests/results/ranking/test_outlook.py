"""How a ranked device compares with all others, and what one more unit like it would change."""

import pytest

from results.ranking.boards import ClassBoard
from results.ranking.outlook import curves_of_class, find_outlook, find_outlook_of_run
from results.ranking.standing import main_rows
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def ranked(*latencies_us, device_class="nvme"):
    """The first device's row."""
    devices = [make_device(device_class=device_class) for _ in latencies_us]
    for device, latency_us in zip(devices, latencies_us, strict=True):
        make_result(latency_us, device=device)
    rank_everything()
    return main_rows().get(device=devices[0])


def test_another_unit_that_measures_the_same_narrows_the_interval():
    # With a spread of 0.5, 20 µs are 8 to 51, then 11 to 37; 18 µs are 7 to 46.
    outlook = find_outlook(ranked(20, 18, 100, 3000))
    assert (outlook.other_count, outlook.class_count) == (3, 4)
    assert (outlook.behind_count, outlook.behind_with_another) == (1, 2)
    assert outlook.place[:3] == (2, 1, 3)
    assert outlook.place_with_another[:3] == (1, 1, 2)
    assert outlook.headline("nvme") == "Probably faster than 1 of the 3 other drives here"


def test_another_unit_of_a_drive_whose_units_differ_makes_its_own_spread_count_for_more():
    device = make_device()
    for latency_us in (10, 40):
        make_result(latency_us, device=device)
    make_result(117)
    rank_everything()
    # Of two units up to 45 µs, with a third like them up to 47; the other device's interval begins at 46.
    outlook = find_outlook(main_rows().get(device=device))
    assert (outlook.behind_count, outlook.behind_with_another) == (1, 0)


def test_a_run_alone_is_compared_with_all_but_its_own_device():
    own = ranked(20, 18, 100, 3000)
    board = ClassBoard(own.board, own.device_class)
    outlook = find_outlook_of_run(board, method="diskinfo", score=5000, device_id=own.device_id)
    assert (outlook.other_count, outlook.behind_count, outlook.place[0]) == (3, 0, 4)
    assert outlook.faster == "not clearly faster than any of the 3 other drives here"
    assert len(curves_of_class(board, but=own.device_id)) == 3


def test_the_only_one_of_its_class_says_so():
    assert find_outlook(ranked(20)).headline("nvme") == ""
    first, second = (find_outlook(ranked(us, device_class="hdd")).headline("hdd") for us in (3000, 4000))
    assert (
        first
        == "The only drive in the class Hard disk so far. Not clearly faster than the only other drive here"
    )
    assert second == "Not clearly faster than any of the 2 other drives here"
