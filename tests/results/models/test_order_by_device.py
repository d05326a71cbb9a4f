"""Migrations 0023 and 0024 tell the rows of the ranking how their devices are called, whoever writes them."""

import json

import pytest
from django.db import connection
from django.forms.models import model_to_dict

from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from results.models import DeviceRanking
from results.models.ranking import NAMED
from tests.factories import make_result, rank_everything
from tests.results.models.test_fewer_bytes import migrate

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_migration_fills_in_names_for_existing_rows():
    for name in ("b", "c", "a"):
        make_result(20, device__model_name=name)
    rank_everything()
    try:
        migrate("0022_notes_by_index")
    finally:
        migrate()
    rows = rank_devices(LeaderboardFilter(sort="device")).rows
    assert [row["device__model_name"] for row in rows] == ["a", "b", "c"]


def write_as_code_before(ranking):
    """The row once more, by a statement that does not know of its name."""
    with connection.cursor() as cursor:
        there = connection.introspection.get_table_description(cursor, "results_deviceranking")
        columns = ", ".join(column.name for column in there if column.name not in {"id", *NAMED})
        cursor.execute("DELETE FROM results_deviceranking")
        cursor.execute(
            f"INSERT INTO results_deviceranking ({columns}) "  # noqa: S608 - of our own columns
            f"SELECT {columns} FROM jsonb_populate_record(NULL::results_deviceranking, %s)",
            [json.dumps(model_to_dict(ranking) | {"device_id": ranking.device_id}, default=str)],
        )


def test_a_row_that_code_before_writes_has_its_devices_name():
    make_result(20, device__model_name="a", device__capacity_bytes=10)
    rank_everything()
    write_as_code_before(DeviceRanking.objects.get())
    assert DeviceRanking.objects.values_list(*NAMED).get() == ("a", 10)


def test_a_row_that_code_before_has_written_is_given_its_name():
    make_result(20, device__model_name="a", device__capacity_bytes=10)
    rank_everything()
    ranking = DeviceRanking.objects.get()
    try:
        migrate("0023_order_by_device")
        write_as_code_before(ranking)
        before = DeviceRanking.objects.values_list(*NAMED).get()
    finally:
        migrate()
    assert before == ("", None)
    assert DeviceRanking.objects.values_list(*NAMED).get() == ("a", 10)
