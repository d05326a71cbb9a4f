"""Where devices stand just now: counted over their classes' rows, also before the next class-wide pass."""

from collections.abc import Collection
from typing import NamedTuple

from results.core.public import reader

# An index holds method, class and both ends, so this reads no table. The ORM has no lateral joins.
_RANKS = """
    SELECT own.device_id, own.method, own.device_class, counted.*
    FROM results_deviceranking AS own CROSS JOIN LATERAL (
        SELECT count(*),
               1 + count(*) FILTER (WHERE other.high_us < own.high_us),
               1 + count(*) FILTER (WHERE other.high_us < own.low_us),
               count(*) FILTER (WHERE other.low_us <= own.high_us)
        FROM results_deviceranking AS other
        WHERE other.method = own.method AND other.device_class = own.device_class OFFSET 0
    ) AS counted
    WHERE own.device_id = ANY(%s)
"""


class Rank(NamedTuple):
    """A device's rank in its class by a method, and the places that the intervals leave open; all count from 1."""

    device_class: str
    method: str
    device_count: int
    rank: int
    first_possible: int
    last_possible: int


def ranks_of(device_ids: Collection[int]) -> dict[tuple[int, str], Rank]:
    """By device and method; what is not ranked is not there. One query."""
    if not device_ids:
        return {}
    with reader().cursor() as cursor:
        cursor.execute(_RANKS, [list(device_ids)])
        rows = cursor.fetchall()
    return {
        (device_id, method): Rank(device_class, method, count, rank, first, max(rank, last))
        for device_id, method, device_class, count, rank, first, last in rows
    }
