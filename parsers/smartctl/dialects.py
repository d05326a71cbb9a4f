"""smartctl on ATA devices: ataprint.cpp, `print_drive_info()`, the attribute table and the device statistics."""

import re

from parsers.base.limits import BYTES_WRITTEN, CAPACITY, COUNT, HOURS, PERCENTAGE, Limits
from parsers.base.readings import Notice
from parsers.base.units import parse_grouped
from parsers.smartctl.attributes import (
    AIRFLOW_TEMPERATURE,
    POWER_CYCLES,
    POWER_ON_HOURS,
    TEMPERATURE,
    blocks_written,
    bytes_written,
    raw_degrees,
    raw_hours,
    whole_raw,
)
from parsers.smartctl.fields import (
    Dialect,
    Draft,
    Handler,
    capacity_field,
    put_block_size,
    put_temperature,
    read_form_factor,
    read_health,
    read_rotation_rate,
    read_serial,
    stated,
    switch_field,
    temperature_field,
    text_field,
)
from parsers.smartctl.links import current_sata_link
from parsers.smartctl.tables import ENDURANCE_USED, HOURS_IN_STATISTICS, SECTORS_WRITTEN, Tables, read_tables

CONTRADICTION = 2  # two counters of one drive's writes differ by their rounding, not by this factor
ROUNDING = 2**30  # bytes, of the coarsest of these counters

# What other tools print of the addresses that a device shows, of those that it has
_NATIVE = re.compile(r"max sectors\s*=|Host Protected Area|HPA\b|Accessible Max Address", re.IGNORECASE)
_OF_NATIVE = re.compile(r"\b\d{4,15} ?/ ?(\d{4,15})\b", re.ASCII)
_SECTOR_SIZES = re.compile(r"(\d{1,7}) bytes logical(?:/physical|, +(\d{1,7}) bytes physical)", re.ASCII)


def _read_family(draft: Draft, value: str, _number: int) -> None:
    """Printed of drives in smartmontools' database only, which also names their attributes."""
    draft.put("model_family", stated(value))
    draft.put("is_known_drive", True)


def _read_known(draft: Draft, value: str, _number: int) -> None:
    draft.put("is_known_drive", value.startswith("In smartctl database"))


def _read_sector_sizes(draft: Draft, value: str, number: int) -> None:
    """`512 bytes logical/physical`; `512 bytes logical, 4096 bytes physical`."""
    match = _SECTOR_SIZES.match(value)
    if match is None:
        draft.doubt(number, "Sector Size", value)
        return
    source = ("Sector Size", value, number)
    put_block_size(draft, "logical_block_size", match[1], source=source)
    put_block_size(draft, "physical_block_size", match[2] or match[1], source=source)


def _read_sata_version(draft: Draft, value: str, _number: int) -> None:
    draft.put("protocol", stated(value) and "SATA")
    draft.put("negotiated_link", current_sata_link(value))


def _finish(draft: Draft) -> None:
    tables = read_tables(draft.rows)
    for line, number in tables.faults:
        draft.doubt(number, "SMART attribute", line)
    is_known_drive = draft.values.pop("is_known_drive", False)
    sct_temperature_c = draft.values.pop("sct_temperature_c", None)
    put_tables(draft, tables, is_known_drive=is_known_drive)
    draft.put("temperature_c", sct_temperature_c)
    for line, number in draft.rows:
        if _NATIVE.match(line) is not None:
            _read_native_capacity(draft, line, number)


def _read_native_capacity(draft: Draft, line: str, number: int) -> None:
    """`max sectors = 781422/1562845, HPA is enabled` of hdparm -N, and camcontrol's rows on HPA and AMA."""
    match = _OF_NATIVE.search(line)
    if match is not None:
        size = int(match[1]) * draft.values.get("logical_block_size", 512)
        draft.put_figure("native_capacity", size, CAPACITY, source=("native max address", match[0], number))


