"""smartctl's text, of versions 5.x to 7.x: its banner, the devices of a paste, and the dialect of each.

Source: smartctl.cpp for banner and errors; the dialects are modules of their own.
"""

import re
from dataclasses import dataclass, field

from parsers.kinds import Block, Format, Notice, Outcome, Reading
from parsers.smartctl_ata import ATA
from parsers.smartctl_command import Command, is_usb_type, read_command
from parsers.smartctl_failures import FAILURE_STARTS, find_failure, is_missing_tool
from parsers.smartctl_fields import Dialect, Draft, stated
from parsers.smartctl_nvme import NVME
from parsers.smartctl_reading import finish_reading
from parsers.smartctl_scsi import SCSI

# smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build); smartctl version 5.38 [...] Copyright (C) ...
_BANNER = re.compile(
    r"smartctl (?:version )?((?:pre-)?\d{1,2}\.\d{1,3}\S{0,40})(?: +(?:\d{4}-|\[|\(|r\d)|$)", re.ASCII
)
_PLATFORM = re.compile(r"\[([^\]]{1,200})\]")
_REST_OF_CAPACITY = re.compile(r"(?:bytes )?\[\d")
_NARROWEST_TERMINAL = 78
_SECTION = "=== START OF "
_SUPPORT = "SMART support is"
# Seagate's own log repeats labels of the information section, with other contents behind them
_VENDOR_LOG = "Seagate Field Accessible Reliability Metrics log"
_ATTRIBUTES = "ID# ATTRIBUTE_NAME"
_NVME_LOG = "SMART/Health Information (NVMe"
_ATTRIBUTE_ROW = re.compile(
    r"(?:\d{1,3}|0x[0-9a-f]{2}) +[A-Z]\S{2,40} +(?:0x[0-9a-f]{4}|[-POSRCK+]{6,8}) ", re.ASCII
)
_OPEN_FAILURE = re.compile(r"Smartctl open device: (\S{1,200})(?: \[([^\]]{0,80})\])? failed")

# Labels that begin the description of a device, and those behind which it has a name
_OPENING = frozenset({"Model Family", "Device Model", "Model Number", "Vendor", "Device"})
_NAMING = frozenset({"Device Model", "Model Number", "Product", "Device"})
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
_SHARED = frozenset(ATA.fields) & (frozenset(NVME.fields) | frozenset(SCSI.fields))
_DIALECTS = _TELLING | {
    label: dialect for dialect in (ATA, NVME, SCSI) for label in dialect.fields if label not in _SHARED
}
# What can be read before anything told the dialect: the result of `smartctl -H`, for instance
_UNTOLD = Dialect(
    transport=None, fields={label: ATA.fields[label] for label in _SHARED}, finish=lambda _draft: None
)
_KNOWN = frozenset(_DIALECTS) | _SHARED | {_SUPPORT}
# Words of other texts, too: they begin no block and make no device alone
_COMMON = frozenset({"Device", "Temperature", "write"})
_WEAK = _COMMON | {"Vendor", "Product", "Revision", "Device type"}
_START_WORDS = frozenset({label.split(" ", 1)[0] for label in _KNOWN - _COMMON}) | {
    "smartctl", "===", "ID#", "SMART/Health", "Smartctl", "sudo", "bash", "-bash", "zsh", "sh", "'smartctl'",
}  # fmt: skip


@dataclass(slots=True)
class _Output:
    """The lines of one device: labelled fields, other rows, and the first failure that is spoken of."""

    first_line: int
    last_line: int
    banner: str = ""
    has_section: bool = False
    is_named: bool = False
    is_over: bool = False
    fields: list[tuple[str, str, int]] = field(default_factory=list)
    rows: list[tuple[str, int]] = field(default_factory=list)
    failure: Notice | None = None
    path: str | None = None
    is_usb: bool = False


def starts(line: str) -> bool:
    """Whether smartctl's text can begin here, whole or cut at its head."""
    line = line.lstrip()
    if line[:1].isdigit():
        return _ATTRIBUTE_ROW.match(line) is not None
    word = line.split(" ", 1)[0].rstrip(":")
    if word not in _START_WORDS and not line.startswith("/dev/"):
        return False
    return (
        line.startswith((_SECTION, _ATTRIBUTES, _NVME_LOG))
        or _match_banner(line) is not None
        or _split_label(line)[0] in _KNOWN - _COMMON
        or is_missing_tool(line)
        or (line.startswith(FAILURE_STARTS) and find_failure(line, None) is not None)
    )


