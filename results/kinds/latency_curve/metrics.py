"""A curve's figures, and the arithmetic of the ranking. docs/methodology.md explains it in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from parsers.base.units import MEBIBYTE
from results.models.choices import Method
from results.models.fields import BLOCK_128K, BLOCK_SIZES, SLOT_4K, SLOT_128K

ZIL_SLOTS = tuple(range(SLOT_4K, SLOT_128K + 1))  # the ZIL's writes, up to zil_maxblocksize
ZIL_BLOCK_SIZES = tuple(BLOCK_SIZES[slot] for slot in ZIL_SLOTS)

Curve = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class FormulaChange:
    """A dated change to how places are computed."""

    version: int
    made_on: date
    text: str


FORMULA_CHANGES = (
    FormulaChange(
        version=1,
        made_on=date(2026, 11, 21),
        text="Median over each unit's results, then over the device's units, both on the log scale; "
        "ordered by ZIL latency.",
    ),
    FormulaChange(
        version=2,
        made_on=date(2026, 11, 21),
        text="Each median has a 90 % interval from the spread between units; devices are ordered by its upper end, "
        "and places that the intervals leave open are shown as a range.",
    ),
    FormulaChange(
        version=3,
        made_on=date(2026, 11, 21),
        text="What a median of few units loses against a mean is taken by their number, 1.09 to 1.22 from three to "
        "ten, where it was 1.25 for all: of three and four units 95 in 100 intervals held the truth, not 90.",
    ),
    FormulaChange(
        version=4,
        made_on=date(2026, 11, 22),
        text="Only independent units count: all units of a device that come from a single sender weigh as one, "
        "so made-up serial numbers add no weight.",
    ),
)
FORMULA_VERSION = FORMULA_CHANGES[-1].version


def throughput_mib_s(block_size: int, latency_us: float) -> float:
    """MiB/s of writes of `block_size` bytes, one after the other."""
    return block_size / MEBIBYTE / latency_us * 1e6


def throughput_128k_mib_s(curve: Curve) -> float | None:
    """MiB/s of writes of 128 KiB; None where they were not measured."""
    latency_us = curve[SLOT_128K]
    return None if latency_us is None else throughput_mib_s(BLOCK_128K, latency_us)


def iops(latency_us: float) -> float:
    """Writes per second, one at a time."""
    return 1e6 / latency_us


def zil_latency_us(curve: Curve) -> float | None:
    """The geometric mean of the latencies from 4 to 128 KiB; None if any of the six is missing."""
    logs = [math.log(latency) for slot in ZIL_SLOTS if (latency := curve[slot]) is not None]
    if len(logs) < len(ZIL_SLOTS):
        return None
    return math.exp(math.fsum(logs) / len(logs))


def ranked_latency_us(method: str, curve: Curve) -> float | None:
    """The latency that a run is ranked by: ZIL latency by diskinfo, 4 KiB latency by fio (often its only size)."""
    return curve[SLOT_4K] if method == Method.FIO else zil_latency_us(curve)


def peak_throughput_mib_s(curve: Curve) -> float | None:
    """The best throughput of the curve in MiB/s; None for a curve without a point."""
    rates = [
        throughput_mib_s(block_size, latency)
        for block_size, latency in zip(BLOCK_SIZES, curve, strict=True)
        if latency is not None
    ]
    return max(rates, default=None)


FEWEST_POINTS = 4
# Of the latency, for the floor at the smallest size and for the bytes at the largest; with less, a fit is a guess.
LEAST_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Fit:
    """latency = flush_floor_us + block_size / bandwidth; at `crossover_bytes` both parts take equally long."""

    flush_floor_us: float
    bandwidth_mib_s: float

    @property
    def crossover_bytes(self) -> float:
        return self.flush_floor_us * 1e-6 * self.bandwidth_mib_s * MEBIBYTE


def fit_curve(curve: Curve) -> Fit | None:
    """The straight line with the smallest relative errors to the curve; None if no line makes sense.

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
    return Fit(flush_floor_us=floor, bandwidth_mib_s=1e6 / (per_byte * MEBIBYTE))


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


RANKED_METRIC = {Method.DISKINFO: "zil_latency", Method.FIO: "latency_4k"}  # what ranks are based on
