"""A page of a list is read from an index, in whatever order: what it costs does not grow with the devices."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from results.leaderboard.columns import columns
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db
MEASURED = [key for key, column in columns().items() if column.fact is None]  # each has an index


@pytest.fixture
def plan():
    """How PostgreSQL reads a page of a list, when it is to avoid sorting if it can."""

    def explained(filters):
        with CaptureQueriesContext(connection) as queries:
            rank_devices(filters)
        (page,) = [query["sql"] for query in queries if " LIMIT " in query["sql"]]
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_sort = off")
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute(f"EXPLAIN {page}")
            return "\n".join(line for (line,) in cursor.fetchall())

    make_result(20)
    rank_everything()
    return explained


def test_no_order_sorts_all_devices_and_skipped_rows_are_read_from_the_index_only(plan, subtests):
    for is_reversed in [False, True]:
        for sort in MEASURED:
            with subtests.test(is_reversed=is_reversed, sort=sort):
                found = plan(LeaderboardFilter(sort=sort, is_reversed=is_reversed))
                assert "->  Sort" not in found
                assert re.search("Index Only Scan (Backward )?using ranking_", found)
                within = found[found.index("Limit") :]
                assert "Index Scan using ranking_" not in within.split("InitPlan")[0]


@pytest.mark.parametrize("is_reversed", [False, True])
def test_devices_of_one_model_are_ordered_by_capacity(is_reversed):
    models = [("b", 10), ("a", None), ("a", 30), ("a", 20), ("b", None)]
    for latency_us, (name, capacity) in enumerate(models, start=20):
        make_result(latency_us, device__model_name=name, device__capacity_bytes=capacity)
    rank_everything()
    rows = rank_devices(LeaderboardFilter(sort="device", is_reversed=is_reversed)).rows
    found = [(row["device__model_name"], row["device__capacity_bytes"]) for row in rows]
    assert found == [("a", 20), ("a", 30), ("a", None), ("b", 10), ("b", None)][:: -1 if is_reversed else 1]
