"""The metrics of a grid: the rates of its largest file at the record sizes that people compare."""

from functools import partial
from typing import Any

from results.kinds.grid.lines import RECORD, data_of
from results.kinds.metric import Metric, Payload, by_key
from results.models.fields import BLOCK_4K, BLOCK_128K

_NAMES = {"write": "Write", "read": "Read", "random_read": "Random read", "random_write": "Random write"}


def rate_at(payload: Payload, operation: str, record_bytes: int) -> float | None:
    """The rate in MiB/s of the largest file at a record size; of equal ones, of the most processes."""
    rows = [row for row in payload["rows"] if row[RECORD] == record_bytes and operation in row["mib_s"]]
    if not rows:
        return None
    row = max(rows, key=lambda record: (data_of(record) or 0, record["processes"] or 0))
    return float(row["mib_s"][operation])


def _metric(operation: str, record_bytes: int, **fields: Any) -> Metric:
    size = f"{record_bytes // 1024} KiB"
    return Metric(
        key=f"grid_{operation}_{record_bytes // 1024}k_mib_s",
        label=f"{_NAMES[operation]}, {size}",
        short_label=f"{_NAMES[operation]} {size}",
        unit="MiB/s",
        meaning=f"iozone’s {_NAMES[operation].lower()} of its largest file in records of {size}, all processes "
        "together.",
        compute=partial(rate_at, operation=operation, record_bytes=record_bytes),
        **fields,
    )


METRICS = by_key(
    *(_metric(operation, BLOCK_128K) for operation in _NAMES),
    _metric("random_read", BLOCK_4K, is_minor=True),
    _metric("random_write", BLOCK_4K, is_minor=True),
)
