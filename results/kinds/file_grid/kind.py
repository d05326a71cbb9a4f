"""Grids of iozone as a kind of results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from results.core.described import meanings_of, with_moved
from results.core.formats import NOT_STATED, format_block_size, format_memory
from results.core.record import Record, field
from results.kinds.file_grid.metrics import METRICS
from results.kinds.file_grid.models import COLUMNS, FileGrid
from results.kinds.file_grid.questions import QUESTIONS
from results.kinds.file_grid.read import IOZONE, find_grids
from results.kinds.grid.charts import GridCharts, draw_grid
from results.kinds.grid.lines import (
    PROCESSES,
    RECORD,
    fits_in_memory,
    format_file,
    lines_of,
    operations_of,
)
from results.kinds.grid.operations import OPERATIONS
from results.kinds.grid.words import memory_note, partial_records, summary, sync_note
from results.kinds.metric import Payload
from results.kinds.pool.models import ACCESS, log_label
from results.kinds.result_kind import ResultKind, Shown
from results.models import Result
from results.models.choices import SubjectKind

SHOWN_ROWS = 150


class GridRowRecord(Record):
    """The rates at one file size and record size."""

    file_bytes: int | None = field("bytes of the file of one process; null if not stated")
    record_bytes: int | None = field("bytes of one read or write; null if not stated")
    processes: int | None = field("in throughput mode; null for iozone’s table")
    mib_s: dict[str, float] = field("MiB/s of all processes by operation; the median of repeated runs")
    low: dict[str, float] = field("the lowest of repeated runs", required=False)
    high: dict[str, float] = field("the highest of repeated runs", required=False)
    needs_retest: list[str] = field("operations with a dip or spike here, or that the sender doubts")
    fits_in_memory: bool = field("whether the files fit into the ARC or memory, as stated")


class DoubtRecord(Record):
    """A figure that its sender doubts."""

    operation: str = field("of iozone", choices=list(OPERATIONS.items()))
    record_bytes: int | None = field("bytes; null for all record sizes")


class FileGridRecord(Record):
    """A grid, and under which conditions it was measured: null or empty where nobody states it."""

    table = FileGrid
    columns = with_moved(meanings_of(FileGrid), "record_size", before="memory_bytes")
    first = COLUMNS

    rows: list[GridRowRecord] = field("", lambda payload: _rows(payload), to=list)
    doubted: list[DoubtRecord] = field(to=list)


def _synced(payload: Payload) -> str:
    if payload["sync_mode"] == "always":
        return "each write, by sync=always"
    if payload["each_synced"]:
        return "each write (-o)"
    if payload["flush_timed"]:
        return "a flush at the end (-e)"
    return "" if payload["each_synced"] is None else "never"


@dataclass(frozen=True, slots=True)
class GridTableRow:
    """A file size and record size with its rates in MiB/s and whether they need a retest, by operation."""

    row: Mapping[str, Any]
    is_in_memory: bool
    cells: Sequence[tuple[float | None, bool]]

    @property
    def file(self) -> str:
        return format_file(self.row["file_bytes"]) or NOT_STATED


class ShownGrid(Shown):
    """What was measured, under which conditions, and the rates."""

    @property
    def sentence(self) -> str:
        return summary(self.payload)

    @property
    def notes(self) -> list[str]:
        payload = self.payload
        return [
            note for note in (sync_note(payload), memory_note(payload), *partial_records(payload)) if note
        ]

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions that make grids comparable, by label; "" where not stated."""
        payload = self.payload
        size = payload["record_size"]
        files = sorted({row["file_bytes"] for row in payload["rows"] if row["file_bytes"]})
        return {
            "File size": format_file(files[0])
            if len(files) == 1
            else f"{format_file(files[0])} to {format_file(files[-1])}"
            if files
            else "",
            "Synced": _synced(payload),
            "recordsize": format_block_size(size) if size else "",
            "compression": payload["compression"],
            "ARC size": format_memory(payload["arc_bytes"]),
            "Memory": format_memory(payload["memory_bytes"]),
            "Data drives": payload["drives"],
            "Log device": log_label(payload),
            "sync": payload["sync_mode"],
            "Access": ACCESS.get(payload["access"], ""),
        }

    @property
    def charts(self) -> GridCharts:
        return draw_grid(self.payload)

    @property
    def operations(self) -> list[str]:
        return [OPERATIONS[name] for name in operations_of(self.payload)]

    @property
    def has_processes(self) -> bool:
        return any(row[PROCESSES] for row in self.payload["rows"])

    @property
    def rows(self) -> list[GridTableRow]:
        """Those of the largest files first."""
        payload = self.payload
        operations, doubted = operations_of(payload), retests_of(payload)
        rows = sorted(
            payload["rows"],
            key=lambda row: (-(row["file_bytes"] or 0), row[PROCESSES] or 0, row[RECORD] or 0),
        )
        return [
            GridTableRow(
                row,
                fits_in_memory(payload, row),
                [(row["mib_s"].get(name), name in doubted.get(_key(row), ())) for name in operations],
            )
            for row in rows[:SHOWN_ROWS]
        ]

    @property
    def more_rows(self) -> int:
        return max(len(self.payload["rows"]) - SHOWN_ROWS, 0)


def _on_paste(result: Result) -> ShownGrid:
    """The charts and the table, at the full width of a result's page."""
    return ShownGrid(FILE_GRID.payload_of_result(result), "")


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["file_bytes"], row[PROCESSES], row[RECORD]


def retests_of(payload: Payload) -> dict[tuple[Any, ...], list[str]]:
    """The operations that need a re-test, by file size, processes and record size."""
    found: dict[tuple[Any, ...], list[str]] = {}
    for name in operations_of(payload):
        for line in lines_of(payload, name, RECORD):
            for point in line.points:
                if point.is_doubted:
                    found.setdefault((line.file_bytes, line.fixed, point.at), []).append(name)
    return found


def _rows(payload: Payload) -> list[dict[str, Any]]:
    doubted = retests_of(payload)
    return [
        {**row, "needs_retest": doubted.get(_key(row), []), "fits_in_memory": fits_in_memory(payload, row)}
        for row in payload["rows"]
    ]


FILE_GRID = ResultKind(
    key="file_grid",
    label="Pool grids",
    meaning="A pool’s rates by operation, record size and file size, measured with iozone.",
    methods={IOZONE: "iozone"},
    metrics=METRICS,
    find_runs=find_grids,
    shown=ShownGrid,
    record=FileGridRecord,
    on_paste=_on_paste,
    subject=SubjectKind.POOL,
    questions=QUESTIONS,
    table=FileGrid,
    columns=COLUMNS,
)
