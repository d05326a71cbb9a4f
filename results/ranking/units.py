"""What the other independent units of a device measured."""

import math
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from django.db import connection

from results.models.fields import bytes_of_unit
from results.ranking.senders import Measured, independent_units, measured_sql

MANY_UNITS = 200  # one more or less moves no median: then the one that the ranking has does
MANY_RESULTS = 500  # of a device: so many of them tell what its units measure

# For each requested device: the unit, the sender and the log of the ranked latency of each result.
_RESULTS = f"""
    WITH asked AS (
        SELECT DISTINCT device_id, method FROM unnest((SELECT %s::bigint[]), %s::text[]) AS asked (device_id, method)
    ), ranked AS (
        SELECT asked.*, ranking.unit_count, ranking.score_us
        FROM asked LEFT JOIN results_deviceranking AS ranking USING (device_id, method)
    )
    SELECT ranked.device_id, ranked.method, ranked.unit_count, ranked.score_us::double precision,
           found.units, found.senders, found.scores
    FROM ranked LEFT JOIN LATERAL (
        SELECT array_agg(unit) AS units, array_agg(sender) AS senders, array_agg(
            ln(CASE measured.method WHEN 'fio' THEN latency_us[4] ELSE zil_latency_us END)::double precision
        ) AS scores
        FROM (
            SELECT * FROM (
                {measured_sql("")}
            ) AS result
            WHERE result.device_id = ranked.device_id AND result.method = ranked.method
            AND coalesce(ranked.unit_count, 0) <= %s
            LIMIT %s
        ) AS measured
    ) AS found ON true
"""  # noqa: S608 - our own expressions


class UnitMedian(NamedTuple):
    """How many independent units there are, and the median of their ranked latencies."""

    unit_count: int
    latency_us: float


class Asked(NamedTuple):
    """Of which device, by which method, and which unit is left out."""

    device_id: int
    method: str
    except_unit: str


class _Found(NamedTuple):
    """A device as the ranking has it, or, of a few units, its results."""

    ranked_count: int | None
    ranked_us: float | None
    units: Sequence[bytes] | None
    senders: Sequence[str] | None
    scores: Sequence[float] | None

    def without(self, unit: str) -> UnitMedian | None:
        """The median of the others; None where there is no other."""
        if self.ranked_us is not None and (self.ranked_count or 0) > MANY_UNITS:
            return UnitMedian(self.ranked_count or 0, self.ranked_us)
        left_out = bytes_of_unit(unit)
        results = zip(self.units or (), self.senders or (), self.scores or (), strict=True)
        found = independent_units(Measured(*one) for one in results if one[0] != left_out)
        return UnitMedian(len(found), math.exp(median(map(median, found)))) if found else None


def other_units(asked: Sequence[Asked]) -> list[UnitMedian | None]:
    """For each that is asked the median over the device's ranked units but one; None where there is no other.

    Of a device with MANY_UNITS and more it is the median of all that the ranking has, and of more than MANY_RESULTS
    some stand for all. One query for all.
    """
    if not asked:
        return []
    devices, methods, _ = zip(*asked, strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_RESULTS, [list(devices), list(methods), MANY_UNITS, MANY_RESULTS])
        found = {(device_id, method): _Found(*rest) for device_id, method, *rest in cursor.fetchall()}
    return [found[one.device_id, one.method].without(one.except_unit) for one in asked]
