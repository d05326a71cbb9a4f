"""From labelled values to a smartctl reading: draft, fields, device class.

A handler takes the draft, the text after a label and its line number. The first line that states a field wins; a
line that states a field and can't be read leaves the field open and adds a notice.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from parsers.base.dates import read_asctime
from parsers.base.fillers import is_crossed_out, is_filler
from parsers.base.readings import Notice, SmartctlReading
from parsers.base.units import (
    BLOCK_SIZE,
    CAPACITY,
    HOURS_A_YEAR,
    POWERED_HOURS,
    PREFIXES,
    ROTATION_RATE,
    TEMPERATURE,
    Limits,
    is_too_long,
    parse_grouped,
)
from parsers.classify.rules import StandIn, classify, find_stand_in, smartctl_evidence
from parsers.privacy.masks import is_unit

MAX_TEXT_LENGTH = 200  # characters; names of devices and systems are much shorter
MAX_NOTICES = 50  # a device; more would be noise
GROUPED = r"(?:\d{1,9}|\d{1,3}(?:[., ']\d{3}){1,2})"  # as in the locale of Windows builds

_ROUNDED = re.compile(r"\[(\d{1,4}(?:[.,]\d{1,3})?) ([KMGTPE])B\]", re.ASCII)  # "[1,92 TB]"
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_DEGREES = re.compile(r"(-?\d{1,4}) C", re.ASCII)  # "38 Celsius", "46 C"

_STAND_INS = {
    StandIn.RAID_VOLUME: "this is the volume of a RAID controller, not a disk: name the disk behind it with -d, "
    "for instance -d megaraid,0",
    StandIn.VIRTUAL_DISK: "this is a virtual disk: whether its writes are durable depends on its host",
    StandIn.ISCSI_LUN: "this is a unit of a storage array, reached through iSCSI, not a disk",
    StandIn.SOFTWARE_DISK: "this is a software device built from others, or a file, not a disk",
    StandIn.OPTICAL_DRIVE: "this is an optical drive, not a disk",
    StandIn.ENCLOSURE: "this is an enclosure, an expander or a tape drive, not a disk",
    StandIn.OTHER_DEVICE: "this device is not a disk",
}


@dataclass(slots=True)
class Draft:
    """A reading in progress: the fields of SmartctlReading so far, and notices."""

    values: dict[str, Any] = field(default_factory=dict)
    rows: list[tuple[str, int]] = field(
        default_factory=list
    )  # lines without a known label, with their numbers
    notices: list[Notice] = field(default_factory=list)

    def put(self, name: str, value: object) -> None:
        """Set a field, unless the value is None or an earlier line has set it."""
        if value is not None:
            self.values.setdefault(name, value)

    def report_unreadable(self, number: int, label: str, value: str) -> None:
        """Add a notice on a line that states a field and can't be read."""
        why = "has too many digits" if is_too_long(value) else "can't be read"
        self._leave_out(number, "unreadable_field", f"the value of {label!r} {why}: {value[:60]!r}")

    def put_figure(
        self, name: str, value: int | None, limits: Limits, *, source: tuple[str, str, int]
    ) -> None:
        """Put a figure within its range; `source` is label, printed value and line."""
        label, printed, number = source
        if value is None:
            self.report_unreadable(number, label, printed)
        elif value not in limits:
            message = f"the value of {label!r} is outside the range of {limits}: {printed[:60]!r}"
            self._leave_out(number, "out_of_range", message)
        else:
            self.put(name, value)

    def _leave_out(self, number: int, code: str, message: str) -> None:
        if len(self.notices) < MAX_NOTICES:
            self.notices.append(Notice(code, f"{message}; it was left out", number))


Handler = Callable[[Draft, str, int], None]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A command set's output: its labelled fields, and the readers of other rows."""

    transport: str | None
    fields: Mapping[str, Handler]
    finish: Callable[[Draft], None]


def stated(value: str) -> str | None:
    """Return the text, or None for a placeholder.

    Such as `--`, `[No Information Found]`, `REDACTED`, `XXXXXXXX`.
    """
    if len(value) > MAX_TEXT_LENGTH or is_filler(value):
        return None
    return value if _LETTER_OR_DIGIT.search(value) else None


def has_value(value: str) -> bool:
    """Whether a line has a value at all, readable or not."""
    return stated(value[:MAX_TEXT_LENGTH]) is not None


def text_field(name: str) -> Handler:
    """Make a field that is stored as printed."""

    def read(draft: Draft, value: str, _number: int) -> None:
        draft.put(name, stated(value))

    return read


def name_field(name: str) -> Handler:
    """Make a field that is stored as printed, even if it is crossed out: no name, but proof that there was one."""

    def read(draft: Draft, value: str, _number: int) -> None:
        is_printed = len(value) <= MAX_TEXT_LENGTH and is_crossed_out(value)
        draft.put(name, value if is_printed else stated(value))

    return read


def count_field(name: str, label: str, limits: Limits, *, unit: str = "") -> Handler:
    """Make the field of an integer, grouped as in the locale, with a unit.

    A number without its unit was cut off.
    """

    def read(draft: Draft, value: str, number: int) -> None:
        count = parse_grouped(value.removesuffix(unit).rstrip()) if value.endswith(unit) else None
        if count is not None or has_value(value):
            draft.put_figure(name, count, limits, source=(label, value, number))

    return read


def amount_field(name: str, label: str, limits: Limits, *, unit: int) -> Handler:
    """Make the field of a count of units of so many bytes.

    A rounded figure in brackets always follows, unless the count is 0 or cut off.
    """

    def read(draft: Draft, value: str, number: int) -> None:
        digits, bracket, _rounded = value.partition("[")
        count = parse_grouped(digits.strip())
        if count is not None and (bracket or not count):
            draft.put_figure(name, count * unit, limits, source=(label, value, number))
        elif has_value(value):
            draft.report_unreadable(number, label, value)

    return read


