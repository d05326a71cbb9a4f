"""Made-up fio ladders of several writers, for devices with made-up results: parsed from their texts."""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from parsers.base.device_class import DeviceClass
from parsers.fio.slog import LADDER_WRITERS, SECONDS_A_RUNG, writers_command
from results.demo.draw import DemoRun
from results.demo.store import store_text, unit_digest
from results.demo.text import SERIAL_MASK, smartctl_lines
from results.models.fields import SLOT_4K

PATHS = {
    DeviceClass.NVME: "/dev/nvme0n1",
    DeviceClass.OPTANE: "/dev/nvme0n1",
    DeviceClass.SATA_SSD: "/dev/sda",
}
SYSTEM = "x86_64-linux-6.6.32-production+truenas"
SHARES = (0.1, 0.6)  # of a write's time, during which the device serves no other


def store_ladders(drawn: Iterable[DemoRun], count: int) -> None:
    """Store a ladder for each of the first `count` devices whose class is in PATHS."""
    first_runs = {made.device: made for made in drawn if made.device.range.device_class in PATHS}
    for made in islice(first_runs.values(), count):
        unit = unit_digest(made)
        store_text(ladder_text(made), sender_digest=unit, unit_digests={SERIAL_MASK: unit})


def ladder_text(made: DemoRun) -> str:
    """A kept paste of fio's groups with 1, 2, 4, 8 and 16 writers and of the top of `smartctl -a`."""
    path = PATHS[made.device.range.device_class]
    groups = list(enumerate(LADDER_WRITERS))
    command = writers_command(path).replace(" --output-format=json", "")
    lines = [
        f"$ {command}",
        *(line for group, writers in groups for line in _setup(group, writers)),
        "fio-3.36",
        f"Starting {sum(LADDER_WRITERS)} processes",
        "",
        *(line for group, writers in groups for line in _result(made, group, writers)),
        "",
        *smartctl_lines(replace(made, system=SYSTEM)),
        "",
    ]
    return "\n".join(lines)


def _setup(group: int, writers: int) -> list[str]:
    size = "(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B"
    line = f"writers{writers}: (g={group}): rw=randwrite, bs={size}, ioengine=psync, iodepth=1"
    return [line] if writers == 1 else [line, "..."]


def _result(made: DemoRun, group: int, writers: int) -> list[str]:
    iops = ladder_iops(made, writers)
    wait_us = writers * 1e6 / iops
    stamp = made.measured_on.strftime("%a %b %d 12:00:00 %Y")
    rate = (
        f"BW={iops * 4}KiB/s ({iops * 4.096:.0f}kB/s)({iops * 4 * SECONDS_A_RUNG}KiB/{SECONDS_A_RUNG}000msec)"
    )
    return [
        f"writers{writers}: (groupid={group}, jobs={writers}): err= 0: pid={700 + group}: {stamp}",
        f"  write: IOPS={iops}, {rate}; 0 zone resets",
        f"     lat (usec): min=2, max=99000, avg={wait_us * 0.2:.2f}, stdev= 4.10",
        "  fsync/fdatasync/sync_file_range:",
        f"    sync (usec): min=4, max=99000, avg={wait_us * 0.8:.2f}, stdev=20.00",
        "  cpu          : usr=0.10%, sys=0.20%, ctx=2500, majf=0, minf=10",
    ]


def ladder_iops(made: DemoRun, writers: int) -> int:
    """Writes per second of that many writers: part of each write waits for the others'."""
    latency_us = made.curve[SLOT_4K] or made.device.floor_us
    source = random.Random(f"ladder of {made.device.model_name}")  # noqa: S311 - made-up data, not secrets
    share = source.uniform(*SHARES)
    return max(1, round(1e6 / latency_us * writers / (1 + (writers - 1) * share)))
