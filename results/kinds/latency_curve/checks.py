"""Plausibility checks of runs, and the link speeds to check against."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeGuard, TypeVar

from django.utils.text import capfirst

from parsers.base.device_class import DeviceClass, Medium
from parsers.base.readings import Notice
from parsers.base.target import Target
from parsers.base.units import MEBIBYTE
from parsers.diskinfo.checks import is_timer_tick
from parsers.fio.slog import WITHOUT_LAYER
from parsers.smartctl.link_speeds import PCIE_LANES, pcie_name, sas_name, sata_name
from results.core.formats import format_capacity
from results.kinds.envelope import Run
from results.kinds.flags import Flag
from results.kinds.free_disk import System
from results.kinds.latency_curve.commands import system_by_disk
from results.kinds.latency_curve.metrics import throughput_mib_s
from results.kinds.latency_curve.read import CurveRun
from results.models.choices import EASY_DATA, DataContent, Method
from results.models.conditions import FLUSH_OFF
from results.models.fields import BLOCK_SIZES, SLOT_4K

MEGABIT = 1_000_000

_TARGETS = {
    Target.PARTITION: "A partition",
    Target.SLICE: "A slice or partition",
    Target.MD: "An md device",
    Target.LVM: "A logical volume",
    Target.ZVOL: "A zvol",
    Target.FILE: "A file",
}


@dataclass(frozen=True, slots=True)
class Interconnect:
    """A link's specification: rate per lane, share left by the line code, lanes."""

    name: str
    megabits_a_lane: int
    code_share: float
    lanes: int
    source_url: str

    @property
    def ceiling_mib_s(self) -> float:
        """Payload before protocol overhead, which no device behind the link can exceed."""
        return self.megabits_a_lane * MEGABIT / 8 * self.code_share * self.lanes / MEBIBYTE


_SATA = "https://en.wikipedia.org/wiki/SATA"
_SAS = "https://en.wikipedia.org/wiki/Serial_Attached_SCSI"
_PCIE = "https://en.wikipedia.org/wiki/PCI_Express"
_DDR = "https://en.wikipedia.org/wiki/DDR4_SDRAM"
_8B10B = 8 / 10
_128B130B = 128 / 130


def _pcie(generation: int, megatransfers: int, code_share: float) -> list[Interconnect]:
    return [
        Interconnect(pcie_name(generation, lanes), megatransfers, code_share, lanes, _PCIE)
        for lanes in PCIE_LANES
    ]


INTERCONNECTS = (
    Interconnect(sata_name("1.5"), 1500, _8B10B, 1, _SATA),
    Interconnect(sata_name("3"), 3000, _8B10B, 1, _SATA),
    Interconnect(sata_name("6"), 6000, _8B10B, 1, _SATA),
    Interconnect(sas_name("3"), 3000, _8B10B, 1, _SAS),
    Interconnect(sas_name("6"), 6000, _8B10B, 1, _SAS),
    Interconnect(sas_name("12"), 12000, _8B10B, 1, _SAS),
    Interconnect(sas_name("22.5"), 22500, 128 / 150, 1, _SAS),
    *_pcie(1, 2500, _8B10B),
    *_pcie(2, 5000, _8B10B),
    *_pcie(3, 8000, _128B130B),
    *_pcie(4, 16000, _128B130B),
    *_pcie(5, 32000, _128B130B),
    Interconnect("DDR4-3200 DIMM", 3200, 1.0, 64, _DDR),
)


_SATA_RATE = re.compile(r"SATA \d \((1\.5|3|6) Gb/s\)")
_SAS_RATE = re.compile(r"SAS (3|6|12) Gb/s")
_SAS_4 = re.compile(r"SAS 24 ?G")  # 24 Gb/s by its name, 22.5 Gb/s on the line
_PCIE_LINK = re.compile(r"PCIe (\d)\.0")
_LANES = re.compile(r"x(1|2|4|8|16)\b")
_USUAL_LANES = "4"


def link_named(name: str | None) -> Interconnect | None:
    """The link with that name."""
    return next((one for one in INTERCONNECTS if one.name == name), None)


