"""smartctl's text, of versions 5.x to 7.x: a reading per device.

The lines are sorted by device into labeled fields, rows and failures, and read in the dialect that they show.
Source: smartctl.cpp for banner and errors; the labels are in ata.py, nvme.py and scsi.py.
"""

import re
from dataclasses import dataclass, field
from operator import itemgetter

from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import Notice
from parsers.base.shell import own_commands
from parsers.base.target import is_same_disk, node_of
from parsers.smartctl.ata import ATA
from parsers.smartctl.failures import (
    FAILURE_STARTS,
    Command,
    find_failure,
    is_missing_tool,
    is_usb_type,
    read_command,
    slot_of,
)
from parsers.smartctl.fields import Dialect, FigureLine, SmartctlDraft, finish_reading, stated
from parsers.smartctl.keep import keep, keep_command
from parsers.smartctl.labels import (
    ATA_LOGS,
    COMMON_LABELS,
    DIALECTS,
    KNOWN_LABELS,
    LOGS,
    NVME_LOGS,
    OPEN_FAILURE,
    SCSI_LOGS,
    SECTION,
    SHARED_LABELS,
    SUPPORT_LABEL,
    VENDOR_LOG,
    WEAK_LABELS,
    match_banner,
)
from parsers.smartctl.logs import HOURS_OF_FARM, failed_self_test, logged_hours
from parsers.smartctl.nvme import NVME
from parsers.smartctl.scsi import SCSI
from parsers.smartctl.tables import ATTRIBUTE_START

_SUPPORTED = ("Available", "Enabled")
# Labels that begin the description of a device, and those after which its name is known
OPENING_LABELS = frozenset({"Model Family", "Device Model", "Model Number", "Vendor", "Device"})
NAMING_LABELS = frozenset({"Device Model", "Model Number", "Product", "Device"})
_INFORMATION = "=== START OF INFORMATION"
_BELOW_BANNER = ("Copyright (C)", *FAILURE_STARTS)
_CUT_CAPACITY = re.compile(r"[\d., ']{1,40}(?:bytes)?")
_REST_OF_CAPACITY = re.compile(r"(?:bytes )?\[\d")
# How the lines begin that are more than a row
_NOTABLE = (SECTION, VENDOR_LOG, "[", "bytes [", *FAILURE_STARTS)
_OPENING_LETTERS = frozenset("s=")  # of a banner, of a section
_NARROWEST_TERMINAL = 78
_TRIPLET = re.compile(r"\[\w{1,20}-[^ \]]{0,100}$")  # "[x86_64-linux-5.1"
_DIGITS = frozenset("0123456789")

# With this label the section is titled like that for ATA only
_HEALTH = "SMART overall-health self-assessment test result"
_READ_SECTION = "=== START OF READ SMART DATA"
# What can be read before the dialect is known: the result of `smartctl -H`, for instance
_UNKNOWN_DIALECT = Dialect(
    transport=None, fields={label: ATA.fields[label] for label in SHARED_LABELS}, finish=lambda _draft: None
)
_PRINTED_ONCE = frozenset(ATA.fields) | NVME.fields.keys() | SCSI.fields.keys()
_PRINTED_ONCE -= COMMON_LABELS | {"Current Temperature", "Local Time is"}
_START_LABELS = KNOWN_LABELS - COMMON_LABELS
_START_WORDS = (
    "smartctl", "===", "ID#", "SMART/Health", "Smartctl", "sudo", "bash", "-bash", "zsh", "sh", "'smartctl'"
)  # fmt: skip


@dataclass(slots=True)
class Output:
    """The lines of one device: labeled fields, other rows, the first failure."""

    first_line: int
    last_line: int
    banner: str = ""
    is_banner_complete: bool = True
    has_section: bool = False
    is_named: bool = False
    is_over: bool = False
    fields: list[FigureLine] = field(default_factory=list)
    rows: list[tuple[str, int]] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)  # the row of each
    failure: Notice | None = None
    path: str | None = None
    is_usb: bool = False


