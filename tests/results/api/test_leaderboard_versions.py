"""What the leaderboard keeps of rows by their versions: outside a test's own transaction, as requests are."""

import pytest
from django.db import transaction

from results.models import Device, DeviceRanking, Product
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)


def _rows(client):
    return client.get("/api/v1/leaderboard/").json()["results"]


@pytest.fixture
def board(client):
    """Two devices, the first of a known product, whose rows were read and kept."""
    product = make_product()
    make_result(20, device=make_device(model_name="Fast", slug="fast", product=product))
    make_result(90, device=make_device(model_name="Slow", slug="slow"))
    rank_everything()
    return _rows(client)


def test_rows_that_stay_are_not_read_again(client, board, django_assert_num_queries):
    with django_assert_num_queries(1) as asked:
        assert _rows(client) == board
    assert "model_name" not in asked[0]["sql"].partition(" FROM ")[0]


def test_a_page_with_a_new_row_is_read_once_more(client, board, django_assert_num_queries):
    Device.objects.filter(slug="slow").update(model_name="Slower")
    with django_assert_num_queries(2):
        assert [row["device"]["model_name"] for row in _rows(client)] == ["Fast", "Slower"]


@pytest.mark.parametrize(
    ("changed", "values", "read"),
    [
        (DeviceRanking, {"latency_4k_us": 7}, lambda row: row["latency_4k_us"] == 7),
        (Device, {"vendor": "Renamed"}, lambda row: row["device"]["vendor"] == "Renamed"),
        (Product, {"slug": "renamed"}, lambda row: row["device"]["product"] == "renamed"),
    ],
)
def test_whatever_a_row_shows_is_new_when_it_changed(client, board, changed, values, read):
    assert not any(map(read, board))
    changed.objects.update(**values)
    assert read(_rows(client)[0])


def test_two_states_of_one_transaction_are_told_apart(client, board):
    device = Device.objects.filter(slug="slow")
    with transaction.atomic():
        for name in ("Once", "Twice"):
            device.update(model_name=name)
            assert _rows(client)[1]["device"]["model_name"] == name


def test_a_state_that_was_undone_is_not_kept(client, board):
    with transaction.atomic():
        Device.objects.filter(slug="slow").update(model_name="Never")
        _rows(client)
        transaction.set_rollback(True)
    Device.objects.filter(slug="fast").update(model_name="Faster")
    assert [row["device"]["model_name"] for row in _rows(client)] == ["Faster", "Slow"]
