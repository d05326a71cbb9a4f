"""Read a paste: `parse_paste` is the entry point of this package.

The cleaned and masked lines are cut into blocks, each of one format, and every block is read by its format.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from parsers.base.format import Block, Format, Outcome, ParseError
from parsers.base.readings import (
    LeftOut,
    Notice,
    ParsedPaste,
    Reading,
    SmartctlReading,
)
from parsers.classify.rules import Catalogue, classify, smartctl_evidence
from parsers.dating import date_readings
from parsers.layers import state_layers
from parsers.pairing import pair_readings
from parsers.privacy.mask import MaskedText, redact, take_masked
from parsers.registry import FORMATS
from parsers.text.clean import CleanText, clean_lines, lines_with
from parsers.text.decode import decode

PARSER_VERSION = "1.5"
MAX_READINGS = 400  # pairing compares each run with each description; a person pastes a few

# "root@nas:~ # ", "[root@nas ~]$ ", "nas% ", "PS C:\> ", "# ", and the command of a tool behind it or behind another;
# in a loop only fio's, whose options hold for every turn: "do smartctl -a /dev/$disk" names no disk
COMMAND = re.compile(
    r"\s*(?:.{0,160}?(?:[#$%>;]|&&)\s*)?"
    r"(?P<command>(?:(?:sudo|doas|time) |do (?=fio ))*"
    r"(?:\S{0,60}[/\\])?(?:smartctl|diskinfo|fio)(?:\.exe)? +(?:[-/\w].*|\\$))"
)
# These two need no arguments, and often run as another user or in a container
FILE_COMMAND = re.compile(
    r".{0,200}?(?<![\w.-])(?P<command>(?:pg_test_fsync(?:\.exe)?(?:[ \t]+[-<>|&;][^`]*)?"
    r"|pveperf(?:[ \t]+(?:[/~.>|&;]|\[)[^`]*)?))[\s\"']*(?:`.{0,80})?\Z"
)
# the text is masked, so a host is known by its mask
COMMAND_SIGN = re.compile(r"smartctl|diskinfo|fio|pg_test_fsync|pveperf|@\[host-")
PROMPT = re.compile(r"\[?(?:[\w.+-]{1,40}|\[user-[0-9]{1,6}\])@\[host-[0-9]{1,6}\].{0,80}?[#$%>](?: |$)")
# "smartctl 7.2 2020-12-30 ..." is the first line of the output, not a command
BANNER = re.compile(r"\S+ (?:version |pre-)?\d")
PRINTED_BANNER = re.compile(r"smartctl (?:version |pre-)?\d[^#$%>;&]*+\Z")
FIO_RESULT = ": (groupid="  # on the line of its command: the output has lost its line ends
OPTION = re.compile(r"\s*--?[a-z]")  # at the start of a line: the command above continues
MAX_COMMAND_LINES = 40
BlockStart = tuple[Format, int, str | None]  # where it begins, and the command above it
LINES_ABOVE = 80  # a job file of fio is above the prompt that runs it
MAX_LINES_ABOVE = 3  # empty lines between a block's start and the line above it that belongs to it


def parse_paste(
    raw: bytes | str,
    *,
    unit_key: bytes,
    unit_digests: Mapping[str, str] | None = None,
    catalogue: Catalogue | None = None,
) -> ParsedPaste:
    """Read one paste; raises nothing: what can't be read is in `warnings`.

    `unit_key` makes the digests of serial numbers. To read a masked text again, give `unit_digests` of the first
    reading: the result is the same. `catalogue` knows the class of some model names.
    """
    try:
        masked = redact(decode(raw), unit_key=unit_key, unit_digests=unit_digests or {})
    except ParseError as error:
        return _refused(error)
    return _read(masked, catalogue)


def read_masked(
    text: str, *, unit_digests: Mapping[str, str], catalogue: Catalogue | None = None
) -> ParsedPaste:
    """Read a text that this version masked, without searching it for identifiers."""
    try:
        masked = take_masked(decode(text), unit_digests=unit_digests)
    except ParseError as error:
        return _refused(error)
    return _read(masked, catalogue)


def _refused(error: ParseError) -> ParsedPaste:
    return ParsedPaste(
        text="",
        readings=(),
        devices=(),
        warnings=(Notice(error.code, str(error), error.line_number),),
        left_out=(),
        unit_digests={},
        parser_version=PARSER_VERSION,
    )


def _read(masked: MaskedText, catalogue: Catalogue | None) -> ParsedPaste:
    cleaned = clean_lines(masked.cleaned, masked.text)
    read = _read_blocks(cleaned)
    readings = [_classify_again(reading, catalogue) for reading in state_layers(read.readings, cleaned)]
    notices = list(read.notices)
    pairing = pair_readings(readings, masked.unit_digests, catalogue)
    notices += pairing.notices
    notices += _explain_missing(masked.text, readings, has_notices=bool(notices))
    return ParsedPaste(
        text=masked.text,
        readings=tuple(date_readings(readings, pairing.devices, cleaned)),
        devices=pairing.devices,
        warnings=tuple(notices),
        left_out=read.left_out,
        unit_digests=masked.unit_digests,
        parser_version=PARSER_VERSION,
    )


def _read_blocks(cleaned: CleanText) -> Outcome:
    """Read all blocks of a text."""
    readings: list[Reading] = []
    notices: list[Notice] = []
    left_out: list[LeftOut] = []
    for format_, block in split_blocks(cleaned, FORMATS):
        if len(readings) >= MAX_READINGS:
            message = f"only the first {len(readings)} devices are read: paste fewer at a time"
            notices.append(Notice("too_many_devices", message, block.numbers[0]))
            left_out.append(LeftOut("too_many_devices", message, block.numbers[0], max(cleaned.numbers)))
            break
        outcome = _read_block(format_, block)
        readings += outcome.readings
        notices += outcome.notices
        left_out += outcome.left_out
    return Outcome(tuple(readings), tuple(notices), tuple(left_out))


def _read_block(format_: Format, block: Block) -> Outcome:
    """Read a block with its format; the format's error becomes a notice here, and only here."""
    try:
        return format_.read(block)
    except ParseError as error:
        notice = Notice(error.code, str(error), error.line_number)
        lines = block.numbers[0], block.numbers[-1]
        left_out = (LeftOut(error.code, str(error), *lines),) if format_.is_benchmark else ()
        return Outcome(notices=(notice,), left_out=left_out)


