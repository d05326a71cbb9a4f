"""Draws devices, units and runs from ranges that are realistic for each class. The same seed draws the same."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import accumulate

from parsers.base.device_class import DeviceClass
from parsers.base.units import GIGABYTE, MEBIBYTE
from results.models.fields import BLOCK_SIZES

MAKERS = ("Aldera", "Borealis", "Corvant", "Dunmore", "Estrel", "Fenwick", "Galvin", "Hollis")
SYSTEMS = ("FreeBSD 13.1-RELEASE-p9 amd64", "FreeBSD 13.3-RELEASE amd64", "FreeBSD 14.1-RELEASE amd64")
FIRST_DAY = date(2019, 1, 1)
DAYS = 7 * 365
UNIT_SPREAD = 0.12  # of the natural log, between units of a device
RUN_SPREAD = 0.03  # between runs of a unit
POINT_SPREAD = 0.02  # between the sizes of a run
GROSS_FAULT_SHARE = 0.01  # runs on a busy or misconfigured host
DEVICES_PER_RESULT = 0.04


@dataclass(frozen=True, slots=True)
class ClassRange:
    """A class of devices, with the ranges of flush floor and bandwidth that they are drawn from.

    `command_set` is what smartctl uses for them, None if it doesn't support them; `disk` is FreeBSD's name of the
    first of them.
    """

    device_class: DeviceClass
    family: str
    share: float
    floor_us: tuple[float, float]
    bandwidth_mib_s: tuple[float, float]
    capacities_gb: tuple[int, ...]
    command_set: str | None = "nvme"
    disk: str = "da0"
    sector_sizes: tuple[int, ...] = (512,)
    rotation_rate_rpm: int = 0


CLASS_RANGES = (
    ClassRange(
        DeviceClass.OPTANE,
        "Optane",
        0.14,
        (14, 60),
        (500, 2200),
        (16, 58, 118, 280, 375, 480, 960),
        disk="nvd0",
    ),
    ClassRange(
        DeviceClass.NVDIMM, "NVDIMM", 0.03, (3, 12), (1500, 6000), (8, 16, 32), command_set=None, disk="pmem0"
    ),
    ClassRange(DeviceClass.NVRAM, "Flashtec NVRAM", 0.04, (12, 45), (300, 1500), (8, 16)),
    ClassRange(
        DeviceClass.NVME,
        "NVMe",
        0.28,
        (18, 2500),
        (400, 3000),
        (256, 480, 512, 960, 1000, 1920, 2000),
        disk="nvd0",
    ),
    ClassRange(
        DeviceClass.SAS_SSD, "SAS SSD", 0.12, (40, 220), (250, 900), (200, 400, 800, 1600), command_set="scsi"
    ),
    ClassRange(
        DeviceClass.SATA_SSD,
        "SATA SSD",
        0.29,
        (60, 5000),
        (120, 480),
        (120, 200, 240, 400, 480, 960),
        command_set="ata",
    ),
    ClassRange(
        DeviceClass.HDD,
        "HDD",
        0.10,
        (5000, 18000),
        (60, 220),
        (2000, 4000, 8000, 12000),
        command_set="ata",
        sector_sizes=(512, 4096),
        rotation_rate_rpm=7200,
    ),
)


@dataclass(frozen=True, slots=True)
class DemoDevice:
    """A made-up device."""

    range: ClassRange
    vendor: str
    model_name: str
    capacity_bytes: int
    sector_size: int
    floor_us: float
    bandwidth_mib_s: float
    firmware_versions: tuple[str, ...]
    curve: tuple[float | None, ...]  # the floor plus the transfer time; None below the sector size


@dataclass(frozen=True, slots=True)
class DemoRun:
    """One run of one unit of a made-up device."""

    device: DemoDevice
    unit: int
    firmware_version: str
    curve: tuple[float | None, ...]
    system: str
    measured_on: date
    power_on_hours: int
    percentage_used: int
    host_bytes_written: int


def draw_runs(count: int, *, seed: int, device_count: int | None = None) -> Iterator[DemoRun]:
    """`count` runs, most of them of a few popular devices, as in any survey; some devices have none."""
    source = random.Random(seed)  # noqa: S311 - drawing made-up data, not secrets
    device_count = device_count or max(1, round(count * DEVICES_PER_RESULT))
    devices = [_draw_device(source, number) for number in range(device_count)]
    cumulative = list(accumulate(1 / (place + 3) for place in range(device_count)))
    source.shuffle(devices)
    for _ in range(count):
        (device,) = source.choices(devices, cum_weights=cumulative)
        yield _draw_run(source, device)


def _draw_device(source: random.Random, number: int) -> DemoDevice:
    (drawn,) = source.choices(CLASS_RANGES, [class_range.share for class_range in CLASS_RANGES])
    vendor = source.choice(MAKERS)
    firmware = f"{source.choice('ABCDEFGH')}{source.randint(10, 99)}"
    capacity_bytes = source.choice(drawn.capacities_gb) * GIGABYTE
    sector_size = source.choice(drawn.sector_sizes)
    floor_us, bandwidth_mib_s = _between(source, drawn.floor_us), _between(source, drawn.bandwidth_mib_s)
    return DemoDevice(
        range=drawn,
        vendor=vendor,
        model_name=f"{name_words(vendor, drawn)} {number:04d}",
        capacity_bytes=capacity_bytes,
        sector_size=sector_size,
        floor_us=floor_us,
        bandwidth_mib_s=bandwidth_mib_s,
        firmware_versions=tuple(f"{firmware}{release}" for release in range(source.randint(1, 3))),
        curve=tuple(
            None if block_size < sector_size else floor_us + block_size / MEBIBYTE / bandwidth_mib_s * 1e6
            for block_size in BLOCK_SIZES
        ),
    )


def name_words(vendor: str, drawn: ClassRange) -> str:
    """How the models of a maker and class begin, with a class that parsers.classify recognizes."""
    return f"{vendor} {drawn.family}"


def _between(source: random.Random, ends: tuple[float, float]) -> float:
    """A value between the ends, evenly on the log scale."""
    return math.exp(source.uniform(math.log(ends[0]), math.log(ends[1])))


def _draw_run(source: random.Random, device: DemoDevice) -> DemoRun:
    unit = min(int(source.expovariate(0.25)), 40)
    shift = _shift_of_unit(device.model_name, unit) + source.gauss(0, RUN_SPREAD)
    if source.random() < GROSS_FAULT_SHARE:
        shift += source.uniform(1, 2.5)
    hours = int(_between(source, (20, 60_000)))
    written = int(hours * _between(source, (0.05, 40)) * GIGABYTE)
    return DemoRun(
        device=device,
        unit=unit,
        firmware_version=source.choice(device.firmware_versions),
        curve=_draw_curve(source, device.curve, shift=shift),
        system=source.choice(SYSTEMS),
        measured_on=FIRST_DAY + timedelta(days=source.randrange(DAYS)),
        power_on_hours=hours,
        percentage_used=min(100, int(written / device.capacity_bytes / 20)),
        host_bytes_written=written,
    )


@lru_cache(maxsize=2**17)
def _shift_of_unit(model_name: str, unit: int) -> float:
    """A unit's deviation from its model, natural log: always the same for one unit."""
    return random.Random(f"{model_name} {unit}").gauss(0, UNIT_SPREAD)  # noqa: S311 - as above


def _draw_curve(
    source: random.Random, curve: tuple[float | None, ...], *, shift: float
) -> tuple[float | None, ...]:
    """The curve as printed, in tenths of a microsecond."""
    gauss, exp = source.gauss, math.exp
    return tuple(
        None if latency is None else round(latency * exp(shift + gauss(0, POINT_SPREAD)), 1)
        for latency in curve
    )