def read(block: Block) -> Outcome:
    """Read every device of a block; an output that holds nothing but a failure gives advice, too."""
    readings: list[Reading] = []
    notices: list[Notice] = []
    command = read_command(block.command)
    for output in _split_outputs(block):
        draft = _fill_draft(output, command)
        if draft is not None:
            readings.append(
                finish_reading(
                    draft, first_line=output.first_line, last_line=output.last_line, text_format="text"
                )
            )
            notices += draft.notices
        if output.failure is not None:
            notices.append(output.failure)
        command = Command()  # it is about the first device only
    return Outcome(tuple(readings), tuple(notices))


def _split_outputs(block: Block) -> list[_Output]:
    """Part the lines by device: at each banner, information section or description after a finished one."""
    outputs: list[_Output] = []
    for line, number in zip(block.lines, block.numbers, strict=True):
        text = line.strip()
        if not text:
            continue
        label, value = _split_label(text)
        is_banner = text.startswith("smartctl") and _match_banner(text) is not None
        if not outputs or is_banner or (outputs[-1].is_named and _opens_device(text, label)):
            outputs.append(_Output(number, number))
        output = outputs[-1]
        output.last_line = number
        if is_banner:
            output.banner = text
        elif not output.is_over:
            _sort_line(output, text, (label, value, number))
    return outputs


def _opens_device(text: str, label: str) -> bool:
    return label in _OPENING or text.startswith("=== START OF INFORMATION")


def _sort_line(output: _Output, text: str, labelled: tuple[str, str, int]) -> None:
    label, value, number = labelled
    if label in _KNOWN:
        output.fields.append(labelled)
        output.is_named = output.is_named or label in _NAMING
        if label == _SUPPORT:
            output.failure = output.failure or find_failure(f"{_SUPPORT} {value}", number)
    elif text.startswith((_SECTION, _VENDOR_LOG)):
        output.has_section = True
        output.is_over = text.startswith(_VENDOR_LOG)
    elif _is_rest_of_banner(output, text):
        joint = "" if len(output.banner) >= _NARROWEST_TERMINAL else " "
        output.banner += joint + text
    elif _REST_OF_CAPACITY.match(text) and output.fields:
        label, value, number = output.fields[-1]
        output.fields[-1] = label, f"{value} {text}", number
    else:
        output.rows.append((text, number))
        _look_for_failure(output, text, number)


def _is_rest_of_banner(output: _Output, text: str) -> bool:
    """A banner is wrapped before or within the brackets around the platform."""
    return bool(output.banner) and "]" not in output.banner and "]" in text and not output.fields


def _look_for_failure(output: _Output, text: str, number: int) -> None:
    if output.failure is not None or not (text.startswith(FAILURE_STARTS) or is_missing_tool(text)):
        return
    output.failure = find_failure(text, number)
    match = _OPEN_FAILURE.match(text)
    if match is not None:
        output.path = match[1]
    elif output.failure is not None and text.startswith("/"):
        output.path = text.split(":", 1)[0]
    output.is_usb = output.failure is not None and "USB" in (match[2] or "" if match else text)


def _fill_draft(output: _Output, command: Command) -> Draft | None:
    """The draft of an output's reading; None where nothing in it is smartctl's beyond doubt."""
    labels = {label for label, _value, _number in output.fields}
    dialect = _choose_dialect(output)
    has_table = dialect is not _UNTOLD and not labels
    if not (output.banner or output.has_section or has_table or labels - _WEAK or len(labels) > 1):
        return None
    draft = Draft(rows=output.rows)
    _read_banner(draft, output.banner)
    for label, value, number in output.fields:
        handler = dialect.fields.get(label)
        if handler is not None:
            handler(draft, value, number)
    dialect.finish(draft)
    draft.put("transport", dialect.transport)
    draft.put("path", command.path or output.path)
    if output.is_usb or is_usb_type(command.device_type):
        draft.put("is_usb", True)
        draft.put("protocol", "USB")
    return draft


def _choose_dialect(output: _Output) -> Dialect:
    """The dialect of the first line that tells one."""
    for label, _value, _number in output.fields:
        if label in _DIALECTS:
            return _DIALECTS[label]
    for text, _number in output.rows:
        if text.startswith(_ATTRIBUTES) or _ATTRIBUTE_ROW.match(text):
            return ATA
        if text.startswith(_NVME_LOG):
            return NVME
    return _UNTOLD


def _read_banner(draft: Draft, banner: str) -> None:
    match = _match_banner(banner)
    platform = _PLATFORM.search(banner)
    draft.put("tool_version", match[1] if match else None)
    draft.put("platform", stated(platform[1]) if match and platform else None)


def _match_banner(line: str) -> re.Match[str] | None:
    return _BANNER.match(line)


def _split_label(text: str) -> tuple[str, str]:
    """A line's label, its blanks squeezed, and what stands behind its colon; "" where there is no label."""
    label, colon, value = text.partition(":")
    if not colon:
        return "", ""
    return " ".join(label.split()) if "  " in label else label, value.strip()


FORMATS = (Format("smartctl", starts, read, several=True),)
