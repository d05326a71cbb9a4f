#!/usr/bin/env python3
"""slogprobe: how long one synchronous write takes. It needs Python 3.8 on Linux or FreeBSD, and nothing else.

It writes random data to random places of TARGET, one write at a time past the page cache, each followed by a flush
(fdatasync or, on a FreeBSD disk, DIOCGFLUSH, as ZFS uses for its log), and keeps the time of each: first to
warm up, since a rested drive is faster than a busy one, then at each size. Times are in microseconds.
"""

from __future__ import annotations

import argparse
import fcntl
import math
import mmap
import os
import platform
import random
import re
import signal
import stat
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

KIBIBYTES = (4, 8, 16, 32, 64, 128)  # what the ZIL writes
PAGE = 4096  # bytes, to which all writes are aligned, in memory as well
DATA_BYTES = 16 << 20  # random; each write takes a part of it
FILE_BYTES = 256 << 20
IN_MEMORY = ("tmpfs", "ramfs", "devtmpfs", "mfs")
DIOCGFLUSH = 0x20006487  # _IO('d', 135) in FreeBSD's sys/disk.h


def is_linux() -> bool:
    return platform.system() == "Linux"


def open_target(path: Path, *, overwrite: bool, is_buffered: bool) -> tuple[int, str]:
    """Its descriptor, and what it is: the path of a disk or partition, or a file on a type of file system."""
    mode = path.stat().st_mode if path.exists() else 0
    is_disk = stat.S_ISBLK(mode) if is_linux() else stat.S_ISCHR(mode)
    if mode and not (is_disk or stat.S_ISREG(mode)):
        sys.exit(f"slogprobe: {path} is neither a disk nor a partition nor a file")
    if mode and not overwrite:
        sys.exit(f"slogprobe: {path} exists: name a new file, or overwrite this one with --overwrite")
    if is_disk:  # O_EXCL fails if something else holds it, such as a mount or a pool
        return os.open(path, os.O_RDWR | os.O_DIRECT | (os.O_EXCL if is_linux() else 0)), str(path.resolve())
    table = subprocess.check_output(["df", "-PT", str(path.resolve().parent)], text=True)
    kind = (re.findall(r"\s(\S+)(?:\s+-?\d+){3}\s+\S+\s+/", table) or ["unknown"])[0]
    if kind in IN_MEMORY:
        sys.exit(f"slogprobe: {kind} is memory, where nothing is durable: name a file on a disk")
    descriptor = os.open(path, os.O_RDWR | (0 if mode else os.O_CREAT | os.O_EXCL), 0o600)
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETFL, 0 if is_buffered else os.O_DIRECT)
    except OSError:
        if not mode:
            path.unlink()
        sys.exit(f"slogprobe: {kind} has no O_DIRECT, so this would measure its page cache")
    return descriptor, f"a file on {kind}"


def measure(
    descriptor: int, flush: Callable[[int], object], data: memoryview, size: int, seconds: float
) -> array[int]:
    """The nanoseconds of each write of `size` bytes with its flush."""
    places, parts = os.lseek(descriptor, 0, os.SEEK_END) // size, (len(data) - size) // PAGE
    clock, times = time.perf_counter_ns, array("Q")
    begin, end = clock(), clock() + seconds * 1e9
    while not times or begin < end:
        at, place = random.randrange(parts) * PAGE, random.randrange(places) * size
        part = data[at : at + size]
        begin = clock()
        written = os.pwrite(descriptor, part, place)
        flush(descriptor)
        times.append(clock() - begin)
        if written != size:
            sys.exit("slogprobe: a write was cut short")
    return times


def row(kibibytes: int, times: array[int]) -> str:
    ordered, count = sorted(times), len(times)
    ranks = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999, "max": 1}
    shown = [f"{name} {ordered[math.ceil(rank * count) - 1] / 1000:.2f}" for name, rank in ranks.items()]
    return f"{kibibytes} KiB: {count} writes, mean {sum(ordered) / count / 1000:.2f}, {', '.join(shown)} us"


def read(folder: Path, *patterns: str) -> str:
    """The first of these files of the kernel; empty where it has none, as on FreeBSD."""
    try:
        return next(path for each in patterns for path in folder.glob(each)).read_text().strip()
    except (OSError, StopIteration):
        return ""


