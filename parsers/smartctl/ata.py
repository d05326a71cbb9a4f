"""The labels and tables that smartctl prints of an ATA device.

Source: ataprint.cpp; the rows on the native capacity are those of hdparm and camcontrol.
"""

import re
from collections.abc import Iterator
from functools import partial

from parsers.base.readings import Notice
from parsers.base.units import (
    BLOCK_SIZE,
    BYTES_WRITTEN,
    CAPACITY,
    COUNT,
    GIBIBYTE,
    PERCENTAGE,
    POWERED_HOURS,
    Limits,
    parse_grouped,
)
from parsers.smartctl.fields import (
    GROUPED,
    Dialect,
    FigureLine,
    Handler,
    SmartctlDraft,
    put_temperature,
    read_capacity,
    read_form_factor,
    read_health,
    read_local_time,
    read_rotation_rate,
    read_serial,
    read_temperature,
    read_text,
    read_write_cache,
    stated,
)
from parsers.smartctl.link_speeds import current_sata_link
from parsers.smartctl.tables import (
    AIRFLOW_TEMPERATURE,
    ENDURANCE_USED,
    HOURS_IN_STATISTICS,
    POWER_CYCLES,
    POWER_ON_HOURS,
    SECTORS_WRITTEN,
    SOLID_STATE,
    TEMPERATURE,
    WRITES,
    Attribute,
    Tables,
    attribute_names,
    put_capacitor_tests,
    raw_count,
    raw_degrees,
    raw_hours,
    read_tables,
    shows_flash,
)
from parsers.smartctl.wear import derive_wear, derive_written, is_flash_counter, show_raw

CONTRADICTION = 2  # two counters of one drive's writes differ by their rounding, not by this factor
ROUNDING = GIBIBYTE  # of the coarsest of these counters

# How hdparm -N and camcontrol print the visible and the native number of addresses
NATIVE_CAPACITY = re.compile(
    r"(?:max sectors\s*=|Host Protected Area|HPA\b|Accessible Max Address)"
    r"(?:[\s=(),?-]|/(?!\d)|\d{4,15} ?/ ?\d{4,15}(?:\(\d{1,20}\?\))?"
    r"|\b(?:HPA|AMA|host|protected|area|accessible|address|is|enabled|disabled|config|security|yes|no"
    r"|setting|seems|invalid|sectors|max)\b){0,80}",
    re.IGNORECASE,
)
_NATIVE_SECTORS = re.compile(r"\b\d{4,15} ?/ ?(\d{4,15})\b", re.ASCII)
_SECTOR_SIZES = re.compile(rf"({GROUPED}) bytes logical(?:/physical|, +({GROUPED}) bytes physical)", re.ASCII)


def _read_sector_sizes(draft: SmartctlDraft, line: FigureLine) -> None:
    """`512 bytes logical/physical`; `512 bytes logical, 4096 bytes physical`."""
    match = _SECTOR_SIZES.match(line.value)
    if match is None:
        draft.report_unreadable(line)
        return
    draft.put_figure("logical_block_size", parse_grouped(match[1]), BLOCK_SIZE, source=line)
    draft.put_figure("physical_block_size", parse_grouped(match[2] or match[1]), BLOCK_SIZE, source=line)


def _read_sata_version(draft: SmartctlDraft, line: FigureLine) -> None:
    draft.put("protocol", stated(line.value) and "SATA")
    draft.put("negotiated_link", current_sata_link(line.value))


def _finish_ata(draft: SmartctlDraft) -> None:
    tables = read_tables(draft.rows)
    for line, number in tables.faults:
        draft.report_unreadable(FigureLine("SMART attribute", line, number))
    sct_temperature_c = draft.values.pop("sct_temperature_c", None)
    put_tables(draft, tables)
    draft.put("temperature_c", sct_temperature_c)
    for line, number in draft.rows:
        if NATIVE_CAPACITY.fullmatch(line) is not None:
            _read_native_capacity(draft, line, number)
    put_capacitor_tests(draft)
    is_solid = any(SOLID_STATE in line for line, _number in draft.rows)
    draft.put("has_flash", shows_flash(attribute_names(draft.rows), is_solid=is_solid))


def _read_native_capacity(draft: SmartctlDraft, line: str, number: int) -> None:
    """Read the native capacity from hdparm -N or camcontrol's rows on HPA and AMA.

    `max sectors = 781422/1562845, HPA is enabled`
    """
    match = _NATIVE_SECTORS.search(line)
    if match is not None:
        size = int(match[1]) * draft.values.get("logical_block_size", 512)
        draft.put_figure(
            "native_capacity", size, CAPACITY, source=FigureLine("native max address", match[0], number)
        )


def put_tables(draft: SmartctlDraft, tables: Tables) -> None:
    """Fill fields that are still open from attributes and statistics."""
    _put_temperature(draft, tables)
    _put_age(draft, tables)
    _put_written(draft, tables)
    _put_statistic(draft, tables, "percentage_used", description=ENDURANCE_USED, limits=PERCENTAGE)
    _put_wear(draft, tables)
    draft.put("raw_wear", show_raw(each for each in tables.vendors if _is_unknown(draft, each)))