def capacity_field(name: str, label: str) -> Handler:
    """Make the field of a capacity in bytes.

    A number with nothing after it may have been cut off, so it is ignored.
    """

    def read(draft: Draft, value: str, number: int) -> None:
        head, unit, _rest = value.partition("b")  # of "bytes"
        if not unit:
            head, unit, _rest = value.partition("[")
        capacity = parse_grouped(head.strip()) if unit or value == "0" else None
        if capacity is None or (capacity in CAPACITY and not _agrees(capacity, value)):
            if has_value(value):
                draft.report_unreadable(number, label, value)
        elif capacity:
            draft.put_figure(name, capacity, CAPACITY, source=(label, value, number))

    return read


def _agrees(capacity: int, value: str) -> bool:
    """Whether smartctl's rounded figure in brackets, if any, is of the same size."""
    match = _ROUNDED.search(value)
    if match is None:
        return True
    rounded: float = float(match[1].replace(",", ".")) * 1000 ** PREFIXES[match[2].lower()]
    return rounded / 2 <= capacity <= rounded * 2


def block_size_field(name: str, label: str) -> Handler:
    """`4096 bytes` or `4096`."""

    def read(draft: Draft, value: str, number: int) -> None:
        put_block_size(draft, name, value.removesuffix("bytes").rstrip(), source=(label, value, number))

    return read


def put_block_size(draft: Draft, name: str, digits: str, *, source: tuple[str, str, int]) -> None:
    """Put a block size within its range; `source` is label, value and line."""
    draft.put_figure(name, parse_grouped(digits), BLOCK_SIZE, source=source)


def temperature_field(label: str, name: str = "temperature_c") -> Handler:
    """`38 Celsius`, `46 C`; without a sensor smartctl prints 0, `-` or `<not available>`."""

    def read(draft: Draft, value: str, number: int) -> None:
        match = _DEGREES.match(value)
        if match is not None:
            put_temperature(draft, name, int(match[1]), source=(label, value, number))
        elif not value.startswith(("- ", "?", "<not available>")):
            draft.report_unreadable(number, label, value)

    return read


def put_temperature(draft: Draft, name: str, degrees: int, *, source: tuple[str, str, int]) -> None:
    """Put a temperature within its range; 0 means that there is no sensor."""
    if degrees:
        draft.put_figure(name, degrees, TEMPERATURE, source=source)


def read_serial(draft: Draft, value: str, _number: int) -> None:
    """Store the mask of the serial number, and never anything else."""
    if is_unit(value):
        draft.put("serial", value)


def read_rotation_rate(draft: Draft, value: str, number: int) -> None:
    """Read `7200 rpm` or `Solid State Device`.

    Reserved and unknown codes of the standards give nothing.
    """
    rate, unit, _rest = value.partition("rpm")
    if value.startswith("Solid State"):
        draft.put("rotation_rate_rpm", 0)
    elif unit and (rpm := parse_grouped(rate.strip())) is not None:
        draft.put_figure("rotation_rate_rpm", rpm, ROTATION_RATE, source=("Rotation Rate", value, number))
    elif not value.startswith(("Unknown", "Reserved", "Not ")) and has_value(value):
        draft.report_unreadable(number, "Rotation Rate", value)


def read_form_factor(draft: Draft, value: str, _number: int) -> None:
    if not value.startswith(("Unknown", "Reserved")):
        draft.put("form_factor", stated(value))


def read_health(draft: Draft, value: str, number: int) -> None:
    """`PASSED`, `FAILED!`, `UNKNOWN!` of ATA and NVMe."""
    word = value.split(" ", 1)[0].rstrip("!")
    if word in ("PASSED", "FAILED"):
        draft.put("health", word)
    elif word != "UNKNOWN":
        draft.report_unreadable(number, "SMART overall-health self-assessment test result", value)


def read_local_time(draft: Draft, value: str, _number: int) -> None:
    """Read `Sat Jan  7 12:00:00 2023 CET`; other clocks give nothing."""
    draft.put("measured_on", read_asctime(value))


def switch_field(name: str, label: str) -> Handler:
    """`Enabled` or `Disabled`; `Unavailable` leaves it open."""

    def read(draft: Draft, value: str, number: int) -> None:
        if value.startswith(("Enabled", "Disabled")):
            draft.put(name, value.startswith("Enabled"))
        elif not value.startswith("Unavailable"):
            draft.report_unreadable(number, label, value)

    return read


def finish_reading(draft: Draft, *, first_line: int, last_line: int, text_format: str) -> SmartctlReading:
    """Return the reading with its class, and add notices about the device."""
    evidence = smartctl_evidence(draft.values.get)
    stand_in = find_stand_in(evidence)
    if stand_in is not None:
        draft.notices.append(Notice(stand_in.value, _STAND_INS[stand_in], first_line))
    if evidence.is_usb:
        draft.notices.append(
            Notice(
                "usb_bridge",
                "this drive is behind a USB bridge: its latency says little about the drive",
                first_line,
            )
        )
    hours = draft.values.get("power_on_hours")
    if hours is not None and hours not in POWERED_HOURS:
        message = (
            f"{hours:,} power-on hours are {hours // HOURS_A_YEAR} years: this counter is wrong, so we don't store"
            " the hours"
        )
        draft.notices.append(Notice("out_of_range", message, first_line))
    device_class = classify(evidence)
    draft.put("wear_percent", draft.values.get("percentage_used"))
    return SmartctlReading(
        first_line=first_line,
        last_line=last_line,
        format=text_format,
        device_class=device_class,
        printed_class=device_class,
        **draft.values,
    )
