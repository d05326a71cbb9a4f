"""Decode bytes: byte order marks, UTF-8, UTF-16, else Windows-1252."""

import codecs
import re

from parsers.base.format import ParseError
from parsers.text.samples import MAX_SAMPLES, without_samples

MAX_SIZE = 512 * 1024
MAX_STORED_LENGTH = 4 * MAX_SIZE  # characters: a masked text may be longer than the paste it was
MAX_LOG_SIZE = 4 * 1024 * 1024  # of a text that is mostly samples
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
MAX_LINES = 12_000
NOT_TEXT = (
    "This isn’t text. If it’s a screenshot, copy the text from the terminal and paste it, or save it as text."
)
# Characters that no terminal prints: control characters other than blanks, backspace, bell and escape.
CONTROLS = bytes([*range(0x07), *range(0x0E, 0x1B), *range(0x1C, 0x20)])
SURROGATE = re.compile(r"[\ud800-\udfff]")


def decode(raw: bytes | str, *, is_kept: bool = True) -> str:
    """Return the text of a paste, its lines ended by a line feed.

    Text is not decoded again. `is_kept`: it may be one that was kept before, whose masks can make it longer.

    Raises ParseError for more than MAX_SIZE bytes without samples (code "too_large"), for too many lines or samples,
    and for what is no text (code "binary").
    """
    limit = MAX_STORED_LENGTH if is_kept and isinstance(raw, str) else MAX_SIZE
    if len(raw) > limit + MAX_LOG_SIZE:
        raise _too_large()
    text = raw if isinstance(raw, str) else _decode_bytes(raw)
    text = text.removeprefix("\ufeff")
    if not text.isascii():
        text = SURROGATE.sub("\ufffd", text)
    if "\x00" in text or (isinstance(raw, bytes) and _is_noise(text)):
        raise ParseError(NOT_TEXT, code="binary")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    is_long = len(text) > limit or text.count("\n") > MAX_LINES
    rest = without_samples(text) if is_long else text
    if len(rest) > limit:
        raise _too_large()
    check_line_count(rest)
    if text.count("\n") - rest.count("\n") > MAX_SAMPLES:
        raise ParseError(
            f"there are more than {MAX_SAMPLES:,} samples: average them with --log_avg_msec=1000",
            code="too_many_samples",
        )
    return text


def _too_large() -> ParseError:
    return ParseError(
        f"the paste is larger than {MAX_SIZE // 1024} KiB: send only the output of the tools; a log of fio may have"
        f" {MAX_LOG_SIZE // 1024**2} MiB, average it with --log_avg_msec=1000",
        code="too_large",
    )


def check_line_count(text: str) -> None:
    """Raise ParseError for more lines than any honest paste has.

    The work per line is bounded, too.
    """
    if len(text) > MAX_LINES and text.count("\n") > MAX_LINES:
        raise ParseError(
            f"there are more than {MAX_LINES} lines: send only the output of the tools", code="too_many_lines"
        )


def _decode_bytes(raw: bytes) -> str:
    for mark, encoding in MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, "replace")
    if b"\x00" in raw[:4096]:
        return raw.decode(_utf16_without_mark(raw[:4096]), "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start >= len(raw) - 3:  # cut within its last character
            return raw[: error.start].decode("utf-8")
    return raw.decode("cp1252", "replace")


def _utf16_without_mark(head: bytes) -> str:
    """Return the byte order of UTF-16 without a mark: every other byte is zero.

    Raises ParseError for neither order.
    """
    half = len(head) // 2
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.6 and odd < half * 0.1:
        return "utf-16-be"
    raise ParseError(NOT_TEXT, code="binary")


def _is_noise(text: str) -> bool:
    """Whether one character in fifty is a control character, as in binary files."""
    raw = text.encode()
    return (len(raw) - len(raw.translate(None, CONTROLS))) * 50 > len(raw)
