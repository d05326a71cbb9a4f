"""Read what the commands of the page "Check my SLOG" print about a log device in use.

The text consists of sections, each below a line such as "=== before 1764481426". A section counts only if the line of
another one follows, so a text that was cut off states less, and nothing else. Names of pools and datasets are masked
unless anybody would give them. Sources: zil.h, dmu_tx.c and dataset_kstats.c of OpenZFS, spl-kstat.c for the form on
Linux; Documentation/block/stat.rst of Linux; gstat(8) of FreeBSD.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import groupby, pairwise
from typing import TypeVar

from parsers.base.format import Block, Outcome, ParseError
from parsers.base.readings import (
    Notice,
    ZfsPropertiesReading,
    ZpoolIostatReading,
    ZpoolStatusReading,
    ZpoolVdev,
)
from parsers.base.units import KIBIBYTE, scaled
from parsers.privacy.masks import Masks
from parsers.privacy.paths import mask_path
from parsers.text.decode import decode
from parsers.zpool.keep import mask_vdev
from parsers.zpool.read import read_block

MIN_WINDOW_S = 10  # in a shorter time too little is counted
MAX_DISKS = 8  # of one log
_SECTOR = 512  # bytes, of /sys/block, whatever the disk's are
_HEADER = re.compile(r"=== (?P<name>[a-z]{3,12})(?: (?P<argument>[^\n]{1,255}))?")
_KSTAT = re.compile(r"(?P<name>[a-z0-9_]{3,60}) {1,60}[0-9] {1,10}(?P<value>[^ \n][^\n]{0,255})")
_SYSCTL = re.compile(
    r"kstat\.zfs\.(?P<scope>misc\.zil|misc\.dmu_tx|[^\n]{1,255}\.dataset\.objset-0x[0-9a-f]{1,16})"
    r"\.(?P<name>[a-z0-9_]{3,60}): (?P<value>[^ \n][^\n]{0,255})"
)
_DISK_STAT = re.compile(r"/sys/block/(?P<disk>[a-z0-9!-]{2,40})/stat:(?P<figures>[ 0-9]{21,400})")
_PARAMETER = re.compile(
    r"(?:/sys/module/zfs/parameters/|vfs\.zfs\.)(?P<name>[a-z_.]{3,60}): {0,4}(?P<value>[0-9]{1,20})"
)
_VERSION = re.compile(r"zfs-kmod-v?(?P<numbers>[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})(?:[-_ ][^\n]{0,100})?")
_COUNT = re.compile(r"[0-9]{1,18}")
_FIGURES = range(11, 25)  # of a disk: 15 from Linux 4.18 on, 17 from 5.5 on
_DISK = re.compile(r"[a-z][a-z0-9]{1,39}")
_TIME = re.compile(r"[0-9]{9,11}")
# FreeBSD's names of the parameters
_PARAMETERS = {
    "zil.nocacheflush": "zil_nocacheflush",
    "zil_nocacheflush": "zil_nocacheflush",
    "zil.slog_bulk": "zil_slog_bulk",
    "zil_slog_bulk": "zil_slog_bulk",
    "txg.timeout": "zfs_txg_timeout",
}
_DEFAULTS = {"type": "filesystem", "sync": "standard", "logbias": "latency", "direct": "standard"}
_RECORD_SIZE = 128 * KIBIBYTE
_BLANK = "\u2423"  # of a dataset's name, while it is read
NO_SECTIONS = Notice(
    "no_sections",
    "This isn’t the output of our command block. Run the block unchanged, as root, and paste the whole file it"
    " writes, including the lines that start with “===”.",
)
Counters = Mapping[str, int]
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveDataset:
    """A dataset, its name masked; `data_bytes` were logged in the window, of them `indirect_bytes` past the log."""

    name: str
    type: str
    sync: str
    logbias: str
    direct: str
    record_size: int
    data_bytes: int = 0
    indirect_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveDisk:
    """What a disk of the log did: per second, and in microseconds on average; None without any, or not counted."""

    name: str
    writes_s: float
    write_bytes_s: float
    write_us: float | None
    flushes_s: float | None
    flush_us: float | None

    @property
    def busy(self) -> float | None:
        """Writes and flushes in progress on average: 1 if there is always one. None if flushes aren't counted."""
        if self.flushes_s is None:
            return None
        return (self.writes_s * (self.write_us or 0) + self.flushes_s * (self.flush_us or 0)) / 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveLog:
    """What a machine states about a pool's log; what isn't stated is None or missing.

    `zil` and `dmu_tx` are increments in `window_s`; `fault` says why there are none: "incomplete", "backwards" (the
    machine was restarted), "short". `zil` is of the pool if `is_of_pool`, else of all pools; `dmu_tx` is of all.
    """

    system: str | None = None  # as uname names it
    version: str | None = None  # of the kernel module
    pool: str | None = None  # masked
    pool_count: int | None = None
    logs: tuple[ZpoolVdev, ...] | None = None  # devices masked; None without zpool status
    window_s: int | None = None
    fault: str | None = None
    zil: Counters = field(default_factory=dict)
    dmu_tx: Counters = field(default_factory=dict)
    is_of_pool: bool = False
    datasets: tuple[LiveDataset, ...] | None = None
    disks: tuple[LiveDisk, ...] = ()
    samples: int = 0  # of zpool iostat, a second each
    queued_samples: int = 0  # those in which writes to the log waited
    log_bytes: int | None = None  # the size of the log vdevs
    used_bytes: int | None = None  # the most in use among the samples
    parameters: Counters = field(default_factory=dict)
    drives: Mapping[str, str] = field(default_factory=dict)  # what describes each disk of the log, not masked

    @property
    def branch(self) -> tuple[int, ...]:
        """The version in numbers; empty if it isn't stated."""
        return tuple(map(int, self.version.split("."))) if self.version else ()


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The counters at a time."""

    at_s: int
    zil: Counters
    dmu_tx: Counters
    datasets: Mapping[str, Counters]
    disks: Mapping[str, Sequence[int]]


def read_live_log(raw: str | bytes) -> LiveLog | Notice:
    """Read the output of the commands, or say why it can't be read."""
    try:
        sections = _sections(decode(raw, is_kept=False).split("\n"))
    except ParseError as error:
        return Notice(error.code, f"We couldn’t read this: {error}.")
    if not sections:
        return NO_SECTIONS
    masks = Masks("")
    argument = {name: argument for name, (argument, _) in sections.items()}

    def lines(name: str) -> Sequence[str]:
        return sections.get(name, ("", ()))[1]

    pool, count = argument.get("pool", ""), argument.get("pools", "").strip()
    version = next((match["numbers"] for match in map(_VERSION.fullmatch, lines("version")) if match), None)
    vdevs = next((reading.vdevs for reading in _zpool(lines("status"), ZpoolStatusReading)), None)
    before, after = (_snapshot(argument.get(name, ""), lines(name)) for name in ("before", "after"))
    fault = _fault(before, after)
    pool_count = int(count) if _COUNT.fullmatch(count) else None
    zil: Counters = {}
    grown: Mapping[str, Counters] = {}
    dmu_tx: Counters = {}
    disks: Sequence[LiveDisk] = list(_gstat(lines("gstat")))
    is_per_pool = version is not None and tuple(map(int, version.split("."))) >= (2, 2)
    if not fault and before and after:
        dmu_tx = _increments(before.dmu_tx, after.dmu_tx)
        grown = {
            name: _increments(before.datasets.get(name, {}), counters, new=0)
            for name, counters in after.datasets.items()
            if name.partition("/")[0] == pool
        }
        zil = _increments(before.zil, after.zil)
        if pool_count != 1 and is_per_pool:
            counted = [name for name in zil if all(name in each for each in grown.values())]
            zil = {name: sum(each[name] for each in grown.values()) for name in counted}
        disks = disks or list(_linux_disks(before, after))
    size, used, samples, queued = _log_rows(lines("queues"))
    return LiveLog(
        system=argument.get("version", "") or None,
        version=version,
        pool=mask_path(pool, masks) if pool else None,
        pool_count=pool_count,
        logs=None if vdevs is None else tuple(_masked(vdev, masks) for vdev in vdevs if vdev.role == "log"),
        window_s=after.at_s - before.at_s if before and after else None,
        fault=fault,
        zil=zil,
        dmu_tx=dmu_tx,
        is_of_pool=pool_count == 1 or bool(pool_count and is_per_pool and grown),
        datasets=_datasets(lines("properties"), grown, masks) if "properties" in sections else None,
        disks=tuple(disks[:MAX_DISKS]),
        samples=samples,
        queued_samples=queued,
        log_bytes=size,
        used_bytes=used,
        parameters=dict(_parameters(lines("parameters"))),
        drives=_drives(sections),
    )


