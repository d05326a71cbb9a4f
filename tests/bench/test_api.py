"""What the benchmark of the API makes of its figures."""

from bench import api


def test_ratios_stand_beside_what_they_have_to_be():
    table = api._table(
        {
            "empty Django view": [(1000.0, 1.0), (900.0, 2.0), (1100.0, 3.0)],
            "leaderboard, made anew": [(260.0, 9.0), (250.0, 9.0), (300.0, 9.0)],
        }
    )
    assert "| leaderboard, made anew | 250 / 260 / 300 | 9.0 | 0.26 | 0.25 |" in table
