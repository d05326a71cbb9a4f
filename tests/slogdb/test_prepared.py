import datetime

import pytest
from django.db import connection

from slogdb.prepared import fetch_prepared

pytestmark = pytest.mark.django_db
AFTER = 2


@pytest.fixture
def own():
    """A connection that prepares early, and few statements."""
    made = connection.get_new_connection(connection.get_connection_params())
    made.autocommit = True
    made.prepare_threshold, made.prepared_max = AFTER, 3
    with made:
        yield made


def names(own):
    return [
        name
        for (name,) in own.execute("SELECT name FROM pg_prepared_statements ORDER BY prepare_time, name")
        if name.startswith("slogdb_")
    ]


def ask(own, sql, *values, times=AFTER + 1):
    for _ in range(times - 1):
        fetch_prepared(own, sql, values)
    return fetch_prepared(own, sql, values)


def test_what_is_asked_often_is_prepared_and_told_as_text(own):
    sql = "SELECT %s::text || '%%', %s::int + 1, 23.1::real, ARRAY[0.1, NULL]::real[], DATE '2026-01-02', NULL::text"
    assert ask(own, sql, "a", 1, times=AFTER) is None
    for number in (1, 2):
        assert fetch_prepared(own, sql, ("a", number)) == [
            ("a%", number + 1, 23.1, [0.1, None], datetime.date(2026, 1, 2), None)
        ]
    assert len(names(own)) == 1


def test_numbers_of_other_sizes_are_other_statements(own):
    sql = "SELECT %s + 1"
    assert ask(own, sql, 1) == [(2,)]
    assert ask(own, sql, 10**12) == [(10**12 + 1,)]
    assert ask(own, sql, 1, times=1) == [(2,)]


def test_what_was_not_asked_for_longest_makes_room(own):
    for number in (1, 2, 3, 1, 4):
        assert ask(own, f"SELECT {number}") == [(number,)]
    assert len(names(own)) == 3
    assert ask(own, "SELECT 1", times=1) == [(1,)]
    assert ask(own, "SELECT 2", times=1) is None


def test_a_statement_that_others_forgot_is_left_to_a_cursor_and_prepared_again(own):
    ask(own, "SELECT 1")
    own.execute("DEALLOCATE ALL")
    assert fetch_prepared(own, "SELECT 1", ()) is None
    assert ask(own, "SELECT 1") == [(1,)]


def test_a_statement_that_failed_is_not_left_with_the_server(own):
    sql = "SELECT 1 / %s"
    assert ask(own, sql, 1) == [(1,)]
    assert len(names(own)) == 1
    assert ask(own, sql, 0, times=1) is None
    assert names(own) == []


def test_a_table_that_changed_is_read_as_it_is(own):
    own.execute("CREATE TEMPORARY TABLE sample AS SELECT 1 AS one")
    assert ask(own, "SELECT * FROM sample") == [(1,)]
    own.execute("ALTER TABLE sample ADD two int")
    assert fetch_prepared(own, "SELECT * FROM sample", ()) is None
    assert ask(own, "SELECT * FROM sample") == [(1, None)]


def test_what_makes_no_sense_is_left_to_a_cursor(own):
    assert ask(own, "SELECT nothing") is None


def test_within_a_transaction_nothing_is_tried(own):
    ask(own, "SELECT 1")
    with own.transaction():
        assert fetch_prepared(own, "SELECT 1", ()) is None


def test_behind_a_pooler_of_transactions_nothing_is_prepared(own):
    own.prepare_threshold = None
    assert ask(own, "SELECT 1", times=20) is None
    assert names(own) == []
