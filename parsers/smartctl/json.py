"""smartctl's `--json`, of 6.7 to 7.5, complete, cut off or wrapped by a terminal.

Source: the `jglb[...]` assignments of smartctl.cpp, ataprint.cpp, nvmeprint.cpp and scsiprint.cpp.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple, TypeVar

from parsers.base.dates import read_asctime, read_time_t
from parsers.base.format import Block, Format, Outcome, ParseError
from parsers.base.readings import Notice
from parsers.base.units import (
    BLOCK_SIZE,
    BYTES_WRITTEN,
    CAPACITY,
    COUNT,
    GIGABYTE,
    HOURS,
    NVME_DATA_UNIT,
    PERCENTAGE,
    POWERED_HOURS,
    ROTATION_RATE,
    Limits,
    parse_decimal,
)
from parsers.base.vocabulary import read_lines
from parsers.smartctl.ata import put_tables
from parsers.smartctl.failures import find_failure, is_usb_type, slot_of
from parsers.smartctl.fields import (
    FigureLine,
    SmartctlDraft,
    finish_reading,
    put_serial,
    put_temperature,
    stated,
)
from parsers.smartctl.keep import keep_command
from parsers.smartctl.keep_json import keep
from parsers.smartctl.link_speeds import faster_sas_link, sata_link
from parsers.smartctl.logs import failed_self_test, max_hours
from parsers.smartctl.nvme import protection_fault
from parsers.smartctl.scsi import PROTOCOLS
from parsers.smartctl.tables import (
    CAPACITOR_TEST,
    SOLID_STATE,
    Attribute,
    Tables,
    put_capacitor_test,
    shows_flash,
)
from parsers.text.json_repair import MAX_INTEGER_DIGITS, NO_NUMBER, read_json

Object = Mapping[str, object]
Path = tuple[str | int, ...]
Value = TypeVar("Value")
LineOf = Callable[[Path], int]  # where in the paste the value at the end of a path is

_TRANSPORTS = {"ATA": "ata", "NVMe": "nvme", "SCSI": "scsi"}
# Without a protocol, as monitoring tools cut it down, the plain types of `-d` show it as well
_TRANSPORTS_OF_TYPES = {"ata": "ata", "sat": "ata", "nvme": "nvme", "scsi": "scsi"}
_NVME_LOG = "nvme_smart_health_information_log"
NO_CAPACITORS = 0xFFFF  # as OCP's log C0h states it; else in percent of the energy that a shutdown needs
_LOGS_OF_HOURS: dict[Path, str] = {
    ("ata_smart_self_test_log", "standard", "table"): "lifetime_hours",
    ("ata_smart_self_test_log", "extended", "table"): "lifetime_hours",
    ("ata_smart_error_log", "summary", "table"): "lifetime_hours",
    ("ata_smart_error_log", "extended", "table"): "lifetime_hours",
    ("nvme_self_test_log", "table"): "power_on_hours",
}
_SCSI_SELF_TEST = "scsi_self_test_"
_RESULTS_OF_SELF_TESTS: dict[Path, str] = {
    ("ata_smart_self_test_log", "extended", "table"): "status",
    ("ata_smart_self_test_log", "standard", "table"): "status",
    ("nvme_self_test_log", "table"): "self_test_result",
}


# Field -> its paths, in order of preference: names differ between versions
def _path(text: str) -> Path:
    return tuple(int(step) if step.isdigit() else step for step in text.split("."))


_FIELDS = [line.split() for line in read_lines(__file__, "json_fields.txt")]
_LIMITS = {
    "CAPACITY": CAPACITY, "BLOCK_SIZE": BLOCK_SIZE, "ROTATION_RATE": ROTATION_RATE, "COUNT": COUNT,
    "PERCENTAGE": PERCENTAGE,
}  # fmt: skip
_TEXTS = {name: list(map(_path, paths)) for name, kind, *paths in _FIELDS if kind == "text"}
_COUNTS = {name: (_LIMITS[kind], list(map(_path, paths))) for name, kind, *paths in _FIELDS if kind != "text"}
# Seagate's own log, which repeats what the drive is: first the page's name for SATA, then for SAS
_FARM = "seagate_farm_log"
_FARM_PAGES = ("page_1_drive_information", "drive_information")
_FARM_MODELS = ("model_number", "model_name", "product_identification", "product_id")
_FARM_HOURS = ("poh", "power_on_hour", "power_on_hours")
_FARM_CAPACITIES = ("device_capacity_in_bytes", "device_capacity_in_sectors")
_HOURS: tuple[Path, ...] = (("power_on_time", "hours"), (_NVME_LOG, "power_on_hours"))
_TEMPERATURE: tuple[Path, ...] = (
    ("temperature", "current"),
    (_NVME_LOG, "temperature"),
    ("scsi_environmental_reports", "temperature_1", "current"),
)

_WEAR_OF_SAS = "scsi_percentage_used_endurance_indicator"
_SAS_LOGS = ("scsi_error_counter_log", "scsi_grown_defect_list", "scsi_start_stop_cycle_counter")
_LOADS = ("accumulated_load_unload_cycles", "specified_load_unload_count_over_device_lifetime")

# Keys that a document of smartctl can begin with, in smartctl's order or sorted
_FIRST_KEYS = (
    '"json_format_version"', '"smartctl":', '"device":', '"ata_', '"nvme_', '"scsi_', '"seagate_farm_log"',
)  # fmt: skip
_START = re.compile(rf"[{{ \t]*+(?:{'|'.join(_FIRST_KEYS)})")
# What every document of smartctl contains; cut down to some of its members it still states how the device was opened
_MARKS: tuple[Path, ...] = (
    ("json_format_version",), ("smartctl",), ("device", "info_name"), ("seagate_farm_log",),
)  # fmt: skip
_QUOTED = re.compile(r'"([^"\\\n]{1,80})"')
_DOCUMENT = re.compile(r'\{\s*"')  # the beginning of another
_NEXT_DOCUMENT = re.compile(r'^[ \t]*\{\s*"(?:json_format_version|smartctl)"\s*:', re.MULTILINE)
MAX_DOCUMENTS = 200  # nobody pastes more by hand


def put_fields(draft: SmartctlDraft, document: Object, line_of: LineOf) -> None:
    """Fill the draft from a document."""
    for name, paths in _TEXTS.items():
        draft.put(name, _first(_text_at(document, path) for path in paths))
    for name, (limits, paths) in _COUNTS.items():
        for path in paths:
            _put_count(draft, name, _Value(document, path, line_of), limits=limits)
    is_standard = _NVME_LOG in document
    for path in _HOURS:
        limits = HOURS if is_standard else POWERED_HOURS
        _put_count(draft, "power_on_hours", _Value(document, path, line_of), limits=limits)
    draft.put("tool_version", _tool_version(document))
    draft.put("measured_on", _local_date(document))
    draft.put("has_flash", _has_flash(document))
    draft.put("logged_hours", max_hours(_logged_hours(document)))
    draft.put("failed_self_test", failed_self_test(_self_test_results(document)))
    put_serial(draft, _text_at(document, ("serial_number",)) or "")
    for path in _TEMPERATURE:
        degrees = value_at(document, path)
        if isinstance(degrees, int) and not isinstance(degrees, bool):
            source = FigureLine("temperature", str(degrees), line_of(path))
            put_temperature(draft, "temperature_c", degrees, source=source)
    _put_switches(draft, document)
    _put_connection(draft, document)
    draft.put("negotiated_link", _negotiated_link(document, draft.values.get("transport")))
    _put_written(draft, document, line_of)
    endurance = _Value(document, ("endurance_used", "current_percent"), line_of)
    _put_count(draft, "percentage_used", endurance, limits=PERCENTAGE)
    put_tables(draft, _tables(document, line_of))
    for page in _FARM_PAGES:
        _put_farm(draft, document, (_FARM, page), line_of)


class _Value(NamedTuple):
    """A place where the document may state a number."""

    document: Object
    path: Path
    line_of: LineOf


def _put_farm(draft: SmartctlDraft, document: Object, page: Path, line_of: LineOf) -> None:
    """Fill in from Seagate's log what nothing else in the document states."""
    if not isinstance(value_at(document, page), Mapping):
        return
    draft.put("model_name", _first(_text_at(document, (*page, name)) for name in _FARM_MODELS))
    draft.put("firmware_version", _text_at(document, (*page, "firmware_rev")))
    put_serial(draft, _text_at(document, (*page, "serial_number")) or "")
    sector = _count_at(document, (*page, "logical_sector_size"))
    counts = [("power_on_hours", name, POWERED_HOURS, 1) for name in _FARM_HOURS]
    counts += [("power_cycle_count", "power_cycle_count", COUNT, 1)]
    counts += [("rotation_rate_rpm", "rotation_rate", ROTATION_RATE, 1)]
    counts += [
        ("user_capacity", name, CAPACITY, 1 if "bytes" in name else sector or 0) for name in _FARM_CAPACITIES
    ]
    for name, key, limits, unit in counts:
        _put_count(draft, name, _Value(document, (*page, key), line_of), limits=limits, unit=unit)