def _sections(lines: Sequence[str]) -> dict[str, tuple[str, Sequence[str]]]:
    """The argument and the lines of each section; those of a disk have its name in theirs, too."""
    headers = [(at, match) for at, line in enumerate(lines) if (match := _HEADER.fullmatch(line.strip()))]
    found: dict[str, tuple[str, Sequence[str]]] = {}
    for (at, header), (end, _) in pairwise(headers):
        name, argument = header["name"], header["argument"] or ""
        key = f"{name} {argument}" if name == "disk" else name
        found.setdefault(key, (argument, [line.rstrip() for line in lines[at + 1 : end]]))
    return found


def _zpool(lines: Sequence[str], kind: type[R]) -> Iterator[R]:
    """What the parser of zpool and zfs reads."""
    block = Block(tuple(lines), tuple(range(1, len(lines) + 1)))
    outcome: Outcome = read_block(block) if any(lines) else Outcome()
    return (reading for reading in outcome.readings if isinstance(reading, kind))


def _snapshot(time: str, lines: Sequence[str]) -> _Snapshot | None:
    if not _TIME.fullmatch(time.strip()):
        return None
    counters: defaultdict[str, dict[str, int]] = defaultdict(dict)
    names = {}  # of datasets: FreeBSD prints them last
    for scope, name, value in _counters(lines):
        if name == "dataset_name":
            names[scope] = value
        elif _COUNT.fullmatch(value):
            counters[scope].setdefault(name, int(value))
    disks = filter(None, map(_DISK_STAT.fullmatch, lines))
    return _Snapshot(
        int(time),
        zil=counters["misc.zil"],
        dmu_tx=counters["misc.dmu_tx"],
        datasets={name: counters[scope] for scope, name in names.items()},
        disks={
            match["disk"]: [int(figure) for figure in figures]
            for match in disks
            if len(figures := match["figures"].split()) in _FIGURES and all(map(_COUNT.fullmatch, figures))
        },
    )


