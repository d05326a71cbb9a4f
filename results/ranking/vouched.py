"""The figures behind a recommendation, from vouched results only."""

import json
from collections.abc import Collection
from typing import NamedTuple

from results.core.public import reader
from results.kinds.latency_curve.metrics import Curve
from results.models.choices import Method
from results.ranking.intervals import GUESSED_SPREAD, estimate_median
from results.ranking.medians import medians_sql
from results.ranking.senders import measured_sql

_OF_DEVICES = "AND is_vouched AND device_id = ANY(%(devices)s::bigint[]) AND method = %(method)s"


class VouchedFigures(NamedTuple):
    """The values of the DeviceRanking columns with these names."""

    unit_count: int
    result_count: int
    metrics: dict[str, float]
    score_us: float
    low_us: float
    high_us: float  # as recommended_high_us
    median_us: Curve


def vouched_figures(device_ids: Collection[int], method: str = Method.DISKINFO) -> dict[int, VouchedFigures]:
    """The figures by device, for devices with a vouched result by this method. One query."""
    if not device_ids:
        return {}
    statement = f"""
        WITH {medians_sql(measured_sql(_OF_DEVICES))}
        SELECT device_id, unit_count, result_count, metrics, scores, median_us FROM per_device
    """  # noqa: S608 - our own expressions
    with reader().cursor() as cursor:
        cursor.execute(statement, {"devices": list(device_ids), "method": str(method)})
        rows = cursor.fetchall()
    found = {}
    for device_id, unit_count, result_count, metrics, scores, median_us in rows:
        score_us, interval = estimate_median(scores, spread=GUESSED_SPREAD)
        found[device_id] = VouchedFigures(
            unit_count=unit_count,
            result_count=result_count,
            metrics=json.loads(metrics),  # Django leaves JSON of plain cursors as text
            score_us=score_us,
            low_us=interval.low,
            high_us=interval.high,
            median_us=median_us,
        )
    return found