def _put_count(draft: SmartctlDraft, name: str, place: _Value, *, limits: Limits, unit: int = 1) -> None:
    """Store an integer of units within its range; a capacity of 0 is none."""
    value = value_at(place.document, place.path)
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or name in draft.values:
        return
    count = value * unit if isinstance(value, int) else None
    if count == 0 and limits is CAPACITY:
        return
    if count in limits:
        draft.put(name, count)
    else:
        printed = f"more than {MAX_INTEGER_DIGITS} digits" if value == NO_NUMBER else str(value)
        source = FigureLine(_key(place.path), printed, place.line_of(place.path))
        draft.put_figure(name, count, limits, source=source)


def _key(path: Path) -> str:
    return ".".join(map(str, path))


def messages(document: Object) -> Iterator[str]:
    """smartctl's messages."""
    for message in _objects_at(document, ("smartctl", "messages")):
        text = _text_at(message, ("string",))
        if text is not None:
            yield text


def value_at(document: object, path: Path) -> object:
    """Return the value at the end of a path of keys and indexes, or None."""
    for step in path:
        if isinstance(document, Mapping):
            document = document.get(step)
        elif isinstance(document, list) and isinstance(step, int) and step < len(document):
            document = document[step]
        else:
            return None
    return document


def _text_at(document: Object, path: Path) -> str | None:
    value = value_at(document, path)
    return stated(value.strip()) if isinstance(value, str) else None


