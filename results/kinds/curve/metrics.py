"""The metrics of a curve, its fit, and the versions of the ranking's formula.

docs/methodology.md explains them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Expression, F, FloatField
from django.db.models.functions import Cast

from parsers.base.units import MEBIBYTE
from results.kinds.metric import Metric, by_key
from results.models.choices import Board
from results.models.fields import BLOCK_4K, BLOCK_128K, BLOCK_SIZES, SLOT_4K, SLOT_8K, SLOT_128K

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
        text="The efficiency lost by a median of few units now depends on their number, 1.09 to 1.22 from three to "
        "ten, instead of 1.25 for all: with three and four units 95 in 100 intervals held the true value, not 90.",
    ),
    FormulaChange(
        version=4,
        made_on=date(2026, 11, 22),
        text="Only independent units count: all units of a device that come from a single sender weigh as one, "
        "so made-up serial numbers add no weight.",
    ),
    FormulaChange(
        version=5,
        made_on=date(2026, 11, 26),
        text="Two boards instead of one per tool: sync writes, by 4 KiB latency, and ZIL, by latency from 4 to "
        "128 KiB. Each lists devices of both tools. Figures still come from one tool; across tools, a device is "
        "called faster only if the intervals differ by more than a stated factor.",
    ),
    FormulaChange(
        version=6,
        made_on=date(2026, 11, 29),
        text="A device’s row uses the results that somebody vouches for; others count only where it has none. A new "
        "account’s result counts as vouched for once a moderator has approved one of its submissions, or if it is "
        "within a factor of 2 of a result that somebody is accountable for. An account and the networks that it was "
        "used from are one person. An assumed spread is 0.5 instead of 0.3, since of 15 published pairs of one model "
        "only 8 are within the factor of 2 that 0.3 implies for 13 or 14 of them.",
    ),
)
FORMULA_VERSION = FORMULA_CHANGES[-1].version
CONFIDENCE = 0.90  # of intervals: both ends together
CONFIDENCE_PERCENT = f"{CONFIDENCE * 100:.0f} %"  # as pages and the API write it


def throughput_mib_s(block_size: int, latency_us: float, writers: int | None = None) -> float:
    """MiB/s of writes of `block_size` bytes, sequential for each writer (None: one)."""
    return block_size / MEBIBYTE / latency_us * 1e6 * (writers or 1)


def throughput_128k_mib_s(curve: Curve, writers: int | None = None) -> float | None:
    """MiB/s of writes of 128 KiB; None where they were not measured."""
    latency_us = curve[SLOT_128K]
    return None if latency_us is None else throughput_mib_s(BLOCK_128K, latency_us, writers)


def iops(latency_us: float, writers: int | None = None) -> float:
    """Writes per second, sequential for each writer (None: one)."""
    return 1e6 / latency_us * (writers or 1)


def zil_latency_us(curve: Curve) -> float | None:
    """The geometric mean of the latencies from 4 to 128 KiB; None if one is missing."""
    logs = [math.log(latency) for slot in ZIL_SLOTS if (latency := curve[slot]) is not None]
    if len(logs) < len(ZIL_SLOTS):
        return None
    return math.exp(math.fsum(logs) / len(logs))


def peak_throughput_mib_s(curve: Curve, writers: int | None = None) -> float | None:
    """The best throughput of the curve in MiB/s; None for a curve without a point."""
    rates = [
        throughput_mib_s(block_size, latency, writers)
        for block_size, latency in zip(BLOCK_SIZES, curve, strict=True)
        if latency is not None
    ]
    return max(rates, default=None)


WRITE, FLUSH = "write", "flush"
PERCENTILES = ("p99", "p99.9", "p99.99", "max")
# By block size in bytes, as text, and by part, WRITE or FLUSH: µs for each of PERCENTILES, None if unstated
Tails = Mapping[str, Mapping[str, Sequence[float | None]]]


def slow_us(tails: Tails | None, block_size: int) -> float | None:
    """The p99 at that size: of the flush if it is a separate step, else the write."""
    parts = (tails or {}).get(str(block_size), {})
    return (parts.get(FLUSH) or parts.get(WRITE) or [None])[0]


FEWEST_POINTS = 4
# The minimum share of the floor in the latency at the smallest size, and of the transfer at the largest.
MIN_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Fit:
    """A fit of latency = flush_floor_us + block_size / bandwidth.

    At `crossover_bytes` both parts take equally long.
    """

    flush_floor_us: float
    bandwidth_mib_s: float

    @property
    def crossover_bytes(self) -> float:
        return self.flush_floor_us * 1e-6 * self.bandwidth_mib_s * MEBIBYTE


def fit_curve(curve: Curve) -> Fit | None:
    """Fit a straight line with the smallest relative errors; None if none makes sense.

    Least squares of (fitted - measured) / measured, so that the small sizes count as much as the large ones.
    """
    points = [
        (block_size, latency)
        for block_size, latency in zip(BLOCK_SIZES, curve, strict=True)
        if latency is not None
    ]
    if len(points) < FEWEST_POINTS:
        return None
    inverses = [1 / latency for _, latency in points]
    sizes = [block_size / latency for block_size, latency in points]
    floor, per_byte = _solve(inverses, sizes)
    smallest, largest = points[0][0], points[-1][0]
    if floor <= MIN_SHARE * (floor + per_byte * smallest):
        return None
    if per_byte * largest <= MIN_SHARE * (floor + per_byte * largest):
        return None
    return Fit(flush_floor_us=floor, bandwidth_mib_s=1e6 / (per_byte * MEBIBYTE))


def _solve(inverses: Sequence[float], sizes: Sequence[float]) -> tuple[float, float]:
    """Solve for a and b that bring a * inverses + b * sizes closest to 1."""
    aa = sum(inverse * inverse for inverse in inverses)
    ab = sum(inverse * size for inverse, size in zip(inverses, sizes, strict=True))
    bb = sum(size * size for size in sizes)
    a1, b1 = sum(inverses), sum(sizes)
    determinant = aa * bb - ab * ab
    if determinant <= 0:
        return 0.0, 0.0
    return (a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant


# By key, in the order of the leaderboard's columns. Each needs an index on the ranking, which a migration adds.
METRICS = by_key(
    Metric(
        key="zil_latency_us",
        label="ZIL latency",
        short_label="ZIL latency",
        unit="µs",
        is_lower_better=True,
        meaning="Geometric mean of the latencies at 4, 8, 16, 32, 64 and 128 KiB, the sizes that the ZIL writes.",
        compute=lambda payload: zil_latency_us(payload["latency_us"]),
    ),
    Metric(
        key="latency_4k_us",
        label="4 KiB latency",
        short_label="4 KiB",
        unit="µs",
        is_lower_better=True,
        meaning="Mean time of one 4 KiB write and its flush.",
        compute=lambda payload: payload["latency_us"][SLOT_4K],
        is_of_one_figure=True,
    ),
    Metric(
        key="latency_8k_us",
        label="8 KiB latency",
        short_label="8 KiB",
        unit="µs",
        is_lower_better=True,
        meaning="Mean time of one 8 KiB write and its flush: with its header, a sync write of 4 KiB reaches the "
        "log as 8 KiB.",
        compute=lambda payload: payload["latency_us"][SLOT_8K],
        is_minor=True,
    ),
    Metric(
        key="throughput_128k_mib_s",
        label="128 KiB throughput",
        short_label="128 KiB",
        unit="MiB/s",
        meaning="Throughput of 128 KiB writes, one at a time, each with its flush.",
        compute=lambda payload: throughput_128k_mib_s(payload["latency_us"], payload["writers"]),
    ),
    Metric(
        key="peak_throughput_mib_s",
        label="Peak throughput",
        short_label="Peak",
        unit="MiB/s",
        meaning="Highest throughput at any block size, each write with its flush; one write at a time unless the "
        "result says that several writers wrote at the same time.",
        compute=lambda payload: peak_throughput_mib_s(payload["latency_us"], payload["writers"]),
        is_of_all_sizes=True,
        is_of_one_figure=True,
        is_minor=True,
    ),
    Metric(
        key="slow_write_us",
        label="Slow write (p99)",
        short_label="Slow write",
        unit="µs",
        is_lower_better=True,
        meaning="99 of 100 writes of 4 KiB take no longer. slogprobe times the write with its flush; fio times the "
        "flush alone with fsync and fdatasync, the write with sync and dsync.",
        compute=lambda payload: slow_us(payload["tails"], BLOCK_4K),
        is_minor=True,
    ),
)
# A run is on each board whose figure it has.
RANKED_BY = {Board.SYNC_WRITE: "latency_4k_us", Board.ZIL: "zil_latency_us"}


def ranked_metric(board: str) -> Metric:
    """The metric that a board ranks by."""
    return METRICS[RANKED_BY[Board(board)]]


def shown_metrics() -> list[Metric]:
    """The metrics that a table shows: all but minor ones."""
    return [metric for metric in METRICS.values() if not metric.is_minor]


def stored_metric(key: str) -> Expression:
    """A metric of a row of results or of the ranking, as the indexes have it."""
    return Cast(F(f"metrics__{key}"), FloatField())
