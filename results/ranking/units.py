"""What the other units of a device measured."""

from typing import NamedTuple

from django.db import connection

_OTHER_UNITS = """
    SELECT count(*), exp(percentile_cont(0.5) WITHIN GROUP (ORDER BY score))
    FROM (
        SELECT percentile_cont(0.5) WITHIN GROUP (
            ORDER BY ln(CASE method WHEN 'fio' THEN latency_us[4] ELSE zil_latency_us END)) AS score
        FROM results_result
        WHERE is_ranked AND device_id = %s AND method = %s AND ranking_unit <> %s
        GROUP BY ranking_unit
    ) AS units
"""


class UnitMedian(NamedTuple):
    """How many units there are, and the median of what each is ranked by."""

    unit_count: int
    latency_us: float


def other_units(device_id: int, method: str, *, except_unit: str) -> UnitMedian | None:
    """The median over the device's ranked units but one; None where there is no other."""
    with connection.cursor() as cursor:
        cursor.execute(_OTHER_UNITS, [device_id, method, except_unit])
        count, latency_us = cursor.fetchone()
    return UnitMedian(count, latency_us) if count else None
