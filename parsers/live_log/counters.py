"""The counters of a log device in use: those of ZFS and of its disks, at two times.

Sources: zil.h, dmu_tx.c and dataset_kstats.c of OpenZFS, spl-kstat.c for the form on Linux;
Documentation/block/stat.rst of Linux; gstat(8) of FreeBSD.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from parsers.base.readings import LiveDisk
from parsers.base.units import KIBIBYTE

MIN_WINDOW_S = 10  # a shorter time counts too little
_SECTOR = 512  # bytes, of /sys/block, whatever the disk's are
KSTAT = re.compile(r"(?P<name>[a-z0-9_]{3,60}) {1,60}[0-9] {1,10}(?P<value>[^ \n][^\n]{0,255})")
SYSCTL = re.compile(
    r"kstat\.zfs\.(?P<scope>misc\.zil|misc\.dmu_tx|[^\n]{1,255}\.dataset\.objset-0x[0-9a-f]{1,16})"
    r"\.(?P<name>[a-z0-9_]{3,60}): (?P<value>[^ \n][^\n]{0,255})"
)
DISK_STAT = re.compile(r"/sys/block/(?P<disk>[a-z0-9!-]{2,40})/stat:(?P<figures>[ 0-9]{21,400})")
PARAMETER = re.compile(
    r"(?:/sys/module/zfs/parameters/|vfs\.zfs\.)(?P<name>(?:zfs_|zil[_.]|txg\.)?"
    r"(?:nocacheflush|slog_bulk|(?:txg_)?timeout|dirty_data_max|wrlog_data_max)): {0,4}(?P<value>[0-9]{1,20})"
)
COUNTER = re.compile(
    r"(?:zil|dmu_tx)_[a-z0-9_]{1,50} {1,60}[0-9] |kstat\.zfs\.|/sys/block/[a-z0-9!-]{2,40}/stat:"
)
COUNT = re.compile(r"[0-9]{1,18}")
_FIGURES = range(11, 25)  # of a disk: 15 from Linux 4.18 on, 17 from 5.5 on
DISK = re.compile(r"[a-z][a-z0-9]{1,39}")
TIME = re.compile(r"[0-9]{9,11}")
# FreeBSD's names of the parameters
_PARAMETERS = {
    "zil.nocacheflush": "zil_nocacheflush",
    "zil_nocacheflush": "zil_nocacheflush",
    "zil.slog_bulk": "zil_slog_bulk",
    "zil_slog_bulk": "zil_slog_bulk",
    "txg.timeout": "zfs_txg_timeout",
}
GSTAT_HEAD = ["L(q)"]
_GSTAT_COLUMNS = frozenset("L(q) ops/s r/s w/s d/s o/s kBps kB ms/r ms/w ms/d ms/o %busy Name".split())  # noqa: SIM905
MIN_CELLS = 8  # of a row of gstat
_FIGURE = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,3})?")
Counters = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The counters at a time."""

    at_s: int
    zil: Counters
    dmu_tx: Counters
    datasets: Mapping[str, Counters]
    disks: Mapping[str, Sequence[int]]


def read_snapshot(time: str, lines: Sequence[str]) -> Snapshot | None:
    if not TIME.fullmatch(time.strip()):
        return None
    counters: defaultdict[str, dict[str, int]] = defaultdict(dict)
    names = {}  # of datasets: FreeBSD prints them last
    for scope, name, value in read_counters(lines):
        if name == "dataset_name":
            names[scope] = value
        elif COUNT.fullmatch(value):
            counters[scope].setdefault(name, int(value))
    disks = filter(None, map(DISK_STAT.fullmatch, lines))
    return Snapshot(
        int(time),
        zil=counters["misc.zil"],
        dmu_tx=counters["misc.dmu_tx"],
        datasets={name: counters[scope] for scope, name in names.items()},
        disks={
            match["disk"]: [int(figure) for figure in figures]
            for match in disks
            if len(figures := match["figures"].split()) in _FIGURES and all(map(COUNT.fullmatch, figures))
        },
    )


def read_counters(lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The scope, the name and the value of each counter; a scope is as FreeBSD names it, or a dataset's number."""
    datasets = 0
    for line in lines:
        if match := KSTAT.fullmatch(line):
            name = match["name"]
            datasets += name == "dataset_name"
            of_all = "misc.zil" if name.startswith("zil_") else "misc.dmu_tx"
            yield str(datasets) if datasets else of_all, name, match["value"]
        elif match := SYSCTL.fullmatch(line):
            yield match["scope"], match["name"], match["value"]


def find_fault(before: Snapshot | None, after: Snapshot | None) -> str | None:
    if before is None or after is None or not (before.zil and after.zil):
        return "incomplete"
    pairs = [(before.zil, after.zil), (before.dmu_tx, after.dmu_tx)]
    if after.at_s < before.at_s or any(
        new.get(name, count) < count for old, new in pairs for name, count in old.items()
    ):
        return "backwards"
    return "short" if after.at_s - before.at_s < MIN_WINDOW_S else None


def increments(before: Counters, after: Counters, *, new: int | None = None) -> Counters:
    """How much each counter grew; `new` is where those start that weren't there before."""
    start = {name: before.get(name, new) for name in after}
    return {
        name: after[name] - count
        for name, count in start.items()
        if count is not None and after[name] >= count
    }


def linux_disks(before: Snapshot, after: Snapshot) -> Iterator[LiveDisk]:
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


def gstat_disks(lines: Sequence[str]) -> Iterator[LiveDisk]:
    """The rows of gstat -b -o; of its columns called kBps the last is that of writes."""
    columns: Sequence[str] = []
    for line in lines:
        cells = gstat_cells(line)
        if cells[:1] == GSTAT_HEAD:
            columns = cells
        elif cells and len(cells) == len(columns):
            row = dict(zip(columns, cells, strict=True))
            if {"w/s", "kBps", "ms/w"} <= row.keys():
                writes, flushes = float(row["w/s"]), float(row["o/s"]) if "o/s" in row else None
                yield LiveDisk(
                    name=cells[-1],
                    writes_s=writes,
                    write_bytes_s=float(row["kBps"]) * KIBIBYTE,
                    write_us=float(row["ms/w"]) * 1000 if writes else None,
                    flushes_s=flushes,
                    flush_us=float(row["ms/o"]) * 1000 if flushes else None,
                )


def gstat_cells(line: str) -> list[str]:
    """The cells of its header or of a row: figures, and the name of a disk; [] for other lines."""
    cells = line.replace("|", " ").split()
    is_head = cells[:1] == GSTAT_HEAD and set(cells) <= _GSTAT_COLUMNS
    is_row = len(cells) > MIN_CELLS and all(map(_FIGURE.fullmatch, cells[:-1])) and DISK.fullmatch(cells[-1])
    return cells if is_head or is_row else []


def read_parameters(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    for line in lines:
        if match := PARAMETER.fullmatch(line):
            name = match["name"]
            yield (
                _PARAMETERS.get(name, name if name.startswith("zfs_") else f"zfs_{name}"),
                int(match["value"]),
            )
