"""Gives the rows of a board their intervals anew, when the spread that they were made with has moved."""

from django.db import connection, transaction

from results.ranking.interval_sql import half_width_sql

# The table before its rows: refresh_all takes it whole, and nobody may hold rows in it that wants the table later.
LOCK_FOR_ROWS = "LOCK TABLE results_deviceranking IN ROW EXCLUSIVE MODE"

# What an index can tell, and IS DISTINCT FROM could not be asked of one.
_IS_STALE = """
    method = %(method)s AND device_class = %(device_class)s
    AND (board_spread < %(spread)s OR board_spread > %(spread)s OR board_spread IS NULL)
"""

# In the order in which everybody locks rows. Their keys travel as the text that an array is.
_LOCK_STALE = f"""
    WITH locked AS (
        SELECT id FROM results_deviceranking WHERE {_IS_STALE} ORDER BY device_id, method FOR UPDATE
    )
    SELECT array_agg(id)::text FROM locked
"""  # noqa: S608 - of our own condition

_HALF = half_width_sql("unit_count", "unit_deviation", spread="%(spread)s::double precision")
_SETTLE = f"""
    UPDATE results_deviceranking AS ranking
    SET low_us = score_us * exp(-half), high_us = score_us * exp(half), board_spread = %(spread)s
    FROM (SELECT id, {_HALF} AS half FROM results_deviceranking WHERE id = ANY (%(keys)s::bigint[])) AS stale
    WHERE stale.id = ranking.id
"""  # noqa: S608 - of our own expressions


@transaction.atomic(savepoint=False)
def settle_board(device_class: str, method: str, *, spread: float) -> None:
    """Make those intervals of a board anew that were not made with `spread`.

    A transaction in progress may add one that was made with the spread of before and is not seen yet. It leaves
    the board dirty, and the next pass finds its row. Rows are locked before they are looked at: a score that
    changed in between would keep a wrong interval.
    """
    named: dict[str, str | float] = {"device_class": device_class, "method": method, "spread": spread}
    with connection.cursor() as cursor:
        cursor.execute(LOCK_FOR_ROWS)
        cursor.execute(_LOCK_STALE, named)
        keys = cursor.fetchone()[0]
        if keys is not None:
            cursor.execute(_SETTLE, {**named, "keys": keys})
