"""Sync writes through a file system or volume as a kind of results."""

from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.db.models import Aggregate, CharField, Count, F, FloatField, Func, Q
from django.db.models.functions import Coalesce, NullIf

from results.core.addresses import address
from results.core.formats import (
    format_block_size,
    format_count,
    format_number,
    write_cache_label,
    writers_label,
)
from results.core.record import Record, field
from results.kinds.file_sync.metrics import METRICS, Rows, typical_row
from results.kinds.file_sync.models import COLUMNS, DEVICE_ITSELF, LAYERS, FileSync
from results.kinds.file_sync.read import (
    DISKINFO,
    FIO,
    IOPING,
    PG_TEST_FSYNC,
    PVEPERF,
    SCRIPT,
    find_file_syncs,
)
from results.kinds.latency_curve.metrics import iops, stored_metric
from results.kinds.result_kind import Payload, ResultKind
from results.models import Result

NON_SYNCED = "non_synced"
FREE_FLUSH = 2.0  # times the write alone: less means that nothing waited for a medium
SHOWN_RESULTS = 5  # of a layer and method, on a device's page
SECTIONS = {
    "one_write": "One write, then a sync",
    "two_writes": "Two writes, then a sync",
    "open_sync_sizes": "16 KiB with open_sync, in writes of different sizes",
    "different_descriptor": "A sync through another file descriptor",
    "non_synced": "Without a sync",
}


class FileSyncRowRecord(Record):
    """One way of syncing."""

    section: str | None = field("of pg_test_fsync; null for other tools", choices=list(SECTIONS.items()))
    method: str = field("fdatasync, fsync, open_datasync, open_sync ... as the tool names it")
    block_size: int | None = field("bytes of one write")
    writes: int | None = field("before each sync")
    latency_us: float | None = field(
        "mean time that a writer waits for these writes and their sync, in µs; null if the system lacks "
        "the method"
    )
    p99_us: float | None = field("99 of 100 take no longer, in µs; null if not stated")


class FileSyncRecord(Record):
    """What was written through, and the figures."""

    table = FileSync

    rows: list[FileSyncRowRecord] = field(to=list)


def layer_label(layer: str) -> str:
    """What was written through, in words: "ext4", "a file system"."""
    return LAYERS.get(layer, layer) or "a file system (type not stated)"


def where_written(layer: str) -> str:
    """The same in a sentence: "through ext4", "to the device itself"."""
    return f"{'to' if layer == DEVICE_ITSELF else 'through'} {layer_label(layer)}"


def _context(payload: Payload, _name: str, **_: Any) -> dict[str, Any]:
    rows: Rows = payload["rows"]
    return {
        "file_sync": {
            "layer": layer_label(payload["layer"]),
            "is_on_device": payload["layer"] == DEVICE_ITSELF,
            "writers": writers_label(payload["writers"]),
            "sections": [
                {
                    "heading": SECTIONS.get(section or "", ""),
                    "rows": [_row(row, payload["writers"]) for row in rows if row["section"] == section],
                }
                for section in dict.fromkeys(row["section"] for row in rows)
            ],
            "has_p99": any(row["p99_us"] for row in rows),
            "flush_note": _flush_note(rows),
        }
    }


def _flush_note(rows: Rows) -> str:
    """What the sync adds to the same write without one, where both were measured."""
    synced = typical_row(rows)
    plain = next(
        (row["latency_us"] for row in rows if row["section"] == NON_SYNCED and row["latency_us"]), None
    )
    if synced is None or plain is None:
        return ""
    times = synced["latency_us"] / plain
    if times < FREE_FLUSH:
        return "A sync costs almost nothing here: either the cache is protected or syncs are ignored."
    return f"A write takes {times:,.0f} times as long with a sync as without."


def _row(row: Any, writers: int | None) -> dict[str, str]:
    latency_us = row["latency_us"]
    size = format_block_size(row["block_size"]) if row["block_size"] else ""
    return {
        "method": row["method"],
        "writes": f"{row['writes']} × {size}" if size and (row["writes"] or 1) > 1 else size,
        "latency": format_number(latency_us),
        "p99": format_number(row["p99_us"]),
        "rate": format_number(iops(latency_us, writers) if latency_us else None),
    }


class Median(Aggregate):
    """The middle of the values, or the mean of the two in the middle."""

    template = "percentile_cont(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


def _newest(of: Q | None = None) -> Func:
    """The addresses of the latest results, at most SHOWN_RESULTS."""
    ids = ArrayAgg("public_id", filter=of, order_by="-pk")
    return Func(ids, template=f"(%(expressions)s)[1:{SHOWN_RESULTS}]", output_field=ArrayField(CharField()))


def _on_device(device_id: int) -> dict[str, Any]:
    """The median sync write by layer, method, number of writers and write cache. One query.

    Where someone is accountable for some of these, the others don't count.
    """
    results = Result.objects.published().filter(device=device_id, copy_of=None, method__in=FILE_SYNC.methods)
    is_sure = Q(is_accountable=True)
    rows = (
        results.with_accountable()
        .values("file_sync__layer", "method", "writers", "write_cache_enabled")
        .annotate(
            latency_us=Coalesce(
                Median(stored_metric("file_sync_us"), filter=is_sure), Median(stored_metric("file_sync_us"))
            ),
            count=Coalesce(NullIf(Count("pk", filter=is_sure), 0), Count("pk")),
            newest=Coalesce(_newest(is_sure), _newest()),
        )
        .order_by("file_sync__layer", "method", F("writers").asc(nulls_first=True), "write_cache_enabled")
    )
    return {
        "rows": [
            {
                "where": where_written(row["file_sync__layer"]),
                "latency": format_number(row["latency_us"]),
                "method": FILE_SYNC.methods[row["method"]],
                "writers": writers_label(row["writers"]),
                "write_cache": write_cache_label(row["write_cache_enabled"]),
                "count": format_count(row["count"], "result"),
                "urls": [address("result", public_id) for public_id in row["newest"]],
            }
            for row in rows
        ]
    }


FILE_SYNC = ResultKind(
    key="file_sync",
    label="Sync writes through a file system",
    meaning="Small sync writes through a file system, or to a volume built on devices, as applications do them.",
    methods={
        PG_TEST_FSYNC: "pg_test_fsync",
        PVEPERF: "pveperf",
        FIO: "fio on a file or volume",
        DISKINFO: "diskinfo -wS on a volume",
        IOPING: "ioping",
        SCRIPT: "a script of writes and syncs",
    },
    metrics=METRICS,
    find_runs=find_file_syncs,
    context=_context,
    record=FileSyncRecord,
    conditions=lambda payload: {"Layer": layer_label(payload["layer"]) if payload["layer"] else ""},
    on_device=_on_device,
    table=FileSync,
    columns=COLUMNS,
)
