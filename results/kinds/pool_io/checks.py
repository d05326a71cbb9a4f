"""Explain figures that can't be those of disks: memory, compression, writes that were never synced."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from parsers.base.target import Target
from results.advice.openzfs import bypasses_log, facts
from results.core.formats import format_capacity, format_memory, format_number
from results.kinds.flags import COMPRESSED, IN_MEMORY, INTERRUPTED, UNSYNCED, ZEROS, Flag
from results.kinds.pool.models import NO_LOG, READ, WRITE
from results.models.choices import DataContent

MEGABYTE = 10**6
DIRTY_SHARE = 0.1  # of memory: zfs_dirty_data_max_percent
SATA_BYTES_S = 600 * MEGABYTE  # what a SATA 6 Gb/s link carries at most
PAST_THE_LOG = "past_the_log"
FREEBSD = ("FreeBSD", "TrueNAS CORE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A run to be checked: its payload, the tool in words, what it wrote and how, its pool, and a day it was over."""

    payload: Mapping[str, Any]
    tool: str
    data_content: str | None
    layout: Sequence[Mapping[str, Any]]
    is_complete: bool
    target: Target = Target.FILE
    is_direct: bool | None = None
    platform: str = ""
    zfs_version: str = ""
    day: date | None = None

    @property
    def rate(self) -> float:
        return self.payload["throughput_bytes_s"] or 0.0

    @property
    def speed(self) -> str:
        return f"{format_number(self.rate / MEGABYTE)} MB/s"

    @property
    def is_write(self) -> bool:
        return bool(self.payload["direction"] == WRITE)

    @property
    def is_beyond_sata(self) -> bool:
        limit = _sata_limit(self.layout)
        return limit is not None and self.rate > limit


def check_workload(run: Workload) -> Iterator[Flag]:
    """The flags of a run, the gravest first."""
    if run.is_write and run.data_content == DataContent.ZEROS:
        yield from _check_zeros(run)
    yield from _check_memory(run)
    if run.is_write:
        yield from _check_sync(run)
        yield from _check_direct(run)
    if not run.is_complete:
        yield Flag(
            INTERRUPTED, f"{run.tool} was interrupted or failed: the figure is that of the part it had done."
        )


def _check_zeros(run: Workload) -> Iterator[Flag]:
    compression = run.payload["compression"]
    reads = "dd reads /dev/zero" if run.tool == "dd" else f"{run.tool} writes zeros"
    if compression not in {"", "off"}:
        yield Flag(
            COMPRESSED,
            f"{run.speed} of zeros is memory and compression: {reads} and the dataset compresses ({compression}), "
            "so next to nothing was written.",
        )
    elif not compression and (run.is_beyond_sata or run.rate > 2 * SATA_BYTES_S):
        yield Flag(
            COMPRESSED,
            f"{run.speed} of zeros is memory and compression, if these are SATA drives: {reads}, and if the dataset "
            "compresses, as most do, next to nothing was written.",
        )
    elif not compression:
        yield Flag(
            ZEROS,
            f"{reads}. If the dataset compresses, next to nothing was written: nobody states whether it does.",
        )


def _check_memory(run: Workload) -> Iterator[Flag]:
    data, memory = run.payload["data_bytes"], run.payload["arc_bytes"]
    if _fits_in_memory(run.payload):
        yield Flag(
            IN_MEMORY,
            f"The data ({format_capacity(data)}) fits into memory ({format_memory(memory)}), so this is the speed "
            "of memory, not of the drives.",
        )
    elif not run.is_write and run.is_beyond_sata:
        yield Flag(
            IN_MEMORY,
            f"{run.speed} is more than these drives can read over SATA, so much of it came from memory (ARC).",
        )


def _check_sync(run: Workload) -> Iterator[Flag]:
    is_synced, mode = run.payload["is_synced"], run.payload["sync_mode"]
    if is_synced and mode == "disabled":
        yield Flag(
            UNSYNCED,
            f"{run.tool} synced, but sync=disabled ignores that: nothing waited for a drive or a log device. Such a "
            "run shows the most that a log device could bring.",
        )
    elif is_synced is False and mode != "always":
        yield Flag(
            UNSYNCED,
            f"{run.tool} didn’t sync: it stops when the data is in memory, not when it is on the drives, and no log "
            "device is used unless sync=always.",
        )


def _check_direct(run: Workload) -> Iterator[Flag]:
    """Whether the data of synced writes may have bypassed the log device."""
    payload = run.payload
    is_synced = payload["sync_mode"] == "always" or (
        payload["is_synced"] and payload["sync_mode"] != "disabled"
    )
    if payload["log"] == NO_LOG or not is_synced or not run.is_direct:
        return
    if run.target is Target.ZVOL or run.platform.startswith(FREEBSD):
        return
    sizes = {"block_size": payload["block_size"], "record_size": payload["record_size"]}
    if not bypasses_log(run.zfs_version, day=run.day, **sizes):
        return
    since = facts()["direct"].since.removesuffix(".0")
    if run.zfs_version:
        which = f"On Linux, OpenZFS {run.zfs_version} writes such data"
    else:
        which = f"The version of OpenZFS isn’t stated; on Linux, {since} and newer write such data"
    yield Flag(
        PAST_THE_LOG,
        f"{run.tool} wrote to a file with O_DIRECT. {which} straight to the pool, past the log device, so the "
        "run may say nothing about it.",
    )


def _fits_in_memory(payload: Mapping[str, Any]) -> bool:
    """Whether memory alone can have held the data: ZFS reads from all of it, and delays writes beyond a tenth."""
    data, memory = payload["data_bytes"], payload["arc_bytes"]
    if not data or not memory:
        return False
    if payload["direction"] == READ:
        return bool(data <= memory)
    return payload["is_synced"] is False and bool(data <= memory * DIRTY_SHARE)


def _sata_limit(layout: Sequence[Mapping[str, Any]]) -> int | None:
    """What all data drives together take over SATA; None without a layout."""
    drives = 0
    for vdev in layout:
        if vdev["role"] != "data":
            continue
        members = vdev["members"] or 0
        if vdev["type"] == "mirror":
            drives += members or 2  # its reads come from all of them
        else:
            parity = int(vdev["type"][-1]) if vdev["type"][-1:].isdigit() else 0
            drives += max(1, members - parity)
    return drives * SATA_BYTES_S if drives else None
