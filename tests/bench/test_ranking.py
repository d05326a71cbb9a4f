"""What the ranking benchmark makes of its figures, and that what it times is the work itself."""

import pytest
from django.db import connection

from bench import ranking
from bench.ranking import (
    Cost,
    _devices_to_draw,
    _parts_table,
    _rerank_single_results,
    _rerank_typical_device,
    _whole_table,
)
from results.models import DeviceRanking
from results.ranking.places import dirty_boards
from tests.factories import make_device, make_result, rank_everything


def test_the_whole_is_a_multiple_of_its_floor():
    floor = [Cost(100.0, 90.0), Cost(300.0, 110.0), Cost(200.0, 100.0)]
    whole = [Cost(900.0, 180.0), Cost(1000.0, 190.0), Cost(4000.0, 4000.0)]
    assert _whole_table({"floor": floor, "whole": whole}).splitlines()[2:] == [
        "| floor | 0.10 | 1.00 | 0.10 / 0.20 / 0.30 |",
        "| whole | 0.19 | 1.90 | 0.90 / 1.00 / 4.00 |",
    ]


def test_parts_are_told_by_their_median_and_95th_percentile():
    assert _parts_table({"row": [Cost(1, 2)] * 20, "class": [Cost(10, 20)] * 20}).splitlines()[2:] == [
        "| row | 2.0 | 2.0 | 1.0 | 1.0 |",
        "| class | 20.0 | 20.0 | 10.0 | 10.0 |",
    ]


@pytest.mark.django_db
def test_each_part_is_timed_on_a_result_that_changes(monkeypatch):
    monkeypatch.setattr(ranking, "SUBMISSIONS", 2)
    for latency_us in (20, 90):
        make_result(latency_us)
    rank_everything()
    before = set(DeviceRanking.objects.values_list("score_us", flat=True))
    parts = _rerank_single_results()
    sums = parts.pop("all three")
    assert {name: len(costs) for name, costs in parts.items()} == dict.fromkeys(ranking.PARTS, 2)
    assert sums[0].processor_ms == pytest.approx(sum(costs[0].processor_ms for costs in parts.values()))
    assert before.isdisjoint(DeviceRanking.objects.values_list("score_us", flat=True))
    assert dirty_boards() == []


@pytest.mark.django_db
def test_the_typical_device_is_the_one_with_about_as_many_results(monkeypatch):
    monkeypatch.setattr(ranking, "SUBMISSIONS", 4)
    monkeypatch.setattr(ranking, "TYPICAL_RESULTS", 3)
    device = make_device()
    for number in range(3):
        make_result(20 + number, device=device)
    make_result(90)
    rank_everything()
    ((name, costs),) = _rerank_typical_device().items()
    assert (name, len(costs)) == ("the row of a device with 3 results", 4)


@pytest.mark.django_db
def test_the_floor_is_a_row_a_device_and_method():
    make_result(20)
    with connection.cursor() as cursor:
        cursor.execute(ranking.FLOOR)
        (row,) = cursor.fetchall()
    assert len(row) == 2 + 17
    assert list(row[2:18]) == pytest.approx([20.0] * 16)


@pytest.mark.parametrize(("results", "drawn"), [(200_000, 30_000), (1_000_000, 20_000)])
def test_the_fewer_results_the_more_devices_are_drawn(results, drawn):
    assert _devices_to_draw(results) == drawn
