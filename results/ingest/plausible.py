"""Checks whether a run can be what it says: each a small function that gives a flag or None."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from parsers.kinds import DeviceClass, Notice
from results.ingest.flags import Effect, Flag
from results.ingest.interconnects import fastest_link
from results.ingest.runs import Run
from results.models.fields import BLOCK_SIZES, SLOT_OF_BLOCK_SIZE
from results.presentation import format_capacity
from results.ranking.score import ranked_latency_us, throughput_mib_s


@dataclass(frozen=True, slots=True)
class OtherUnits:
    """What the device's other units measured: how many there are, and the median of what each is ranked by."""

    count: int
    latency_us: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a check may look at."""

    run: Run
    curve: tuple[float | None, ...]
    notices: tuple[Notice, ...]  # those about the lines of this run
    others: OtherUnits | None
    largest_capacity_bytes: int | None  # that the catalogue knows of this product
    is_protected: bool  # the catalogue says that its cache survives a power cut, or that it has none


# A medium without a volatile cache can't be faster: half a turn of the fastest disk, a flash program operation.
FASTEST_HDD_US = 1000.0
FASTEST_UNPROTECTED_FLASH_US = 30.0
FLASH_CLASSES = {DeviceClass.NVME, DeviceClass.SATA_SSD, DeviceClass.SAS_SSD}
DISK_CLASSES = {DeviceClass.HDD, DeviceClass.SSHD}
EFFECT_OF_NOTICE = {
    "points_disagree": Effect.HELD,  # a printed figure was changed on its way
    "timer_tick": Effect.NOTED,  # the clock of the host was measured: the device may be faster
    "different_devices": Effect.NOTED,
}
FEWEST_UNITS = 3
NOTABLE_FACTOR = 3.0
ABSURD_FACTOR = 10.0
SMALLEST_CAPACITY_BYTES = 10**8
CAPACITY_MARGIN = 1.1  # makers differ in how they count


def exceeds_link(evidence: Evidence) -> Flag | None:
    """Faster than the fastest link that devices of its class come with."""
    link = fastest_link(evidence.run.device_class)
    if link is None:
        return None
    ceiling = link.ceiling_mib_s
    for block_size, latency in _points(evidence.curve):
        rate = throughput_mib_s(block_size, latency)
        if rate > ceiling:
            return Flag(
                "exceeds_link",
                Effect.HELD,
                f"{rate:,.0f} MiB/s is more than {link.name} can carry ({ceiling:,.0f} MiB/s): "
                "something between the test and the device answered from memory.",
            )
    return None


def acknowledges_too_soon(evidence: Evidence) -> Flag | None:
    """Faster than the medium can be made durable without a cache that forgets."""
    latency = evidence.curve[SLOT_OF_BLOCK_SIZE[4096]]
    if latency is None:
        return None
    device_class = evidence.run.device_class
    if device_class in DISK_CLASSES and latency < FASTEST_HDD_US:
        return Flag(
            "cached_disk",
            Effect.HELD,
            f"This hard disk acknowledges 4 KiB in {latency:,.0f} µs, less than its platter needs to come round: "
            "something in the path keeps the write in a cache.",
        )
    if device_class in FLASH_CLASSES and not evidence.is_protected and latency < FASTEST_UNPROTECTED_FLASH_US:
        return Flag(
            "cached_flash",
            Effect.HELD,
            f"4 KiB in {latency:,.1f} µs is less than flash takes to program, and no power-loss protection is "
            "known for this device: the flush may not reach it.",
        )
    return None


def was_noticed(evidence: Evidence) -> list[Flag]:
    """What the parsers saw in the lines of this run and the ranking should know of: the first of each kind."""
    messages: dict[str, str] = {}
    for notice in evidence.notices:
        messages.setdefault(notice.code, f"{notice.message[:1].upper()}{notice.message[1:].rstrip('.')}.")
    return [
        Flag(code, EFFECT_OF_NOTICE[code], messages[code]) for code in messages if code in EFFECT_OF_NOTICE
    ]


def has_odd_capacity(evidence: Evidence) -> Flag | None:
    """Smaller than any device of these classes, or larger than the model is made."""
    capacity, largest = evidence.run.capacity_bytes, evidence.largest_capacity_bytes
    if capacity is None:
        return None
    if capacity < SMALLEST_CAPACITY_BYTES:
        message = f"A capacity of {capacity:,} bytes: a partition or a file was measured, not a device."
        return Flag("odd_capacity", Effect.HELD, message)
    if largest is not None and capacity > CAPACITY_MARGIN * largest:
        message = f"The largest of this model that the catalogue knows has {format_capacity(largest)}."
        return Flag("capacity_does_not_fit", Effect.NOTED, message)
    return None


def is_far_from_others(evidence: Evidence) -> Flag | None:
    """Far from what the device's other units measured."""
    value = ranked_latency_us(evidence.run.method, evidence.curve)
    others = evidence.others
    if value is None or others is None or others.count < FEWEST_UNITS:
        return None
    factor = math.exp(abs(math.log(value / others.latency_us)))
    if factor < NOTABLE_FACTOR:
        return None
    direction = "slower" if value > others.latency_us else "faster"
    return Flag(
        "far_from_others",
        Effect.HELD if factor >= ABSURD_FACTOR else Effect.NOTED,
        f"{factor:.1f} times {direction} than the median of this device's {others.count} other units.",
    )


CHECKS: tuple[Callable[[Evidence], Flag | None], ...] = (
    exceeds_link,
    acknowledges_too_soon,
    has_odd_capacity,
    is_far_from_others,
)


def check_run(evidence: Evidence) -> list[Flag]:
    """Every flag that speaks against the run."""
    return was_noticed(evidence) + [flag for check in CHECKS if (flag := check(evidence)) is not None]


def _points(curve: Sequence[float | None]) -> list[tuple[int, float]]:
    return [
        (block_size, latency)
        for block_size, latency in zip(BLOCK_SIZES, curve, strict=True)
        if latency is not None
    ]
