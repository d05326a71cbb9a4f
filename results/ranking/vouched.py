"""The metrics and the curve behind a recommendation, from vouched results only."""

import json
from collections.abc import Collection
from typing import NamedTuple

from results.core.public import reader
from results.kinds.latency_curve.metrics import Curve
from results.models.choices import Board
from results.ranking.medians import medians_sql
from results.ranking.senders import measured_sql

_OF_DEVICES = "AND is_vouched AND device_id = ANY(%(devices)s::bigint[])"


class VouchedFigures(NamedTuple):
    """The values of the DeviceRanking columns with these names."""

    unit_count: int
    result_count: int
    metrics: dict[str, float]
    median_us: Curve


def vouched_figures(device_ids: Collection[int]) -> dict[tuple[int, str], VouchedFigures]:
    """The figures by device and method, of those with a vouched result. One query."""
    if not device_ids:
        return {}
    board = Board.SYNC_WRITE
    statement = f"""
        WITH {medians_sql(measured_sql(_OF_DEVICES))}
        SELECT device_id, method, cardinality(scores_{board}), results_{board}, metrics, median_us FROM per_device
    """  # noqa: S608 - our own expressions
    with reader().cursor() as cursor:
        cursor.execute(statement, {"devices": list(device_ids)})
        rows = cursor.fetchall()
    return {  # Django leaves JSON of plain cursors as text
        (device_id, method): VouchedFigures(units, results, json.loads(metrics), median_us)
        for device_id, method, units, results, metrics, median_us in rows
    }
