"""What the benchmark of submissions makes of its figures, and that what it sends is a run."""

import pytest
from django.db import connection

from bench.submissions import NEW_MODELS, Model, popular_model, run_of, submission_table
from parsers.paste import parse_paste
from results.ingest.runs import find_runs
from tests.factories import make_device, make_result, rank_everything


def test_times_are_told_in_the_middle_and_at_the_end_beside_the_floor():
    table = submission_table(
        {"of a few": [float(number) for number in range(1, 101)], "a bare INSERT": [0.5, 0.25, 0.75]}
    )
    assert "| of a few | 1.0 | 50.5 | 96.0 | 101 |" in table
    assert "| a bare INSERT | 0.2 | 0.5 | 0.8 | 1 |" in table


def test_each_is_a_run_of_a_unit_of_its_own():
    found = [
        find_runs(parse_paste(run_of(number, NEW_MODELS[0]), unit_key=b"key")).runs for number in range(2)
    ]
    assert [len(runs) for runs in found] == [1, 1]
    assert found[0][0].is_ranked
    assert found[0][0].unit != found[1][0].unit


def test_a_text_is_about_the_model_that_it_is_to_be_about():
    (run,) = find_runs(parse_paste(run_of(1, Model("A MODEL", 480 * 10**9)), unit_key=b"key")).runs
    assert run.identity == ("A MODEL", 480 * 10**9)


@pytest.mark.django_db
def test_the_popular_device_is_that_with_the_most_results():
    for name, count in (("few", 1), ("many", 3), ("some", 2)):
        device = make_device(model_name=name, capacity_bytes=10**11)
        for latency in range(count):
            make_result(20 + latency, device=device)
    rank_everything()
    (name, capacity_bytes, latency_us), count = popular_model(connection.connection)
    assert (name, capacity_bytes, count) == ("many", 10**11, 3)
    assert latency_us == pytest.approx(21, abs=1)