def _count_at(document: Object, path: Path) -> int | None:
    value = value_at(document, path)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _objects_at(document: Object, path: Path) -> list[Object]:
    value = value_at(document, path)
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _first(values: Iterator[Value | None]) -> Value | None:
    return next((value for value in values if value is not None), None)


def _tool_version(document: Object) -> str | None:
    version = value_at(document, ("smartctl", "version"))
    if (
        not isinstance(version, list)
        or len(version) < 2
        or not all(isinstance(part, int) for part in version)
    ):
        return None
    prefix = "pre-" if value_at(document, ("smartctl", "pre_release")) is True else ""
    return prefix + ".".join(map(str, version))


def _local_date(document: Object) -> date | None:
    """Return the date in `asctime`, which is local; that of `time_t` is UTC."""
    printed = _text_at(document, ("local_time", "asctime"))
    if printed is not None:
        return read_asctime(printed)
    return read_time_t(value_at(document, ("local_time", "time_t")))


def _has_flash(document: Object) -> bool | None:
    """Whether logs and attributes are those of flash; None where they don't show it."""
    if any(key.startswith("nvme_") for key in document):
        return True
    if _WEAR_OF_SAS in document and any(key in document for key in _SAS_LOGS):
        return True
    counters = value_at(document, ("scsi_start_stop_cycle_counter",))
    if isinstance(counters, Mapping) and any(_count_at(counters, (name,)) for name in _LOADS):
        return False
    rows = _objects_at(document, ("ata_smart_attributes", "table"))
    names = [name for row in rows if (name := _text_at(row, ("name",)))]
    pages = [_text_at(page, ("name",)) for page in _objects_at(document, ("ata_device_statistics", "pages"))]
    return shows_flash(names, is_solid=SOLID_STATE in pages)


def _logged_hours(document: Object) -> Iterator[int]:
    """Yield the hours of each entry of the self-test and error logs, and those of Seagate's log."""
    entries: list[tuple[Object, Path]] = [
        (entry, (name,)) for path, name in _LOGS_OF_HOURS.items() for entry in _objects_at(document, path)
    ]
    entries += [
        (document, (key, "power_on_time", "hours")) for key in document if key.startswith(_SCSI_SELF_TEST)
    ]
    entries += [(document, (_FARM, page, name)) for page in _FARM_PAGES for name in _FARM_HOURS]
    for entry, path in entries:
        hours = _count_at(entry, path)
        if hours is not None:
            yield hours


