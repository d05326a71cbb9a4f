"""Keep what the commands of the page "Check my SLOG" print: the names of sections, counters, parameters.

What zpool, zfs and smartctl print between them is kept by the formats of these tools.
"""

import re

from parsers.base.format import Block, KeptLines, Masker
from parsers.live_log.counters import (
    COUNT,
    DISK,
    DISK_STAT,
    GSTAT_HEAD,
    KSTAT,
    PARAMETER,
    SYSCTL,
    TIME,
    gstat_cells,
)
from parsers.privacy.paths import mask_path
from parsers.zpool.keep import mask_data_set

HEADER = re.compile(r"=== (?P<name>[a-z]{3,12})(?: (?P<argument>[^\n]{1,255}))?")
VERSION = re.compile(r"zfs-kmod-v?(?P<numbers>[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})(?:[-_ ][^\n]{0,100})?")
_ARGUMENTS = {
    "pools": COUNT,
    "version": re.compile(r"Linux|FreeBSD"),
    "disk": DISK,
    "before": TIME,
    "after": TIME,
}
_BARE = frozenset({"status", "parameters", "properties", "queues", "gstat", "end"})
# The counters of zil.h and dmu_tx.h: a name of another shape may be anything
_OF_ZFS = re.compile(
    r"zil_commit_(?:writer_|error_|stall_|suspend_|crash_)?count|zil_itx_count"
    r"|zil_itx_(?:indirect|copied|needcopy)_(?:count|bytes)"
    r"|zil_itx_metaslab_(?:normal|slog)_(?:count|bytes|write|alloc)"
    r"|dmu_tx_(?:assigned|delay|error|suspended|group|memory_re(?:serve|claim)|quota|wrlog_delay)"
    r"|dmu_tx_dirty_(?:throttle|delay|over_max|frees_delay)"
)
_KSTAT_HEAD = re.compile(
    r"[0-9]{1,9} [0-9]{1,3} 0x[0-9a-f]{1,4}(?: [0-9]{1,20}){4}|name {1,60}type {1,10}data"
)


def starts(line: str) -> bool:
    """Whether a section begins at a line, or the table in that of gstat."""
    header = HEADER.fullmatch(line)
    if header is None:
        return gstat_cells(line)[:1] == GSTAT_HEAD
    return header["name"] in {"pool", *_ARGUMENTS, *_BARE}


def keep(block: Block, masks: Masker) -> KeptLines:
    return KeptLines([_keep_line(line, masks) for line in block.lines])


def _keep_line(line: str, masks: Masker) -> str | None:
    if header := HEADER.fullmatch(line):
        return _keep_header(header["name"], header["argument"] or "", masks)
    if kstat := KSTAT.fullmatch(line):
        return _keep_counter(f"{kstat['name']} {{}} ", kstat["name"], kstat["value"], masks)
    if counter := SYSCTL.fullmatch(line):
        scope = counter["scope"]
        if not scope.startswith("misc."):
            pool, _, objset = scope.rpartition(".dataset.")
            scope = f"{masks.pool(pool)}.dataset.{objset}"
        return _keep_counter(
            f"kstat.zfs.{scope}.{counter['name']}: ", counter["name"], counter["value"], masks
        )
    return _keep_other(line, masks)


def _keep_other(line: str, masks: Masker) -> str | None:
    """What names neither a pool nor a dataset; "" for the head of a kstat."""
    if (disk := DISK_STAT.fullmatch(line)) and _is_node(disk["disk"], masks):
        return f"/sys/block/{disk['disk']}/stat: {' '.join(disk['figures'].split())}"
    if parameter := PARAMETER.fullmatch(line):
        folder = "vfs.zfs." if line.startswith("vfs") else "/sys/module/zfs/parameters/"
        return f"{folder}{parameter['name']}:{parameter['value']}"
    if version := VERSION.fullmatch(line):
        return f"zfs-kmod-{version['numbers']}"
    if _KSTAT_HEAD.fullmatch(line):
        return ""
    cells = gstat_cells(line)
    is_kept = cells[:1] == GSTAT_HEAD or (cells and _is_node(cells[-1], masks))
    return " ".join(cells) if is_kept else None


def _is_node(name: str, masks: Masker) -> bool:
    """Whether a disk has the system's name. A missing one has only the label that its owner gave it."""
    return DISK.fullmatch(name) is not None and mask_path(f"/dev/{name}", masks) == f"/dev/{name}"


def _keep_header(name: str, argument: str, masks: Masker) -> str | None:
    if name == "pool":
        return f"=== pool {masks.pool(argument)}" if argument else "=== pool"
    if name in _BARE:
        return f"=== {name}"
    shape, argument = _ARGUMENTS.get(name), argument.strip()
    is_kept = shape and shape.fullmatch(argument) and (name != "disk" or _is_node(argument, masks))
    return f"=== {name} {argument}" if is_kept else None


def _keep_counter(before: str, name: str, value: str, masks: Masker) -> str | None:
    if name == "dataset_name":
        return before.format(7) + mask_data_set(value, masks)
    return before.format(4) + value if _OF_ZFS.fullmatch(name) and COUNT.fullmatch(value) else None
