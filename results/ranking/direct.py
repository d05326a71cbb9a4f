"""A cursor of psycopg's own on Django's connection: it prepares statements and takes bytes as bytes.

Django's binds values into the text of the statement, so that no statement is planned once only, and bytes travel as
digits.
"""

from collections.abc import Iterator
from contextlib import contextmanager

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
