"""The storable content of a parsed paste: its benchmark runs, and the device of each.

A run outside the limits is not a measurement; parsers.base.units has the valid ranges of what tools print about a
device.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.utils import timezone

from parsers.base.readings import (
    DeviceClass,
    DiskinfoReading,
    FioReading,
    LatencyPoint,
    LeftOut,
    Notice,
    PairedDevice,
    ParsedPaste,
    SmartctlReading,
)
from parsers.base.target import Target
from parsers.fio.slog import refuse_as_slog, slog_points
from parsers.privacy.rules import MASK
from results.kinds.base import NO_DEVICE, Flag, Refused, join_refused, refuse
from results.kinds.latency_curve.metrics import ZIL_SLOTS
from results.models import lengths
from results.models.choices import Method
from results.models.fields import BLOCK_SIZES, SLOT_4K

NOT_VENDORS = {"", "ATA", "NVMe"}  # what SCSI layers print instead of a vendor

INCOMPLETE = "The table is cut short; only runs with every block size are ranked."
WITHOUT_ZIL_SIZES = "Some sizes from 4 to 128 KiB are missing: without them it can't be compared."
WITHOUT_4K = "No 4 KiB writes were measured: without them it can't be compared."

Curve = tuple[Decimal | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of one unit, ready to be stored: names and units as in Result, empty if unstated."""

    model_name: str
    device_class: DeviceClass
    method: Method
    curve: Curve
    is_complete: bool
    vendor: str = ""
    capacity_bytes: int | None = None
    firmware_version: str = ""
    unit: str = ""
    not_ranked_reason: str = ""
    path: str = ""
    target: Target = Target.DEVICE
    negotiated_link: str | None = None  # a name from results.kinds.latency_curve.checks
    stated_capacity_bytes: int | None = None  # by smartctl
    measured_capacity_bytes: int | None = None  # diskinfo's media size
    native_capacity_bytes: int | None = None  # of a device that is configured to report less
    is_usb: bool = False  # behind a USB bridge
    platform: str = ""
    attachment: str = ""
    sector_size: int | None = None
    write_cache_enabled: bool | None = None
    power_on_hours: int | None = None
    wear_percent: int | None = None
    wear_source: str | None = None  # a SMART attribute, where no tool states wear_percent
    raw_wear: str | None = None
    host_bytes_written: int | None = None
    first_line: int | None = None
    last_line: int | None = None
    measured_on: date | None = None
    flags: tuple[Flag, ...] = ()
    is_published: bool = False  # elsewhere, with a name written by a person instead of a tool
    doubt: str = ""  # why a published figure may be misleading, as a sentence
    printed_class: DeviceClass | None = None  # without the catalogue; None if it wasn't consulted

    @property
    def read_class(self) -> DeviceClass:
        """The device class from the text alone, without the catalogue."""
        return self.device_class if self.printed_class is None else self.printed_class

    @property
    def identity(self) -> tuple[str, int | None]:
        """The identity of the run's device."""
        return self.model_name, self.capacity_bytes

    @property
    def percentage_used(self) -> int | None:
        """The wear that a tool stated."""
        return None if self.wear_source else self.wear_percent

    @property
    def is_ranked(self) -> bool:
        return not self.not_ranked_reason


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a paste, in order, and those that were left out.

    `notices` are about left-out runs for which the parsers have no notice.
    """

    runs: tuple[Run, ...]
    left_out: tuple[LeftOut, ...]
    notices: tuple[Notice, ...]

    @property
    def count(self) -> int:
        """The number of runs in the paste, including those left out."""
        return len(self.runs) + len(self.left_out)


def find_runs(paste: ParsedPaste, *, stated_on: date | None = None, sent_on: date | None = None) -> Runs:
    """All runs in `paste`, each as measured on the day in the text, else on the one that the sender stated.

    A day after `sent_on`, by default today, is a clock that is wrong; one more day allows for time zones.
    """
    latest = (sent_on or timezone.now().date()) + timedelta(days=1)
    found = [
        _run(device, measured, paste, measured_on=_day(measured.measured_on, stated_on, latest=latest))
        for device, measured in _measurements(paste)
    ]
    runs = _join_ladders(one for one in found if isinstance(one, Run))
    runs.sort(key=lambda run: run.first_line or 0)
    refused = [one for one in found if isinstance(one, Refused)]
    left_out = [*paste.left_out, *(one.left_out for one in join_refused(refused))]
    left_out.sort(key=lambda one: one.first_line)
    return Runs(tuple(runs), tuple(left_out), tuple(one.notice for one in refused if one.notice))


def _day(*days: date | None, latest: date) -> date | None:
    """The first of these days that isn't in the future."""
    return next((day for day in days if day and day <= latest), None)


