"""The part of a run that all kinds share: its device, unit and conditions.

parsers.base.units has the valid ranges of what tools print about a device.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from typing import Any, ClassVar

from django.db.models import Model
from django.utils import timezone

from parsers.base.device_class import DeviceClass
from parsers.base.fillers import is_filler
from parsers.base.readings import FlushPath, LeftOut, Notice, PairedDevice, ParsedPaste, SmartctlReading
from parsers.base.units import POWERED_HOURS
from parsers.descriptions import description_of
from parsers.privacy.masks import MASK
from results.kinds.answers import NO_ANSWERS, SenderAnswers
from results.kinds.flags import Flag
from results.kinds.refused import NO_DEVICE
from results.models import lengths
from results.models.fields import BLOCK_SIZES

NOT_VENDORS = {"", "ATA", "NVMe"}  # what SCSI layers print instead of a vendor


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedPool:
    """The pool that a run is about, ready to be stored; fields as in Pool, empty if unstated.

    `logs` are the log devices that the text describes, as runs of which nothing is stored but their device;
    `log_slugs` those that the sender named.
    """

    position: int = 1  # in its text
    layout: tuple[Mapping[str, Any], ...] = ()
    is_told: bool = False
    health: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    platform: str = ""
    zfs_version: str = ""
    logs: tuple["Run", ...] = ()
    log_slugs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run of one unit or of a pool, ready to be stored; fields as in Result, empty if unstated.

    A kind adds what it measures, and returns it as `payload`, with `writers`. A run of a pool has no model name.
    """

    model_name: str = ""
    device_class: DeviceClass = DeviceClass.UNKNOWN
    pool: DescribedPool | None = None
    method: str
    is_complete: bool
    vendor: str = ""
    capacity_bytes: int | None = None
    firmware_version: str = ""
    unit: str = ""
    not_ranked_reason: str = ""
    path: str = ""
    stated_capacity_bytes: int | None = None  # by smartctl
    native_capacity_bytes: int | None = None  # of a device that is configured to report less
    negotiated_link: str | None = None  # a name from results.kinds.interconnects
    is_usb: bool = False  # behind a USB bridge
    platform: str = ""
    attachment: str = ""
    sector_size: int | None = None
    write_cache_enabled: bool | None = None
    has_volatile_cache: bool | None = None
    kernel_write_cache: str | None = None  # "write back" or "write through"
    has_fua: bool | None = None
    protection_fault: str | None = None  # a fault of the power-loss protection, as the drive reports it
    sync_method: str | None = None  # how each write was made durable, where there are several ways
    data_content: str | None = None  # of fio's writes, as in results.models.choices
    pattern: str | None = None  # their order
    is_direct: bool | None = None
    block_align: int | None = None  # bytes, of their offsets
    writers: int | None = None  # concurrent ones; None for a single one
    power_on_hours: int | None = None
    wear_percent: int | None = None
    wear_source: str | None = None  # a SMART attribute, where no tool states wear_percent
    raw_wear: str | None = None
    host_bytes_written: int | None = None
    first_line: int | None = None
    last_line: int | None = None
    measured_on: date | None = None
    flags: tuple[Flag, ...] = ()
    answers_key: str = ""  # under which name of results.kinds.answers its sender answers questions about it
    settled: frozenset[str] = frozenset()  # codes of the parsers' notices that don't apply to it
    answered: frozenset[str] = frozenset()  # the questions that the text answers
    is_published: bool = False  # elsewhere, with a name written by a person instead of a tool
    doubt: str = ""  # why a published figure may be misleading, as a sentence
    pair_of: str = ""  # the published result that is ranked, if this is the other half of a pair
    # What is too large for lists, by its kind's bulk columns
    bulk: Mapping[str, Any] = field(default_factory=dict)
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

    @property
    def payload(self) -> Mapping[str, Any]:
        """What was measured, by the columns of its kind."""
        return {"writers": self.writers}

    @property
    def latencies(self) -> tuple[float | None, ...]:
        """What a kind that judges its runs measured, in µs by slot of BLOCK_SIZES."""
        return (None,) * len(BLOCK_SIZES)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRun(Run):
    """A run whose payload is a row of `table`; `figures` has those of its columns that are known."""

    table: ClassVar[type[Model]]
    figures: Mapping[str, Any]

    @property
    def payload(self) -> Mapping[str, Any]:
        return {**payload_of(self.table, self.figures), "writers": self.writers}


