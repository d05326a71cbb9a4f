"""The metrics of an access pattern.

A histogram counts writes from one power of two to below the next, so its sizes and times are those of its bounds.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from statistics import median
from typing import Any

from parsers.base.units import KIBIBYTE, MEBIBYTE
from results.core.formats import DASH, format_number
from results.kinds.metric import Metric, Payload, by_key

SMALL, LARGE = 4 * KIBIBYTE, 128 * KIBIBYTE  # the smallest and largest write of the ZIL
PERCENT = 100
TYPICAL, SLOW = 0.5, 0.99
# The part of the latency that the drive itself takes: of zpool iostat -w, and of biolatency
DRIVES = ("disk", "io")


def active_rows(payload: Payload) -> list[Mapping[str, Any]]:
    """The rows in which anything was done."""
    return [row for row in payload["rows"] if row.get("count") or row.get("ops")]


def _total(payload: Payload, name: str) -> float | None:
    known = [row[name] for row in payload["rows"] if row.get(name) is not None]
    return sum(known) if known else None


def _random(payload: Payload) -> float | None:
    known = [row["percent_random"] for row in active_rows(payload) if row.get("percent_random") is not None]
    return median(known) if known else None


def _zero_seeks(payload: Payload) -> float | None:
    total = sum(seek["count"] for seek in payload["seeks"])
    zero = sum(seek["count"] for seek in payload["seeks"] if seek["sectors"] == 0)
    return PERCENT * zero / total if total else None


def _seconds(payload: Payload) -> float | None:
    each = payload["seconds_a_row"]
    return each * len(payload["rows"]) if each and payload["rows"] else None


def _writes_s(payload: Payload) -> float | None:
    """Of iopattern only if it saw no reads, since it counts both."""
    seconds = _seconds(payload)
    count = _total(payload, "ops") if _total(payload, "ops") is not None else _total(payload, "count")
    return count / seconds if seconds and count and not _total(payload, "read_kb") else None


def written_bytes_s(payload: Payload) -> float | None:
    """Of zilstat the buffers, which are what reaches the log device."""
    seconds = _seconds(payload)
    kib, buffers = _total(payload, "write_kb"), _total(payload, "buffer_bytes")
    written = buffers if buffers is not None else kib * KIBIBYTE if kib is not None else None
    return written / seconds if seconds and written else None


def _mib_s(payload: Payload) -> float | None:
    rate = written_bytes_s(payload)
    return rate / MEBIBYTE if rate else None


def mean_bytes(payload: Payload) -> float | None:
    """Of the rows, weighted by their writes."""
    count, buffers, ops = (_total(payload, name) for name in ("count", "buffer_bytes", "ops"))
    if buffers and ops:
        return buffers / ops
    sums = [row["mean_bytes"] * row["count"] for row in active_rows(payload) if row.get("mean_bytes")]
    return sum(sums) / count if sums and count else None


def _mean_kib(payload: Payload) -> float | None:
    mean = mean_bytes(payload)
    return mean / KIBIBYTE if mean else None


def _extreme(payload: Payload, column: str, choose: Callable[[list[int]], int]) -> float | None:
    """The smallest or largest write in KiB."""
    known = [row[column] for row in active_rows(payload) if row.get(column)]
    known += [size["bytes"] for size in payload["sizes"] if size["count"]]
    return choose(known) / KIBIBYTE if known else None


def _small(payload: Payload) -> float | None:
    ops, small = _total(payload, "ops"), _total(payload, "ops_le_4kb")
    if ops and small is not None:
        return PERCENT * small / ops
    return _share(payload["sizes"], lambda size: size <= SMALL)


def _share(sizes: Sequence[Mapping[str, int]], is_counted: Callable[[int], bool]) -> float | None:
    total = sum(size["count"] for size in sizes)
    counted = sum(size["count"] for size in sizes if is_counted(size["bytes"]))
    return PERCENT * counted / total if total else None


def drives_buckets(payload: Payload) -> list[Mapping[str, float]]:
    """The histogram of what the drive itself takes; empty without one."""
    return next((latency["buckets"] for latency in payload["latencies"] if latency["part"] in DRIVES), [])


def _quantile(payload: Payload, share: float) -> float | None:
    """The upper end of the bucket that this share of writes is within."""
    buckets = drives_buckets(payload)
    wanted, seen = share * sum(bucket["count"] for bucket in buckets), 0.0
    for bucket in buckets:
        seen += bucket["count"]
        if bucket["count"] and seen >= wanted:
            return bucket["below_us"]
    return None


def _short(value: float | None) -> str:
    """Three digits without zeros at the end: 1, 35.5."""
    return DASH if value is None else f"{value:.3g}"


def _metric(key: str, label: str, short_label: str, unit: str, meaning: str, compute: Any) -> Metric:
    return Metric(
        key=key,
        label=label,
        short_label=short_label,
        unit=unit,
        is_judged=False,
        meaning=meaning,
        compute=compute,
        format=_short if unit in {"%", "file systems"} else format_number,
        is_minor=key not in {"random_percent", "pattern_writes_s", "pattern_mib_s", "mean_write_kib"},
    )


METRICS = by_key(
    _metric(
        "random_percent",
        "Random writes",
        "Random",
        "%",
        "The share of writes that don’t begin where the previous one ended: the median of iopattern’s rows.",
        _random,
    ),
    _metric(
        "zero_seek_percent",
        "Seeks of 0",
        "Seeks of 0",
        "%",
        "The share of I/Os that begin where the previous one ended, by seeksize.",
        _zero_seeks,
    ),
    _metric(
        "pattern_writes_s",
        "Writes per second",
        "Writes/s",
        "1/s",
        "How many writes a log device or a pool got per second while it was observed.",
        _writes_s,
    ),
    _metric(
        "pattern_mib_s",
        "Written",
        "Written",
        "MiB/s",
        "How much was written to a log device or a pool per second while it was observed; for zilstat, the "
        "buffers, which are larger than the data in them.",
        _mib_s,
    ),
    _metric(
        "mean_write_kib",
        "Mean size",
        "Mean size",
        "KiB",
        "The mean size of the observed writes, by iopattern or zilstat.",
        _mean_kib,
    ),
    _metric(
        "smallest_write_kib",
        "Smallest write",
        "Smallest",
        "KiB",
        "The smallest observed write; in a histogram, the lower end of its bucket.",
        lambda payload: _extreme(payload, "min_bytes", min),
    ),
    _metric(
        "largest_write_kib",
        "Largest write",
        "Largest",
        "KiB",
        "The largest observed write; in a histogram, the lower end of its bucket.",
        lambda payload: _extreme(payload, "max_bytes", max),
    ),
    _metric(
        "small_write_percent",
        "Writes of up to 4 KiB",
        "≤ 4 KiB",
        "%",
        "The share of writes of at most 4 KiB; a histogram counts all below 8 KiB as such.",
        _small,
    ),
    _metric(
        "large_write_percent",
        "Writes of 128 KiB",
        "128 KiB",
        "%",
        "The share of writes of 128 KiB or more: the ZIL’s largest, or several of them merged.",
        lambda payload: _share(payload["sizes"], lambda size: size >= LARGE),
    ),
    _metric(
        "typical_wait_us",
        "Typical wait",
        "Typical",
        "µs",
        "Half of the observed I/Os took the drive no longer than this: the upper end of a histogram’s bucket.",
        lambda payload: _quantile(payload, TYPICAL),
    ),
    _metric(
        "slow_wait_us",
        "Slow wait (p99)",
        "p99",
        "µs",
        "99 of 100 observed I/Os took the drive no longer than this: the upper end of a histogram’s bucket.",
        lambda payload: _quantile(payload, SLOW),
    ),
    _metric(
        "file_systems",
        "Written to",
        "File systems",
        "file systems",
        "How many file systems were written to at the same time, as the sender states. Each has its own ZIL.",
        itemgetter("file_systems"),
    ),
)