def _self_test_results(document: Object) -> Iterator[str]:
    """Yield the result of each self-test, the newest first."""
    for path, name in _RESULTS_OF_SELF_TESTS.items():
        for entry in _objects_at(document, path):
            yield _text_at(entry, (name, "string")) or ""
    for key in document:
        if key.startswith(_SCSI_SELF_TEST):
            yield _text_at(document, (key, "result", "string")) or ""


def _put_switches(draft: SmartctlDraft, document: Object) -> None:
    passed = value_at(document, ("smart_status", "passed"))
    if isinstance(passed, bool):
        draft.put("health", "PASSED" if passed else "FAILED")
    cache = value_at(document, ("write_cache", "enabled"))
    draft.put("write_cache_enabled", cache if isinstance(cache, bool) else None)
    draft.put("protection_fault", protection_fault(_count_at(document, (_NVME_LOG, "critical_warning")) or 0))
    for row in _objects_at(document, ("ata_smart_attributes", "table")):
        value, threshold = _count_at(row, ("value",)), _count_at(row, ("thresh",))
        if _text_at(row, ("name",)) == CAPACITOR_TEST and value is not None and threshold is not None:
            put_capacitor_test(draft, value, threshold)
    health = _count_at(document, ("ocp_smart_log", "capacitor_health"))
    if health is not None and health < NO_CAPACITORS:
        draft.put("protection_evidence" if health else "protection_fault", f"OCP capacitor health {health} %")


def _put_connection(draft: SmartctlDraft, document: Object) -> None:
    device_type = _text_at(document, ("device", "type"))
    draft.put("slot", slot_of(device_type))
    transport = _TRANSPORTS.get(_text_at(document, ("device", "protocol")) or "")
    transport = transport or _TRANSPORTS_OF_TYPES.get(device_type or "")
    draft.put("transport", transport)
    if value_at(document, ("sata_version",)) is not None:
        draft.put("protocol", "SATA")
    elif transport == "nvme":
        draft.put("protocol", "NVMe")
    else:
        draft.put("protocol", PROTOCOLS.get(draft.values.get("transport_protocol", "").split(" ", 1)[0]))
    if is_usb_type(device_type) or "[USB" in (_text_at(document, ("device", "info_name")) or ""):
        draft.put("is_usb", True)
        draft.put("protocol", "USB")


def _negotiated_link(document: Object, transport: str | None) -> str | None:
    """Return SATA's current speed, or the fastest SAS phy in use."""
    if transport == "ata":
        return sata_link(_text_at(document, ("interface_speed", "current", "string")) or "")
    link = None
    for port, phys in document.items():
        if not port.startswith("scsi_sas_port_") or not isinstance(phys, Mapping):
            continue
        for phy in phys.values():
            rate = _text_at(phy, ("negotiated_logical_link_rate",)) if isinstance(phy, Mapping) else None
            link = faster_sas_link(link, rate or "")
    return link


def _put_written(draft: SmartctlDraft, document: Object, line_of: LineOf) -> None:
    units = _Value(document, (_NVME_LOG, "data_units_written"), line_of)
    _put_count(draft, "host_bytes_written", units, limits=BYTES_WRITTEN, unit=NVME_DATA_UNIT)
    path = ("scsi_error_counter_log", "write", "gigabytes_processed")
    gigabytes = _text_at(document, path)
    processed = parse_decimal(gigabytes) if gigabytes else None
    if gigabytes and "host_bytes_written" not in draft.values:
        written = None if processed is None else int(processed * GIGABYTE)
        source = FigureLine(_key(path), gigabytes, line_of(path))
        draft.put_figure("host_bytes_written", written, BYTES_WRITTEN, source=source)


def _tables(document: Object, line_of: LineOf) -> Tables:
    """Return ATA's attributes and device statistics in the form of the text's."""
    tables = Tables()
    for row in _objects_at(document, ("ata_smart_attributes", "table")):
        name, raw = _text_at(row, ("name",)), _text_at(row, ("raw", "string"))
        if name is not None and raw is not None:
            line = line_of(("ata_smart_attributes", name))
            tables.add(Attribute(name, raw, line, _count_at(row, ("id",)), _count_at(row, ("value",))))
    for page in _objects_at(document, ("ata_device_statistics", "pages")):
        for row in _objects_at(page, ("table",)):
            name, value = _text_at(row, ("name",)), _count_at(row, ("value",))
            if name is not None and value is not None and value_at(row, ("flags", "valid")) is True:
                line = line_of(("ata_device_statistics", name))
                tables.statistics.setdefault(name, (str(value), line))
    return tables


