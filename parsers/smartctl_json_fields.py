"""The fields of a reading out of one document of smartctl's JSON."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from parsers.numbers import parse_decimal
from parsers.smartctl_ata import put_tables
from parsers.smartctl_attributes import Attribute
from parsers.smartctl_command import is_usb_type
from parsers.smartctl_fields import (
    LARGEST_CAPACITY,
    PLAUSIBLE_BLOCK_SIZES,
    Draft,
    put_temperature,
    read_serial,
    stated,
)
from parsers.smartctl_nvme import DATA_UNIT
from parsers.smartctl_scsi import GIGABYTE, PROTOCOLS
from parsers.smartctl_tables import Tables

Object = Mapping[str, object]
Path = tuple[str | int, ...]
Value = TypeVar("Value")

_TRANSPORTS = {"ATA": "ata", "NVMe": "nvme", "SCSI": "scsi"}
# Without a protocol, as monitoring tools cut it down, the plain types of `-d` tell it as well
_TRANSPORTS_OF_TYPES = {"ata": "ata", "sat": "ata", "nvme": "nvme", "scsi": "scsi"}
_NVME_LOG = "nvme_smart_health_information_log"
# Field -> where it stands, in the order of preference: names changed with the versions
_TEXTS: dict[str, tuple[Path, ...]] = {
    "platform": (("smartctl", "platform_info"),),
    "path": (("device", "name"),),
    "transport_protocol": (("scsi_transport_protocol", "name"),),
    "device_type": (("device_type", "name"),),
    "vendor": (("scsi_vendor",), ("vendor",)),
    "model_name": (("scsi_product",), ("product",), ("model_name",), ("scsi_model_name",)),
    "model_family": (("model_family",),),
    "firmware_version": (("firmware_version",), ("scsi_revision",), ("revision",)),
    "form_factor": (("form_factor", "name"),),
}
_COUNTS: dict[str, tuple[Path, ...]] = {
    "rotation_rate_rpm": (("rotation_rate",),),
    "power_on_hours": (("power_on_time", "hours"), (_NVME_LOG, "power_on_hours")),
    "power_cycle_count": (("power_cycle_count",), (_NVME_LOG, "power_cycles")),
    "available_spare": ((_NVME_LOG, "available_spare"), ("spare_available", "current_percent")),
    "percentage_used": ((_NVME_LOG, "percentage_used"), ("scsi_percentage_used_endurance_indicator",)),
}
_CAPACITY: tuple[Path, ...] = (
    ("nvme_namespaces", 0, "size", "bytes"),
    ("user_capacity", "bytes"),
    ("nvme_total_capacity",),
)
_TEMPERATURE: tuple[Path, ...] = (
    ("temperature", "current"),
    (_NVME_LOG, "temperature"),
    ("scsi_environmental_reports", "temperature_1", "current"),
)


def put_fields(draft: Draft, document: Object, line: int) -> None:
    """Fill the draft from a document that begins at this line."""
    for name, paths in _TEXTS.items():
        draft.put(name, _first(_text_at(document, path) for path in paths))
    for name, paths in _COUNTS.items():
        draft.put(name, _first(_count_at(document, path) for path in paths))
    draft.put("tool_version", _tool_version(document))
    _put_sizes(draft, document)
    read_serial(draft, _text_at(document, ("serial_number",)) or "", line)
    for path in _TEMPERATURE:
        degrees = value_at(document, path)
        if isinstance(degrees, int) and not isinstance(degrees, bool):
            put_temperature(draft, "temperature_c", degrees, source=("temperature", str(degrees), line))
    _put_switches(draft, document)
    _put_connection(draft, document)
    _put_written(draft, document)
    is_known_drive = value_at(document, ("in_smartctl_database",)) is True
    put_tables(draft, _tables(document, line), is_known_drive=is_known_drive)
    draft.put("percentage_used", _count_at(document, ("endurance_used", "current_percent")))


def messages(document: Object) -> Iterator[str]:
    """What smartctl complained of."""
    for message in _objects_at(document, ("smartctl", "messages")):
        text = _text_at(message, ("string",))
        if text is not None:
            yield text


def value_at(document: object, path: Path) -> object:
    """The value at the end of a path of keys and indexes; None where it leads nowhere."""
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


def _put_sizes(draft: Draft, document: Object) -> None:
    capacity = _first(_count_at(document, path) for path in _CAPACITY)
    if capacity and capacity <= LARGEST_CAPACITY:
        draft.put("user_capacity", capacity)
    for name in ("logical_block_size", "physical_block_size"):
        size = _count_at(document, (name,))
        if size is not None and size in PLAUSIBLE_BLOCK_SIZES:
            draft.put(name, size)


def _put_switches(draft: Draft, document: Object) -> None:
    passed = value_at(document, ("smart_status", "passed"))
    if isinstance(passed, bool):
        draft.put("health", "PASSED" if passed else "FAILED")
    cache = value_at(document, ("write_cache", "enabled"))
    draft.put("write_cache_enabled", cache if isinstance(cache, bool) else None)


def _put_connection(draft: Draft, document: Object) -> None:
    device_type = _text_at(document, ("device", "type"))
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


def _put_written(draft: Draft, document: Object) -> None:
    units = _count_at(document, (_NVME_LOG, "data_units_written"))
    draft.put("host_bytes_written", None if units is None else units * DATA_UNIT)
    gigabytes = _text_at(document, ("scsi_error_counter_log", "write", "gigabytes_processed"))
    processed = parse_decimal(gigabytes) if gigabytes else None
    draft.put("host_bytes_written", None if processed is None else int(processed * GIGABYTE))


def _tables(document: Object, line: int) -> Tables:
    """The attribute table and the device statistics of ATA, in the form of the text's tables."""
    tables = Tables()
    for row in _objects_at(document, ("ata_smart_attributes", "table")):
        name, raw = _text_at(row, ("name",)), _text_at(row, ("raw", "string"))
        if name is not None and raw is not None:
            tables.add(_count_at(row, ("id",)), Attribute(name, raw, line))
    for page in _objects_at(document, ("ata_device_statistics", "pages")):
        for row in _objects_at(page, ("table",)):
            name, value = _text_at(row, ("name",)), _count_at(row, ("value",))
            if name is not None and value is not None and value_at(row, ("flags", "valid")) is True:
                tables.statistics.setdefault(name, (str(value), line))
    return tables
