"""Plausibility checks of curves."""

import math
from collections.abc import Iterator

from django.utils.text import capfirst

from parsers.base.target import Target
from parsers.diskinfo.checks import is_timer_tick
from parsers.fio.slog import WITHOUT_LAYER
from results.core.formats import format_capacity
from results.kinds.commands.disks import system_by_disk
from results.kinds.curve.run import CurveRun
from results.kinds.envelope import Run
from results.kinds.flags import Flag
from results.kinds.free_disk import System
from results.kinds.interconnects import link_named
from results.kinds.limits import Check, Evidence, acknowledges_too_soon, exceeds_link
from results.models.choices import EASY_DATA, METHOD_LABELS, DataContent, KernelCache, Method
from results.models.conditions import FLUSH_OFF
from results.models.fields import SLOT_4K

_TARGETS = {
    Target.PARTITION: "A partition",
    Target.SLICE: "A slice or partition",
    Target.MD: "An md device",
    Target.LVM: "A logical volume",
    Target.ZVOL: "A zvol",
    Target.FILE: "A file",
}


NOTICED = ("points_disagree", "timer_tick", "different_devices")  # parser notices that are flags, too
FEWEST_UNITS = 3
NOTABLE_FACTOR = 3.0
ABSURD_FACTOR = 10.0
SMALLEST_CAPACITY_BYTES = 10**8
CAPACITY_MARGIN = 1.1  # manufacturers count differently
CAPACITY_TOLERANCE = 0.01
SHRUNK_SHARE = 0.45  # of a model's smallest known capacity; the next smaller one, if we lack it, is half


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
    """The benchmark and smartctl report different capacities; smartctl may say why."""
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
            f"{METHOD_LABELS[run.method]} reports {format_capacity(measured)} and smartctl {format_capacity(stated)}:"
            " they may be about different devices.",
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


def lacks_flushes(evidence: Evidence[CurveRun]) -> Iterator[Flag]:
    """The disk completed far fewer flushes than were sent, and the kernel doesn't call its cache write-through."""
    run = evidence.run
    if run.flushes is None or run.kernel_write_cache == KernelCache.THROUGH:
        return
    completed, sent = run.flushes
    if 2 * completed < sent:  # those of other writers may be merged with them
        yield Flag(
            "flush_not_sent",
            f"According to Linux, only {completed:,} of {sent:,} flushes reached the drive.",
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


CHECKS: tuple[Check[CurveRun], ...] = (
    was_noticed,
    is_not_whole_device,
    has_several_writers,
    is_without_flush,
    sends_no_flush,
    lacks_flushes,
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


OF_A_SINGLE_WRITER: set[Check[CurveRun]] = {
    beats_its_rating,
    is_far_from_product,
    is_far_from_others,
    is_far_from_vouched,
}
OF_DURABLE_WRITES: set[Check[CurveRun]] = OF_A_SINGLE_WRITER | {acknowledges_too_soon}


def check_curve(evidence: Evidence[CurveRun]) -> list[Flag]:
    """All flags of the run; several writers, or runs without flushes, aren't compared with single ones."""
    left_out = OF_A_SINGLE_WRITER if evidence.run.writers else set()
    if evidence.run.sync_method == FLUSH_OFF:
        left_out = OF_DURABLE_WRITES
    return [flag for check in CHECKS if check not in left_out for flag in check(evidence)]