def _put_temperature(draft: SmartctlDraft, tables: Tables) -> None:
    for identity in (TEMPERATURE, AIRFLOW_TEMPERATURE):
        attribute = tables.attributes.get(identity)
        if attribute is None or "Temp" not in attribute.name:
            continue
        degrees = raw_degrees(attribute.raw)
        if degrees is None:
            draft.report_unreadable(attribute.source)
        else:
            put_temperature(draft, "temperature_c", degrees, source=attribute.source)


def _put_age(draft: SmartctlDraft, tables: Tables) -> None:
    hours = tables.attributes.get(POWER_ON_HOURS)
    if hours:
        draft.put_figure("power_on_hours", raw_hours(hours), POWERED_HOURS, source=hours.source)
    _put_statistic(draft, tables, "power_on_hours", description=HOURS_IN_STATISTICS, limits=POWERED_HOURS)
    cycles = tables.attributes.get(POWER_CYCLES)
    if cycles:
        draft.put_figure("power_cycle_count", raw_count(cycles.raw), COUNT, source=cycles.source)


def _put_written(draft: SmartctlDraft, tables: Tables) -> None:
    """Put the bytes written: the standard's counter before the vendor's.

    Neither is used if they contradict each other.
    """
    block_size = draft.values.get("logical_block_size")
    sectors, line = _sectors_written(draft, tables)
    counted = sectors * block_size if sectors is not None and block_size else None
    claim = next(_claims(draft, tables), None)
    if claim is not None:
        claimed, attribute = claim
        if counted is None:
            draft.put_figure("host_bytes_written", claimed, BYTES_WRITTEN, source=attribute.source)
        elif max(counted, claimed) > CONTRADICTION * min(counted, claimed) + ROUNDING:
            message = (
                f"the device statistics say {counted} bytes written, "
                f"the attributes {claimed}: neither is used"
            )
            draft.notices.append(Notice("contradicting_writes", message, attribute.line))
            return
    if counted is not None:
        source = FigureLine(SECTORS_WRITTEN, str(sectors), line)
        draft.put_figure("host_bytes_written", counted, BYTES_WRITTEN, source=source)


def _claims(draft: SmartctlDraft, tables: Tables) -> Iterator[tuple[int, Attribute]]:
    """Yield what attributes of known meaning state that the host wrote, in bytes."""
    block_size, hours = draft.values.get("logical_block_size"), draft.values.get("power_on_hours")
    for attribute in tables.vendors:
        written = derive_written(
            attribute, draft.values.get("model_family"), block_size=block_size, hours=hours
        )
        if written is not None:
            yield written, attribute


def _put_wear(draft: SmartctlDraft, tables: Tables) -> None:
    """Put the wear that the first attribute of known meaning states, if the tool states none itself."""
    derived = (derive_wear(each, draft.values.get("model_family")) for each in tables.vendors)
    found = next(filter(None, derived), None)
    if found is not None and "percentage_used" not in draft.values:
        wear_percent, source = found
        draft.put("wear_percent", wear_percent)
        draft.put("wear_source", source)


def _is_unknown(draft: SmartctlDraft, attribute: Attribute) -> bool:
    """Whether the figure that an attribute is about is still unknown."""
    if WRITES.search(attribute.name) is None:
        return "percentage_used" not in draft.values and "wear_percent" not in draft.values
    is_flash = is_flash_counter(attribute, draft.values.get("model_family"))
    return "host_bytes_written" not in draft.values and not is_flash


def _sectors_written(draft: SmartctlDraft, tables: Tables) -> tuple[int | None, int]:
    """The count and the line that states it."""
    value, number = tables.statistics.get(SECTORS_WRITTEN, ("", 0))
    sectors = parse_grouped(value) if value else None
    if value and sectors is None:
        draft.report_unreadable(FigureLine(SECTORS_WRITTEN, value, number))
    return sectors, number


def _put_statistic(
    draft: SmartctlDraft, tables: Tables, name: str, *, description: str, limits: Limits
) -> None:
    value, number = tables.statistics.get(description, ("", 0))
    if value:
        draft.put_figure(name, parse_grouped(value), limits, source=FigureLine(description, value, number))


_ATA_FIELDS: dict[str, Handler] = {
    "Model Family": partial(read_text, "model_family"),
    "Device Model": partial(read_text, "model_name"),
    "Serial Number": read_serial,
    "Firmware Version": partial(read_text, "firmware_version"),
    "User Capacity": partial(read_capacity, "user_capacity"),
    "Sector Size": _read_sector_sizes,
    "Sector Sizes": _read_sector_sizes,
    "Rotation Rate": read_rotation_rate,
    "Form Factor": read_form_factor,
    "SATA Version is": _read_sata_version,
    "Local Time is": read_local_time,
    "Write cache is": read_write_cache,
    "SMART overall-health self-assessment test result": read_health,
    "Current Temperature": partial(read_temperature, "sct_temperature_c"),
}

ATA = Dialect(transport="ata", fields=_ATA_FIELDS, finish=_finish_ata)
