"""The distribution of each class's devices, and a representative device."""

from typing import NamedTuple

from results.core.public import reader
from results.models.choices import Method

_DISTRIBUTION = """
    SELECT device_class, count(*), min(score_us),
           exp(percentile_cont(0.25) WITHIN GROUP (ORDER BY ln(score_us))),
           exp(percentile_cont(0.5) WITHIN GROUP (ORDER BY ln(score_us))),
           exp(percentile_cont(0.75) WITHIN GROUP (ORDER BY ln(score_us))),
           max(score_us)
    FROM results_deviceranking WHERE method = %s GROUP BY device_class
"""

# Of the half of a class's devices that is nearest to its median, the one with the most units; of several, the nearest
# one. A moderator's pin takes precedence.
_REPRESENTATIVES = """
    WITH medians AS (
        SELECT device_class, percentile_cont(0.5) WITHIN GROUP (ORDER BY ln(score_us)) AS center
        FROM results_deviceranking WHERE method = %(method)s GROUP BY device_class
    ), measured AS (
        SELECT ranking.device_class, ranking.device_id, unit_count, score_us, abs(ln(score_us) - center) AS distance,
               percent_rank() OVER (
                   PARTITION BY ranking.device_class ORDER BY abs(ln(score_us) - center)) AS remoteness
        FROM results_deviceranking AS ranking JOIN medians USING (device_class) WHERE method = %(method)s
    )
    SELECT DISTINCT ON (measured.device_class)
           measured.device_class, slug, model_name, score_us, unit_count, coalesce(pin.reason, ''),
           device.elsewhere_count, device.result_count
    FROM measured JOIN results_device AS device ON device.id = measured.device_id
    LEFT JOIN results_representativepin AS pin
           ON pin.device_id = measured.device_id AND pin.device_class = measured.device_class
    WHERE remoteness <= 0.5 OR pin.id IS NOT NULL
    ORDER BY measured.device_class, pin.id NULLS LAST, unit_count DESC, distance, measured.device_id
"""


class Distribution(NamedTuple):
    """A five-number summary of a class's ranked latencies in µs."""

    device_class: str
    device_count: int
    lowest_us: float
    lower_quartile_us: float
    median_us: float
    upper_quartile_us: float
    highest_us: float


class Representative(NamedTuple):
    """The device that represents its class.

    `pin_reason` is why a moderator chose it; "" if it was chosen by its figures.
    """

    device_class: str
    slug: str
    model_name: str
    score_us: float
    unit_count: int
    pin_reason: str
    elsewhere_count: int
    result_count: int


def distributions(method: str = Method.DISKINFO) -> dict[str, Distribution]:
    """The distribution of the devices, by class; classes without a device are missing."""
    with reader().cursor() as cursor:
        cursor.execute(_DISTRIBUTION, [method])
        return {row[0]: Distribution(*row) for row in cursor.fetchall()}


def representatives(method: str = Method.DISKINFO) -> dict[str, Representative]:
    """The representative device, by class."""
    with reader().cursor() as cursor:
        cursor.execute(_REPRESENTATIVES, {"method": method})
        return {row[0]: Representative(*row) for row in cursor.fetchall()}
