"""The distribution of each class's devices, and a representative device."""

from typing import NamedTuple

from results.core.public import reader
from results.models.choices import Board

_DISTRIBUTION = """
    SELECT device_class, count(*), min(score),
           exp(percentile_cont(0.25) WITHIN GROUP (ORDER BY ln(score))),
           exp(percentile_cont(0.5) WITHIN GROUP (ORDER BY ln(score))),
           exp(percentile_cont(0.75) WITHIN GROUP (ORDER BY ln(score))),
           max(score)
    FROM results_deviceranking WHERE is_main AND board = %s GROUP BY device_class
"""

# Of the half of a class's devices that is nearest to its median, the one with the most units; of several, the nearest
# one. A moderator's pin takes precedence.
_REPRESENTATIVES = """
    WITH medians AS (
        SELECT device_class, percentile_cont(0.5) WITHIN GROUP (ORDER BY ln(score)) AS center
        FROM results_deviceranking WHERE is_main AND board = %(board)s GROUP BY device_class
    ), measured AS (
        SELECT ranking.device_class, ranking.device_id, unit_count, score, abs(ln(score) - center) AS distance,
               percent_rank() OVER (
                   PARTITION BY ranking.device_class ORDER BY abs(ln(score) - center)) AS remoteness
        FROM results_deviceranking AS ranking JOIN medians USING (device_class) WHERE is_main AND board = %(board)s
    )
    SELECT DISTINCT ON (measured.device_class)
           measured.device_class, slug, model_name, score, unit_count, coalesce(pin.reason, ''),
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
    score: float
    unit_count: int
    pin_reason: str
    elsewhere_count: int
    result_count: int


def distributions(board: str = Board.SYNC_WRITE) -> dict[str, Distribution]:
    """The distribution of the devices, by class; classes without a device are missing."""
    with reader().cursor() as cursor:
        cursor.execute(_DISTRIBUTION, [board])
        return {row[0]: Distribution(*row) for row in cursor.fetchall()}


def representatives(board: str = Board.SYNC_WRITE) -> dict[str, Representative]:
    """The representative device, by class."""
    with reader().cursor() as cursor:
        cursor.execute(_REPRESENTATIVES, {"board": board})
        return {row[0]: Representative(*row) for row in cursor.fetchall()}
