import pytest

from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from results.ranking.rows import device_rows
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_rows_share_the_axis_of_their_page():
    make_result(20, device=make_device(model_name="a"))
    make_result(900, device=make_device(model_name="b"))
    rank_everything()
    first, second = rank_devices(LeaderboardFilter(sort="device")).rows
    (alone, *_), (beside, *_) = device_rows([first], ()), device_rows([first, second], ())
    assert alone["interval_svg"] != beside["interval_svg"]


def test_an_interval_that_rests_on_an_assumed_spread_is_marked():
    make_result(20)
    rank_everything()
    (row,) = rank_devices(LeaderboardFilter()).rows
    (assumed,), (measured,) = device_rows([row], ()), device_rows([{**row, "assumed_spread": False}], ())
    assert "interval assumed" in assumed["interval_svg"]
    assert "assumed" not in measured["interval_svg"]