def _join_ladders(runs: Iterable[Run]) -> list[Run]:
    """Join fio runs of one device into a curve: a shell loop runs fio once per block size."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last is not None and last.method == run.method == Method.FIO and _is_continued(last, run):
            joined[-1] = _join(last, run)
        else:
            joined.append(run)
    return joined


def _is_continued(run: Run, following: Run) -> bool:
    is_same_disk = (run.identity, run.unit, run.path) == (following.identity, following.unit, following.path)
    overlap = any(a is not None and b is not None for a, b in zip(run.curve, following.curve, strict=True))
    return is_same_disk and not overlap


def _join(run: Run, following: Run) -> Run:
    curve = tuple(a if a is not None else b for a, b in zip(run.curve, following.curve, strict=True))
    return replace(run, **_fio_verdict(curve), last_line=following.last_line)


def _measurements(paste: ParsedPaste) -> Iterator[tuple[PairedDevice, DiskinfoReading | FioReading]]:
    for device in paste.devices:
        for index in (device.diskinfo, device.fio):
            reading = None if index is None else paste.readings[index]
            if isinstance(reading, DiskinfoReading) and reading.points:
                yield device, reading
            if isinstance(reading, FioReading) and reading.jobs:
                yield device, reading


def _run(
    device: PairedDevice,
    measured: DiskinfoReading | FioReading,
    paste: ParsedPaste,
    *,
    measured_on: date | None,
) -> Run | Refused:
    smartctl = _smartctl_of(device, paste)
    described = (measured.description or "") if isinstance(measured, DiskinfoReading) else ""
    model_name, vendor = _names(smartctl, described)
    points = _points(measured)
    refusal = (
        refuse_as_slog(measured) if isinstance(measured, FioReading) else None
    )  # the parsers have a notice about it
    if refusal is not None:
        return refuse(measured, refusal)
    fault = _refuse_name(model_name, measured.first_line) or refuse_figures(
        points, device.capacity, line=measured.first_line
    )
    if fault is not None:
        return refuse(measured, fault)
    return Run(
        model_name=fitting_text(model_name, longest=lengths.MODEL_NAME),
        vendor=fitting_text(vendor, longest=lengths.VENDOR),
        capacity_bytes=device.capacity,
        device_class=device.device_class,
        printed_class=device.printed_class,
        firmware_version=fitting_text(device.firmware_version, longest=lengths.FIRMWARE),
        unit=device.unit or "",
        path=_cut(measured.path),
        target=measured.target,
        measured_capacity_bytes=measured.media_size if isinstance(measured, DiskinfoReading) else None,
        first_line=measured.first_line,
        last_line=measured.last_line,
        measured_on=measured_on,
        **(
            _diskinfo_curve(measured)
            if isinstance(measured, DiskinfoReading)
            else _fio_verdict(curve_of(points))
        ),
        is_usb=bool(smartctl and smartctl.is_usb),
        **_conditions(smartctl),
    )


def _points(measured: DiskinfoReading | FioReading) -> tuple[LatencyPoint, ...]:
    return measured.points if isinstance(measured, DiskinfoReading) else slog_points(measured)


def _diskinfo_curve(diskinfo: DiskinfoReading) -> dict[str, Any]:
    curve = curve_of(diskinfo.points)
    return {
        "method": Method.DISKINFO,
        "curve": curve,
        "is_complete": diskinfo.complete,
        "not_ranked_reason": _why_not_ranked(diskinfo, curve),
        "attachment": _cut(diskinfo.attachment),
        "sector_size": diskinfo.sector_size,
    }


def _why_not_ranked(diskinfo: DiskinfoReading, curve: Curve) -> str:
    if not diskinfo.complete:
        return INCOMPLETE
    has_zil_sizes = all(curve[slot] is not None for slot in ZIL_SLOTS)
    return "" if has_zil_sizes else WITHOUT_ZIL_SIZES


def _fio_verdict(curve: Curve) -> dict[str, Any]:
    reason = "" if curve[SLOT_4K] is not None else WITHOUT_4K
    return {
        "method": Method.FIO,
        "curve": curve,
        "is_complete": all(latency is not None for latency in curve),
        "not_ranked_reason": reason,
    }


def _smartctl_of(device: PairedDevice, paste: ParsedPaste) -> SmartctlReading | None:
    reading = None if device.smartctl is None else paste.readings[device.smartctl]
    return reading if isinstance(reading, SmartctlReading) else None


def _names(smartctl: SmartctlReading | None, description: str) -> tuple[str, str]:
    """Model name and vendor, in the same spelling from either tool: "ATA" is a command set, not a vendor."""
    if smartctl is None or not smartctl.model_name:
        return " ".join(description.split()).removeprefix("ATA "), ""
    vendor = smartctl.vendor or ""
    if vendor in NOT_VENDORS:
        return " ".join(smartctl.model_name.split()), ""
    return " ".join(f"{vendor} {smartctl.model_name}".split()), vendor


def _refuse_name(model_name: str, line: int) -> Notice | None:
    if not model_name:
        message = (
            "This run does not say which device it is about: paste the lines above the table as well, "
            "or the output of smartctl -a for the same device."
        )
        return Notice(NO_DEVICE, message, line)
    if len(model_name) > lengths.MODEL_NAME:
        return Notice(
            "model_name_too_long", f"A model name can't be {len(model_name)} characters long.", line
        )
    if MASK.search(model_name):
        message = (
            "Part of the model name is masked, because the text also uses it as an identifier: "
            "paste the output exactly as the tools printed it."
        )
        return Notice("model_name_masked", message, line)
    return None


def _conditions(smartctl: SmartctlReading | None) -> dict[str, Any]:
    """What smartctl reported about the unit at the time of the run."""
    if smartctl is None:
        return {}
    return {
        "negotiated_link": smartctl.negotiated_link,
        "stated_capacity_bytes": smartctl.user_capacity,
        "native_capacity_bytes": smartctl.native_capacity if smartctl.is_overprovisioned else None,
        "platform": _cut(smartctl.platform),
        "write_cache_enabled": smartctl.write_cache_enabled,
        "power_on_hours": smartctl.power_on_hours,
        "wear_percent": smartctl.wear_percent,
        "wear_source": smartctl.wear_source,
        "raw_wear": _cut(smartctl.raw_wear) or None,
        "host_bytes_written": smartctl.host_bytes_written,
    }


def _cut(text: str | None) -> str:
    return fitting_text(text, longest=lengths.CONDITION)


def curve_of(points: Iterable[LatencyPoint]) -> Curve:
    """The latencies by slot of BLOCK_SIZES; sizes without a slot remain only in the text."""
    latencies = {point.block_size: point.latency_us for point in points}
    return tuple(latencies.get(block_size) for block_size in BLOCK_SIZES)


SHORTEST_LATENCY_US = Decimal("0.01")  # a tenth of diskinfo's resolution; no durable write is near it
LONGEST_LATENCY_US = Decimal(10) ** 9
NO_TEXT = re.compile("[\0\ud800-\udfff]")  # JSON can escape characters that PostgreSQL's text can't store


def refuse_figures(
    points: Iterable[LatencyPoint], capacity_bytes: int | None, *, line: int | None
) -> Notice | None:
    """Why these figures can't be those of a run, or None. `line` is where the run begins."""
    for point in points:
        if not SHORTEST_LATENCY_US <= point.latency_us <= LONGEST_LATENCY_US:
            message = (
                f"A durable write can't take {point.latency_us:.3g} µs: check the latencies in the table."
            )
            return Notice("impossible_latency", message, point.line or line)
    if capacity_bytes == 0:
        return Notice("impossible_capacity", "The device reports a capacity of 0 bytes.", line)
    return None


def fitting_text(text: str | None, *, longest: int) -> str:
    """The text, made to fit into a column of that length; "" for None."""
    return NO_TEXT.sub("\ufffd", text or "")[:longest]
