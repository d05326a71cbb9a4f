"""How the figures of a class's devices are distributed on a board, and its typical device: part of a pass."""

from typing import Any, NamedTuple

from django.db import connection

# The typical device: of the half of the devices that is nearest to the median, the one with the most units; of
# several, the nearest one.
_FIND = """
    WITH for_class AS MATERIALIZED (
        SELECT device_id, unit_count, score, ln(score) AS log FROM results_deviceranking
        WHERE is_main AND board = %(board)s AND device_class = %(device_class)s
    ), summary AS (
        SELECT count(*) AS device_count, min(score) AS lowest, max(score) AS highest,
               percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY log) AS quartiles
        FROM for_class
    ), distances AS (
        SELECT device_id, unit_count, abs(log - quartiles[2]) AS distance,
               percent_rank() OVER (ORDER BY abs(log - quartiles[2])) AS remoteness
        FROM for_class CROSS JOIN summary
    )
    SELECT device_count, lowest, exp(quartiles[1]), exp(quartiles[2]), exp(quartiles[3]), highest, (
               SELECT device_id FROM distances WHERE remoteness <= 0.5
               ORDER BY unit_count DESC, distance, device_id LIMIT 1)
    FROM summary WHERE device_count > 0
"""


class Distribution(NamedTuple):
    """A five-number summary of the figures of a class's devices."""

    device_count: int
    lowest: float
    lower_quartile: float
    median: float
    upper_quartile: float
    highest: float


def find_distribution(board: str, device_class: str) -> dict[str, Any]:
    """The columns of a ClassRanking: `distribution` and `typical_device_id`, both None without a device."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND, {"board": board, "device_class": device_class})
        found = cursor.fetchone()
    if found is None:
        return {"distribution": None, "typical_device_id": None}
    *summary, typical = found
    return {"distribution": Distribution(*summary)._asdict(), "typical_device_id": typical}