def _classify_again(reading: Reading, catalogue: Catalogue | None) -> Reading:
    """The reading, reclassified with the catalogue, which formats don't have."""
    if catalogue is None or not isinstance(reading, SmartctlReading):
        return reading
    evidence = smartctl_evidence(partial(getattr, reading))
    device_class = classify(evidence, catalogue)
    return reading if device_class is reading.device_class else replace(reading, device_class=device_class)


def _explain_missing(text: str, readings: Sequence[Reading], *, has_notices: bool) -> list[Notice]:
    """What to paste instead, if a paste contains nothing that could become a result.

    These notices are complete sentences, since no line number precedes them.
    """
    if not text.strip():
        return [Notice("empty", "The paste is empty: paste the output of diskinfo -wS and smartctl -a.")]
    if not readings and not has_notices:
        message = (
            "We found no output of diskinfo, smartctl, fio, pg_test_fsync or pveperf: paste what"
            " diskinfo -wS /dev/… printed."
        )
        return [Notice("nothing_found", message)]
    if readings and all(isinstance(reading, SmartctlReading) for reading in readings):
        message = (
            "We found no benchmark, only a description of the device: add the output of diskinfo -wS /dev/…."
        )
        return [Notice("no_benchmark", message)]
    return []


def find_commands(lines: Sequence[str], text: str) -> dict[int, str]:
    """Return the command at each prompt, by the index of its line.

    "" is a prompt without a command, or with one of another program.
    """
    found = {}
    for at in lines_with(COMMAND_SIGN, text):
        command = _find_command(lines[at])
        if command is not None:
            found[at] = command and _with_its_end(command, lines[at + 1 : at + MAX_COMMAND_LINES])
    return found


def _with_its_end(command: str, below: Sequence[str]) -> str:
    """Return the command with its continuation lines.

    They follow a backslash, or begin with an option that was wrapped.
    """
    for line in below:
        if not command.endswith("\\") and OPTION.match(line) is None:
            break
        command = command.removesuffix("\\").rstrip() + " " + line.strip()
    return command


def _find_command(line: str) -> str | None:
    if FIO_RESULT in line or PRINTED_BANNER.match(line) is not None:
        return None
    match = COMMAND.match(line)
    if match is not None and BANNER.match(match["command"]) is None:
        return match["command"].strip()
    match = FILE_COMMAND.match(line) if "pg_test_fsync" in line or "pveperf" in line else None
    if match is not None:
        return match["command"].strip()
    return "" if PROMPT.match(line) is not None else None


def split_blocks(cleaned: CleanText, formats: Sequence[Format]) -> Iterator[tuple[Format, Block]]:
    """Each block with its format, in the order of the paste."""
    lines, numbers = cleaned.lines, cleaned.numbers

    def cut(block_start: BlockStart | None, end: int) -> Iterator[tuple[Format, Block]]:
        if block_start is not None and block_start[1] < end:
            format_, first, command = block_start
            above = tuple(lines[max(first - LINES_ABOVE, 0) : first])
            yield format_, Block(tuple(lines[first:end]), tuple(numbers[first:end]), command, above=above)

    present = [each for each in formats if _may_contain(cleaned, each)]
    commands = find_commands(lines, cleaned.traced.text)
    block_start: BlockStart | None = None
    command: str | None = None
    candidates = present
    last_command = max(commands, default=-1)
    for index, line in enumerate(lines):
        if not candidates and index > last_command:
            break
        if index in commands:
            yield from cut(block_start, index)
            block_start, candidates, command = None, present, commands[index] or None
            continue
        if line and (starting := _which_starts(line, candidates)):
            first = _first_line(lines, index, starting)
            yield from cut(block_start, first)
            block_start, command = (starting, first, command), None
            candidates = [each for each in present if each is not starting or not each.several]
    yield from cut(block_start, len(lines))


def _may_contain(cleaned: CleanText, format_: Format) -> bool:
    """Whether the text contains a marker of the format, and a line that its hint matches."""
    text = cleaned.traced.text
    if format_.markers and not any(marker in text for marker in format_.markers):
        return False
    return format_.hint is None or any(map(format_.hint.match, cleaned.lines))


def _which_starts(line: str, formats: Sequence[Format]) -> Format | None:
    for each in formats:
        if (each.hint is None or each.hint.match(line)) and each.starts(line):
            return each
    return None


def _first_line(lines: Sequence[str], start: int, format_: Format) -> int:
    """Return the first line of a block whose start was found.

    The line above it, past empty ones, may belong to it.
    """
    if format_.precedes is None:
        return start
    above = start - 1
    while above >= max(start - MAX_LINES_ABOVE, 0) and not lines[above]:
        above -= 1
    return above if above >= 0 and lines[above] and format_.precedes(lines[above]) else start
