"""The figures behind a recommendation, from vouched results only."""

from collections.abc import Collection
from math import exp
from statistics import median
from typing import NamedTuple

from results.core.public import reader
from results.kinds.latency_curve.metrics import Curve, throughput_128k_mib_s
from results.models.choices import Method
from results.models.fields import SLOT_4K
from results.ranking.intervals import GUESSED_SPREAD, blended_spread, half_width, interval, own_spread
from results.ranking.medians import medians_sql
from results.ranking.senders import measured_sql

_OF_DEVICES = "AND is_vouched AND device_id = ANY(%(devices)s::bigint[]) AND method = %(method)s"
_FIGURES = f"""
    WITH {medians_sql(measured_sql(_OF_DEVICES))}
    SELECT device_id, unit_count, result_count, zil_latency_us, peak_throughput_mib_s, score, scores, median_us
    FROM per_device
"""  # noqa: S608 - our own expressions


class VouchedFigures(NamedTuple):
    """The values of the DeviceRanking columns with these names."""

    unit_count: int
    result_count: int
    zil_latency_us: float | None
    latency_4k_us: float | None
    throughput_128k_mib_s: float | None
    peak_throughput_mib_s: float | None
    score_us: float
    low_us: float
    high_us: float  # as recommended_high_us
    median_us: Curve


def vouched_figures(device_ids: Collection[int]) -> dict[int, VouchedFigures]:
    """diskinfo figures by device, for devices with a vouched result. One query."""
    if not device_ids:
        return {}
    with reader().cursor() as cursor:
        cursor.execute(_FIGURES, {"devices": list(device_ids), "method": Method.DISKINFO.value})
        rows = cursor.fetchall()
    found = {}
    for device_id, unit_count, result_count, zil_us, peak, score, scores, median_us in rows:
        own = own_spread(median(abs(one - score) for one in scores), unit_count) if unit_count > 1 else None
        half = half_width(blended_spread(GUESSED_SPREAD, own, unit_count), unit_count)
        found[device_id] = VouchedFigures(
            unit_count=unit_count,
            result_count=result_count,
            zil_latency_us=zil_us,
            latency_4k_us=median_us[SLOT_4K],
            throughput_128k_mib_s=throughput_128k_mib_s(median_us),
            peak_throughput_mib_s=peak,
            score_us=exp(score),
            low_us=interval(exp(score), half).low,
            high_us=interval(exp(score), half).high,
            median_us=median_us,
        )
    return found
