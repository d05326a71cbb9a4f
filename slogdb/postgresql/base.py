"""Django's PostgreSQL, for a site that goes on while one hangs.

It counts its cursors, of which Django takes one for each statement: slogdb.hang_watch sees by it whether anything
goes on.

A server that is away refuses at once, and may be asked again at once. One that hangs, or whose machine vanished,
takes all the time that a connection may take (slogdb.databases). While one request after the other tries, the last
in the row would wait for the sum of it, so who comes next is told at once for a while.
"""

import time
from typing import Any, ClassVar

from django.db.backends.postgresql import base

SLOW_S = 1.0  # what was refused sooner kept nobody waiting
PAUSE_S = 5.0


class DatabaseWrapper(base.DatabaseWrapper):
    """Fails at once for PAUSE_S after an attempt to connect that failed slowly. Errors are psycopg's."""

    cursor_count = 0
    _paused_until: ClassVar[dict[str, float]] = {}  # by alias, on the monotonic clock

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        began_at = time.monotonic()
        if began_at < self._paused_until.get(self.alias, 0.0):
            raise self.Database.OperationalError("PostgreSQL did not let anybody in just now")
        try:
            return super().get_new_connection(conn_params)
        except self.Database.OperationalError:
            ended_at = time.monotonic()
            if ended_at - began_at >= SLOW_S:
                self._paused_until[self.alias] = ended_at + PAUSE_S
            raise

    def create_cursor(self, name: str | None = None) -> Any:
        self.cursor_count += 1
        return super().create_cursor(name)
