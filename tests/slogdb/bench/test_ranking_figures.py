"""What the ranking benchmark makes of its figures, and that what it times is the work itself."""

import pytest

from results.models import DeviceRanking
from results.ranking.places import waiting_boards
from slogdb.bench import ranking_figures
from slogdb.bench.ranking_figures import Cost, _parts_table, _rerank_single_results, _whole_table
from tests.factories import make_result, rank_everything


def test_the_whole_is_a_multiple_of_its_floor():
    assert _whole_table({"floor": [100.0, 300.0, 200.0], "whole": [900.0, 1000.0, 4000.0]}).splitlines()[
        2:
    ] == [
        "| floor | 0.10 / 0.20 / 0.30 | 1.0 |",
        "| whole | 0.90 / 1.00 / 4.00 | 5.0 |",
    ]


def test_the_row_and_the_class_are_summed_result_by_result():
    parts = {"row": [Cost(1, 2)] * 20, "class": [Cost(10, 20)] * 20, "all": [Cost(100, 200)] * 20}
    assert _parts_table(parts).splitlines()[2:] == [
        "| row | 2.0 | 2.0 | 1.0 | 1.0 |",
        "| class | 20.0 | 20.0 | 10.0 | 10.0 |",
        "| all | 200.0 | 200.0 | 100.0 | 100.0 |",
        "| its row and its class | 22.0 | 22.0 | 11.0 | 11.0 |",
    ]


@pytest.mark.django_db
def test_each_part_is_timed_on_a_result_that_changes(monkeypatch):
    monkeypatch.setattr(ranking_figures, "SUBMISSIONS", 2)
    for latency_us in (20, 90):
        make_result(latency_us)
    rank_everything()
    before = set(DeviceRanking.objects.values_list("score_us", flat=True))
    parts = _rerank_single_results()
    assert {name: len(costs) for name, costs in parts.items()} == dict.fromkeys(ranking_figures.PARTS, 2)
    assert all(cost.elapsed_ms > 0 and cost.processor_ms > 0 for costs in parts.values() for cost in costs)
    assert before.isdisjoint(DeviceRanking.objects.values_list("score_us", flat=True))
    assert waiting_boards() == []
