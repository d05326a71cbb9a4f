"""All at once gives what one after the other gives, whatever came first."""

import random

import pytest

from results.core.data_version import stored_version
from results.models import ClassRanking, DeviceRanking, Result
from results.ranking.boards import dirty_boards, place_board
from results.ranking.intervals import MIN_DEVICES
from results.ranking.medians import RankingStep, rank_everything, rerank_devices
from results.ranking.standing import main_rows
from tests.factories import make_device, make_result, place_waiting

pytestmark = pytest.mark.django_db

# Of each class how many devices there are, how many units of them, and how far these are apart: two have a spread of
# their own, two borrow.
CLASSES = {
    "nvme": (MIN_DEVICES + 2, [2, 2, 3], 0.1),
    "hdd": (MIN_DEVICES, [2], 0.4),
    "optane": (3, [1, 3, 6], 0.2),
    "nvdimm": (1, [1], 0.2),
}


def rows():
    """Everything that the ranking computed, but for keys and times."""
    devices = DeviceRanking.objects.order_by("device", "board", "method").values()
    boards = ClassRanking.objects.order_by("board", "device_class", "method").values()
    left_out = {"id", "changes", "ranked_changes", "ranked_at"}
    return [
        [{name: value for name, value in row.items() if name not in left_out} for row in table]
        for table in (devices, boards)
    ]


def rank_whole(**options):
    return list(rank_everything(**options))


def receive_one_by_one(source):
    """Results of units in any order, with a pass now and then, until nothing waits."""
    runs = []
    for device_class, (count, unit_counts, spread) in CLASSES.items():
        for _ in range(count):
            device = make_device(device_class=device_class)
            truth_us = source.uniform(20, 2000)
            for unit in range(source.choice(unit_counts)):
                latency_us = truth_us * 2.718 ** source.gauss(0, spread)
                method = "fio" if device_class == "optane" and unit == 2 else "diskinfo"
                runs += [(device, f"unit {unit}", latency_us, method)] * source.choice([1, 1, 3])
    source.shuffle(runs)
    for device, unit, latency_us, method in runs:
        result = make_result(latency_us, device=device, unit=unit, method=method)
        rerank_devices([result.device_id])
        if source.random() < 0.2:
            place_board(source.choice(dirty_boards()))
    place_waiting()


@pytest.mark.parametrize("seed", range(2))
def test_a_full_ranking_equals_ranking_one_by_one(seed):
    receive_one_by_one(random.Random(seed))  # noqa: S311 - drawing, not secrets
    one_by_one = rows()
    sources = dict(
        ClassRanking.objects.filter(board="sync_write", method="diskinfo").values_list(
            "device_class", "spread_source"
        )
    )
    assert sources == {"": "all", "nvme": "class", "hdd": "class", "optane": "all", "nvdimm": "all"}

    rank_whole()
    assert rows() == one_by_one

    DeviceRanking.objects.all().delete()
    ClassRanking.objects.all().delete()
    rank_whole()
    assert rows() == one_by_one


def test_a_full_ranking_deletes_obsolete_rows_and_boards():
    receive_one_by_one(random.Random(4))  # noqa: S311
    Result.objects.filter(device__device_class="nvme").update(is_ranked=False, not_ranked_reason="held")
    rank_whole()
    assert not main_rows().filter(device_class="nvme").exists()
    nvme = ClassRanking.objects.get(board="zil", device_class="nvme", method="diskinfo")
    assert (nvme.spread_source, len(nvme.highs)) == ("all", 0)
    assert dirty_boards() == []


def test_an_empty_database_has_nothing_to_rank():
    assert rank_whole() == []


def test_every_step_is_yielded_and_the_data_version_changes():
    make_result(20)
    make_result(90, device__device_class="hdd")
    before = stored_version()
    assert rank_whole() == [
        RankingStep("medians of every device", 2, 2),
        RankingStep("places of nvme, sync_write", 1, 6),
        RankingStep("places of nvme, zil", 2, 6),
        RankingStep("places of hdd, sync_write", 3, 6),
        RankingStep("places of hdd, zil", 4, 6),
        RankingStep("places of all classes, sync_write", 5, 6),
        RankingStep("places of all classes, zil", 6, 6),
        RankingStep("conditions of devices where they changed", 2, 2),
    ]
    assert stored_version() > before


def test_every_row_has_its_interval_before_it_is_seen():
    make_result(20)
    ranking = rank_everything()
    next(ranking)
    row = main_rows().get()
    assert row.low < row.score < row.high


def test_an_interrupted_full_ranking_changes_no_row():
    make_result(20)
    ranking = rank_everything()
    next(ranking)
    ranking.close()
    assert not main_rows().exists()


def test_many_steps_give_the_same_ranking():
    receive_one_by_one(random.Random(5))  # noqa: S311
    one_by_one = rows()
    DeviceRanking.objects.all().delete()
    rank_whole(results_a_step=7)
    assert rows() == one_by_one
