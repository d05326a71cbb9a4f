"""smartctl on ATA devices: ataprint.cpp, `print_drive_info()`, the attribute table and the device statistics."""

import re

from parsers.kinds import Notice
from parsers.numbers import parse_grouped
from parsers.smartctl_attributes import (
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
from parsers.smartctl_fields import (
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
from parsers.smartctl_tables import ENDURANCE_USED, HOURS_IN_STATISTICS, SECTORS_WRITTEN, Tables, read_tables

CONTRADICTION = 2  # two counters of one drive's writes differ by their rounding, not by this factor
ROUNDING = 2**30  # bytes, of the coarsest of these counters

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


def _finish(draft: Draft) -> None:
    tables = read_tables(draft.rows)
    for line, number in tables.faults:
        draft.doubt(number, "SMART attribute", line)
    is_known_drive = draft.values.pop("is_known_drive", False)
    sct_temperature_c = draft.values.pop("sct_temperature_c", None)
    put_tables(draft, tables, is_known_drive=is_known_drive)
    draft.put("temperature_c", sct_temperature_c)


def put_tables(draft: Draft, tables: Tables, *, is_known_drive: bool) -> None:
    """Take what attributes and statistics say on fields that are still open."""
    _put_temperature(draft, tables)
    _put_age(draft, tables)
    _put_written(draft, tables, is_known_drive=is_known_drive)
    draft.put("percentage_used", _statistic(draft, tables, ENDURANCE_USED))


def _put_temperature(draft: Draft, tables: Tables) -> None:
    for identity in (TEMPERATURE, AIRFLOW_TEMPERATURE):
        attribute = tables.attributes.get(identity)
        if attribute is None or "Temp" not in attribute.name:
            continue
        degrees = raw_degrees(attribute.raw)
        if degrees is None:
            draft.doubt(attribute.line, attribute.name, attribute.raw)
        else:
            source = (attribute.name, attribute.raw, attribute.line)
            put_temperature(draft, "temperature_c", degrees, source=source)


def _put_age(draft: Draft, tables: Tables) -> None:
    hours = tables.attributes.get(POWER_ON_HOURS)
    if hours:
        draft.put("power_on_hours", raw_hours(hours))
        if raw_hours(hours) is None:
            draft.doubt(hours.line, hours.name, hours.raw)
    draft.put("power_on_hours", _statistic(draft, tables, HOURS_IN_STATISTICS))
    cycles = tables.attributes.get(POWER_CYCLES)
    draft.put("power_cycle_count", whole_raw(cycles.raw) if cycles else None)


def _put_written(draft: Draft, tables: Tables, *, is_known_drive: bool) -> None:
    """The standard's counter before the vendor's; neither where they contradict each other."""
    block_size = draft.values.get("logical_block_size")
    sectors = _statistic(draft, tables, SECTORS_WRITTEN)
    counted = sectors * block_size if sectors is not None and block_size else None
    claims = [bytes_written(each) for each in tables.written]
    if is_known_drive and block_size:
        hours = draft.values.get("power_on_hours")
        claims += [blocks_written(each, block_size, hours) for each in tables.written]
    claimed = next((claim for claim in claims if claim is not None), None)
    if counted is None or claimed is None:
        draft.put("host_bytes_written", claimed if counted is None else counted)
    elif max(counted, claimed) > CONTRADICTION * min(counted, claimed) + ROUNDING:
        message = (
            f"the device statistics say {counted} bytes written, the attributes {claimed}: neither is taken"
        )
        draft.notices.append(Notice("contradicting_writes", message, tables.written[0].line))
    else:
        draft.put("host_bytes_written", counted)


def _statistic(draft: Draft, tables: Tables, description: str) -> int | None:
    value, number = tables.statistics.get(description, ("", 0))
    if not value:
        return None
    count = parse_grouped(value)
    if count is None:
        draft.doubt(number, description, value)
    return count


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
