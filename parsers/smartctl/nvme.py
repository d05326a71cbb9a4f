"""The labels that smartctl prints of an NVMe device.

Source: nvmeprint.cpp.
"""

import re
from functools import partial

from parsers.base.units import BYTES_WRITTEN, COUNT, HOURS, NVME_DATA_UNIT, PERCENTAGE
from parsers.smartctl.fields import (
    Dialect,
    FigureLine,
    Handler,
    SmartctlDraft,
    read_amount,
    read_block_size,
    read_capacity,
    read_count,
    read_health,
    read_local_time,
    read_serial,
    read_temperature,
    read_text,
)

MAX_NAMESPACES = 32


BACKUP_FAILED = 0x10  # of the critical warning: the volatile memory backup device has failed
_WARNING = re.compile(r"0x[0-9a-fA-F]{2}")


def protection_fault(warning: int) -> str | None:
    """What a critical warning says about the protection against power loss."""
    return f"Critical Warning 0x{warning:02x}" if 0 <= warning <= 0xFF and warning & BACKUP_FAILED else None


def _read_warning(draft: SmartctlDraft, line: FigureLine) -> None:
    if _WARNING.fullmatch(line.value):
        draft.put("protection_fault", protection_fault(int(line.value, 16)))


def _namespace_fields() -> dict[str, Handler]:
    """Return the fields of the one namespace described, which may be any."""
    fields: dict[str, Handler] = {}
    for number in range(1, MAX_NAMESPACES + 1):
        fields[f"Namespace {number} Size"] = partial(read_capacity, "user_capacity")
        fields[f"Namespace {number} Size/Capacity"] = partial(read_capacity, "user_capacity")
        fields[f"Namespace {number} Formatted LBA Size"] = partial(read_block_size, "logical_block_size")
    return fields


def _finish_nvme(draft: SmartctlDraft) -> None:
    draft.put("protocol", "NVMe")
    draft.put("has_flash", True)
    # a namespace can be smaller than the device: only where none is printed is the total used
    draft.put("user_capacity", draft.values.get("native_capacity"))


NVME = Dialect(
    transport="nvme",
    fields=_namespace_fields()
    | {
        "Model Number": partial(read_text, "model_name"),
        "Serial Number": read_serial,
        "Firmware Version": partial(read_text, "firmware_version"),
        "Local Time is": read_local_time,
        "Total NVM Capacity": partial(read_capacity, "native_capacity"),
        "SMART overall-health self-assessment test result": read_health,
        "Critical Warning": _read_warning,
        "Temperature": partial(read_temperature, "temperature_c"),
        "Available Spare": partial(read_count, "available_spare", PERCENTAGE, unit="%"),
        "Available Spare Threshold": partial(read_count, "available_spare_threshold", PERCENTAGE, unit="%"),
        "Percentage Used": partial(read_count, "percentage_used", PERCENTAGE, unit="%"),
        "Data Units Written": partial(read_amount, "host_bytes_written", BYTES_WRITTEN, NVME_DATA_UNIT),
        "Power Cycles": partial(read_count, "power_cycle_count", COUNT),
        "Power On Hours": partial(read_count, "power_on_hours", HOURS),
    },
    finish=_finish_nvme,
)