def put_tables(draft: Draft, tables: Tables, *, is_known_drive: bool) -> None:
    """Take what attributes and statistics say on fields that are still open."""
    _put_temperature(draft, tables)
    _put_age(draft, tables)
    _put_written(draft, tables, is_known_drive=is_known_drive)
    _put_statistic(draft, tables, "percentage_used", description=ENDURANCE_USED, limits=PERCENTAGE)


def _put_temperature(draft: Draft, tables: Tables) -> None:
    for identity in (TEMPERATURE, AIRFLOW_TEMPERATURE):
        attribute = tables.attributes.get(identity)
        if attribute is None or "Temp" not in attribute.name:
            continue
        degrees = raw_degrees(attribute.raw)
        if degrees is None:
            draft.doubt(attribute.line, attribute.name, attribute.raw)
        else:
            put_temperature(draft, "temperature_c", degrees, source=attribute.source)


def _put_age(draft: Draft, tables: Tables) -> None:
    hours = tables.attributes.get(POWER_ON_HOURS)
    if hours:
        draft.put_figure("power_on_hours", raw_hours(hours), HOURS, source=hours.source)
    _put_statistic(draft, tables, "power_on_hours", description=HOURS_IN_STATISTICS, limits=HOURS)
    cycles = tables.attributes.get(POWER_CYCLES)
    if cycles:
        draft.put_figure("power_cycle_count", whole_raw(cycles.raw), COUNT, source=cycles.source)


def _put_written(draft: Draft, tables: Tables, *, is_known_drive: bool) -> None:
    """The standard's counter before the vendor's; neither where they contradict each other."""
    block_size = draft.values.get("logical_block_size")
    sectors, line = _sectors_written(draft, tables)
    counted = sectors * block_size if sectors is not None and block_size else None
    claims = [bytes_written(each) for each in tables.written]
    if is_known_drive and block_size:
        hours = draft.values.get("power_on_hours")
        claims += [blocks_written(each, block_size, hours) for each in tables.written]
    claimed = next((claim for claim in claims if claim is not None), None)
    if counted is not None and claimed is not None and _contradict(counted, claimed):
        message = (
            f"the device statistics say {counted} bytes written, the attributes {claimed}: neither is taken"
        )
        draft.notices.append(Notice("contradicting_writes", message, tables.written[0].line))
    elif counted is not None:
        source = (SECTORS_WRITTEN, str(sectors), line)
        draft.put_figure("host_bytes_written", counted, BYTES_WRITTEN, source=source)
    elif claimed is not None:
        draft.put_figure("host_bytes_written", claimed, BYTES_WRITTEN, source=tables.written[0].source)


def _contradict(counted: int, claimed: int) -> bool:
    return max(counted, claimed) > CONTRADICTION * min(counted, claimed) + ROUNDING


def _sectors_written(draft: Draft, tables: Tables) -> tuple[int | None, int]:
    """The count and the line that states it."""
    value, number = tables.statistics.get(SECTORS_WRITTEN, ("", 0))
    sectors = parse_grouped(value) if value else None
    if value and sectors is None:
        draft.doubt(number, SECTORS_WRITTEN, value)
    return sectors, number


def _put_statistic(draft: Draft, tables: Tables, name: str, *, description: str, limits: Limits) -> None:
    value, number = tables.statistics.get(description, ("", 0))
    if value:
        draft.put_figure(name, parse_grouped(value), limits, source=(description, value, number))


_FIELDS: dict[str, Handler] = {
    "Model Family": _read_family,
    "Device Model": text_field("model_name"),
    "Serial Number": read_serial,
    "Firmware Version": text_field("firmware_version"),
    "User Capacity": capacity_field("user_capacity", "User Capacity"),
    "Sector Size": _read_sector_sizes,
    "Sector Sizes": _read_sector_sizes,
    "Rotation Rate": read_rotation_rate,
    "Form Factor": read_form_factor,
    "Device is": _read_known,
    "SATA Version is": _read_sata_version,
    "Write cache is": switch_field("write_cache_enabled", "Write cache is"),
    "SMART overall-health self-assessment test result": read_health,
    "Current Temperature": temperature_field("Current Temperature", "sct_temperature_c"),
}

ATA = Dialect(transport="ata", fields=_FIELDS, finish=_finish)