@dataclass(frozen=True)
class _Document:
    """One JSON object of the block and its lines; the fault, if it is incomplete."""

    value: Object
    lines: Sequence[str]
    numbers: Sequence[int]  # of the lines in the paste
    fault: Notice | None = None

    @cached_property
    def _words(self) -> dict[str, list[int]]:
        """The lines of each word in quotes, as indices."""
        words: dict[str, list[int]] = {}
        for at, line in enumerate(self.lines):
            for word in _QUOTED.findall(line):
                words.setdefault(word, []).append(at)
        return words

    def line_of(self, path: Path) -> int:
        """Return the line of the value at the end of a path, as far as words show it."""
        found = 0
        for word in path:
            places = self._words.get(str(word), [])
            at = bisect_left(places, found)
            if at < len(places):
                found = places[at]
        return self.numbers[found]


def starts(line: str) -> bool:
    """Whether a line holds a key that only smartctl's JSON begins with."""
    return _START.match(line) is not None


def opens_document(line: str) -> bool:
    """Whether the line above such a key opens the document."""
    return line.strip() == "{"


def read(block: Block) -> Outcome:
    """Read every document of a block, up to a cut or break, and report the fault."""
    outcome = Outcome()
    for document in _documents(block):
        if document.fault is not None:
            outcome.notices.append(document.fault)
        if all(value_at(document.value, mark) is None for mark in _MARKS):
            continue
        draft = SmartctlDraft()
        put_fields(draft, document.value, document.line_of)
        first_line, last_line = document.numbers[0], document.numbers[-1]
        reading = finish_reading(draft, first_line=first_line, last_line=last_line, text_format="json")
        outcome.readings.append(reading)
        outcome.notices += draft.notices
        failures = (find_failure(message, first_line) for message in messages(document.value))
        outcome.notices += [failure for failure in failures if failure is not None][:1]
    return outcome


def _documents(block: Block) -> Iterator[_Document]:
    """Yield the documents of a block; their lines were joined when they were kept."""
    lines = "\n".join(block.lines).rstrip().split("\n")
    lines[0] = lines[0].lstrip()
    if not lines[0].startswith("{"):
        lines[0] = "{" + lines[0]  # cut at its head
    text = "\n".join(lines)
    position = line = 0
    for _ in range(MAX_DOCUMENTS):
        value, end, fault = _read_document(text[position:])
        last = line + text.count("\n", position, position + end)
        yield _Document(
            value, lines[line : last + 1], block.numbers[line : last + 1], _place(fault, block, line)
        )
        following = _DOCUMENT.search(text, position + end)
        if following is None:
            return
        line = last + text.count("\n", position + end, following.start())
        position = following.start()


def _place(fault: ParseError | None, block: Block, first: int) -> Notice | None:
    """The fault with its line in the paste instead of that in the document."""
    if fault is None:
        return None
    return Notice(fault.code, str(fault), block.numbers[first + (fault.line_number or 1) - 1])


def _read_document(text: str) -> tuple[Object, int, ParseError | None]:
    """Read the object at the start of the text; return it, its end and its fault.

    Where it is cut off or broken, the next one begins behind it.
    """
    fault: ParseError | None = None
    following = None
    try:
        document = read_json(text)
        if document.is_cut and (following := _NEXT_DOCUMENT.search(text, 1)):
            document = read_json(text[: following.start()])
    except ParseError as error:
        fault = error
        following = following or _NEXT_DOCUMENT.search(text, 1)
    end = following.start() if following else len(text)
    if fault is not None:
        return _read_before(text[:end], fault), end, fault
    value = document.value if isinstance(document.value, dict) else {}
    if not document.is_cut:
        return value, document.end, None
    last_line = text.count("\n", 0, len(text[:end].rstrip())) + 1
    cut = ParseError("the JSON stops here, before its end", code="truncated_json", line_number=last_line)
    return value, end, cut


def _read_before(text: str, fault: ParseError) -> Object:
    """Read the complete members on the lines before a broken one."""
    lines = text.split("\n")[: (fault.line_number or 1) - 1]
    try:
        value = read_json("\n".join(lines)).value
    except ParseError:
        return {}
    return value if isinstance(value, dict) else {}


FORMAT = Format(
    "smartctl",
    starts,
    keep,
    read,
    precedes=opens_document,
    markers=('"',),
    hint=_START,
    keep_command=keep_command,
)
