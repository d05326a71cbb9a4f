"""Made-up pools: a layout, a made-up device as log device or none, dd, fio or iozone on it, read from their texts."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from string import ascii_lowercase
from typing import NamedTuple

from parsers.base.device_class import DeviceClass
from results.core.security.digests import digest_text
from results.demo.draw import DemoRun
from results.demo.store import store_text, unit_digest
from results.demo.text import SERIAL_MASK, smartctl_lines
from results.models.fields import SLOT_4K

POOL, DATA_SET = "[pool-1]", "[pool-1]/[pool-2]"  # the masks of names
LOG_CLASSES = (DeviceClass.NVME, DeviceClass.OPTANE)
LOG_NODE = "nvme0n1"
_DISK_US = 6000.0  # a sync write to hard disks
_DISK_KIB_S = 140_000  # a hard disk's stream
_ON_THE_WAY_US = 60.0  # of a sync write, beside that of the log device
_LAYOUTS: Sequence[tuple[str, int, int]] = (  # type, members, vdevs
    ("mirror", 2, 2),
    ("raidz1", 4, 1),
    ("raidz2", 6, 1),
    ("mirror", 2, 5),
    ("raidz2", 8, 2),
    ("disk", 1, 2),
)
_SYNC_MODES = ("always", "standard")
_WRITERS = (1, 4, 16)


class DemoPool(NamedTuple):
    """A made-up pool; `run` is of its log device, None without one."""

    layout: tuple[str, int, int]
    sync_mode: str
    writers: int
    run: DemoRun | None


def draw_pools(drawn: Iterable[DemoRun], count: int) -> Iterator[DemoPool]:
    """`count` pools, every third without a log device, the others with the first devices of LOG_CLASSES."""
    first_runs = {made.device: made for made in drawn if made.device.range.device_class in LOG_CLASSES}
    logs = list(islice(first_runs.values(), max(1, count // 2)))
    for number in range(count):
        yield DemoPool(
            _LAYOUTS[number % len(_LAYOUTS)],
            _SYNC_MODES[number // 2 % len(_SYNC_MODES)],
            _WRITERS[number % len(_WRITERS)],
            logs[number % len(logs)] if logs and number % 3 else None,
        )


def store_pools(drawn: Iterable[DemoRun], count: int) -> None:
    """Store as many pools, each from a sender of its own."""
    for number, pool in enumerate(draw_pools(drawn, count), 1):
        store_text(
            pool_text(number, pool),
            sender_digest=digest_text(f"made up pool {number}")[:32],
            unit_digests={SERIAL_MASK: unit_digest(pool.run)} if pool.run else {},
        )


def pool_text(number: int, pool: DemoPool) -> str:
    """A kept paste of zpool status, zfs get, dd, fio and, with a log device, smartctl, else iozone."""
    source = random.Random(f"pool {number}")  # noqa: S311 - made-up data, not secrets
    lines = [*_status(pool), "", *_properties(pool), "", *_dd(source), "", *_fio(pool, source), ""]
    if pool.run:
        lines += [f"$ smartctl -a /dev/{LOG_NODE}", *smartctl_lines(pool.run), ""]
    else:
        lines += [*_iozone(pool, source), ""]
    return "\n".join(lines)


def _status(pool: DemoPool) -> Iterator[str]:
    yield from (
        f"$ zpool status {POOL}",
        f"  pool: {POOL}",
        " state: ONLINE",
        "config:",
        "",
        " " * 8 + "NAME  STATE  READ  WRITE  CKSUM",
        _row(0, POOL),
    )
    kind, members, vdevs = pool.layout
    disks = (f"sd{letter}" for letter in ascii_lowercase)
    for vdev in range(vdevs):
        is_group = kind != "disk"
        if is_group:
            yield _row(1, f"{kind}-{vdev}")
        for disk in islice(disks, members):
            yield _row(2 if is_group else 1, disk)
    if pool.run:
        yield from (" " * 8 + "logs", _row(1, LOG_NODE))


def _row(depth: int, name: str) -> str:
    return f"{' ' * (8 + 2 * depth)}{name}  ONLINE  0  0  0"


def _properties(pool: DemoPool) -> list[str]:
    return [
        "NAME  PROPERTY  VALUE  SOURCE",
        f"{DATA_SET}  recordsize  128K  default",
        f"{DATA_SET}  compression  lz4  local",
        f"{DATA_SET}  sync  {pool.sync_mode}  local",
    ]


def _dd(source: random.Random) -> list[str]:
    seconds = source.uniform(1.2, 4.0)
    size = 4194304000
    return [
        f"$ dd if=/dev/zero of=/{DATA_SET}/x bs=1M count=4000",
        "4000+0 records in",
        "4000+0 records out",
        f"{size} bytes (4.2 GB, 3.9 GiB) copied, {seconds:.4f} s, {size / seconds / 1e9:.1f} GB/s",
    ]


def _fio(pool: DemoPool, source: random.Random) -> list[str]:
    wait_us = pool_write_us(pool) * source.uniform(0.9, 1.2)
    iops = max(1, round(pool.writers * 1e6 / wait_us))
    rate = f"BW={iops * 4}KiB/s ({iops * 4.096:.0f}kB/s)({iops * 120}KiB/30000msec)"
    path = f"/{DATA_SET}/[pool-3]"
    return [
        f"$ fio --name=t --filename={path} --rw=randwrite --bs=4k --size=1g --numjobs={pool.writers} --ioengine=psync"
        " --sync=1 --group_reporting --runtime=30 --time_based",
        "t: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1",
        *(["..."] if pool.writers > 1 else []),
        "fio-3.36",
        f"Starting {pool.writers} process{'es' if pool.writers > 1 else ''}",
        "",
        f"t: (groupid=0, jobs={pool.writers}): err= 0: pid=700: Mon Jun  2 12:00:00 2025",
        f"  write: IOPS={iops}, {rate}; 0 zone resets",
        f"     lat (usec): min=40, max=99000, avg={wait_us:.2f}, stdev=30.00",
        "  cpu          : usr=0.10%, sys=0.20%, ctx=2500, majf=0, minf=10",
    ]


def _iozone(pool: DemoPool, source: random.Random) -> Iterator[str]:
    """Writes, reads and random ones at some record sizes; random writes of less than a record are slow."""
    kind, members, vdevs = pool.layout
    written = vdevs * (
        1 if kind == "mirror" else max(1, members - (int(kind[-1]) if kind[-1].isdigit() else 0))
    )
    read = members * vdevs if kind == "mirror" else written
    yield from (
        "Command line used: iozone -s 64g -r 64k -r 128k -r 512k -r 1m -r 4m -i 0 -i 1 -i 2",
        "Output is in kBytes/sec",
        "kB reclen write rewrite read reread read write",
    )
    for size in (64, 128, 512, 1024, 4096):
        whole = min(1.0, size / 4096 + 0.1)
        rates = (
            *(written * _DISK_KIB_S,) * 2,
            *(read * _DISK_KIB_S,) * 2,
            read * _DISK_KIB_S * whole,
            written * _DISK_KIB_S * (whole if size >= 128 else 0.02),
        )
        yield f"{64 << 20} {size} {' '.join(str(round(rate * source.uniform(0.95, 1.05))) for rate in rates)}"
    yield ""
    yield "iozone test complete."


def pool_write_us(pool: DemoPool) -> float:
    """How long a sync write of 4 KiB takes: the log device's and what is on the way, or the disks'."""
    if pool.run is None:
        return _DISK_US
    return (pool.run.curve[SLOT_4K] or pool.run.device.floor_us) + _ON_THE_WAY_US
