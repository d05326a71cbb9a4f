"""The arithmetic of the ranking, without a query. docs/methodology.md explains it in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from results.models.choices import Method
from results.models.fields import BLOCK_SIZES, SLOT_OF_BLOCK_SIZE

ZIL_BLOCK_SIZES = (4096, 8192, 16384, 32768, 65536, 131072)  # what the ZIL writes: up to zil_maxblocksize
ZIL_SLOTS = tuple(SLOT_OF_BLOCK_SIZE[block_size] for block_size in ZIL_BLOCK_SIZES)
MIB = 1024 * 1024

Curve = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class FormulaChange:
    """One dated change of how places are computed."""

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
    return block_size / MIB / latency_us * 1e6


def iops(latency_us: float) -> float:
    """Writes per second, one at a time."""
    return 1e6 / latency_us


def zil_latency_us(curve: Curve) -> float | None:
    """The geometric mean of the latencies from 4 to 128 KiB; None when one of the six is missing."""
    logs = [math.log(latency) for slot in ZIL_SLOTS if (latency := curve[slot]) is not None]
    if len(logs) < len(ZIL_SLOTS):
        return None
    return math.exp(math.fsum(logs) / len(logs))


def ranked_latency_us(method: str, curve: Curve) -> float | None:
    """What a run is ranked by: ZIL latency by diskinfo, 4 KiB latency by fio (whose runs often have no more)."""
    return curve[SLOT_OF_BLOCK_SIZE[4096]] if method == Method.FIO else zil_latency_us(curve)


def peak_throughput_mib_s(curve: Curve) -> float | None:
    """The best throughput of the whole curve in MiB/s; None for a curve without a point."""
    rates = [
        throughput_mib_s(block_size, latency)
        for block_size, latency in zip(BLOCK_SIZES, curve, strict=True)
        if latency is not None
    ]
    return max(rates, default=None)