def split_outputs(block: Block) -> list[Output]:
    """Split the lines by device.

    At each banner, information section or description that follows a finished one.
    """
    outputs: list[Output] = []
    output = None
    lines = zip(map(str.strip, block.lines), block.numbers, strict=True)
    for row in filter(itemgetter(0), lines):  # without the empty ones
        text, number = row
        if text[0] in _DIGITS:  # the row of a table
            output = _add_row(outputs, row)
            continue
        label, colon, value = text.partition(":")
        label = squeeze(label) if "  " in label else label
        is_field = colon and label in KNOWN_LABELS
        is_opening = label in OPENING_LABELS if is_field else text[0] in _OPENING_LETTERS
        if (
            output is None
            or (is_opening and _begins_device(output, text, label))
            or (is_field and _is_repeated(output, label, value.strip()))
        ):
            output = _open_output(outputs, number)
        output.last_line = number
        if output.is_over and not HOURS_OF_FARM.fullmatch(text):
            continue
        if is_field:
            _add_field(output, FigureLine(label, value.strip(), number))
        elif output.is_banner_complete and not text.startswith(_NOTABLE) and "smartctl" not in text:
            output.rows.append(row)  # nearly all lines
        else:
            _add_line(output, text, number)
    return outputs


def _open_output(outputs: list[Output], number: int) -> Output:
    outputs.append(Output(number, number))
    return outputs[-1]


def squeeze(label: str) -> str:
    """A label with single blanks."""
    return " ".join(label.split())


def read_platform(banner: str) -> str | None:
    """Return the platform, in the brackets of a banner."""
    platform, bracket, _rest = banner.partition("[")[2].partition("]")
    return stated(platform) if bracket else None


def _begins_device(output: Output, text: str, label: str) -> bool:
    if label in OPENING_LABELS:
        return output.is_named
    if text.startswith("smartctl "):
        return match_banner(text) is not None
    return output.is_named and text.startswith(_INFORMATION)


def _is_repeated(output: Output, label: str, value: str) -> bool:
    """Whether a value that is printed once is repeated and differs: then another output begins, without its head."""
    is_once = label in _PRINTED_ONCE and not output.is_over
    return is_once and any(line.label == label and line.value != value for line in output.fields)


def _add_row(outputs: list[Output], row: tuple[str, int]) -> Output:
    """Add the row of a table; if its attribute already has a different row, another output begins."""
    text, number = row
    attribute = " ".join(text.split(None, 2)[:2])
    if not outputs or ("_" in attribute and outputs[-1].attributes.get(attribute, text) != text):
        _open_output(outputs, number)
    output = outputs[-1]
    output.attributes[attribute] = text
    output.last_line = number
    if not output.is_over:
        output.rows.append(row)
    return output


def _add_field(output: Output, line: FigureLine) -> None:
    output.fields.append(line)
    output.is_banner_complete = True
    if line.label in NAMING_LABELS:
        output.is_named = True
    elif line.label == SUPPORT_LABEL and output.failure is None and not line.value.startswith(_SUPPORTED):
        output.failure = find_failure(f"{line.label} {line.value}", line.number)


def _add_line(output: Output, text: str, number: int) -> None:
    if text.startswith("smartctl ") and match_banner(text) is not None:
        output.banner, output.is_banner_complete = text, "]" in text
    elif text.startswith((SECTION, VENDOR_LOG)):
        output.has_section = True
        output.rows.append((text, number))
        output.is_over = text.startswith(VENDOR_LOG)
    elif not output.is_banner_complete and text.startswith(_BELOW_BANNER):
        output.is_banner_complete = True  # its end was cut off
        _add_line(output, text, number)
    elif not output.is_banner_complete and "]" in text:
        # a terminal breaks at its width, mail at a blank that was lost with the line end; a build's triplet has none
        is_within_word = (
            len(output.banner) >= _NARROWEST_TERMINAL or _TRIPLET.search(output.banner) is not None
        )
        output.banner += text if is_within_word else f" {text}"
        output.is_banner_complete = True
    elif output.fields and _REST_OF_CAPACITY.match(text) and _CUT_CAPACITY.fullmatch(output.fields[-1].value):
        capacity = output.fields.pop()
        output.fields.append(capacity._replace(value=f"{capacity.value} {text}"))
    else:
        output.rows.append((text, number))
        if output.failure is None and (text.startswith(FAILURE_STARTS) or is_missing_tool(text)):
            _add_failure(output, text, number)


def _add_failure(output: Output, text: str, number: int) -> None:
    output.failure = find_failure(text, number)
    match = OPEN_FAILURE.match(text)
    if match is not None:
        output.path = match[1]
    elif output.failure is not None and text.startswith("/"):
        output.path = text.split(":", 1)[0]
    output.is_usb = output.failure is not None and "USB" in ((match[2] or "") if match else text)


