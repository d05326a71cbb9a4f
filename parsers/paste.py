"""Read a paste: `parse_paste` is the entry point of this package.

A text is cleaned, what the tools printed is kept with its identifiers masked, and the blocks of the kept text are
read, each by its format.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from parsers.base.format import Block, Format, Outcome, ParseError
from parsers.base.markers import is_broken_row
from parsers.base.readings import Notice, ParsedPaste, PoolReading, Reading, SmartctlReading
from parsers.blocks import block_of, split_blocks, stored_commands
from parsers.classify.rules import Catalogue, classify, smartctl_evidence
from parsers.dating import date_readings
from parsers.flush_path import state_flush_paths
from parsers.keep import StoredText, holds_start, keep
from parsers.layers import state_layers
from parsers.live_log.read import read_kept
from parsers.nvme_cli import as_smartctl
from parsers.pairing import pair_readings
from parsers.privacy.masks import MASK, Masks
from parsers.registry import FORMATS
from parsers.text.clean import clean, clean_lines, lines_with
from parsers.text.decode import decode
from parsers.text.samples import Folded, fold
from parsers.unread_tools import DESCRIBES

PARSER_VERSION = "2.2"
MAX_READINGS = 400  # pairing compares each run with each description; a person pastes a few
MAX_READINGS_OF_BLOCK = 200
_FILE = re.compile(r"^==> [^<>\n]{1,200} <==$", re.MULTILINE)  # as head(1) and tail(1) name files
FIGURE = re.compile(r"(?<![\w.])[0-9]+(?:[.,][0-9]+)?[A-Za-z%]{0,3}(?![\w.])")
MAX_FIGURES, MAX_LENGTH = 12, 4000  # of a line, in characters
BROKEN_ROWS = (
    "this line holds several rows, or a part of one, so it was left out: paste the output with the line breaks of"
    " the terminal"
)
MAX_PASSES = 4  # what is kept may look decorated once the rest is gone; real texts need one pass


def parse_paste(
    raw: bytes | str,
    *,
    unit_key: bytes,
    unit_digests: Mapping[str, str] | None = None,
    catalogue: Catalogue | None = None,
    reads_nvme_cli: bool = False,
) -> ParsedPaste:
    """Read one paste; raises nothing: what can't be read is in `warnings`.

    `unit_key` makes the digests of serial numbers. To read a kept text again, give `unit_digests` of the first
    reading: the result is the same. `catalogue` knows the class of some model names. `reads_nvme_cli` is for texts
    that aren't kept: nvme-cli's JSON becomes smartctl's, on other lines.
    """
    try:
        text = decode(raw, is_kept=unit_digests is not None)
        text = as_smartctl(text) if reads_nvme_cli else text
        folded = fold(text)
        masks = Masks(folded.plain.text, unit_key, unit_digests)
        stored_text = _keep(folded, masks)
    except ParseError as error:
        return _refused(error)
    if not stored_text.lines:
        return replace(_refused(_nothing_found(text)), left_out_lines=stored_text.left_out)
    file_lines = tuple(at + 1 for at in lines_with(_FILE, text))
    return replace(_read(stored_text, masks, folded, catalogue), file_lines=file_lines)


def _digests(lines: Sequence[str], masks: Masks) -> dict[str, str]:
    """The digests of the masks of serial numbers that are in a kept text."""
    present = {match[0] for line in lines for match in MASK.finditer(line)}
    return {mask: digest for mask, digest in masks.unit_digests.items() if mask in present}


def _keep(folded: Folded, masks: Masks) -> StoredText:
    """Keep what the tools printed, until nothing changes any more."""
    stored_text = keep(clean_lines(clean(folded.plain)), masks)
    left_out = stored_text.left_out
    for _ in range(MAX_PASSES):
        before = "\n".join(stored_text.lines)
        again = clean(before)
        if again.text == before:
            break
        sources = [stored_text.source_lines[number - 1] for number in again.numbers]
        stored_text = keep(replace(clean_lines(again), numbers=sources), masks)
        left_out += stored_text.left_out
    return replace(stored_text, left_out=tuple(sorted(left_out, key=lambda run: run.first_line)))


def _read(stored_text: StoredText, masks: Masks, folded: Folded, catalogue: Catalogue | None) -> ParsedPaste:
    lines = masks.finish("\n".join(stored_text.lines)).split("\n")
    unit_digests = _digests(lines, masks)
    lengths = [len(folded.unfold(line)) for line in lines]
    read = _read_blocks(lines, list(accumulate(lengths, initial=1)), folded.runs)
    text = "\n".join(row for line in lines for row in folded.unfold(line)) + "\n"
    # For what is looked for in single lines, those of samples are empty
    lines = [
        other for line, length in zip(lines, lengths, strict=True) for other in (line, *[""] * (length - 1))
    ]
    readings = [_classify_again(reading, catalogue) for reading in state_layers(read.readings, lines)]
    readings += filter(None, [read_kept(lines)])
    if not (readings or read.notices):
        return replace(_refused(_nothing_found(text)), left_out_lines=stored_text.left_out)
    sources = zip(stored_text.source_lines, lengths, strict=True)
    notices = [notice for notice in read.notices if notice.code != DESCRIBES or not read.readings]
    notices += [
        Notice("broken_rows", BROKEN_ROWS, at) for at, line in enumerate(lines, 1) if is_broken_row(line)
    ]
    pairing = pair_readings(readings, unit_digests, catalogue)
    notices += pairing.notices
    notices += _explain_missing(readings)
    return ParsedPaste(
        text=text,
        readings=tuple(date_readings(readings, pairing.devices, lines)),
        devices=state_flush_paths(pairing.devices, readings, lines),
        warnings=tuple(notices),
        left_out=tuple(read.left_out),
        unit_digests=unit_digests,
        parser_version=PARSER_VERSION,
        source_lines=tuple(line for first, length in sources for line in range(first, first + length)),
        left_out_lines=stored_text.left_out,
        own_words=tuple(word for word in map(masks.finish, masks.own_words) if word in text),
        identifiers=masks.known,
    )


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


def _nothing_found(text: str) -> ParseError:
    if not text.strip():
        message = "The paste is empty: paste the output of diskinfo -wS and smartctl -a."
        return ParseError(message, code="empty")
    lost = [
        line
        for line in text.split("\n")
        if len(FIGURE.findall(line[:MAX_LENGTH])) > MAX_FIGURES or holds_start(line)
    ]
    tools = Counter(each.tool for line in lost for each in FORMATS for sign in each.markers if sign in line)
    if tools:
        tool = tools.most_common(1)[0][0]
        message = (
            f"This looks like output of {tool} without its line breaks: copy it as the terminal shows it."
        )
        return ParseError(message, code="lost_line_ends")
    names = dict.fromkeys(name for each in FORMATS[:-1] for name in each.names or (each.tool,))
    *others, last = names
    message = (
        f"We found no output of {', '.join(others)} or {last}: paste everything it printed, with the command."
    )
    return ParseError(message, code="nothing_found")


def _read_blocks(lines: Sequence[str], numbers: Sequence[int], runs: Mapping[str, Sequence[str]]) -> Outcome:
    """Read all blocks of a kept text, whose runs of samples are one line each."""
    found = Outcome()
    commands = stored_commands(lines)
    for span in split_blocks(lines, FORMATS, commands):
        block = block_of(span, lines, numbers, commands, runs)
        if len(found.readings) >= MAX_READINGS:
            message = f"only the first {len(found.readings)} devices are read: paste fewer at a time"
            why = Notice("too_many_devices", message, block.numbers[0])
            found.leave_out(why, (block.numbers[0], len(lines)))
            break
        outcome = _read_block(span.format, block)
        found.readings += outcome.readings
        found.notices += outcome.notices
        found.left_out += outcome.left_out
    return found


def _read_block(format_: Format, block: Block) -> Outcome:
    """Read a block with its format; the format's error becomes a notice here, and only here."""
    try:
        return _limited(format_.read(block))
    except ParseError as error:
        notice = Notice(error.code, str(error), error.line_number)
        left_out = [notice.as_left_out(block.numbers[0], block.numbers[-1])] if format_.is_benchmark else []
        return Outcome(notices=[notice], left_out=left_out)


