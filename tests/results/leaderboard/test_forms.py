import pytest

from results.leaderboard.forms import (
    MAX_CACHED_LENGTH,
    LeaderboardForm,
    LeaderboardPageForm,
    RefusedError,
    read_query,
)
from tests.factories import make_result, rank_everything


def test_a_parsed_query_is_cached():
    query = "class=nvme&sort=-n_units&page=2&utm_source=forum"
    parsed = read_query(LeaderboardForm, query)
    assert (parsed.device_class, parsed.sort, parsed.is_reversed, parsed.page) == ("nvme", "n_units", True, 2)
    assert read_query(LeaderboardForm, query) is parsed


def test_an_invalid_query_is_refused_each_time():
    for _ in range(2):
        with pytest.raises(RefusedError) as caught:
            read_query(LeaderboardForm, "sort=speed")
        assert list(caught.value.form.errors) == ["sort"]


def test_how_a_page_is_drawn_is_known_to_its_own_form():
    assert read_query(LeaderboardForm, "view=table").view == "list"
    assert read_query(LeaderboardPageForm, "view=table").view == "table"
    assert read_query(LeaderboardPageForm, "view=bars").view == "list"  # as in older links


@pytest.mark.django_db
def test_a_vendor_is_known_as_soon_as_there_is_one():
    with pytest.raises(RefusedError):
        read_query(LeaderboardForm, "vendor=corvant")
    make_result(20, device__vendor="Corvant")
    rank_everything()
    assert read_query(LeaderboardForm, "vendor=corvant").chosen == {"vendor": "corvant"}


@pytest.mark.parametrize(("length", "is_kept"), [(MAX_CACHED_LENGTH, True), (MAX_CACHED_LENGTH + 1, False)])
def test_a_query_is_checked_once_unless_it_is_long(length, is_kept):
    query = "class=nvme&utm=".ljust(length, "x")
    page, other = (read_query(LeaderboardForm, query) for _ in range(2))
    assert (page is other) is is_kept
    assert page == other
