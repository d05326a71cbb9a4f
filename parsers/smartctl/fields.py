"""From labeled values to a smartctl reading: draft, fields, device class.

A handler takes the draft and a labeled line. The first line that states a field wins; a
line that states a field and can't be read leaves the field open and adds a notice.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from parsers.base.dates import read_asctime
from parsers.base.fillers import is_crossed_out, is_filler
from parsers.base.readings import Notice, SmartctlReading
from parsers.base.units import (
    BLOCK_SIZE,
    CAPACITY,
    HOURS_A_YEAR,
    POWERED_HOURS,
    ROTATION_RATE,
    TEMPERATURE,
    Limits,
    is_too_long,
    parse_grouped,
    scaled,
)
from parsers.base.vocabulary import read_lines
from parsers.classify.rules import classify, find_stand_in, smartctl_evidence
from parsers.privacy.masks import is_unit

MAX_TEXT_LENGTH = 200  # characters; names of devices and systems are much shorter
MAX_NOTICES = 50  # a device; more would be noise
GROUPED = r"(?:\d{1,9}|\d{1,3}(?:[., ']\d{3}){1,2})"  # as in the locale of Windows builds

_ROUNDED = re.compile(r"\[(\d{1,4}(?:[.,]\d{1,3})?) ([KMGTPE])B\]", re.ASCII)  # "[1,92 TB]"
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_DEGREES = re.compile(r"(-?\d{1,4}) C", re.ASCII)  # "38 Celsius", "46 C"

_STAND_INS = dict(line.split("\t") for line in read_lines(__file__, "stand_ins.txt"))


class FigureLine(NamedTuple):
    """A figure's label, its value as printed, and the number of its line."""

    label: str
    value: str
    number: int


@dataclass(slots=True)
class SmartctlDraft:
    """A reading in progress: the fields of SmartctlReading so far, and notices."""

    values: dict[str, Any] = field(default_factory=dict)
    # Lines without a known label, with their numbers
    rows: list[tuple[str, int]] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)

    def put(self, name: str, value: object) -> None:
        """Set a field, unless the value is None or an earlier line has set it."""
        if value is not None:
            self.values.setdefault(name, value)

    def report_unreadable(self, line: FigureLine) -> None:
        """Add a notice on a line that states a field and can't be read."""
        why = "has too many digits" if is_too_long(line.value) else "can't be read"
        self._leave_out(line, "unreadable_field", why)

    def put_figure(self, name: str, value: int | None, limits: Limits, *, source: FigureLine) -> None:
        """Put a figure within its range."""
        if value is None:
            self.report_unreadable(source)
        elif value not in limits:
            self._leave_out(source, "out_of_range", f"is outside the range of {limits}")
        else:
            self.put(name, value)

    def _leave_out(self, line: FigureLine, code: str, why: str) -> None:
        if len(self.notices) < MAX_NOTICES:
            message = f"the value of {line.label!r} {why}: {line.value[:60]!r}; it was left out"
            self.notices.append(Notice(code, message, line.number))


Handler = Callable[[SmartctlDraft, FigureLine], None]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A command set's output: its labeled fields, and the readers of other rows."""

    transport: str | None
    fields: Mapping[str, Handler]
    finish: Callable[[SmartctlDraft], None]


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


def read_text(name: str, draft: SmartctlDraft, line: FigureLine) -> None:
    """Store a field as printed."""
    draft.put(name, stated(line.value))


def read_name(name: str, draft: SmartctlDraft, line: FigureLine) -> None:
    """Store a field as printed, even if it is crossed out: no name, but proof that there was one."""
    is_printed = len(line.value) <= MAX_TEXT_LENGTH and is_crossed_out(line.value)
    draft.put(name, line.value if is_printed else stated(line.value))


def read_count(name: str, limits: Limits, draft: SmartctlDraft, line: FigureLine, *, unit: str = "") -> None:
    """Read an integer, grouped as in the locale, with a unit.

    A number without its unit was cut off.
    """
    value = line.value
    count = parse_grouped(value.removesuffix(unit).rstrip()) if value.endswith(unit) else None
    if count is not None or has_value(value):
        draft.put_figure(name, count, limits, source=line)


def read_amount(name: str, limits: Limits, unit: int, draft: SmartctlDraft, line: FigureLine) -> None:
    """Read a count of units of so many bytes.

    A rounded figure in brackets always follows, unless the count is 0 or cut off.
    """
    digits, bracket, _rounded = line.value.partition("[")
    count = parse_grouped(digits.strip())
    if count is not None and (bracket or not count):
        draft.put_figure(name, count * unit, limits, source=line)
    elif has_value(line.value):
        draft.report_unreadable(line)


