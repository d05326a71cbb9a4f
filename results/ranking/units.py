"""What the other units of a device measured."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from results.models.fields import bytes_of_unit
from slogdb.direct import ask

MANY_UNITS = 200  # one more or less moves no median: then the one that the ranking has does
MANY_RESULTS = 500  # of a device: so many of them tell what its units measure

# Of each device that is asked about once: its units' scores in order, and those of the units that are left out.
_SCORES = """
    WITH asked AS (
        SELECT device_id, method, array_agg(except_unit) AS units
        FROM unnest((SELECT %s::bigint[]), %s::text[], %s::bytea[]) AS asked (device_id, method, except_unit)
        GROUP BY device_id, method
    ), ranked AS (
        SELECT asked.*, ranking.unit_count, ranking.score_us
        FROM asked LEFT JOIN results_deviceranking AS ranking USING (device_id, method)
    )
    SELECT ranked.device_id, ranked.method, ranked.unit_count, ranked.score_us::double precision,
           found.scores, found.left_out, found.their_scores
    FROM ranked LEFT JOIN LATERAL (
        SELECT array_agg(score ORDER BY score) AS scores,
               array_agg(ranking_unit) FILTER (WHERE ranking_unit = ANY(ranked.units)) AS left_out,
               array_agg(score) FILTER (WHERE ranking_unit = ANY(ranked.units)) AS their_scores
        FROM (
            SELECT ranking_unit, percentile_cont(0.5) WITHIN GROUP (
                ORDER BY ln(CASE told.method WHEN 'fio' THEN latency_us[4] ELSE zil_latency_us END)) AS score
            FROM (
                SELECT ranking_unit, method, latency_us, zil_latency_us
                FROM results_result AS result
                WHERE is_ranked AND result.device_id = ranked.device_id AND result.method = ranked.method
                AND coalesce(ranked.unit_count, 0) <= %s
                LIMIT %s
            ) AS told
            GROUP BY ranking_unit
        ) AS units
    ) AS found ON true
"""


class UnitMedian(NamedTuple):
    """How many units there are, and the median of what each is ranked by."""

    unit_count: int
    latency_us: float


class Asked(NamedTuple):
    """Of which device, by which method, and which unit is left out."""

    device_id: int
    method: str
    except_unit: str


class _Units(NamedTuple):
    """A device's units: how the ranking has them, or, of a few, the logarithms that they are ranked by."""

    ranked_count: int | None
    ranked_us: float | None
    scores: Sequence[float] | None
    left_out: Sequence[bytes] | None
    their_scores: Sequence[float] | None

    def without(self, unit: str) -> UnitMedian | None:
        """The median of the others; None where there is no other."""
        if self.ranked_us is not None and (self.ranked_count or 0) > MANY_UNITS:
            return UnitMedian(self.ranked_count or 0, self.ranked_us)
        own = dict(zip(self.left_out or (), self.their_scores or (), strict=True)).get(bytes_of_unit(unit))
        return _median(self.scores or (), without=own)


def other_units(asked: Sequence[Asked]) -> list[UnitMedian | None]:
    """For each that is asked the median over the device's ranked units but one; None where there is no other.

    Of a device with MANY_UNITS and more it is the median of all that the ranking has, and of more than MANY_RESULTS
    some stand for all. One query for all.
    """
    if not asked:
        return []
    *columns, left_out = [list(column) for column in zip(*asked, strict=True)]
    rows = ask(_SCORES, [*columns, [bytes_of_unit(unit) for unit in left_out], MANY_UNITS, MANY_RESULTS])
    found = {(device_id, method): _Units(*rest) for device_id, method, *rest in rows()}
    return [found[one.device_id, one.method].without(one.except_unit) for one in asked]


def _median(ordered: Sequence[float], *, without: float | None) -> UnitMedian | None:
    """Of logarithms in order, one of which may be left out."""
    count = len(ordered) - (without is not None)
    if not count:
        return None
    skipped = len(ordered) if without is None else bisect_left(ordered, without)
    low, high = (ordered[at + (at >= skipped)] for at in ((count - 1) // 2, count // 2))
    return UnitMedian(count, math.exp(low + (high - low) / 2))
