"""Read what the commands of the page "Check my SLOG" print about a log device in use.

Names of pools and datasets are masked unless they are common ones.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import groupby, islice
from typing import TypeVar

from parsers.base.format import Block, Format, Outcome, ParseError
from parsers.base.readings import (
    LiveDataset,
    LiveDisk,
    LiveLogReading,
    Notice,
    ZfsPropertiesReading,
    ZpoolIostatReading,
    ZpoolStatusReading,
    ZpoolVdev,
)
from parsers.base.target import Node, Target, is_same_disk, node_of, target_of, without_layers
from parsers.base.units import KIBIBYTE, scaled
from parsers.live_log.bare import bare_sections
from parsers.live_log.counters import (
    COUNT,
    COUNTER,
    DISK,
    Counters,
    find_fault,
    gstat_disks,
    increments,
    linux_disks,
    read_parameters,
    read_snapshot,
)
from parsers.live_log.keep import VERSION, keep, starts
from parsers.live_log.sections import Section, has_header, marked_sections
from parsers.privacy.masks import Masks
from parsers.privacy.paths import mask_path
from parsers.text.decode import decode
from parsers.zpool.keep import mask_vdev
from parsers.zpool.read import read_block

MAX_DISKS = 8  # of one log
_DEFAULTS = {"type": "filesystem", "sync": "standard", "logbias": "latency", "direct": "standard"}
_RECORD_SIZE = 128 * KIBIBYTE
_BLANK = "\u2423"  # of a dataset's name, while it is read
NO_SECTIONS = Notice(
    "no_sections",
    "This isn’t the output of our command block. Run the block unchanged, as root, and paste the whole file it"
    " writes, including the lines that start with “===”. Or paste the complete output of single commands, such as"
    " zpool status.",
)
R = TypeVar("R")


_NOTHING = Section("", ())


def read_live_log(raw: str | bytes) -> LiveLogReading | Notice:
    """Read the output of the block or of single commands, or say why it can't be read."""
    try:
        text = decode(raw, is_kept=False)
    except ParseError as error:
        return Notice(error.code, f"We couldn’t read this: {error}.")
    lines = text.split("\n")
    if has_header(lines):
        sections = marked_sections(lines)
        return _read(sections) if sections else NO_SECTIONS
    # A figure at the very end may have been cut off
    sections = bare_sections([line.rstrip() for line in (lines[:-1] if COUNTER.match(lines[-1]) else lines)])
    return _read(sections, is_marked=False) if sections else NO_SECTIONS


def read_kept(lines: Sequence[str]) -> LiveLogReading | None:
    """The same from the lines of a kept text, whose drives are readings of their own; None without our headers."""
    sections = marked_sections(lines)
    return replace(_read(sections), drives={}) if sections else None


def _read(sections: Mapping[str, Section], *, is_marked: bool = True) -> LiveLogReading:
    """Single commands, which aren't marked, print all disks of the machine: those of the log are chosen by name."""
    masks = Masks("")

    def of(name: str) -> Section:
        return sections.get(name, _NOTHING)

    pool, count = of("pool").argument, of("pools").argument
    numbers = next(filter(None, map(VERSION.fullmatch, of("version").lines)), None)
    version = numbers["numbers"] if numbers else None
    vdevs = next((reading.vdevs for reading in _zpool(of("status").lines, ZpoolStatusReading)), None)
    before, after = (read_snapshot(of(name).argument, of(name).lines) for name in ("before", "after"))
    fault = find_fault(before, after)
    pool_count = int(count) if COUNT.fullmatch(count) else None
    zil: Counters = {}
    grown: Mapping[str, Counters] = {}
    dmu_tx: Counters = {}
    disks: Sequence[LiveDisk] = list(gstat_disks(of("gstat").lines))
    is_per_pool = version is not None and tuple(map(int, version.split("."))) >= (2, 2)
    if not fault and before and after:
        dmu_tx = increments(before.dmu_tx, after.dmu_tx)
        grown = {
            name: increments(before.datasets.get(name, {}), counters, new=0)
            for name, counters in after.datasets.items()
            if name.partition("/")[0] == pool
        }
        zil = increments(before.zil, after.zil)
        if pool_count != 1 and is_per_pool:
            counted = [name for name in zil if all(name in each for each in grown.values())]
            zil = {name: sum(each[name] for each in grown.values()) for name in counted}
        disks = disks or list(linux_disks(before, after))
    logs = None if vdevs is None else tuple(_masked(vdev, masks) for vdev in vdevs if vdev.role == "log")
    nodes = None if is_marked else _nodes(logs or ())
    disks = [disk for disk in disks if nodes is None or _is_any_of(disk.name, nodes)]
    drives = {name: text for name, text in _drives(sections) if not nodes or _is_any_of(name, nodes)}
    size, used, samples, queued = _log_rows(of("queues").lines)
    return LiveLogReading(
        first_line=min(section.first_line for section in sections.values()),
        last_line=max(section.first_line + len(section.lines) + 1 for section in sections.values()),
        measured_on=datetime.fromtimestamp(after.at_s, UTC).date() if after else None,
        system=of("version").argument or None,
        version=version,
        pool=mask_path(pool, masks) if pool else None,
        pool_count=pool_count,
        logs=logs,
        window_s=after.at_s - before.at_s if before and after else None,
        fault=fault,
        zil=zil,
        dmu_tx=dmu_tx,
        is_of_pool=pool_count == 1 or bool(pool_count and is_per_pool and grown),
        datasets=_datasets(of("properties").lines, grown, masks) if "properties" in sections else None,
        disks=tuple(disks[:MAX_DISKS]),
        samples=samples,
        queued_samples=queued,
        log_bytes=size,
        used_bytes=used,
        parameters=dict(read_parameters(of("parameters").lines)),
        drives=dict(islice(drives.items(), MAX_DISKS)),
        is_marked=is_marked,
    )


