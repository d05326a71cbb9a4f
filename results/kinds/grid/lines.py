"""The lines of a grid: rates of an operation over record sizes or processes, and which of them need a re-test."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from results.core.formats import format_block_size, format_count, format_memory
from results.kinds.grid.operations import OPERATIONS
from results.kinds.metric import Payload

BAND = 0.1  # of a single run: what repeats usually differ by, either way
MAX_POINTS = 32  # of a line
RECORD, PROCESSES = "record_bytes", "processes"  # what a line is drawn over
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """A rate in MiB/s with its band: the extremes of repeats, else BAND either way.

    `is_doubted` if it breaks the line's course beyond the band or its sender doubts it.
    """

    at: int  # record size in bytes, or processes
    mib_s: float
    low: float
    high: float
    is_doubted: bool = False


@dataclass(frozen=True, slots=True)
class GridLine:
    """An operation on files of one size, over record sizes or processes."""

    operation: str
    file_bytes: int | None  # of one process
    fixed: int | None  # the processes of a line over record sizes, else the record size
    points: tuple[Point, ...]
    is_in_memory: bool

    @property
    def by_size(self) -> dict[int, Point]:
        return {point.at: point for point in self.points}


def axis_of(payload: Payload) -> str:
    """What the lines of a grid are over: record sizes, or processes if there is a single record size."""
    sizes = {row[RECORD] for row in payload["rows"]}
    processes = {row[PROCESSES] for row in payload["rows"]}
    return PROCESSES if len(sizes) < 2 and len(processes) > 1 else RECORD


def operations_of(payload: Payload) -> list[str]:
    """The operations that were measured, in iozone's order."""
    found = {name for row in payload["rows"] for name in row["mib_s"]}
    return [name for name in OPERATIONS if name in found]


def lines_of(payload: Payload, operation: str, axis: str = "") -> list[GridLine]:
    """The lines of an operation, those of the largest files first."""
    axis = axis or axis_of(payload)
    other = RECORD if axis == PROCESSES else PROCESSES
    grouped: dict[tuple[int | None, int | None], list[Row]] = {}
    for row in payload["rows"]:
        if operation in row["mib_s"] and row[axis]:
            grouped.setdefault((row["file_bytes"], row[other]), []).append(row)
    lines = [
        GridLine(
            operation,
            file_bytes,
            fixed,
            _points(payload, operation, rows, axis),
            all(fits_in_memory(payload, row) for row in rows),
        )
        for (file_bytes, fixed), rows in grouped.items()
    ]
    return sorted(lines, key=lambda line: (line.file_bytes or 0, line.fixed or 0), reverse=True)


def memory_of(payload: Payload) -> int | None:
    """How much the cache can hold, in bytes: the ARC's limit, else all memory; None if nobody states either."""
    memory: int | None = payload["arc_bytes"] or payload["memory_bytes"]
    return memory


def memory_label(payload: Payload) -> str:
    """The same in words: "the ARC (2 GiB)"."""
    return f"{'the ARC' if payload['arc_bytes'] else 'memory'} ({format_memory(memory_of(payload))})"


def data_of(row: Row) -> int | None:
    """The files of a row together, in bytes."""
    return row["file_bytes"] * (row[PROCESSES] or 1) if row["file_bytes"] else None


def fits_in_memory(payload: Payload, row: Row) -> bool:
    data, memory = data_of(row), memory_of(payload)
    return bool(data and memory and data <= memory)


def _points(payload: Payload, operation: str, rows: Iterable[Row], axis: str) -> tuple[Point, ...]:
    ordered = sorted(rows, key=lambda row: row[axis])[:MAX_POINTS]
    plain = [_point(row, operation, axis) for row in ordered]
    broken = set() if operation == "bkwd_read" or axis == PROCESSES else broken_points(plain)
    by_sender = {cell[RECORD] for cell in payload["doubted"] if cell["operation"] == operation}
    doubted = by_sender if axis == RECORD else by_sender & {None}
    return tuple(
        replace(point, is_doubted=at in broken or None in doubted or point.at in doubted)
        for at, point in enumerate(plain)
    )


def _point(row: Row, operation: str, axis: str) -> Point:
    rate = row["mib_s"][operation]
    low = row.get("low", {}).get(operation, rate * (1 - BAND))
    high = row.get("high", {}).get(operation, rate * (1 + BAND))
    return Point(row[axis], rate, low, high)


def broken_points(points: Sequence[Point]) -> set[int]:
    """The indices of dips and spikes: points that both neighbors are above, or both below, beyond all bands.

    Backward reads aren't judged: they jump where a record has the recordsize (results.kinds.grid.words).
    """
    found = set()
    for at in range(1, len(points) - 1):
        before, point, after = points[at - 1 : at + 2]
        is_dip = point.high < min(before.low, after.low)
        is_spike = point.low > max(before.high, after.high)
        if is_dip or is_spike:
            found.add(at)
    return found


def file_label(line: GridLine, axis: str) -> str:
    """A line in words: "6 GiB file", "4 files of 16 GiB"."""
    size = format_file(line.file_bytes)
    if axis == PROCESSES:
        return f"{size} a process" if size else "file size not stated"
    if line.fixed and line.fixed > 1:
        return f"{format_count(line.fixed, 'file')} of {size or 'a size not stated'}"
    return f"{size} file" if size else "file size not stated"


def format_file(size: int | None) -> str:
    """The size of a file in powers of 1024: "6 GiB", "716,800 KiB"; "" for None."""
    if size is None:
        return ""
    return f"{size // 2**30:,} GiB" if size % 2**30 == 0 else format_block_size(size)
