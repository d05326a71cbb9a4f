"""The labels and titles by which smartctl's text and its dialect are recognized."""

import re

from parsers.smartctl.ata import ATA
from parsers.smartctl.fields import Dialect
from parsers.smartctl.nvme import NVME
from parsers.smartctl.scsi import LINK_RATE, SCSI

SECTION = "=== START OF "
SUPPORT_LABEL = "SMART support is"
# Labels that hold no field and still show the dialect
_DIALECT_LABELS: dict[str, Dialect] = {
    "LU WWN Device Id": ATA,
    "Device is": ATA,
    "ATA Version is": ATA,
    "ATA Standard is": ATA,
    "SMART Attributes Data Structure revision number": ATA,
    "PCI Vendor/Subsystem ID": NVME,
    "NVMe Version": NVME,
    "Critical Warning": NVME,
    "Compliance": SCSI,
    "Logical Unit id": SCSI,
}
SHARED_LABELS = frozenset(ATA.fields) & (frozenset(NVME.fields) | frozenset(SCSI.fields))
DIALECTS = _DIALECT_LABELS | {
    label: dialect for dialect in (ATA, NVME, SCSI) for label in dialect.fields if label not in SHARED_LABELS
}
KNOWN_LABELS = frozenset(DIALECTS) | SHARED_LABELS | {SUPPORT_LABEL}

# smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build); smartctl version 5.38 [...] Copyright (C) ...
_BANNER = re.compile(
    r"smartctl (?:version )?((?:pre-)?\d{1,2}\.\d{1,3}\S{0,40})(?: +(?:\d{4}-|\[|\(|r\d)|$)", re.ASCII
)
# Seagate's log repeats labels of the information section, with other contents behind them
VENDOR_LOG = "Seagate Field Accessible Reliability Metrics log"
OPEN_FAILURE = re.compile(r"Smartctl open device: (\S{1,200})(?: \[([^\]]{0,80})\])? failed")
_ATTRIBUTES = "ID# ATTRIBUTE_NAME"
_STATISTICS = "Device Statistics ("
_NVME_LOG = "SMART/Health Information (NVMe"
# Titles of logs, and of the section that is titled otherwise for NVMe, which show the dialect without any label
ATA_LOGS = (
    _ATTRIBUTES, _STATISTICS, "SMART Error Log Version", "SMART Extended Comprehensive Error Log Version",
    "SMART Self-test log structure", "SMART Extended Self-test Log Version", "SMART Selective self-test log",
    "General SMART Values:", "Vendor Specific SMART Attributes", "SCT Status Version", "SCT Temperature History",
    "SATA Phy Event Counters", "General Purpose Log Directory", "SCT Error Recovery Control:",
)  # fmt: skip
NVME_LOGS = (
    _NVME_LOG, "=== START OF SMART DATA SECTION", "Error Information (NVMe", "Self-test Log (NVMe",
    "Supported Power States", "Supported LBA Sizes", "Firmware Updates (0x", "Optional Admin Commands (0x",
    "Optional NVM Commands (0x",
)  # fmt: skip
SCSI_LOGS = (
    "Error counter log:", "Background scan results log", "Protocol Specific port log page for SAS",
    "Non-medium error count",
    "Elements in grown defect list", "Accumulated start-stop cycles", "Accumulated load-unload cycles",
    "Specified cycle count over", "Specified load-unload count", "Manufactured in week",
)  # fmt: skip
LOGS = (*ATA_LOGS, *NVME_LOGS, *SCSI_LOGS)
# These words occur in other texts, too: alone they start neither a block nor a device
COMMON_LABELS = frozenset({"Device", "Temperature", "write", LINK_RATE})
WEAK_LABELS = COMMON_LABELS | {
    "Vendor", "Product", "Revision", "Device type", "Model Number", "Serial Number", "Serial number",
    "Firmware Version", "Form Factor", "Rotation Rate", "Local Time is",
}  # fmt: skip


def match_banner(line: str) -> re.Match[str] | None:
    return _BANNER.match(line)
