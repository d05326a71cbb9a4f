"""From a paste to everything that it says: `parse_paste` is the door of this package."""

from collections.abc import Mapping

from parsers.blocks import split_blocks
from parsers.clean import clean_lines
from parsers.decode import decode
from parsers.errors import ParseError
from parsers.kinds import Block, Format, Notice, Outcome, ParsedPaste, Reading
from parsers.redact import redact
from parsers.registry import FORMATS

PARSER_VERSION = "1.0"


def parse_paste(
    raw: bytes | str, *, unit_key: bytes, unit_digests: Mapping[str, str] | None = None
) -> ParsedPaste:
    """Read one paste; raises nothing: what can't be read is said in `warnings`."""
    masked = redact(decode(raw), unit_key=unit_key, unit_digests=unit_digests or {})
    cleaned = clean_lines(masked.cleaned, masked.text)
    readings: list[Reading] = []
    notices: list[Notice] = []
    for format_, block in split_blocks(cleaned.lines, cleaned.numbers, FORMATS):
        outcome = read_block(format_, block)
        readings += outcome.readings
        notices += outcome.notices
    return ParsedPaste(
        text=masked.text,
        readings=tuple(readings),
        devices=(),
        warnings=tuple(notices),
        unit_digests=masked.unit_digests,
        parser_version=PARSER_VERSION,
    )


def read_block(format_: Format, block: Block) -> Outcome:
    """What a format makes of a block; its error becomes a notice here, and only here."""
    try:
        return format_.read(block)
    except ParseError as error:
        return Outcome(notices=(Notice(error.code, str(error), error.line_number),))
