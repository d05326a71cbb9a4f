"""What takes PostgreSQL's time, from its extension pg_stat_statements where that is loaded.

The extension is created in the administrative database, where it sees all others: in the site's own it would be part
of each backup, and an owner who is no superuser couldn't restore that.
"""

from dataclasses import dataclass

import psycopg
from django.db import connection

from results.operations.postgres_tools import ADMINISTRATIVE, parameters

HOW = (
    "pg_stat_statements isn't available: {reason}. As a superuser, set "
    "shared_preload_libraries = 'pg_stat_statements', restart PostgreSQL, and run in the database "
    f"{ADMINISTRATIVE}: CREATE EXTENSION pg_stat_statements; "
    "GRANT pg_read_all_stats TO {owner}"
)
_SLOWEST = """
    SELECT calls, total_exec_time, mean_exec_time, max_exec_time, regexp_replace(query, '\\s+', ' ', 'g')
    FROM pg_stat_statements JOIN pg_database AS site ON site.oid = dbid
    WHERE datname = %s ORDER BY total_exec_time DESC LIMIT %s
"""


class NotAvailableError(Exception):
    """The extension isn't loaded or created; the message says what to do."""


@dataclass(frozen=True, slots=True)
class SlowStatement:
    """A normalized statement; times in ms, since the statistics were reset."""

    calls: int
    total_ms: float
    mean_ms: float
    max_ms: float
    sql: str


def slowest_statements(count: int) -> list[SlowStatement]:
    """The statements that took the most time in total. Raises NotAvailableError and psycopg.Error.

    The extension is created if it is only missing, and the role may do so.
    """
    site = str(connection.get_connection_params()["dbname"])
    with psycopg.connect(**parameters(ADMINISTRATIVE), autocommit=True) as server:
        try:
            server.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
            rows = server.execute(_SLOWEST, [site, count]).fetchall()
        except (
            psycopg.errors.InsufficientPrivilege,
            psycopg.NotSupportedError,
            psycopg.OperationalError,
        ) as error:
            raise NotAvailableError(
                HOW.format(reason=error.diag.message_primary, owner=server.info.user)
            ) from error
    return [SlowStatement(*row) for row in rows]


def reset_statistics() -> None:
    """Reset the statistics. Raises psycopg.Error."""
    with psycopg.connect(**parameters(ADMINISTRATIVE), autocommit=True) as server:
        server.execute("SELECT pg_stat_statements_reset()")
