"""Sync writes through a file system or volume as a kind of results."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.fields import ArrayField
from django.db.models import CharField, Count, F, Func, Q
from django.db.models.functions import Coalesce, NullIf

from results.core.formats import format_block_size, write_cache_label, writers_label
from results.core.record import Record, field
from results.kinds.commands.folders import sync_commands
from results.kinds.curve.metrics import iops, stored_metric
from results.kinds.file_sync.metrics import METRICS, Row, typical_row
from results.kinds.file_sync.models import COLUMNS, DEVICE_ITSELF, LAYERS, FileSync
from results.kinds.file_sync.read import (
    DISKINFO,
    FIO,
    IOPING,
    PG_TEST_FSYNC,
    PVEPERF,
    SCRIPT,
    SLOGPROBE,
    find_file_syncs,
)
from results.kinds.metric import Median
from results.kinds.result_kind import ResultKind, Shown
from results.models import Result

NON_SYNCED = "non_synced"
FREE_FLUSH = 2.0  # times the write alone: less means that nothing waited for a medium
SHOWN_RESULTS = 5  # of a layer and method, on a device's page
LAYER_FIELDS = (
    "file_sync__layer",
    *("method", "writers", "write_cache_enabled", "latency_us", "count", "newest"),
)
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


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A way of syncing with what follows from its figures."""

    row: Row
    writers: int | None

    @property
    def writes(self) -> str:
        """Writes before each sync and their size: "2 × 8 KiB"."""
        count, size = self.row["writes"] or 1, self.row["block_size"]
        shown = format_block_size(size) if size else ""
        return f"{count} × {shown}" if size and count > 1 else shown

    @property
    def rate(self) -> float | None:
        """Syncs per second."""
        return iops(self.row["latency_us"], self.writers) if self.row["latency_us"] else None


class ShownFileSync(Shown):
    """What was written through, and the figures by section."""

    @property
    def layer(self) -> str:
        return layer_label(self.payload["layer"])

    @property
    def conditions(self) -> dict[str, str]:
        return {"Layer": self.layer if self.payload["layer"] else ""}

    @property
    def is_on_device(self) -> bool:
        return bool(self.payload["layer"] == DEVICE_ITSELF)

    @property
    def sections(self) -> list[tuple[str, list[ShownFigure]]]:
        """Headings with their figures."""
        rows, writers = self.payload["rows"], self.payload["writers"]
        return [
            (
                SECTIONS.get(section or "", ""),
                [ShownFigure(row, writers) for row in rows if row["section"] == section],
            )
            for section in dict.fromkeys(row["section"] for row in rows)
        ]

    @property
    def has_p99(self) -> bool:
        return any(row["p99_us"] for row in self.payload["rows"])

    @property
    def flush_note(self) -> str:
        """What the sync adds to the same write without one, where both were measured."""
        rows = self.payload["rows"]
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


def _newest(of: Q | None = None) -> Func:
    """The ids of the latest results, at most SHOWN_RESULTS."""
    ids = ArrayAgg("public_id", filter=of, order_by="-pk")
    return Func(ids, template=f"(%(expressions)s)[1:{SHOWN_RESULTS}]", output_field=ArrayField(CharField()))


@dataclass(frozen=True, slots=True)
class LayerFigure:
    """The median sync write of a device through a layer."""

    layer: str
    method: str
    writers: int | None
    write_cache_enabled: bool | None
    latency_us: float | None
    count: int
    newest: Sequence[str]  # the ids of the newest results

    @property
    def where(self) -> str:
        return where_written(self.layer)

    @property
    def remarks(self) -> str:
        """How it was measured."""
        remarks = (writers_label(self.writers), write_cache_label(self.write_cache_enabled))
        return ", ".join(filter(None, (FILE_SYNC.methods[self.method], *remarks)))


def _on_device(device_id: int) -> list[LayerFigure]:
    """By layer, method, number of writers and write cache. One query.

    Where someone is accountable for some of the results, the others don't count.
    """
    results = Result.objects.published().filter(device=device_id, copy_of=None, method__in=FILE_SYNC.methods)
    is_sure, latency_us = Q(is_accountable=True), stored_metric("file_sync_us")
    rows = (
        results.with_accountable()
        .values("file_sync__layer", "method", "writers", "write_cache_enabled")
        .annotate(
            latency_us=Coalesce(Median(latency_us, filter=is_sure), Median(latency_us)),
            count=Coalesce(NullIf(Count("pk", filter=is_sure), 0), Count("pk")),
            newest=Coalesce(_newest(is_sure), _newest()),
        )
        .order_by("file_sync__layer", "method", F("writers").asc(nulls_first=True), "write_cache_enabled")
    )
    return [LayerFigure(*row) for row in rows.values_list(*LAYER_FIELDS)]


FILE_SYNC = ResultKind(
    key="file_sync",
    label="Sync writes through a file system",
    meaning="Small sync writes through a file system, or to a volume built on devices, as applications do them.",
    methods={
        PG_TEST_FSYNC: "pg_test_fsync",
        PVEPERF: "pveperf",
        FIO: "fio on a file or volume",
        DISKINFO: "diskinfo -wS on a volume",
        SLOGPROBE: "slogprobe on a file or volume",
        IOPING: "ioping",
        SCRIPT: "a script of writes and syncs",
    },
    metrics=METRICS,
    find_runs=find_file_syncs,
    shown=ShownFileSync,
    record=FileSyncRecord,
    on_device=_on_device,
    commands=sync_commands,
    table=FileSync,
    columns=COLUMNS,
)
