"""smartctl's text, of versions 5.x to 7.x: a reading for each device, in the dialect that its lines tell."""

import re

from parsers.base.readings import Block, Format, Notice, Outcome, Reading
from parsers.smartctl.command import Command, is_usb_type, read_command
from parsers.smartctl.dialects import ATA
from parsers.smartctl.failures import FAILURE_STARTS, find_failure, is_missing_tool
from parsers.smartctl.fields import Dialect, Draft
from parsers.smartctl.nvme import NVME
from parsers.smartctl.outputs import (
    DIALECTS,
    KNOWN_LABELS,
    SECTION,
    SHARED_LABELS,
    Output,
    match_banner,
    read_platform,
    split_outputs,
    squeeze,
)
from parsers.smartctl.reading import finish_reading
from parsers.smartctl.scsi import LINK_RATE

_ATTRIBUTES = "ID# ATTRIBUTE_NAME"
_STATISTICS = "Device Statistics ("
_NVME_LOG = "SMART/Health Information (NVMe"
_ATTRIBUTE_ROW = re.compile(
    r"(?:\d{1,3}|0x[0-9a-f]{2}) +[A-Z]\S{2,40} +(?:0x[0-9a-f]{4}|[-POSRCK+]{6,8}) ", re.ASCII
)
# What can be read before anything told the dialect: the result of `smartctl -H`, for instance
_UNTOLD = Dialect(
    transport=None, fields={label: ATA.fields[label] for label in SHARED_LABELS}, finish=lambda _draft: None
)
# Words of other texts, too: they begin no block and make no device alone
_COMMON = frozenset({"Device", "Temperature", "write", LINK_RATE})
_WEAK = _COMMON | {
    "Vendor", "Product", "Revision", "Device type", "Model Number", "Serial Number", "Serial number",
    "Firmware Version", "Form Factor", "Rotation Rate",
}  # fmt: skip
_START_LABELS = KNOWN_LABELS - _COMMON
_START_WORDS = (
    "smartctl",
    "===",
    "ID#",
    "SMART/Health",
    "Smartctl",
    "sudo",
    "bash",
    "-bash",
    "zsh",
    "sh",
    "'smartctl'",
)


def _start_pattern() -> re.Pattern[str]:
    """What the lines begin with at which smartctl's text can; a path alone is no message about it."""
    labels = [r"\s+".join(map(re.escape, label.split())) + r"\s*:" for label in sorted(_START_LABELS)]
    words = [f"{re.escape(word)}[ :]" for word in _START_WORDS]
    first_words = {label.split()[0] for label in _START_LABELS}
    failures = [re.escape(each) for each in FAILURE_STARTS if each.split()[0] in first_words]
    others = [r"/dev/\S++\s", "[0-9]{1,3}+ ++[A-Z]|0x[0-9a-f]{2} "]
    by_letter: dict[str, list[str]] = {}  # one alternative a letter is soon ruled out
    for each in (*labels, *words, *failures):
        length = 2 if each.startswith("\\") else 1
        by_letter.setdefault(each[:length], []).append(each[length:])
    begins = [f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items()]
    return re.compile(rf"\s*+(?:{'|'.join([*begins, *others])})")


_START = _start_pattern()


def starts(line: str) -> bool:
    """Whether smartctl's text can begin here, whole or cut at its head; `_START` fits the line."""
    line = line.lstrip()
    return (
        line.startswith((SECTION, _ATTRIBUTES, _NVME_LOG))
        or _ATTRIBUTE_ROW.match(line) is not None
        or match_banner(line) is not None
        or (":" in line and squeeze(line.partition(":")[0]) in _START_LABELS)
        or is_missing_tool(line)
        or (line.startswith(FAILURE_STARTS) and find_failure(line, None) is not None)
    )


def read(block: Block) -> Outcome:
    """Read every device of a block; an output that holds nothing but a failure gives advice, too."""
    readings: list[Reading] = []
    notices: list[Notice] = []
    command = read_command(block.command)
    for output in split_outputs(block):
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


def _fill_draft(output: Output, command: Command) -> Draft | None:
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


def _choose_dialect(output: Output) -> Dialect:
    """The dialect of the first line that tells one."""
    for label, _value, _number in output.fields:
        if label in DIALECTS:
            return DIALECTS[label]
    for text, _number in output.rows:
        if text.startswith((_ATTRIBUTES, _STATISTICS)) or _ATTRIBUTE_ROW.match(text):
            return ATA
        if text.startswith(_NVME_LOG):
            return NVME
    return _UNTOLD


def _read_banner(draft: Draft, banner: str) -> None:
    match = match_banner(banner)
    if match is not None:
        draft.put("tool_version", match[1])
        draft.put("platform", read_platform(banner))


FORMATS = (Format("smartctl", starts, read, several=True, hint=_START),)
