"""Migration 0011 keeps what results say of their units, there and back."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from results.models import Result
from tests.factories import make_result

pytestmark = pytest.mark.django_db(transaction=True)
DIGEST = "00ff" * 8
RESULT_ROWS = "SELECT unit, ranking_unit, first_line, last_line FROM results_result ORDER BY id"


def migrate(name=""):
    """To that migration, or to the newest."""
    executor = MigrationExecutor(connection)
    executor.migrate([("results", name)] if name else executor.loader.graph.leaf_nodes("results"))


def fetch(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall()


def test_results_keep_their_units_and_lines():
    make_result(20, unit=DIGEST, first_line=1, last_line=12_000)
    make_result(20, ranking_unit="member 7", first_line=None)
    make_result(20, ranking_unit=DIGEST)
    values = Result.objects.order_by("id").values_list("has_unit", "ranking_unit", "first_line", "last_line")
    before = list(values)
    try:
        migrate("0010_sealed_second_factors")
        as_text = fetch(RESULT_ROWS)
    finally:
        migrate()
    assert as_text == [
        (DIGEST, DIGEST, 1, 12_000),
        ("", "member 7", None, None),
        ("", DIGEST, None, None),
    ]
    assert (
        list(values)
        == before
        == [
            (True, DIGEST, 1, 12_000),
            (False, "member 7", None, None),
            (False, DIGEST, None, None),
        ]
    )


def test_keys_are_of_four_bytes():
    types = fetch(
        "SELECT DISTINCT data_type FROM information_schema.columns WHERE table_name = 'results_result' "
        "AND column_name IN ('id', 'submission_id', 'device_id', 'firmware_id')"
    )
    assert types == [("integer",)]