def _zpool(lines: Sequence[str], kind: type[R]) -> Iterator[R]:
    """What the parser of zpool and zfs reads."""
    block = Block(tuple(lines), tuple(range(1, len(lines) + 1)))
    outcome: Outcome = read_block(block) if any(lines) else Outcome()
    return (reading for reading in outcome.readings if isinstance(reading, kind))


def _log_rows(lines: Sequence[str]) -> tuple[int | None, int | None, int, int]:
    """Of the log vdevs in `zpool iostat -vlqp`: size, the most in use, samples, and those in which writes waited."""
    size, used, samples, queued = None, None, 0, 0
    for reading in _zpool(lines, ZpoolIostatReading):
        for is_pool, rows in groupby(reading.rows, lambda row: row.role == "pool"):
            if is_pool:
                continue
            logs = [row.figures for row in rows if row.role == "log" and row.depth == 1]
            if not logs:
                continue
            waiting = [row.get("syncq_write_pending") for row in logs]
            samples += None not in waiting
            queued += None not in waiting and any(waiting)
            alloc, free = (
                sum(row.get(name) or Decimal(0) for row in logs) for name in ("alloc_bytes", "free_bytes")
            )
            size, used = int(alloc + free), max(used or 0, int(alloc))
    return size, used, samples, queued


def _datasets(lines: Sequence[str], grown: Mapping[str, Counters], masks: Masks) -> tuple[LiveDataset, ...]:
    """Those of `zfs get`; properties that it doesn't print have their defaults."""
    columns = (line.partition("  ") for line in lines)
    rows = ["".join([name.replace(" ", _BLANK), *values]) for name, *values in columns]
    readings = _zpool(rows, ZfsPropertiesReading)
    stated = {(reading.name or "").replace(_BLANK, " "): reading.properties for reading in readings}
    found = []
    for name, properties in stated.items():
        counted = grown.get(name, {})
        kinds = [counted.get(f"zil_itx_{kind}_bytes", 0) for kind in ("indirect", "copied", "needcopy")]
        found.append(
            LiveDataset(
                name=mask_path(name, masks),
                record_size=_size(properties.get("recordsize", "")) or _RECORD_SIZE,
                data_bytes=sum(kinds),
                indirect_bytes=kinds[0],
                **{key: properties.get(key, default) for key, default in _DEFAULTS.items()},
            )
        )
    return tuple(found)


def _size(text: str) -> int | None:
    match = re.fullmatch(r"(?P<number>[0-9]{1,12})(?P<unit>[KM]?)", text)
    return int(scaled(match["number"], match["unit"], kilo=KIBIBYTE)) if match else None


def _masked(vdev: ZpoolVdev, masks: Masks) -> ZpoolVdev:
    return replace(vdev, devices=tuple(mask_vdev(device, masks) for device in vdev.devices))


def _nodes(logs: Sequence[ZpoolVdev]) -> set[Node]:
    """The disks of a log, as far as their names are nodes."""
    nodes = (node_of(without_layers(device)) for vdev in logs for device in vdev.devices)
    return set(filter(None, nodes))


def _is_any_of(name: str, nodes: Collection[Node]) -> bool:
    """Whether a name is that of one of these disks, and not of a partition."""
    is_entire = target_of(f"/dev/{name}") is Target.DEVICE
    return is_entire and any(is_same_disk(node_of(name), node) for node in nodes)


def _drives(sections: Mapping[str, Section]) -> Iterator[tuple[str, str]]:
    """Each disk's name, and the text of its section."""
    for key, section in sections.items():
        if key.startswith("disk ") and DISK.fullmatch(section.argument):
            yield section.argument, "\n".join(section.lines)


FORMAT = Format(
    "slog_check",
    starts,
    keep,
    lambda _block: Outcome(),  # several blocks are one reading: read_kept
    markers=("=== before ",),
    hint=re.compile(r"=== [a-z]|\s*L\(q\)"),
    names=("our SLOG check",),
)