def _start_pattern() -> re.Pattern[str]:
    """Make the pattern of line starts at which smartctl's text can begin.

    A path alone is no message about it.
    """
    labels = [r"\s+".join(map(re.escape, label.split())) + r"\s*:" for label in sorted(_START_LABELS)]
    words = [f"{re.escape(word)}[ :]" for word in _START_WORDS]
    first_words = {label.split()[0] for label in _START_LABELS}
    failures = [re.escape(each) for each in FAILURE_STARTS if each.split()[0] in first_words]
    others = [r"/dev/\S++\s", "[0-9]{1,3}+ ++[A-Z]|0x[0-9a-f]{2} "]
    by_letter: dict[str, list[str]] = {}  # with one alternative per letter, most are ruled out early
    logs = [re.escape(each) for each in LOGS if not each.startswith(SECTION)]
    for each in (*labels, *words, *failures, *logs):
        length = 2 if each.startswith("\\") else 1
        by_letter.setdefault(each[:length], []).append(each[length:])
    begins = [f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items()]
    return re.compile(rf"\s*+(?:{'|'.join([*begins, *others])})")


_START = _start_pattern()


def starts(line: str) -> bool:
    """Whether smartctl's text can begin here, at its head or further below.

    `_START` fits the line.
    """
    line = line.lstrip()
    return (
        line.startswith((SECTION, *LOGS))
        or ATTRIBUTE_START.match(line) is not None
        or match_banner(line) is not None
        or (":" in line and squeeze(line.partition(":")[0]) in _START_LABELS)
        or is_missing_tool(line)
        or (line.startswith(FAILURE_STARTS) and find_failure(line, None) is not None)
    )


def read(block: Block) -> Outcome:
    """Read every device of a block, and give advice on a lone failure."""
    outcome = Outcome()
    outputs = split_outputs(block)
    commands = own_commands(list(map(read_command, block.commands)), outputs, _fits)
    for output, command in zip(outputs, commands, strict=True):
        draft = _fill_draft(output, command or Command())
        if draft is not None:
            first_line, last_line = output.first_line, output.last_line
            reading = finish_reading(draft, first_line=first_line, last_line=last_line, text_format="text")
            outcome.readings.append(reading)
            outcome.notices += draft.notices
        if output.failure is not None:
            outcome.notices.append(output.failure)
    return outcome


def _fits(command: Command, output: Output) -> bool:
    """Whether an output can be of the device that a command names."""
    return is_same_disk(node_of(command.path), node_of(output.path)) is not False


def _fill_draft(output: Output, command: Command) -> SmartctlDraft | None:
    """Return the draft of an output; None if it isn't smartctl's beyond doubt."""
    labels = {line.label for line in output.fields}
    dialect = _choose_dialect(output)
    has_log = _dialect_of_rows(output) is not None
    if not (output.banner or output.has_section or has_log or labels - WEAK_LABELS or len(labels) > 1):
        return None
    draft = SmartctlDraft(rows=output.rows)
    _read_banner(draft, output.banner)
    for line in output.fields:
        handler = dialect.fields.get(line.label)
        if handler is not None:
            handler(draft, line)
    dialect.finish(draft)
    draft.put("logged_hours", logged_hours(output.rows))
    draft.put("failed_self_test", failed_self_test(text for text, _number in output.rows))
    draft.put("transport", dialect.transport)
    draft.put("path", command.path or output.path)
    draft.put("slot", slot_of(command.device_type))
    if output.is_usb or is_usb_type(command.device_type):
        draft.put("is_usb", True)
        draft.put("protocol", "USB")
    return draft


def _choose_dialect(output: Output) -> Dialect:
    """Return the dialect of the first line that shows one."""
    for line in output.fields:
        if line.label in DIALECTS:
            return DIALECTS[line.label]
    shown = _dialect_of_rows(output)
    if shown is not None:
        return shown
    labels = {line.label for line in output.fields}
    is_ata = _HEALTH in labels and any(text.startswith(_READ_SECTION) for text, _number in output.rows)
    return ATA if is_ata else _UNKNOWN_DIALECT


def _dialect_of_rows(output: Output) -> Dialect | None:
    for text, _number in output.rows:
        if text.startswith(ATA_LOGS) or ATTRIBUTE_START.match(text):
            return ATA
        if text.startswith(NVME_LOGS):
            return NVME
        if text.startswith(SCSI_LOGS):
            return SCSI
    return None


def _read_banner(draft: SmartctlDraft, banner: str) -> None:
    match = match_banner(banner)
    if match is not None:
        draft.put("tool_version", match[1])
        draft.put("platform", read_platform(banner))


FORMAT = Format("smartctl", starts, keep, read, hint=_START, keep_command=keep_command)
