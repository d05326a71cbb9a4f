"""A cursor of psycopg's own on Django's connection: it prepares statements and takes bytes as bytes.

Django's binds values into the text of the statement, so that no statement is planned once only, and bytes travel as
digits.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from slogdb.replica import reader


@contextmanager
def direct_cursor() -> Iterator[psycopg.Cursor]:
    """Rows come as PostgreSQL's binary values; errors as Django's."""
    connection = reader()
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.format = psycopg.pq.Format.BINARY
        yield cursor


@contextmanager
def pipelined() -> Iterator[None]:
    """Send what direct cursors ask together, and wait only where rows are asked for.

    Within a transaction, so that nothing is done in part. Django's own cursors have no place in it: they want to
    know at once how many rows a statement changed.
    """
    connection = reader()
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def ask(statement: str, values: Any = None) -> Callable[[], list[tuple[Any, ...]]]:
    """Send a statement to be prepared; what is returned gives its rows, and waits for them where it has to."""
    connection = reader()
    connection.ensure_connection()
    if connection.queries_logged:  # as Django's own cursor does, for those who count queries
        connection.queries_log.append({"sql": statement, "time": ""})
    cursor = psycopg.Cursor(connection.connection)
    cursor.format = psycopg.pq.Format.BINARY
    with connection.wrap_database_errors:
        cursor.execute(statement, values, prepare=True)

    def rows() -> list[tuple[Any, ...]]:
        with connection.wrap_database_errors:
            return cursor.fetchall()

    return rows