def _counters(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The scope, the name and the value of each counter; a scope is as FreeBSD names it, or a dataset's number."""
    datasets = 0
    for line in lines:
        if match := _KSTAT.fullmatch(line):
            name = match["name"]
            datasets += name == "dataset_name"
            of_all = "misc.zil" if name.startswith("zil_") else "misc.dmu_tx"
            yield str(datasets) if datasets else of_all, name, match["value"]
        elif match := _SYSCTL.fullmatch(line):
            yield match["scope"], match["name"], match["value"]


def _fault(before: _Snapshot | None, after: _Snapshot | None) -> str | None:
    if before is None or after is None or not (before.zil and after.zil):
        return "incomplete"
    pairs = [(before.zil, after.zil), (before.dmu_tx, after.dmu_tx)]
    if after.at_s < before.at_s or any(
        new.get(name, count) < count for old, new in pairs for name, count in old.items()
    ):
        return "backwards"
    return "short" if after.at_s - before.at_s < MIN_WINDOW_S else None


def _increments(before: Counters, after: Counters, *, new: int | None = None) -> Counters:
    """How much each counter grew; `new` is what those count from that weren't there before."""
    start = {name: before.get(name, new) for name in after}
    return {
        name: after[name] - count
        for name, count in start.items()
        if count is not None and after[name] >= count
    }


def _linux_disks(before: _Snapshot, after: _Snapshot) -> Iterator[LiveDisk]:
    """From /sys/block: number of writes, sectors and milliseconds, and of flushes from Linux 5.5 on."""
    seconds = after.at_s - before.at_s
    for name, figures in after.disks.items():
        old = before.disks.get(name, ())
        if len(old) != len(figures):
            continue
        grown = [new - count for new, count in zip(figures, old, strict=True)]
        if min(grown[4], grown[6], grown[7], *grown[15:17]) < 0:
            continue
        writes, sectors, write_ms = grown[4], grown[6], grown[7]
        flushes, flush_ms = grown[15:17] if len(grown) >= 17 else (None, 0)
        yield LiveDisk(
            name=name,
            writes_s=writes / seconds,
            write_bytes_s=sectors * _SECTOR / seconds,
            write_us=write_ms * 1000 / writes if writes else None,
            flushes_s=None if flushes is None else flushes / seconds,
            flush_us=flush_ms * 1000 / flushes if flushes else None,
        )


def _gstat(lines: Sequence[str]) -> Iterator[LiveDisk]:
    """The rows of gstat -b -o; of its columns called kBps the last is that of writes."""
    columns: list[str] = []
    for line in lines:
        cells = line.replace("|", " ").split()
        if cells[:2] == ["L(q)", "ops/s"]:
            columns = cells
        elif columns and len(cells) == len(columns) and all(map(_figure, cells[:-1])):
            row = dict(zip(columns, cells, strict=True))
            if {"w/s", "kBps", "ms/w"} <= row.keys() and _DISK.fullmatch(cells[-1]):
                writes, flushes = float(row["w/s"]), float(row["o/s"]) if "o/s" in row else None
                yield LiveDisk(
                    name=cells[-1],
                    writes_s=writes,
                    write_bytes_s=float(row["kBps"]) * KIBIBYTE,
                    write_us=float(row["ms/w"]) * 1000 if writes else None,
                    flushes_s=flushes,
                    flush_us=float(row["ms/o"]) * 1000 if flushes else None,
                )


def _figure(cell: str) -> bool:
    return re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]{1,3})?", cell) is not None


