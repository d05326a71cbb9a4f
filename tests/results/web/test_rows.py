import pytest

from results.ranking.asked import LeaderboardFilter
from results.ranking.leaderboard import rank_devices
from results.web.rows import device_rows
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def ranked():
    rank_everything()
    return rank_devices(LeaderboardFilter(sort="device")).rows


def test_a_row_that_is_kept_has_the_bar_of_the_page_that_it_stands_on():
    make_result(20, device=make_device(model_name="a <b>"))
    make_result(900, device=make_device(model_name="b"))
    first, second = ranked()
    ((alone,), (beside, _)) = device_rows([first]), device_rows([first, second])
    assert alone["interval_svg"] != beside["interval_svg"]
    for row in (alone, beside):
        assert row["html"].count(row["interval_svg"]) == row["html"].count("<svg") == 1
        assert "a &lt;b&gt;" in row["html"]


def test_a_device_that_changed_has_another_row():
    device = make_device()
    make_result(20, device=device)
    (before,) = device_rows(ranked())
    make_result(90, device=device)
    (after,) = device_rows(ranked())
    assert (before["n_results"], after["n_results"]) == (1, 2)
    assert before["html"] != after["html"]


def test_a_row_is_made_once_for_all_pages_with_its_axis():
    make_result(20, device=make_device())
    assert device_rows(ranked())[0] is device_rows(ranked())[0]
