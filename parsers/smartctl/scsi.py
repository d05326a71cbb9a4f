"""The labels that smartctl prints of a SCSI (SAS) device.

Source: scsiprint.cpp; also what old versions (5.x) print without section headers.
"""

import re
from functools import partial

from parsers.base.units import (
    BYTES_WRITTEN,
    GIGABYTE,
    PERCENTAGE,
    POWERED_HOURS,
    parse_grouped,
    parse_grouped_decimal,
)
from parsers.smartctl.fields import (
    GROUPED,
    Dialect,
    FigureLine,
    SmartctlDraft,
    put_temperature,
    read_block_size,
    read_capacity,
    read_count,
    read_form_factor,
    read_local_time,
    read_name,
    read_rotation_rate,
    read_serial,
    read_temperature,
    read_text,
    read_write_cache,
    stated,
)
from parsers.smartctl.link_speeds import faster_sas_link

LINK_RATE = "negotiated logical link rate"
# scsi_transport_protocol names of smartctl -> what the connection is called; iSCSI and PCIe are no cable to a disk
PROTOCOLS = {"SAS": "SAS", "Fibre": "FC", "UAS": "USB", "SATA": "SATA"}

# the sixth of seven columns: three kinds of corrected errors, their total, invocations, gigabytes, uncorrected errors
_GIGABYTES = re.compile(r"(?:\d{1,12}|\d{1,3}(?:[.,']\d{3}){1,4})[.,]\d{3}", re.ASCII)
_HOURS_AND_MINUTES = re.compile(rf"minutes +({GROUPED}):\d{{1,2}}(?: .*)?", re.ASCII)
_FACTORY_HOURS = re.compile(rf"number of hours powered up += +({GROUPED})(?:[.,]\d{{1,2}})?", re.ASCII)
# of the environmental reporting log, where the drive has no plain temperature log
_REPORTED_DEGREES = re.compile(r"Current temperature = +(-?\d{1,3})", re.ASCII)
# Logs that an NVMe drive lacks, which answers through a SCSI layer
_SAS_LOGS = (
    "Error counter log:", "Elements in grown defect list", "Manufactured in week", "Non-medium error count",
    "Background scan", "Protocol Specific port log page for SAS",
)  # fmt: skip
# Heads that are loaded; flash prints 0, where it prints the line
_LOADS = re.compile(r"(?:Accumulated load-unload cycles|Specified load-unload count[\w ]{0,30}): +[1-9]")
# Device: IBM-ESXS VSC7160          Version: 1.06
_OLD_INQUIRY = re.compile(r"(\S{1,8}) (\S.{0,40}?) Version: (\S{1,16})")


def _read_scsi_health(draft: SmartctlDraft, line: FigureLine) -> None:
    """Read `OK`, or sense data, all of which predicts a failure."""
    if line.value.split(" ", 1)[0] == "OK":
        draft.put("health", "OK")
    elif "[asc=" in line.value:
        draft.put("health", "FAILED")
    else:
        draft.report_unreadable(line)


def _read_transport(draft: SmartctlDraft, line: FigureLine) -> None:
    draft.put("transport_protocol", stated(line.value))
    draft.put("protocol", PROTOCOLS.get(line.value.split(" ", 1)[0]))


def _read_link_rate(draft: SmartctlDraft, line: FigureLine) -> None:
    draft.values["negotiated_link"] = faster_sas_link(draft.values.get("negotiated_link"), line.value)


def _read_power_on_time(draft: SmartctlDraft, line: FigureLine) -> None:
    match = _HOURS_AND_MINUTES.fullmatch(line.value)
    hours = parse_grouped(match[1]) if match else None
    draft.put_figure("power_on_hours", hours, POWERED_HOURS, source=line)


def _read_written(draft: SmartctlDraft, line: FigureLine) -> None:
    """Read the row `write:` of the error counter log.

    A narrow terminal can separate it from its last column.
    """
    columns = line.value.split()
    gigabytes = (
        parse_grouped_decimal(columns[5])
        if len(columns) in (6, 7) and _GIGABYTES.fullmatch(columns[5])
        else None
    )
    written = None if gigabytes is None else int(gigabytes * GIGABYTE)
    draft.put_figure("host_bytes_written", written, BYTES_WRITTEN, source=line)


def _read_old_inquiry(draft: SmartctlDraft, line: FigureLine) -> None:
    match = _OLD_INQUIRY.fullmatch(" ".join(line.value.split()))
    if match is None:
        draft.report_unreadable(line)
        return
    for name, text in zip(("vendor", "model_name", "firmware_version"), match.groups(), strict=True):
        draft.put(name, stated(text))


def _finish_scsi(draft: SmartctlDraft) -> None:
    """The log pages of the standard come before the vendor's, where both are printed."""
    is_sas = any(line.startswith(_SAS_LOGS) for line, _number in draft.rows)
    draft.put("has_flash", True if is_sas and "percentage_used" in draft.values else None)
    for line, number in draft.rows:
        if line.startswith("number of hours"):
            match = _FACTORY_HOURS.fullmatch(line)
            hours = parse_grouped(match[1]) if match else None
            source = FigureLine("number of hours", line, number)
            draft.put_figure("power_on_hours", hours, POWERED_HOURS, source=source)
        elif _LOADS.match(line):
            draft.put("has_flash", False)
        elif line.startswith("Current temperature") and (match := _REPORTED_DEGREES.fullmatch(line)):
            source = FigureLine("Current temperature", line, number)
            put_temperature(draft, "temperature_c", int(match[1]), source=source)


SCSI = Dialect(
    transport="scsi",
    fields={
        "Device": _read_old_inquiry,
        "Vendor": partial(read_name, "vendor"),
        "Product": partial(read_name, "model_name"),
        "Revision": partial(read_text, "firmware_version"),
        "User Capacity": partial(read_capacity, "user_capacity"),
        "Logical block size": partial(read_block_size, "logical_block_size"),
        "Physical block size": partial(read_block_size, "physical_block_size"),
        "Rotation Rate": read_rotation_rate,
        "Form Factor": read_form_factor,
        "Serial number": read_serial,
        "Device type": partial(read_text, "device_type"),
        "Transport protocol": _read_transport,
        "Local Time is": read_local_time,
        "Writeback Cache is": read_write_cache,
        "SMART Health Status": _read_scsi_health,
        "Percentage used endurance indicator": partial(read_count, "percentage_used", PERCENTAGE, unit="%"),
        "Current Drive Temperature": partial(read_temperature, "temperature_c"),
        "Accumulated power on time, hours": _read_power_on_time,
        "write": _read_written,
        LINK_RATE: _read_link_rate,
    },
    finish=_finish_scsi,
)