@cache
def link_of_interface(interface: str) -> Interconnect | None:
    """The fastest link in a product's interface, such as "PCIe 3.0 x4 NVMe", if any."""
    names = [f"SATA {rate} Gb/s" for rate in _SATA_RATE.findall(interface)]
    names += [f"SAS {rate} Gb/s" for rate in _SAS_RATE.findall(interface)]
    names += ["SAS 22.5 Gb/s"] if _SAS_4.search(interface) else []
    lanes = _LANES.findall(interface) or [_USUAL_LANES]
    names += [f"PCIe {version}.0 x{count}" for version in _PCIE_LINK.findall(interface) for count in lanes]
    if not names and "PCIe" in interface:
        return fastest_link(DeviceClass.NVME)  # some PCIe SSDs speak ATA, but no SATA link limits them
    links = [link for name in names if (link := link_named(name)) is not None]
    return max(links, key=lambda link: link.ceiling_mib_s, default=None)


@cache
def fastest_link(device_class: DeviceClass) -> Interconnect | None:
    """The fastest link of devices of a class; None for an unknown class."""
    return link_named(device_class.link)


@dataclass(frozen=True, slots=True)
class OtherUnits:
    """The number of the device's other independent units, and the median of their ranked latencies."""

    count: int
    latency_us: float


@dataclass(frozen=True, slots=True)
class KnownProduct:
    """What the catalogue knows about the device's product."""

    is_protected: bool = False  # its cache survives a power cut, or it has no cache
    largest_capacity_bytes: int | None = None
    smallest_capacity_bytes: int | None = None
    link: Interconnect | None = None
    rated_latency_us: float | None = None  # typical, for a random write
    is_compressing: bool = False  # its speed depends on the data: the caveat "compression"
    measured_us: float | None = None  # by other sources: the median of the ranked latencies


AnyRun_co = TypeVar("AnyRun_co", bound=Run, covariant=True)


@dataclass(frozen=True, slots=True)
class Evidence(Generic[AnyRun_co]):
    """Everything a check may use."""

    run: AnyRun_co  # of this kind, or of a series, of which only LIMITS are checked
    curve: tuple[float | None, ...]
    notices: tuple[Notice, ...]  # those about the lines of this run
    others: OtherUnits | None
    product: KnownProduct = KnownProduct()
    vouched_us: float | None = None  # the device's 4 KiB latency in vouched results, by any method


# A medium without a volatile cache can't be faster: half a turn of the fastest disk, a flash program operation.
FASTEST_HDD_US = 1000.0
FASTEST_NVME_US = 60.0
FASTEST_FLASH_US = 100.0  # with the time that a SATA or SAS command takes
NOTICED = ("points_disagree", "timer_tick", "different_devices")  # parser notices that are flags, too
FEWEST_UNITS = 3
NOTABLE_FACTOR = 3.0
ABSURD_FACTOR = 10.0
SMALLEST_CAPACITY_BYTES = 10**8
CAPACITY_MARGIN = 1.1  # manufacturers count differently
CAPACITY_TOLERANCE = 0.01
SHRUNK_SHARE = 0.45  # of a model's smallest known capacity; the next smaller one, if we lack it, is half


def link_of(evidence: Evidence[Run]) -> Interconnect | None:
    """The slower of the product's and the negotiated link, else the class's fastest."""
    known = [evidence.product.link, link_named(evidence.run.negotiated_link)]
    links = [link for link in known if link is not None]
    if not links:
        return fastest_link(DeviceClass(evidence.run.device_class))
    return min(links, key=lambda link: link.ceiling_mib_s)


