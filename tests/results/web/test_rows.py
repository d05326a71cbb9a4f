import pytest

from results.ranking.asked import LeaderboardFilter
from results.ranking.leaderboard import rank_devices
from results.web.rows import board_rows, device_rows
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def ranked():
    rank_everything()
    return rank_devices(LeaderboardFilter(sort="device")).rows


def test_a_row_that_is_kept_has_the_bar_of_the_page_that_it_stands_on():
    make_result(20, device=make_device(model_name="a <b>"))
    make_result(900, device=make_device(model_name="b"))
    first, second = ranked()
    for page in ([first], [first, second]):
        shown, kept = device_rows(page)[0], board_rows(page)[0].html
        assert kept.count(shown["interval_svg"]) == kept.count("<svg") == 1
        assert "a &lt;b&gt;" in kept
    assert board_rows([first])[0] != board_rows([first, second])[0]


def test_a_device_that_changed_has_another_row():
    device = make_device()
    make_result(20, device=device)
    (before,) = board_rows(ranked())
    make_result(90, device=device)
    (after,) = board_rows(ranked())
    assert [row.html.count('results">2<') for row in (before, after)] == [0, 1]


def test_a_row_is_made_once_for_all_pages_with_its_axis():
    make_result(20, device=make_device())
    assert board_rows(ranked())[0] is board_rows(ranked())[0]