def payload_of(table: type[Model], figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures, and for the other columns of the table their defaults: "", [], None."""
    columns = (field for field in table._meta.concrete_fields if not field.primary_key)
    return {
        column.name: figures[column.name] if column.name in figures else column.get_default()
        for column in columns
    }


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a paste, in order, and those that were left out.

    `notices` are about left-out runs for which the parsers have no notice.
    """

    runs: tuple[Run, ...]
    left_out: tuple[LeftOut, ...]
    notices: tuple[Notice, ...]

    def notices_with(self, warnings: Iterable[Notice]) -> list[Notice]:
        """The parsers' notices that apply to these runs, and those about left-out runs."""
        settled = [(run.first_line, run.last_line, run.settled) for run in self.runs if run.settled]
        applying = (
            warning
            for warning in warnings
            if not any(
                warning.code in codes
                and (warning.line is None or (first or 0) <= warning.line <= (last or 0))
                for first, last, codes in settled
            )
        )
        return [*applying, *self.notices]

    @property
    def count(self) -> int:
        """The number of runs in the paste, including those left out."""
        return len(self.runs) + len(self.left_out)


@dataclass(frozen=True, slots=True)
class Stated:
    """What is stated beside a text: the day of its runs, the latest possible one, and answers about the runs.

    A day after `sent_on`, by default today, is a clock that is wrong; one more day allows for time zones.
    """

    day: date | None = None
    sent_on: date | None = None
    answers: SenderAnswers = NO_ANSWERS
    device_labels: Mapping[str, str] = field(default_factory=dict)  # of those that answers name, by slug

    def day_of(self, measured_on: date | None) -> date | None:
        """The day in the text, else the one that the sender stated; none in the future."""
        latest = (self.sent_on or timezone.now().date()) + timedelta(days=1)
        return next((day for day in (measured_on, self.day) if day and day <= latest), None)


class UnnamedDeviceError(Exception):
    """A run can't be stored because the text doesn't name its device properly."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice.message)
        self.notice = notice


def describe_device(
    device: PairedDevice, paste: ParsedPaste, *, line: int, described: str = ""
) -> dict[str, Any]:
    """The fields of a run about its device and unit, from smartctl and `described`.

    `described` is the benchmark's description of the device, used if smartctl names no model; `line` is where the run
    begins. Raises UnnamedDeviceError.
    """
    smartctl = description_of(device, paste.readings)
    model_name, vendor = _names(smartctl, described)
    fault = _refuse_name(model_name, line)
    if fault is not None:
        raise UnnamedDeviceError(fault)
    return {
        "model_name": fitting_text(model_name, longest=lengths.MODEL_NAME),
        "vendor": fitting_text(vendor, longest=lengths.VENDOR),
        "capacity_bytes": device.capacity,
        "device_class": device.device_class,
        "printed_class": device.printed_class,
        "firmware_version": fitting_text(device.firmware_version, longest=lengths.FIRMWARE),
        "unit": device.unit or "",
        "is_usb": bool(smartctl and smartctl.is_usb),
        **_conditions(smartctl),
        **_flush_path(device, smartctl),
    }


def _names(smartctl: SmartctlReading | None, description: str) -> tuple[str, str]:
    """Model name and vendor, spelled alike from either tool; "ATA" is no vendor."""
    if smartctl is None or not smartctl.model_name or is_filler(smartctl.model_name):
        return " ".join(description.split()).removeprefix("ATA "), ""
    vendor = smartctl.vendor or ""
    if vendor in NOT_VENDORS or is_filler(vendor):
        return " ".join(smartctl.model_name.split()), ""
    return " ".join(f"{vendor} {smartctl.model_name}".split()), vendor


def _refuse_name(model_name: str, line: int) -> Notice | None:
    if not any(map(str.isalnum, model_name)):  # an ellipsis, where a value was too long to be kept
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
        "platform": fitting_condition(smartctl.platform),
        "protection_fault": fitting_condition(smartctl.protection_fault) or None,
        "power_on_hours": smartctl.power_on_hours if smartctl.power_on_hours in POWERED_HOURS else None,
        "wear_percent": smartctl.wear_percent,
        "wear_source": smartctl.wear_source,
        "raw_wear": fitting_condition(smartctl.raw_wear) or None,
        "host_bytes_written": smartctl.host_bytes_written,
    }


def _flush_path(device: PairedDevice, smartctl: SmartctlReading | None) -> dict[str, Any]:
    """What is stated about caches on the way to the medium; of WCE, smartctl's statement takes precedence."""
    stated = asdict(device.flush_path or FlushPath())
    enabled = smartctl.write_cache_enabled if smartctl else None
    return stated if enabled is None else {**stated, "write_cache_enabled": enabled}


def fitting_condition(text: str | None) -> str:
    return fitting_text(text, longest=lengths.CONDITION)


NO_TEXT = re.compile("[\0\ud800-\udfff]")  # JSON can escape characters that PostgreSQL's text can't store


def fitting_text(text: str | None, *, longest: int) -> str:
    """The text, made to fit into a column of that length; "" for None."""
    return NO_TEXT.sub("\ufffd", text or "")[:longest]
