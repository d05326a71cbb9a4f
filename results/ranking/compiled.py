"""Statements that Django's ORM puts together once for what is asked, and not with every request.

Putting one together takes it longer than PostgreSQL takes to answer.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import InterfaceError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from psycopg.pq import Format

from slogdb.direct import direct_cursor
from slogdb.prepared import fetch_prepared
from slogdb.replica import reader

# The version of the data that a statement reads, to be read along with something else.
DATA_VERSION = "SELECT value FROM results_dataversion WHERE id = 1"


class Statement(NamedTuple):
    """SQL with its values."""

    sql: str
    values: tuple[Any, ...]

    def about(self, values: Mapping[Any, Any]) -> "Statement":
        """The same about other things: with the values that stand in `values` replaced."""
        return Statement(self.sql, tuple(values.get(value, value) for value in self.values))


def compile_rows(queryset: QuerySet[Any, Any]) -> Statement:
    """Of plain values, whose columns need no conversion: numbers, texts, dates and arrays of them."""
    sql, values = queryset.query.sql_with_params()
    return Statement(sql, tuple(values))


def compile_count(queryset: QuerySet[Any, Any]) -> Statement:
    """How many rows there are."""
    sql, values = queryset.order_by().values("pk").query.sql_with_params()
    return Statement(f"SELECT count(*) FROM ({sql}) AS found", tuple(values))  # noqa: S608 - the ORM's own


def one_page(statement: Statement, *, size: int, start: int) -> Statement:
    """That many of the rows. All pages are one text, so that PostgreSQL plans it once.

    It does so only while no plan for the values looks better, so no plan may know how many rows are passed over.
    """
    return Statement(f"{statement.sql} LIMIT {size} OFFSET (SELECT %s::bigint)", (*statement.values, start))


def whichever(value: int) -> RawSQL:
    """A key that no plan may rest on, so that the statement is planned once and not for each of them.

    Some devices have a thousand times the results of others, and all are read by the same index.
    """
    return RawSQL("SELECT %s::int", (value,))


def both(one: Statement, other: Statement) -> Statement:
    """The rows of two statements with the same columns, in no order."""
    return Statement(f"({one.sql}) UNION ALL ({other.sql})", one.values + other.values)


def fetch(statement: Statement) -> list[tuple[Any, ...]]:
    """The rows. A connection that broke since the last request is made again, without asking first each time."""
    try:
        return _fetch(statement)
    except (InterfaceError, OperationalError):
        connection = reader()
        if connection.in_atomic_block or connection.is_usable():
            raise
        connection.close()
        return _fetch(statement)


def _fetch(statement: Statement) -> list[tuple[Any, ...]]:
    connection = reader()
    if connection.queries_logged:  # as Django's own cursor does, for those who count queries
        connection.queries_log.append({"sql": statement.sql, "time": ""})
    rows = _rows(connection, statement)
    asked: Any = connection
    asked.health_check_done = True  # this was one, so Django need not ask once more in this request
    return rows


def _rows(connection: BaseDatabaseWrapper, statement: Statement) -> list[tuple[Any, ...]]:
    """As text, which has a four-byte float as short as it can be told: 23.1 and not 23.100000381469727."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        rows = fetch_prepared(connection.connection, statement.sql, statement.values)
    if rows is not None:
        return rows
    with direct_cursor() as cursor:
        cursor.format = Format.TEXT
        return cursor.execute(statement.sql, statement.values).fetchall()
