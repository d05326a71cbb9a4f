"""What fio writes and how, by options that its text output omits: content, order, alignment, page cache.

Source: fio's HOWTO, "Buffers and memory" and "I/O type". The default content is random data.
"""

import re
from collections.abc import Mapping
from typing import TypedDict

from parsers.base.units import bytes_of_size_option

ZEROS, COMPRESSIBLE, REFILLED = "zeros", "compressible", "refilled"
LOAD_OPTIONS = frozenset({
    "zero_buffers", "buffer_compress_percentage", "buffer_pattern", "dedupe_percentage", "refill_buffers",
    "percentage_random", "direct", "buffered", "blockalign", "ba",
})  # fmt: skip
_FLUSHES = ("sync", "fsync", "fdatasync", "sync_file_range", "write_barrier")
_ZERO = re.compile(r"(?:0x)?0{1,60}")
_PERCENT = re.compile(r"(\d{1,3})%?")


class Load(TypedDict):
    """The fields of a FioJob that these options state."""

    direct: bool | None
    data: str | None
    percentage_random: int | None
    block_align: int | None


def load_of(options: Mapping[str, str]) -> Load:
    """What the options of a job state; None for what they don't."""
    direct, buffered = _number(options, "direct"), _number(options, "buffered")
    align = options.get("blockalign") or options.get("ba") or ""
    return Load(
        direct=direct > 0 if direct is not None else None if buffered is None else buffered == 0,
        data=_data_of(options),
        percentage_random=_number(options, "percentage_random"),
        block_align=bytes_of_size_option(_for_writes(align)) if align else None,
    )


def is_flush_off(options: Mapping[str, str], *, are_shown: bool) -> bool | None:
    """True for a job that bypasses the page cache and flushes nothing but at its end; None for any other.

    `are_shown` says whether these are all of its options.
    """
    flushes = [options.get(name, "0").strip() not in ("0", "none") for name in _FLUSHES]
    is_off = are_shown and load_of(options)["direct"] is True and not any(flushes)
    return True if is_off else None


def _data_of(options: Mapping[str, str]) -> str | None:
    compressed, pattern = _number(options, "buffer_compress_percentage") or 0, options.get("buffer_pattern")
    if _is_on(options, "zero_buffers") or compressed >= 100 or (pattern and _ZERO.fullmatch(pattern)):
        return ZEROS
    if compressed or pattern or _number(options, "dedupe_percentage"):
        return COMPRESSIBLE
    return REFILLED if _is_on(options, "refill_buffers") else None


def _is_on(options: Mapping[str, str], flag: str) -> bool:
    return options.get(flag, "0").strip() != "0"


def _number(options: Mapping[str, str], name: str) -> int | None:
    """A whole number; the part for writes, if there are several."""
    match = _PERCENT.fullmatch(_for_writes(options.get(name, "")))
    return int(match[1]) if match else None


def _for_writes(text: str) -> str:
    sides = text.split(",")
    return sides[1].strip() if len(sides) > 1 and sides[1].strip() else sides[0].strip()
