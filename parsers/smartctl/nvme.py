"""The labels that smartctl prints of an NVMe device.

Source: nvmeprint.cpp.
"""

import re

from parsers.base.units import (
    BYTES_WRITTEN,
    COUNT,
    HOURS,
    NVME_DATA_UNIT,
    PERCENTAGE,
)
from parsers.smartctl.fields import (
    Dialect,
    Draft,
    Handler,
    amount_field,
    block_size_field,
    capacity_field,
    count_field,
    read_health,
    read_local_time,
    read_serial,
    temperature_field,
    text_field,
)
from parsers.smartctl.link_speeds import pcie_link

MAX_NAMESPACES = 32
_PCIE = re.compile(r"(?:Current |Negotiated )?PCI(?:e| Express)\b[^:]{0,40}:", re.IGNORECASE)


BACKUP_FAILED = 0x10  # of the critical warning: the volatile memory backup device has failed
_WARNING = re.compile(r"0x[0-9a-fA-F]{2}")


def protection_fault(warning: int) -> str | None:
    """What a critical warning says about the protection against power loss."""
    return f"Critical Warning 0x{warning:02x}" if 0 <= warning <= 0xFF and warning & BACKUP_FAILED else None


def _read_warning(draft: Draft, value: str, _number: int) -> None:
    if _WARNING.fullmatch(value):
        draft.put("protection_fault", protection_fault(int(value, 16)))


def _namespace_fields() -> dict[str, Handler]:
    """Return the fields of the one namespace described, which may be any."""
    fields: dict[str, Handler] = {}
    for number in range(1, MAX_NAMESPACES + 1):
        size, block_size = f"Namespace {number} Size", f"Namespace {number} Formatted LBA Size"
        fields[size] = capacity_field("user_capacity", size)
        fields[f"{size}/Capacity"] = capacity_field("user_capacity", size)
        fields[block_size] = block_size_field("logical_block_size", block_size)
    return fields


def _finish_nvme(draft: Draft) -> None:
    draft.put("protocol", "NVMe")
    draft.put("has_flash", True)
    # a namespace can be smaller than the device: only where none is printed is the total used
    draft.put("user_capacity", draft.values.get("native_capacity"))
    links = (pcie_link(line.partition(":")[2]) for line, _number in draft.rows if _PCIE.match(line))
    draft.put("negotiated_link", next(filter(None, links), None))


NVME = Dialect(
    transport="nvme",
    fields=_namespace_fields()
    | {
        "Model Number": text_field("model_name"),
        "Serial Number": read_serial,
        "Firmware Version": text_field("firmware_version"),
        "Local Time is": read_local_time,
        "Total NVM Capacity": capacity_field("native_capacity", "Total NVM Capacity"),
        "SMART overall-health self-assessment test result": read_health,
        "Critical Warning": _read_warning,
        "Temperature": temperature_field("Temperature"),
        "Available Spare": count_field("available_spare", "Available Spare", PERCENTAGE, unit="%"),
        "Percentage Used": count_field("percentage_used", "Percentage Used", PERCENTAGE, unit="%"),
        "Data Units Written": amount_field(
            "host_bytes_written", "Data Units Written", BYTES_WRITTEN, unit=NVME_DATA_UNIT
        ),
        "Power Cycles": count_field("power_cycle_count", "Power Cycles", COUNT),
        "Power On Hours": count_field("power_on_hours", "Power On Hours", HOURS),
    },
    finish=_finish_nvme,
)