def exceeds_link(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Faster than the link that the device was measured through."""
    link = link_of(evidence)
    if link is None:
        return
    ceiling = link.ceiling_mib_s
    for block_size, latency in zip(BLOCK_SIZES, evidence.curve, strict=True):
        rate = throughput_mib_s(block_size, latency, evidence.run.writers) if latency is not None else 0
        if rate > ceiling:
            yield Flag(
                "exceeds_link",
                f"{rate:,.0f} MiB/s is more than {link.name} can carry ({ceiling:,.0f} MiB/s): "
                "something between the test and the device answered from memory.",
            )
            return


def acknowledges_too_soon(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Faster than the medium can store a write durably without a volatile cache."""
    latency = evidence.curve[SLOT_4K]
    if latency is None:
        return
    device_class = DeviceClass(evidence.run.device_class)  # of a series, also as a string
    medium = device_class.medium
    if medium is Medium.DISK and latency < FASTEST_HDD_US:
        yield Flag(
            "cached_disk",
            f"This hard disk acknowledges 4 KiB in {latency:,.0f} µs, faster than its platter can turn: "
            "something along the way is caching the write.",
        )
    if (
        medium is Medium.FLASH
        and not evidence.product.is_protected
        and latency < (FASTEST_NVME_US if device_class is DeviceClass.NVME else FASTEST_FLASH_US)
    ):
        yield Flag(
            "cached_flash",
            f"4 KiB in {latency:,.1f} µs is faster than flash can be programmed, and we don't know of any power-loss "
            "protection in this device: the flush may not reach the flash.",
        )


def was_noticed(evidence: Evidence[Run]) -> Iterator[Flag]:
    """The first parser notice of each kind that matters for the ranking."""
    messages: dict[str, str] = {}
    for notice in evidence.notices:
        messages.setdefault(notice.code, f"{capfirst(notice.message).rstrip('.')}.")
    yield from (Flag(code, message) for code, message in messages.items() if code in NOTICED)


def has_odd_capacity(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Smaller than any device of these classes, or larger than the model is sold."""
    capacity, largest = evidence.run.capacity_bytes, evidence.product.largest_capacity_bytes
    if capacity is not None and capacity < SMALLEST_CAPACITY_BYTES:
        message = f"A capacity of {capacity:,} bytes: a partition or a file was measured, not a device."
        yield Flag("odd_capacity", message)
    elif capacity is not None and largest is not None and capacity > CAPACITY_MARGIN * largest:
        message = f"The largest version of this model in our catalogue has {format_capacity(largest)}."
        yield Flag("capacity_does_not_fit", message)


def is_far_from_others(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Far from what the device's other units measured."""
    value, others = evidence.curve[SLOT_4K], evidence.others
    if value is None or others is None or others.count < FEWEST_UNITS:
        return
    factor = _factor(value, others.latency_us)
    if factor >= NOTABLE_FACTOR:
        yield Flag(
            "far_beyond_others" if factor >= ABSURD_FACTOR else "far_from_others",
            f"{_off(value, others.latency_us)} than the median of this device's {others.count} other units.",
        )


def is_far_from_vouched(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Far from what is known of the device: a moderator has to look at it, however few units were measured."""
    value, vouched = evidence.curve[SLOT_4K], evidence.vouched_us
    if value is not None and vouched is not None and _factor(value, vouched) >= ABSURD_FACTOR:
        yield Flag("far_from_vouched", f"{_off(value, vouched)} than what we know of this device.")


def _factor(value: float, other: float) -> float:
    return math.exp(abs(math.log(value / other)))


def _off(value: float, other: float) -> str:
    return f"{_factor(value, other):.1f} times {'slower' if value > other else 'faster'}"


def is_not_whole_device(evidence: Evidence[CurveRun]) -> Iterator[Flag]:
    """The writes went to a part of a device, or to a layer built on devices."""
    target = evidence.run.target
    if target is not Target.DEVICE:
        path = f" ({evidence.run.path})" if evidence.run.path else ""
        message = f"{_TARGETS[target]}{path} was measured, not a whole device. Only whole devices are ranked."
        yield Flag("not_whole_device", message)


def has_several_writers(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Several writes were in flight, so their time isn't the device's latency."""
    writers = evidence.run.writers
    if writers is not None:
        yield Flag(
            "several_writers",
            f"{writers} writers at the same time, so each waited for the others. Only single writers are ranked.",
        )


def ticks_like_a_timer(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Timer ticks in published figures, which have no text for the parsers to check."""
    latencies = [latency for latency in evidence.curve if latency is not None]
    if evidence.run.is_published and is_timer_tick(latencies):
        yield Flag(
            "timer_tick",
            "Most latencies are multiples of a timer tick: this measured the clock, and the device may be faster.",
        )


def is_doubted(evidence: Evidence[Run]) -> Iterator[Flag]:
    """A published figure whose source itself gives reason to doubt it."""
    if evidence.run.doubt:
        yield Flag("doubted_source", evidence.run.doubt)


def is_half_of_a_pair(evidence: Evidence[Run]) -> Iterator[Flag]:
    """A published figure of a drive whose other figure from the same source is ranked."""
    if evidence.run.pair_of:
        message = (
            "The source measured this drive twice, under two conditions. Only the other figure is ranked."
        )
        yield Flag("half_of_pair", message)


def beats_its_rating(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Less than half the typical random write latency that the product is rated for."""
    latency, rated = evidence.curve[SLOT_4K], evidence.product.rated_latency_us
    if latency is not None and rated is not None and latency < rated / 2:
        yield Flag(
            "faster_than_rated",
            f"4 KiB in {latency:,.1f} µs is less than half the {rated:,.0f} µs this product is rated for in a "
            "typical random write: the flush may not reach the medium.",
        )


def is_far_from_product(evidence: Evidence[Run]) -> Iterator[Flag]:
    """At least 10 times faster or slower than others measured for the same product."""
    value, measured = evidence.curve[SLOT_4K], evidence.product.measured_us
    if value is not None and measured is not None and _factor(value, measured) >= ABSURD_FACTOR:
        yield Flag("far_from_product", f"{_off(value, measured)} than others measured for this product.")


def contradicts_capacity(evidence: Evidence[CurveRun]) -> Iterator[Flag]:
    """diskinfo and smartctl report different capacities; smartctl may say why."""
    run = evidence.run
    native, stated, measured = (
        run.native_capacity_bytes,
        run.stated_capacity_bytes,
        run.measured_capacity_bytes,
    )
    visible = measured or stated or run.capacity_bytes
    if native and visible and native - visible > CAPACITY_TOLERANCE * native:
        shown = f"Only {format_capacity(visible)} of {format_capacity(native)} is visible"
        yield Flag("overprovisioned", f"{shown}: the drive is overprovisioned.")
        return
    smallest = evidence.product.smallest_capacity_bytes
    is_whole = run.target is Target.DEVICE
    agreed = (
        stated if not measured or (stated and abs(stated - measured) <= CAPACITY_TOLERANCE * stated) else None
    )
    if is_whole and smallest and agreed and agreed < smallest * SHRUNK_SHARE:
        message = (
            f"Only {format_capacity(agreed)} is visible, and the smallest version of this model in our catalogue has"
            f" {format_capacity(smallest)}: the drive is overprovisioned."
        )
        yield Flag("overprovisioned", message)
    elif is_whole and stated and measured and abs(stated - measured) > CAPACITY_TOLERANCE * stated:
        yield Flag(
            "capacity_contradicts",
            f"diskinfo reports {format_capacity(measured)} and smartctl {format_capacity(stated)}: "
            "they may be about different devices.",
        )


def has_failed_protection(evidence: Evidence[Run]) -> Iterator[Flag]:
    """The device reports that its capacitors, or whatever keeps its cache, have failed."""
    fault = evidence.run.protection_fault
    if fault:
        yield Flag(
            "protection_failed", f"The device reports that its power-loss protection has failed ({fault})."
        )


def has_easy_data(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Zeros or compressible data, which a device with compression hardly has to write."""
    data = evidence.run.data_content
    if data not in EASY_DATA:
        return
    written = DataContent(data).label
    if evidence.product.is_compressing:
        message = f"fio wrote {written}, and the speed of this product depends on compression."
        yield Flag("compressed_data", message)
    else:
        yield Flag("easy_data", f"fio wrote {written}, which a device with compression stores faster.")


def is_without_flush(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Nothing was flushed, so no write had to be durable."""
    if evidence.run.sync_method == FLUSH_OFF:
        yield Flag(
            "flush_off",
            "Flush off: fio flushed nothing, so no write had to be durable. Only runs with flushes are ranked.",
        )


def sends_no_flush(evidence: Evidence[CurveRun]) -> Iterator[Flag]:
    """fio on a raw disk of FreeBSD: fsync of a disk only writes dirty buffers (vn_fsync_buf), and O_SYNC nothing.

    The disk's name tells where fio ran: the platform may be that of another machine, where smartctl read the disk.
    """
    run, system = evidence.run, system_by_disk(evidence.run.path)
    is_freebsd = system is System.FREEBSD or (system is None and run.platform.startswith("FreeBSD"))
    if (
        run.method is Method.FIO
        and is_freebsd
        and run.sync_method != FLUSH_OFF
        and run.target in WITHOUT_LAYER
    ):
        yield Flag(
            "flush_not_sent",
            "No flush reached the drive: FreeBSD doesn’t pass fio’s flush on to a raw disk. diskinfo -wS flushes.",
        )


def is_through_page_cache(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Through the machine's page cache, whose work is part of the time."""
    if evidence.run.is_direct is False:
        yield Flag(
            "page_cache",
            "fio wrote through the machine's page cache (direct=0), so this isn't the device's latency alone.",
        )


def has_write_cache_off(evidence: Evidence[Run]) -> Iterator[Flag]:
    """The volatile write cache is off, which makes some drives faster, others slower."""
    if evidence.run.write_cache_enabled is False:
        message = "The write cache was off. With it on, the same drive may be faster or slower."
        yield Flag("write_cache", message)


def is_attached_slowly(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Attached through a USB bridge, or over a slower link than the product supports."""
    supported, negotiated = evidence.product.link, link_named(evidence.run.negotiated_link)
    if evidence.run.is_usb:
        yield Flag("attachment", "Measured through a USB bridge, which adds latency of its own.")
    elif supported and negotiated and negotiated.ceiling_mib_s < supported.ceiling_mib_s:
        yield Flag("attachment", f"Measured over {negotiated.name}; the product supports {supported.name}.")


def has_no_serial(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Without a serial number, another result of the same unit can't be recognized."""
    if not evidence.run.unit and not evidence.run.is_published:
        yield Flag("no_serial", "No serial number, so other results of the same unit can't be recognized.")


Check = Callable[[Evidence[AnyRun_co]], Iterator[Flag]]
CHECKS: tuple[Check[CurveRun], ...] = (
    was_noticed,
    is_not_whole_device,
    has_several_writers,
    is_without_flush,
    sends_no_flush,
    is_through_page_cache,
    ticks_like_a_timer,
    is_doubted,
    is_half_of_a_pair,
    beats_its_rating,
    is_far_from_product,
    exceeds_link,
    acknowledges_too_soon,
    contradicts_capacity,
    has_odd_capacity,
    is_far_from_others,
    is_far_from_vouched,
    has_failed_protection,
    has_easy_data,
    has_write_cache_off,
    is_attached_slowly,
    has_no_serial,
)


LIMITS: tuple[Check[Run], ...] = (exceeds_link, acknowledges_too_soon)  # of the link and the medium
OF_A_SINGLE_WRITER: set[Check[CurveRun]] = {
    beats_its_rating,
    is_far_from_product,
    is_far_from_others,
    is_far_from_vouched,
}
OF_DURABLE_WRITES: set[Check[CurveRun]] = OF_A_SINGLE_WRITER | {acknowledges_too_soon}


def check_run(evidence: Evidence[Run]) -> list[Flag]:
    """All flags of the run; several writers, or runs without flushes, aren't compared with single ones."""
    if not _is_of_curve(evidence):
        is_durable = evidence.run.sync_method not in {FLUSH_OFF, None}
        limits = LIMITS if is_durable else (exceeds_link,)
        return [flag for check in limits for flag in check(evidence)]
    left_out = OF_A_SINGLE_WRITER if evidence.run.writers else set()
    if evidence.run.sync_method == FLUSH_OFF:
        left_out = OF_DURABLE_WRITES
    return [flag for check in CHECKS if check not in left_out for flag in check(evidence)]


def _is_of_curve(evidence: Evidence[Run]) -> TypeGuard[Evidence[CurveRun]]:
    return isinstance(evidence.run, CurveRun)
