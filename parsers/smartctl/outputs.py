"""The lines of smartctl's text, sorted: which device they are about, and what is labelled, a row, or a failure.

Source: smartctl.cpp for banner and errors; which labels there are, the dialects say.
"""

import re
from dataclasses import dataclass, field
from operator import itemgetter

from parsers.base.format import ParseError
from parsers.base.readings import Block, Notice
from parsers.smartctl.dialects import ATA
from parsers.smartctl.failures import FAILURE_STARTS, find_failure, is_missing_tool
from parsers.smartctl.fields import Dialect, stated
from parsers.smartctl.nvme import NVME
from parsers.smartctl.scsi import SCSI

MOST_DEVICES = 200
SECTION = "=== START OF "
SUPPORT_LABEL = "SMART support is"
_SUPPORTED = ("Available", "Enabled")
# Labels that begin the description of a device, and those behind which it has a name
OPENING_LABELS = frozenset({"Model Family", "Device Model", "Model Number", "Vendor", "Device"})
NAMING_LABELS = frozenset({"Device Model", "Model Number", "Product", "Device"})
# Labels that hold no field and still tell the dialect
_TELLING: dict[str, Dialect] = {
    "LU WWN Device Id": ATA,
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
DIALECTS = _TELLING | {
    label: dialect for dialect in (ATA, NVME, SCSI) for label in dialect.fields if label not in SHARED_LABELS
}
KNOWN_LABELS = frozenset(DIALECTS) | SHARED_LABELS | {SUPPORT_LABEL}

# smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build); smartctl version 5.38 [...] Copyright (C) ...
_BANNER = re.compile(
    r"smartctl (?:version )?((?:pre-)?\d{1,2}\.\d{1,3}\S{0,40})(?: +(?:\d{4}-|\[|\(|r\d)|$)", re.ASCII
)
_INFORMATION = "=== START OF INFORMATION"
# Seagate's own log repeats labels of the information section, with other contents behind them
_VENDOR_LOG = "Seagate Field Accessible Reliability Metrics log"
_OPEN_FAILURE = re.compile(r"Smartctl open device: (\S{1,200})(?: \[([^\]]{0,80})\])? failed")
_REST_OF_CAPACITY = re.compile(r"(?:bytes )?\[\d")
# How the lines begin that are more than a row
_NOTABLE = (SECTION, _VENDOR_LOG, "[", "bytes [", *FAILURE_STARTS)
_OPENING_LETTERS = frozenset("s=")  # of a banner, of a section
_NARROWEST_TERMINAL = 78
_TRIPLET = re.compile(r"\[\w{1,20}-[^ \]]{0,100}$")  # "[x86_64-linux-5.1"
_DIGITS = frozenset("0123456789")


@dataclass(slots=True)
class Output:
    """The lines of one device: labelled fields, other rows, and the first failure that is spoken of."""

    first_line: int
    last_line: int
    banner: str = ""
    is_banner_whole: bool = True
    has_section: bool = False
    is_named: bool = False
    is_over: bool = False
    fields: list[tuple[str, str, int]] = field(default_factory=list)
    rows: list[tuple[str, int]] = field(default_factory=list)
    failure: Notice | None = None
    path: str | None = None
    is_usb: bool = False


def split_outputs(block: Block) -> list[Output]:
    """Part the lines by device: at each banner, information section or description behind a finished one.

    Raises ParseError for more devices than a person pastes.
    """
    outputs: list[Output] = []
    output = None
    lines = zip(map(str.strip, block.lines), block.numbers, strict=True)
    for row in filter(itemgetter(0), lines):  # without the empty ones
        text, number = row
        if text[0] in _DIGITS:  # the row of a table
            output = output or _open_output(outputs, number)
            output.last_line = number
            if not output.is_over:
                output.rows.append(row)
            continue
        label, colon, value = text.partition(":")
        label = squeeze(label) if "  " in label else label
        is_field = colon and label in KNOWN_LABELS
        is_opening = label in OPENING_LABELS if is_field else text[0] in _OPENING_LETTERS
        if output is None or (is_opening and _begins_device(output, text, label)):
            output = _open_output(outputs, number)
        output.last_line = number
        if output.is_over:
            continue
        if is_field:
            _take_field(output, (label, value.strip(), number))
        elif output.is_banner_whole and not text.startswith(_NOTABLE) and "smartctl" not in text:
            output.rows.append(row)  # nearly all lines
        else:
            _take_line(output, text, number)
    return outputs


def _open_output(outputs: list[Output], number: int) -> Output:
    if len(outputs) == MOST_DEVICES:
        raise ParseError(
            f"more than {MOST_DEVICES} devices in one run of lines: paste fewer at a time",
            code="too_many_devices",
            line_number=number,
        )
    outputs.append(Output(number, number))
    return outputs[-1]


def squeeze(label: str) -> str:
    """A label with single blanks."""
    return " ".join(label.split())


def match_banner(line: str) -> re.Match[str] | None:
    return _BANNER.match(line)


def read_platform(banner: str) -> str | None:
    """What stands in the brackets of a banner."""
    platform, bracket, _rest = banner.partition("[")[2].partition("]")
    return stated(platform) if bracket else None


def _begins_device(output: Output, text: str, label: str) -> bool:
    if label in OPENING_LABELS:
        return output.is_named
    if text.startswith("smartctl "):
        return match_banner(text) is not None
    return output.is_named and text.startswith(_INFORMATION)


def _take_field(output: Output, labelled: tuple[str, str, int]) -> None:
    label, value, number = labelled
    output.fields.append(labelled)
    output.is_banner_whole = True
    if label in NAMING_LABELS:
        output.is_named = True
    elif label == SUPPORT_LABEL and output.failure is None and not value.startswith(_SUPPORTED):
        output.failure = find_failure(f"{label} {value}", number)


def _take_line(output: Output, text: str, number: int) -> None:
    if text.startswith("smartctl ") and match_banner(text) is not None:
        output.banner, output.is_banner_whole = text, "]" in text
    elif text.startswith((SECTION, _VENDOR_LOG)):
        output.has_section = True
        output.is_over = text.startswith(_VENDOR_LOG)
    elif not output.is_banner_whole and "]" in text:
        # a terminal breaks at its width, mail at a blank that went with the line end; a build's triplet has none
        is_within_word = (
            len(output.banner) >= _NARROWEST_TERMINAL or _TRIPLET.search(output.banner) is not None
        )
        output.banner += text if is_within_word else f" {text}"
        output.is_banner_whole = True
    elif output.fields and _REST_OF_CAPACITY.match(text) and "[" not in output.fields[-1][1]:
        label, value, capacity_line = output.fields[-1]
        output.fields[-1] = label, f"{value} {text}", capacity_line
    else:
        output.rows.append((text, number))
        if output.failure is None and (text.startswith(FAILURE_STARTS) or is_missing_tool(text)):
            _take_failure(output, text, number)


def _take_failure(output: Output, text: str, number: int) -> None:
    output.failure = find_failure(text, number)
    match = _OPEN_FAILURE.match(text)
    if match is not None:
        output.path = match[1]
    elif output.failure is not None and text.startswith("/"):
        output.path = text.split(":", 1)[0]
    output.is_usb = output.failure is not None and "USB" in ((match[2] or "") if match else text)