def _limited(outcome: Outcome) -> Outcome:
    if len(outcome.readings) > MAX_READINGS_OF_BLOCK:
        raise ParseError(
            f"there are more than {MAX_READINGS_OF_BLOCK} devices or runs here: paste fewer at a time",
            code="too_many_devices",
            line_number=outcome.readings[MAX_READINGS_OF_BLOCK].first_line,
        )
    return outcome


def _classify_again(reading: Reading, catalogue: Catalogue | None) -> Reading:
    """The reading, reclassified with the catalogue, which formats don't have."""
    if catalogue is None or not isinstance(reading, SmartctlReading):
        return reading
    evidence = smartctl_evidence(partial(getattr, reading))
    device_class = classify(evidence, catalogue)
    return reading if device_class is reading.device_class else replace(reading, device_class=device_class)


def _explain_missing(readings: Sequence[Reading]) -> list[Notice]:
    """What to add, if a paste contains nothing that could become a result.

    These notices are complete sentences, since no line number precedes them.
    """
    if readings and all(isinstance(reading, SmartctlReading | PoolReading) for reading in readings):
        what = "device" if all(isinstance(reading, SmartctlReading) for reading in readings) else "pool"
        missing = {
            "device": "the output of diskinfo -wS /dev/…",
            "pool": "the output of dd or fio on it, or state what you timed by hand",
        }
        message = f"We found no benchmark, only a description of the {what}: add {missing[what]}."
        return [Notice("no_benchmark", message)]
    return []