def _log_rows(lines: Sequence[str]) -> tuple[int | None, int | None, int, int]:
    """Of the log vdevs in `zpool iostat -vlqp`: size, the most in use, samples, and those in which writes waited."""
    size, used, samples, queued = None, None, 0, 0
    for reading in _zpool(lines, ZpoolIostatReading):
        for is_pool, rows in groupby(reading.rows, lambda row: row.role == "pool"):
            if is_pool:
                continue
            logs = [row.figures for row in rows if row.role == "log" and row.depth == 1]
            waiting = [row.get("syncq_write_pending") for row in logs]
            if not logs or None in waiting:
                continue
            samples += 1
            queued += any(waiting)
            alloc, free = (
                sum(row.get(name) or Decimal(0) for row in logs) for name in ("alloc_bytes", "free_bytes")
            )
            size, used = int(alloc + free), max(used or 0, int(alloc))
    return size, used, samples, queued


def _parameters(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    for line in lines:
        if match := _PARAMETER.fullmatch(line):
            name = match["name"]
            yield (
                _PARAMETERS.get(name, name if name.startswith("zfs_") else f"zfs_{name}"),
                int(match["value"]),
            )


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


def _drives(sections: Mapping[str, tuple[str, Sequence[str]]]) -> dict[str, str]:
    """The text of each disk's section, by its name."""
    of_disks = [
        section
        for key, section in sections.items()
        if key.startswith("disk ") and _DISK.fullmatch(section[0])
    ]
    return {name: "\n".join(lines) for name, lines in of_disks[:MAX_DISKS]}
