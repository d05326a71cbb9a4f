"""Grids of iozone as a kind of results."""

from collections.abc import Mapping
from typing import Any

from results.core.described import meanings_of, with_moved
from results.core.formats import NOT_STATED, format_block_size, format_memory, format_number, writers_label
from results.core.record import Record, field
from results.kinds.file_grid.charts import charts_context
from results.kinds.file_grid.grid import (
    PROCESSES,
    RECORD,
    Payload,
    fits_in_memory,
    format_file,
    lines_of,
    operations_of,
)
from results.kinds.file_grid.metrics import METRICS
from results.kinds.file_grid.models import COLUMNS, FileGrid
from results.kinds.file_grid.operations import OPERATIONS
from results.kinds.file_grid.questions import QUESTIONS
from results.kinds.file_grid.read import IOZONE, find_grids
from results.kinds.file_grid.words import memory_note, partial_records, summary, sync_note
from results.kinds.named_device import device_url
from results.kinds.pool_io.kind import log_label
from results.kinds.pool_io.models import ACCESS
from results.kinds.result_kind import ResultKind
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


def conditions_of(payload: Payload) -> dict[str, str]:
    """The conditions that make grids comparable, by label; "" where not stated."""
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


def _synced(payload: Payload) -> str:
    if payload["sync_mode"] == "always":
        return "each write, by sync=always"
    if payload["each_synced"]:
        return "each write (-o)"
    if payload["flush_timed"]:
        return "a flush at the end (-e)"
    return "" if payload["each_synced"] is None else "never"


def _context(payload: Payload, _name: str, **_: Any) -> dict[str, Any]:
    return {
        "file_grid": {
            "sentence": summary(payload),
            "notes": [
                one for one in (sync_note(payload), memory_note(payload), *partial_records(payload)) if one
            ],
            "writers": writers_label(payload["writers"]),
            "log_url": device_url(payload["log_device"]),
            "conditions": conditions_of(payload),
            **table_context(payload),
        }
    }


def _on_paste(result: Any) -> dict[str, Any]:
    """The section with the charts and the table, at the full width of a result's page."""
    payload = FILE_GRID.payload_of_result(result)
    return {**charts_context(payload), **table_context(payload)}


def table_context(payload: Payload) -> dict[str, Any]:
    """The rates as a table, the largest files first."""
    operations = operations_of(payload)
    doubted = retests_of(payload)
    rows = sorted(
        payload["rows"], key=lambda row: (-(row["file_bytes"] or 0), row[PROCESSES] or 0, row[RECORD] or 0)
    )
    return {
        "operations": [OPERATIONS[name] for name in operations],
        "has_processes": any(row[PROCESSES] for row in rows),
        "rows": [
            {
                "file": format_file(row["file_bytes"]) or NOT_STATED,
                "record": format_block_size(row[RECORD]) if row[RECORD] else NOT_STATED,
                "processes": row[PROCESSES] or "",
                "is_in_memory": fits_in_memory(payload, row),
                "cells": [
                    {
                        "value": format_number(row["mib_s"].get(name)),
                        "needs_retest": name in doubted.get(_key(row), ()),
                    }
                    for name in operations
                ],
            }
            for row in rows[:SHOWN_ROWS]
        ],
        "more_rows": max(len(rows) - SHOWN_ROWS, 0),
    }


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
    context=_context,
    record=FileGridRecord,
    conditions=conditions_of,
    on_paste=_on_paste,
    subject=SubjectKind.POOL,
    asks=QUESTIONS,
    table=FileGrid,
    columns=COLUMNS,
)
