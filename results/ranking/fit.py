"""Two numbers for a curve: what a flush costs, and how fast bytes go once there are many of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.models.fields import BLOCK_SIZES
from results.ranking.score import MIB

FEWEST_POINTS = 4
LEAST_SHARE = 0.05  # of the latency, floor at the smallest size and bytes at the largest: else it is a guess

Curve = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Fit:
    """latency = flush_floor_us + block_size / bandwidth; at `crossover_bytes` both parts take equally long."""

    flush_floor_us: float
    bandwidth_mib_s: float

    @property
    def crossover_bytes(self) -> float:
        return self.flush_floor_us * 1e-6 * self.bandwidth_mib_s * MIB


def fit_curve(curve: Curve) -> Fit | None:
    """The straight line through a curve that is nearest in relative terms; None where none makes sense.

    Least squares of (fitted - measured) / measured, so that the small sizes count as much as the large ones.
    """
    points = [
        (block_size, latency)
        for block_size, latency in zip(BLOCK_SIZES, curve, strict=True)
        if latency is not None
    ]
    if len(points) < FEWEST_POINTS:
        return None
    ones = [1 / latency for _, latency in points]
    sizes = [block_size / latency for block_size, latency in points]
    floor, per_byte = _solve(ones, sizes)
    smallest, largest = points[0][0], points[-1][0]
    if floor <= LEAST_SHARE * (floor + per_byte * smallest):
        return None
    if per_byte * largest <= LEAST_SHARE * (floor + per_byte * largest):
        return None
    return Fit(flush_floor_us=floor, bandwidth_mib_s=1e6 / (per_byte * MIB))


def _solve(ones: Sequence[float], sizes: Sequence[float]) -> tuple[float, float]:
    """The a and b with a * ones + b * sizes nearest to 1 everywhere (normal equations of two unknowns)."""
    aa = sum(one * one for one in ones)
    ab = sum(one * size for one, size in zip(ones, sizes, strict=True))
    bb = sum(size * size for size in sizes)
    a1, b1 = sum(ones), sum(sizes)
    determinant = aa * bb - ab * ab
    if determinant <= 0:
        return 0.0, 0.0
    return (a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant
