"""The labels and titles by which smartctl's text and its dialect are recognized."""

import re

from parsers.base.vocabulary import read_lines
from parsers.smartctl.ata import ATA
from parsers.smartctl.nvme import NVME
from parsers.smartctl.scsi import LINK_RATE, SCSI

SECTION = "=== START OF "
SUPPORT_LABEL = "SMART support is"
_BY_NAME = {"ata": ATA, "nvme": NVME, "scsi": SCSI}
_DIALECT_LABELS = {  # they hold no field
    label: _BY_NAME[name]
    for name, label in (line.split("\t") for line in read_lines(__file__, "dialect_labels.txt"))
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
# Titles of logs, and of the section that is titled otherwise for NVMe, which show the dialect without any label
_LOGS = [line.split("\t") for line in read_lines(__file__, "logs.txt")]
ATA_LOGS, NVME_LOGS, SCSI_LOGS = (
    tuple(title for dialect, title in _LOGS if dialect == protocol) for protocol in ("ata", "nvme", "scsi")
)
LOGS = (*ATA_LOGS, *NVME_LOGS, *SCSI_LOGS)
# These words occur in other texts, too: alone they start neither a block nor a device
COMMON_LABELS = frozenset({"Device", "Temperature", "write", LINK_RATE})
WEAK_LABELS = COMMON_LABELS.union(read_lines(__file__, "weak_labels.txt"))


def match_banner(line: str) -> re.Match[str] | None:
    return _BANNER.match(line)
