import pytest

from results.core.data_version import bump_data_version
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db


def rank(**filters):
    return rank_devices(LeaderboardFilter(**filters), with_options=True)


def test_pages_and_orders_of_a_list_share_its_counts(django_assert_num_queries):
    for _ in range(51):
        make_result(20)
    rank_everything()
    bump_data_version()
    first = rank()
    with django_assert_num_queries(
        12
    ):  # each: the version, the page, the ends of the board, the classes by fio
        others = [rank(page=2), rank(sort="n_units"), rank(sort="n_units", is_reversed=True)]
    assert [page.counts.options for page in others] == [first.counts.options] * 3
    assert [page.count for page in [first, *others]] == [51] * 4


def test_other_lists_have_their_own():
    make_result(20)
    make_result(900, device__device_class="hdd")
    rank_everything()
    bump_data_version()
    pages = [
        rank(),
        rank(chosen={"class": "hdd"}),
        rank(chosen={"class": "tape"}),
        rank(chosen={"method": "fio"}),
    ]
    assert [page.count for page in pages] == [2, 1, 0, 0]
    make_result([None, None, None, 20, *[None] * 11])
    rank_everything()
    assert [rank(board=board).count for board in ("sync_write", "zil")] == [3, 2]


def test_a_change_is_counted_at_once():
    make_result(20)
    rank_everything()
    bump_data_version()
    assert (rank().count, rank().counts.options["class"]) == (1, {"nvme": 1})
    make_result(20)
    rank_everything()
    bump_data_version()
    assert (rank().count, rank().counts.options["class"]) == (2, {"nvme": 2})


def test_without_a_version_nothing_is_cached():
    make_result(20)
    rank_everything()
    assert rank().count == 1
    make_result(20)
    rank_everything()
    assert rank().count == 2
