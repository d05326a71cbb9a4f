"""What the ranking is compared with, and that both do their work."""

import pytest

from bench import ranking
from results.ranking.standing import main_rows
from tests.factories import make_result, rank_everything


def test_the_ranking_is_a_multiple_of_the_medians():
    found = ranking.rows({"medians": 5.0, "unchanged": 14.0, "outdated": 21.0}, 1000)
    judged = [(row.measured, row.passes) for row in found if row.limit is not None]
    assert judged == [(2.8, True), (4.2, False)]


@pytest.mark.django_db(transaction=True)
def test_outdated_rows_are_computed_again():
    make_result(20)
    rank_everything()
    current = main_rows().get().formula_version
    ranking._prepare(is_outdated=True)
    assert main_rows().get().formula_version == 0
    ranking._rank()
    assert main_rows().get().formula_version == current


@pytest.mark.django_db(transaction=True)
def test_all_three_are_measured():
    make_result(20)
    rank_everything()
    assert all(row.measured > 0 for row in ranking.measure(1))
