import pytest

from results.ranking.asked import LeaderboardFilter
from results.ranking.compiled import Statement, fetch
from results.ranking.kept_ends import AS_OF, current_ends, kept_ends
from results.ranking.leaderboard import rank_devices
from results.ranking.places import Board, mark_changed
from results.ranking.ties import Ends, Place
from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db
NVME = Board("nvme", "diskinfo")


def as_of(board=NVME):
    ((state,),) = fetch(Statement(AS_OF, board))
    return state


def test_ends_are_read_once_until_a_pass_changes_them(django_assert_num_queries):
    make_result(20)
    rank_everything()
    state = as_of()
    first = kept_ends(NVME, state)
    with django_assert_num_queries(0):
        assert kept_ends(NVME, state) is first
    make_result(900)
    rank_everything()
    assert as_of() != state
    assert (len(first.highs), len(kept_ends(NVME, as_of()).highs)) == (1, 2)


def test_no_two_boards_are_ever_in_one_state():
    mark_changed([NVME])  # and no pass has placed either
    assert as_of() != as_of(Board("", "diskinfo"))


def test_a_board_that_is_not_there_has_no_ends():
    assert kept_ends(Board("tape", "diskinfo"), None) == Ends()


def test_places_follow_a_pass_at_once():
    make_result(900)
    rank_everything()
    asked = LeaderboardFilter(chosen={"class": "nvme"})
    assert [row["place"] for row in rank_devices(asked).rows] == [Place(1, 1, 1, 1)]
    make_result(20)
    rank_everything()
    assert [row["place"] for row in rank_devices(asked).rows] == [Place(1, 1, 1, 1), Place(2, 2, 2, 2)]


def test_the_ends_of_several_boards_are_looked_up_together(django_assert_num_queries):
    make_result(20)
    rank_everything()
    boards = (NVME, Board("", "diskinfo"), Board("tape", "diskinfo"))
    nvme, everything, tape = current_ends(*boards)
    with django_assert_num_queries(1):
        assert current_ends(*boards) == [nvme, everything, tape]
    make_result(900)
    rank_everything()
    with django_assert_num_queries(2):
        changed = current_ends(*boards)
    assert [len(ends.highs) for ends in (nvme, everything, tape)] == [1, 1, 0]
    assert [len(ends.highs) for ends in changed] == [2, 2, 0]
