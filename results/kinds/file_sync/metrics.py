"""The metrics of sync writes through a file system."""

from collections.abc import Mapping, Sequence
from typing import Any

from results.kinds.curve.metrics import iops
from results.kinds.metric import Metric, by_key
from results.models.fields import BLOCK_4K

Row = Mapping[str, Any]
Rows = Sequence[Row]

# What represents a run of several methods or block sizes: the sync that databases use by default on Linux and
# FreeBSD, at 4 KiB where there are several sizes.
_PREFERRED = ("fdatasync", "fsync", "open_datasync", "fsync_writethrough", "open_sync")


def typical_row(rows: Rows) -> Row | None:
    """The row of one write and its sync by the preferred method, or None."""
    usable = [row for row in rows if row["latency_us"] is not None and row["writes"] == 1]
    return min(usable, key=_preference, default=None)


def _preference(row: Row) -> tuple[int, int, int]:
    method, size = row["method"], row["block_size"]
    is_section_known = row["section"] not in {None, "one_write"}
    place = _PREFERRED.index(method) if method in _PREFERRED else len(_PREFERRED)
    return is_section_known, place, abs((size or BLOCK_4K) - BLOCK_4K)


def _typical(payload: Mapping[str, Any], figure: str) -> float | None:
    row = typical_row(payload["rows"])
    return row[figure] if row else None


def _rate(payload: Mapping[str, Any]) -> float | None:
    latency_us = _typical(payload, "latency_us")
    return iops(latency_us, payload["writers"]) if latency_us else None


METRICS = by_key(
    Metric(
        key="file_sync_us",
        label="Sync write through the file system",
        short_label="Sync write",
        unit="µs",
        is_lower_better=True,
        meaning="Mean time of one small write and its sync through a file system or volume: fdatasync where it "
        "was measured.",
        compute=lambda payload: _typical(payload, "latency_us"),
    ),
    Metric(
        key="file_sync_p99_us",
        label="Slow sync (p99)",
        short_label="p99",
        unit="µs",
        is_lower_better=True,
        meaning="99 of 100 syncs take no longer than this, by fio: the flush with fsync and fdatasync, the write "
        "with sync and dsync.",
        compute=lambda payload: _typical(payload, "p99_us"),
    ),
    Metric(
        key="file_syncs_s",
        label="Syncs per second",
        short_label="Syncs",
        unit="1/s",
        meaning="Small writes per second, each with its sync, through a file system or volume; of all writers "
        "together where several wrote at the same time.",
        compute=_rate,
        is_minor=True,
    ),
)