def read_capacity(name: str, draft: SmartctlDraft, line: FigureLine) -> None:
    """Read a capacity in bytes.

    A number with nothing after it may have been cut off, so it is ignored.
    """
    value = line.value
    head, unit, _rest = value.partition("b")  # of "bytes"
    if not unit:
        head, unit, _rest = value.partition("[")
    capacity = parse_grouped(head.strip()) if unit or value == "0" else None
    if capacity is None or (capacity in CAPACITY and not _agrees(capacity, value)):
        if has_value(value):
            draft.report_unreadable(line)
    elif capacity:
        draft.put_figure(name, capacity, CAPACITY, source=line)


def _agrees(capacity: int, value: str) -> bool:
    """Whether smartctl's rounded figure in brackets, if any, is of the same size."""
    match = _ROUNDED.search(value)
    if match is None:
        return True
    rounded = scaled(match[1].replace(",", "."), match[2], kilo=1000)
    return rounded / 2 <= capacity <= rounded * 2


def read_block_size(name: str, draft: SmartctlDraft, line: FigureLine) -> None:
    """`4096 bytes` or `4096`."""
    size = parse_grouped(line.value.removesuffix("bytes").rstrip())
    draft.put_figure(name, size, BLOCK_SIZE, source=line)


def read_temperature(name: str, draft: SmartctlDraft, line: FigureLine) -> None:
    """`38 Celsius`, `46 C`; without a sensor smartctl prints 0, `-` or `<not available>`."""
    match = _DEGREES.match(line.value)
    if match is not None:
        put_temperature(draft, name, int(match[1]), source=line)
    elif not line.value.startswith(("- ", "?", "<not available>")):
        draft.report_unreadable(line)


def put_temperature(draft: SmartctlDraft, name: str, degrees: int, *, source: FigureLine) -> None:
    """Put a temperature within its range; 0 means that there is no sensor."""
    if degrees:
        draft.put_figure(name, degrees, TEMPERATURE, source=source)


def read_serial(draft: SmartctlDraft, line: FigureLine) -> None:
    """Store the mask of the serial number, and never anything else."""
    put_serial(draft, line.value)


def put_serial(draft: SmartctlDraft, value: str) -> None:
    if is_unit(value):
        draft.put("serial", value)


def read_rotation_rate(draft: SmartctlDraft, line: FigureLine) -> None:
    """Read `7200 rpm` or `Solid State Device`.

    Reserved and unknown codes of the standards give nothing.
    """
    rate, unit, _rest = line.value.partition("rpm")
    if line.value.startswith("Solid State"):
        draft.put("rotation_rate_rpm", 0)
    elif unit and (rpm := parse_grouped(rate.strip())) is not None:
        draft.put_figure("rotation_rate_rpm", rpm, ROTATION_RATE, source=line)
    elif not line.value.startswith(("Unknown", "Reserved", "Not ")) and has_value(line.value):
        draft.report_unreadable(line)


def read_form_factor(draft: SmartctlDraft, line: FigureLine) -> None:
    if not line.value.startswith(("Unknown", "Reserved")):
        draft.put("form_factor", stated(line.value))


def read_health(draft: SmartctlDraft, line: FigureLine) -> None:
    """`PASSED`, `FAILED!`, `UNKNOWN!` of ATA and NVMe."""
    word = line.value.split(" ", 1)[0].rstrip("!")
    if word in ("PASSED", "FAILED"):
        draft.put("health", word)
    elif word != "UNKNOWN":
        draft.report_unreadable(line)


def read_local_time(draft: SmartctlDraft, line: FigureLine) -> None:
    """Read `Sat Jan  7 12:00:00 2023 CET`; other clocks give nothing."""
    draft.put("measured_on", read_asctime(line.value))


def read_write_cache(draft: SmartctlDraft, line: FigureLine) -> None:
    """`Enabled` or `Disabled`; `Unavailable` leaves it open."""
    if line.value.startswith(("Enabled", "Disabled")):
        draft.put("write_cache_enabled", line.value.startswith("Enabled"))
    elif not line.value.startswith("Unavailable"):
        draft.report_unreadable(line)


def finish_reading(
    draft: SmartctlDraft, *, first_line: int, last_line: int, text_format: str
) -> SmartctlReading:
    """Return the reading with its class, and add notices about the device."""
    evidence = smartctl_evidence(draft.values.get)
    stand_in = find_stand_in(evidence)
    if stand_in is not None:
        draft.notices.append(Notice(stand_in.value, _STAND_INS[stand_in.value], first_line))
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
