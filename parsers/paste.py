"""From a paste to everything that it says: `parse_paste` is the door of this package."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from parsers.base.format import ParseError
from parsers.base.readings import (
    Block,
    DiskinfoReading,
    FioReading,
    Format,
    LeftOut,
    Notice,
    Outcome,
    ParsedPaste,
    Reading,
    SmartctlReading,
)
from parsers.blocks import split_blocks
from parsers.classify.evidence import smartctl_evidence
from parsers.classify.rules import Catalogue, classify
from parsers.pairing import pair_readings
from parsers.privacy.mask import MaskedText, redact, take_masked
from parsers.registry import FORMATS
from parsers.text.clean import clean_lines
from parsers.text.decode import decode

PARSER_VERSION = "1.1"
MOST_READINGS = 400  # pairing compares each run with each description; a person pastes a few


def parse_paste(
    raw: bytes | str,
    *,
    unit_key: bytes,
    unit_digests: Mapping[str, str] | None = None,
    catalogue: Catalogue | None = None,
) -> ParsedPaste:
    """Read one paste; raises nothing: what can't be read is said in `warnings`.

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
    """The same for a text that was masked by this version: it is not looked through for identifiers again."""
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
    read = _read_blocks(masked)
    readings = [_classify_again(reading, catalogue) for reading in read.readings]
    notices = list(read.notices)
    pairing = pair_readings(readings, masked.unit_digests, catalogue)
    notices += pairing.notices
    notices += _what_is_missing(masked.text, readings, has_notices=bool(notices))
    return ParsedPaste(
        text=masked.text,
        readings=tuple(readings),
        devices=pairing.devices,
        warnings=tuple(notices),
        left_out=read.left_out,
        unit_digests=masked.unit_digests,
        parser_version=PARSER_VERSION,
    )


def _read_blocks(masked: MaskedText) -> Outcome:
    """What all blocks of a text say."""
    readings: list[Reading] = []
    notices: list[Notice] = []
    left_out: list[LeftOut] = []
    cleaned = clean_lines(masked.cleaned, masked.text)
    for format_, block in split_blocks(cleaned, FORMATS):
        if len(readings) >= MOST_READINGS:
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
    """What a format makes of a block; its error becomes a notice here, and only here."""
    try:
        return format_.read(block)
    except ParseError as error:
        notice = Notice(error.code, str(error), error.line_number)
        lines = block.numbers[0], block.numbers[-1]
        left_out = (LeftOut(error.code, str(error), *lines),) if format_.is_benchmark else ()
        return Outcome(notices=(notice,), left_out=left_out)


def _classify_again(reading: Reading, catalogue: Catalogue | None) -> Reading:
    """The reading with what the catalogue knows of its class; a format knows none."""
    if catalogue is None or not isinstance(reading, SmartctlReading):
        return reading
    evidence = smartctl_evidence(partial(getattr, reading))
    device_class = classify(evidence, catalogue)
    return reading if device_class is reading.device_class else replace(reading, device_class=device_class)


def _what_is_missing(text: str, readings: Sequence[Reading], *, has_notices: bool) -> list[Notice]:
    """What to paste instead, where a paste holds nothing that could become a result.

    Sentences, as they are of no line that stands before them.
    """
    if not text.strip():
        return [Notice("empty", "The paste is empty: paste what diskinfo -wS and smartctl -a printed.")]
    if not readings and not has_notices:
        message = (
            "There is no output of diskinfo, smartctl or fio here: paste what diskinfo -wS /dev/… printed."
        )
        return [Notice("nothing_found", message)]
    if readings and not any(isinstance(reading, (DiskinfoReading, FioReading)) for reading in readings):
        message = "There is no benchmark here, only a description of the device: add what diskinfo -wS /dev/… prints."
        return [Notice("no_benchmark", message)]
    return []
