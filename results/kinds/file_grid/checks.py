"""Explain figures of a grid that can't be those of drives: memory, compression, writes that were never synced."""

from collections.abc import Iterator

from results.kinds.flags import COMPRESSED, IN_MEMORY, INTERRUPTED, UNSYNCED, ZEROS, Flag
from results.kinds.grid.lines import (
    data_of,
    fits_in_memory,
    format_file,
    memory_label,
    memory_of,
    operations_of,
)
from results.kinds.grid.operations import READS, WRITES
from results.kinds.metric import Payload

_FILLED = "iozone writes the same few bytes over and over"


def check_grid(payload: Payload, *, is_complete: bool) -> Iterator[Flag]:
    """The flags of a grid, the gravest first."""
    operations = set(operations_of(payload))
    if operations & WRITES:
        yield from _check_compression(payload)
    if operations & READS:
        yield from _check_memory(payload)
    if operations & WRITES:
        yield from _check_sync(payload)
    if not is_complete:
        yield Flag(INTERRUPTED, "Part of iozone’s output is missing or unreadable. We show the rest.")


def _check_compression(payload: Payload) -> Iterator[Flag]:
    compression = payload["compression"]
    if compression not in {"", "off"}:
        yield Flag(
            COMPRESSED,
            f"{_FILLED}, and the dataset compresses them ({compression}). Little reached the drives, so high figures "
            "show memory and CPU.",
        )
    elif not compression:
        yield Flag(
            ZEROS,
            f"{_FILLED}. If the dataset compresses, as most do, little reached the drives. Whether it does isn’t "
            "stated.",
        )


def _check_memory(payload: Payload) -> Iterator[Flag]:
    memory = memory_of(payload)
    largest = max((data for row in payload["rows"] if (data := data_of(row))), default=None)
    if memory and largest and all(fits_in_memory(payload, row) for row in payload["rows"]):
        yield Flag(
            IN_MEMORY,
            f"Even the largest file ({format_file(largest)}) fits into {memory_label(payload)}, so "
            "reads show the speed of memory, not of the drives.",
        )


def _check_sync(payload: Payload) -> Iterator[Flag]:
    mode = payload["sync_mode"]
    if payload["each_synced"] and mode == "disabled":
        yield Flag(
            UNSYNCED,
            "iozone asked for synchronous writes (-o), but sync=disabled ignores that: nothing waited for a drive or "
            "a log device.",
        )
    elif payload["each_synced"] is False and not payload["flush_timed"] and mode != "always":
        yield Flag(
            UNSYNCED,
            "Writes were cached (neither -o nor -e): the figures show memory until it fills up, and no log device "
            "was used.",
        )
