"""What the benchmark of the API makes of its figures, and that what it sends is a run."""

from parsers.paste import parse_paste
from results.ingest.runs import find_runs
from slogdb.bench import api


def test_ratios_stand_beside_what_they_have_to_be():
    table = api._table(
        {
            "empty Django view": [(1000.0, 1.0), (900.0, 2.0), (1100.0, 3.0)],
            "leaderboard, made anew": [(260.0, 9.0), (250.0, 9.0), (300.0, 9.0)],
        }
    )
    assert "| leaderboard, made anew | 250 / 260 / 300 | 9.0 | 0.26 | 0.25 |" in table


def test_times_of_submissions_are_told_in_the_middle_and_at_the_end():
    line = api._submission_line([float(number) for number in range(1, 101)], [0.5, 0.25, 0.75])
    assert "1.0 ms at best, 50.5 in the median, 96.0 at the 95th percentile" in line
    assert "COMMIT: 0.2 ms at best, 0.5 in the median" in line


def test_each_submission_is_a_run_of_a_unit_of_its_own():
    found = [find_runs(parse_paste(api.run_of(number), unit_key=b"key")).runs for number in range(2)]
    assert [len(runs) for runs in found] == [1, 1]
    assert found[0][0].is_ranked
    assert found[0][0].unit != found[1][0].unit