def folder_of(descriptor: int) -> Path:
    """Linux's folder about the disk that was opened, or that the file or partition is on."""
    found = os.fstat(descriptor)
    device = found.st_rdev or found.st_dev
    folder = Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").resolve()
    return folder.parent if (folder / "partition").exists() else folder


def temperature(disk: Path) -> str:
    milli = read(disk, "device/hwmon*/**/temp1_input", "device/nvme*/hwmon*/temp1_input")
    return f"{int(milli) // 1000} C" if milli else "not stated"


def flushes(disk: Path) -> int:
    """How many the disk has completed, as Linux counts since 5.5; -1 if it doesn't, as for one of several paths."""
    figures = read(disk, "stat").split() if (disk / "mq").exists() else []
    return int(figures[15]) if len(figures) > 15 else -1


def link(disk: Path) -> str:
    port = re.search(r"/ata(\d+)/", str(disk))
    sata = read(Path("/sys/class/ata_link"), f"link{port[1]}/sata_spd") if port else ""
    ways = ("device/device/current_link_", "device/nvme*/device/current_link_")  # the second of several paths
    speed, width = (read(disk, *(f"{way}{name}" for way in ways)) for name in ("speed", "width"))
    return f"SATA {sata}" if sata else f"{speed} x{width}" if speed and width else "not stated"


def probe(descriptor: int, name: str, data: memoryview, seconds: Sequence[float]) -> None:
    is_sync, disk = is_linux() or " " in name, folder_of(descriptor)
    flush = os.fdatasync if is_sync else lambda disk: fcntl.ioctl(disk, DIOCGFLUSH)
    print("slogprobe 1\nsystem:", platform.system(), *re.findall(r"^\d+(?:\.\d+){0,2}", platform.release()))
    print(f"target: {name}, {os.lseek(descriptor, 0, os.SEEK_END)} bytes\nlink: {link(disk)}")
    print("flush:", "fdatasync" if is_sync else "DIOCGFLUSH")
    for state in filter(lambda state: read(disk, state), ("queue/write_cache", "queue/fua")):
        print(f"/sys/block/{disk.name}/{state}:{read(disk, state)}")
    print(f"temperature before: {temperature(disk)}\nwarm-up: {seconds[0]:g} s", flush=True)
    first = flushes(disk)
    writes = len(measure(descriptor, flush, data, PAGE, seconds[0]))
    for kibibytes in KIBIBYTES:
        times = measure(descriptor, flush, data, kibibytes * 1024, seconds[1 if kibibytes <= 8 else 2])
        writes += len(times)
        print(row(kibibytes, times), flush=True)
    counted = "not counted" if first < 0 else f"{flushes(disk) - first} completed"
    print(f"temperature after: {temperature(disk)}\nflushes: {counted} for {writes} writes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path, help="a disk, a partition, or a new file, removed at the end")
    parser.add_argument("--overwrite", action="store_true", help="DESTROY what is on the target")
    lengths = "of the warm-up, of each size to 8 KiB, of each larger one"
    parser.add_argument("--seconds", type=float, nargs=3, default=(60, 30, 10), help=lengths)
    parser.add_argument("--unflushed", type=float, help="only 8 KiB through the page cache, for so long")
    asked = parser.parse_args()
    path, is_new, data = asked.target, False, memoryview(mmap.mmap(-1, DATA_BYTES))
    data[:] = os.urandom(DATA_BYTES)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("slogprobe: stopped"))
    try:
        was_there = path.exists()
        descriptor, name = open_target(path, overwrite=asked.overwrite, is_buffered=bool(asked.unflushed))
        is_new = not was_there
        for at in range(0, FILE_BYTES * is_new, DATA_BYTES):
            os.pwrite(descriptor, data, at)
        if asked.unflushed:
            print(row(8, measure(descriptor, bool, data, 8192, asked.unflushed)))
        else:
            probe(descriptor, name, data, asked.seconds)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"slogprobe: {error}")
    finally:
        if is_new:
            path.unlink()


if __name__ == "__main__":
    main()
