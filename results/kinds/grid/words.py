"""What a grid shows, in sentences."""

from collections.abc import Iterator

from results.core.formats import format_block_size, format_count, format_times
from results.kinds.grid.lines import (
    RECORD,
    data_of,
    fits_in_memory,
    format_file,
    lines_of,
    memory_label,
    memory_of,
    operations_of,
)
from results.kinds.grid.operations import READS, WRITES
from results.kinds.metric import Payload

SLOWER = 1.5  # beyond what smaller records explain
PARTIAL = ("rewrite", "random_write", "frewrite")  # that change part of a record which is on the drives
RETEST_NOTE = (
    "“?” marks points that need a retest: both neighbors are above their band or both below, or the sender "
    "doubts them."
)


def summary(payload: Payload) -> str:
    """What was measured, in one sentence."""
    rows = payload["rows"]
    records = {row[RECORD] for row in rows if row[RECORD]}
    files = {row["file_bytes"] for row in rows if row["file_bytes"]}
    parts = [
        format_count(len(operations_of(payload)), "operation"),
        *([_range([*records], "record size", "records of")] if records else []),
        *([_range([*files], "file size", "a file of")] if files else []),
    ]
    repeats = f", the median of {payload['runs']} runs" if payload["runs"] > 1 else ""
    return f"{', '.join(parts)}{repeats}."


def _range(sizes: list[int], noun: str, bound: str) -> str:
    low, high = (format_file(end) for end in (min(sizes), max(sizes)))
    return f"{bound} {low}" if len(sizes) == 1 else f"{len(sizes)} {noun}s from {low} to {high}"


def sync_note(payload: Payload) -> str:
    """Whether writes waited for stable storage; "" without any."""
    if WRITES.isdisjoint(operations_of(payload)):
        return ""
    mode = payload["sync_mode"]
    if mode == "always":
        return "Each write was synchronous, by sync=always: it waited for the log device or the drives."
    if payload["each_synced"]:
        if mode == "disabled":
            return "iozone asked for synchronous writes (-o), but sync=disabled ignores that."
        return "Each write was synchronous (-o): it waited for the log device or the drives."
    if payload["flush_timed"]:
        return "Writes were cached; the time includes the flush at the end (-e)."
    if payload["each_synced"] is None:
        return (
            "We can’t tell whether writes were synchronous: the command and the head of the output are missing. Only "
            "-o makes them so."
        )
    return (
        "Writes were cached: only -o makes them synchronous, and -e adds a flush at the end. Neither was given, so "
        "these figures say nothing about a log device."
    )


def memory_note(payload: Payload) -> str:
    """Which files fit in memory, and what that means for reads; "" if none does or there are no reads."""
    memory = memory_of(payload)
    if READS.isdisjoint(operations_of(payload)):
        return ""
    if not memory:
        return "The machine’s memory isn’t stated: reads of files that fit into it never reach the drives."
    fitting = [row for row in payload["rows"] if fits_in_memory(payload, row)]
    if not fitting:
        return ""
    which = (
        "All files fit"
        if len(fitting) == len(payload["rows"])
        else f"Files up to {format_file(max(data_of(row) or 0 for row in fitting))} fit"
    )
    return f"{which} into {memory_label(payload)}: their reads show memory, not the drives."


def partial_records(payload: Payload) -> Iterator[str]:
    """How much slower writes of part of a record are, where it is more than their size explains."""
    whole = payload["record_size"]
    if not whole:
        return
    for operation in PARTIAL:
        for line in lines_of(payload, operation, RECORD)[:1]:
            rates = {point.at: point.mib_s for point in line.points}
            smaller = [size for size in rates if size < whole]
            if whole not in rates or not smaller:
                continue
            size = max(smaller)
            times = rates[whole] / rates[size]
            if times >= SLOWER * whole / size:
                what = {"random_write": "random writes", "rewrite": "rewrites"}.get(operation, operation)
                yield (
                    f"{format_block_size(size)} {what} at recordsize {format_block_size(whole)}: "
                    f"{format_times(times)} slower than whole records. Each one reads and rewrites a record."
                )
