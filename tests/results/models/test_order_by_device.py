"""Migration 0023 tells the rows that are there already how their devices are called."""

import pytest

from results.ranking.asked import LeaderboardFilter
from results.ranking.leaderboard import rank_devices
from tests.factories import make_result, rank_everything
from tests.results.models.test_fewer_bytes import migrate

pytestmark = pytest.mark.django_db(transaction=True)


def test_rows_that_were_there_before_stand_in_the_order_of_their_names():
    for name in ("b", "c", "a"):
        make_result(20, device__model_name=name)
    rank_everything()
    try:
        migrate("0022_notes_by_index")
    finally:
        migrate()
    rows = rank_devices(LeaderboardFilter(sort="device")).rows
    assert [row["device__model_name"] for row in rows] == ["a", "b", "c"]
