"""What a pattern asks of a log device: latency or throughput, the link, endurance, and the mix of sizes."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from parsers.base.units import KIBIBYTE, MEBIBYTE, TERABYTE
from results.advice.lifetime import DAYS_A_YEAR
from results.advice.link import LINKS, Link
from results.advice.mix import MIX_SIZES, size_name
from results.kinds.access_pattern.metrics import active_rows, mean_bytes, written_bytes_s
from results.kinds.metric import Payload

LATENCY, THROUGHPUT, BOTH = "latency", "throughput", "both"
# A drive of 20 µs and 1,000 MB/s spends as long on the flush as on 20 KB of data: well below, only its latency counts
LATENCY_BELOW, THROUGHPUT_FROM = 16 * KIBIBYTE, 64 * KIBIBYTE
SECONDS_A_DAY = 86_400
MICROSECONDS = 1e6
# The size that stands for each column of zilstat, in the middle of its range on a log scale
_ZILSTAT_SIZES = {"ops_le_4kb": 4 * KIBIBYTE, "ops_4_32kb": 16 * KIBIBYTE, "ops_ge_32kb": 64 * KIBIBYTE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirements:
    """What a drive needs for a pattern; None or "" where the pattern doesn't show it."""

    bound: str  # latency, throughput, both
    typical_bytes: float | None  # the size that this follows from
    link: Link | None  # the slowest that carries what was written
    terabytes_a_year: float | None  # if it goes on like this
    most_us: float | None  # a write may take, for that many one after the other
    mix: str  # of results.advice.mix


def requirements_of(payload: Payload, metrics: Mapping[str, float]) -> Requirements:
    """What the pattern requires; `metrics` are those of the kind."""
    size, rate = _typical_bytes(payload), written_bytes_s(payload)
    writes_s = metrics.get("pattern_writes_s")
    return Requirements(
        bound=_bound(size),
        typical_bytes=size,
        link=next((link for link in LINKS if link.mib_s >= rate / MEBIBYTE), None) if rate else None,
        terabytes_a_year=rate * SECONDS_A_DAY * DAYS_A_YEAR / TERABYTE if rate else None,
        most_us=MICROSECONDS / writes_s if writes_s else None,
        mix=mix_of(payload),
    )


def _bound(size: float | None) -> str:
    if size is None:
        return ""
    return LATENCY if size < LATENCY_BELOW else THROUGHPUT if size >= THROUGHPUT_FROM else BOTH


def _typical_bytes(payload: Payload) -> float | None:
    """The mean size; of a histogram, the size that half of the writes don't exceed."""
    mean = mean_bytes(payload)
    if mean is not None:
        return mean
    total, seen = sum(size["count"] for size in payload["sizes"]), 0
    for size in payload["sizes"]:  # ascending
        seen += size["count"]
        if size["count"] and 2 * seen >= total:
            return float(size["bytes"])
    return None


def mix_of(payload: Payload) -> str:
    """The sizes as a mix with percentages, like `4k:56,8k:33.5`; "" if the pattern has no sizes.

    iopattern's rows have a mean each, which counts as the size of all their writes.
    """
    counts: Counter[int] = Counter()
    for size in payload["sizes"]:
        counts[_nearest(size["bytes"])] += size["count"]
    if not counts:
        for row in active_rows(payload):
            for name, size in _ZILSTAT_SIZES.items():
                counts[size] += row.get(name) or 0
            if row.get("mean_bytes"):
                counts[_nearest(row["mean_bytes"])] += row["count"]
    total = sum(counts.values())
    shares = {size: round(100 * counts[size] / total, 1) for size in MIX_SIZES if total}
    return ",".join(f"{size_name(size)}:{share:g}" for size, share in shares.items() if share)


def _nearest(size: float) -> int:
    """The size of a mix that is nearest on a log scale."""
    step = round(math.log2(size / MIX_SIZES[0])) if size > 0 else 0
    return MIX_SIZES[min(max(step, 0), len(MIX_SIZES) - 1)]
