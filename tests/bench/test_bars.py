"""When a bar is met, and what the table of all says of it."""

import math

import pytest

from bench.bars import Row, failure, status, table


def test_each_row_shows_the_figure_its_bar_and_a_verdict():
    rows = [
        Row("empty view", 0.294, "ms"),
        Row("page", 21.14, "ms", 20.0),
        Row("ratio", 3.0, limit=3.0, is_minimum=True),
        Row("import", 12_345.6, "texts/s", 300.0, is_minimum=True),
    ]
    assert table(rows).splitlines()[2:] == [
        "| empty view |  | 0.29 ms |  |",
        "| page | ≤ 20 ms | 21.1 ms | **FAIL** |",
        "| ratio | ≥ 3 | 3 | pass |",
        "| import | ≥ 300 texts/s | 12,346 texts/s | pass |",
    ]


@pytest.mark.parametrize("is_minimum", [True, False])
@pytest.mark.parametrize("measured", [math.nan, 0.0, -1.0])
def test_a_missing_measurement_meets_no_bar(measured, is_minimum):
    assert not Row("page", measured, "ms", 20.0, is_minimum=is_minimum).passes


def test_one_missed_bar_is_a_failure():
    met, missed = Row("one", 1.0, limit=2.0), Row("two", 3.0, limit=2.0)
    assert status([Row("floor", 9.0), met]) == 0
    assert status([met, missed]) == 1


def test_a_failed_measurement_is_reported_in_one_line():
    row = failure("pages", ValueError("wrk said:\nno route"))
    assert status([row]) == 1
    assert table([row]).splitlines()[2] == "| pages: wrk said: no route | ≤ 0 | not measured | **FAIL** |"
