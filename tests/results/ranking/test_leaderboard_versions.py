"""What the leaderboard keeps of rows by their versions: outside a test's own transaction, as requests are."""

import pytest
from django.db import transaction

from results.models import Device, DeviceRanking, Product
from results.ranking.asked import LeaderboardFilter
from results.ranking.leaderboard import rank_devices
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)


def rows():
    return rank_devices(LeaderboardFilter()).rows


def names():
    return [row["device__model_name"] for row in rows()]


@pytest.fixture(autouse=True)
def board():
    """Two devices, the first of a known product, whose rows were read and kept."""
    make_result(20, device=make_device(model_name="Fast", slug="fast", product=make_product(plp="unknown")))
    make_result(90, device=make_device(model_name="Slow", slug="slow"))
    rank_everything()
    return rows()


def test_rows_that_stay_are_not_read_again(board, django_assert_num_queries):
    with django_assert_num_queries(1) as asked:
        assert rows() == board
    assert "model_name" not in asked[0]["sql"].partition(" FROM ")[0]


def test_a_page_with_a_new_row_is_read_once_more(django_assert_num_queries):
    Device.objects.filter(slug="slow").update(model_name="Slower")
    with django_assert_num_queries(2):
        assert names() == ["Fast", "Slower"]


@pytest.mark.parametrize(
    ("changed", "values", "read"),
    [
        (DeviceRanking, {"latency_4k_us": 7}, lambda row: row["latency_4k_us"] == 7),
        (DeviceRanking, {"median_us": [7.0] * 15}, lambda row: row["median_us"] == [7.0] * 15),
        (Device, {"vendor": "Renamed"}, lambda row: row["device__vendor"] == "Renamed"),
        (
            Product,
            {"plp": "no", "plp_statements": [{"value": "no"}]},
            lambda row: row["device__product__plp"] == "no",
        ),
    ],
)
def test_whatever_a_row_says_is_new_when_it_changed(board, changed, values, read):
    assert not any(map(read, board))
    changed.objects.update(**values)
    assert read(rows()[0])


def test_who_shows_a_row_does_not_change_what_is_kept_of_it(board):
    for row in board:
        row.clear()
    assert names() == ["Fast", "Slow"]


def test_two_states_of_one_transaction_are_told_apart():
    device = Device.objects.filter(slug="slow")
    with transaction.atomic():
        for name in ("Once", "Twice"):
            device.update(model_name=name)
            assert names()[1] == name
