"""The lines of dd: GNU's, in any of its languages, those of BSD, macOS and illumos, and napp-it's line below them."""

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from parsers.base.units import KIBIBYTE, bytes_of, parse_decimal
from parsers.base.vocabulary import read_words
from parsers.text.messages import read_messages

_DECIMAL = r"[0-9]{1,15}(?:[.,][0-9]{1,12})?"
_SIZE = rf"{_DECIMAL} ?[kKMGTPEZ]?i?B?"
# "1000+0 records in", "記録了1000+0 的读入"; behind what status=progress and a terminal leave on the line
RECORDS = re.compile(
    r"(?:\^C|[^\n]{0,120}/s)?\s{0,8}(?P<lead>(?:记录|输入|输出)了 ?)?(?P<full>[0-9]{1,15})\+(?P<partial>[0-9]{1,9}) ?"
    r"(?:(?P<english>records (?P<side>in|out))|[^\W\d_]{2,20}(?: [^\W\d_]{2,20}){0,2})"
)
COPIED = re.compile(
    rf"(?:\^C|[^\W\d_]{{4,16}} )?(?P<bytes>[0-9]{{1,20}}) ?(?:B|[^\W\d_]{{2,8}}) ?"
    rf"(?P<sizes>[(（]{_SIZE}(?:[,，] ?{_SIZE})?[)）] ?)?(?:[^\W\d_]{{2,20}}(?: [^\W\d_]{{2,20}})?)?[,，、] ?"
    rf"(?P<seconds>{_DECIMAL}(?:e[+-][0-9]{{1,2}})?) ?(?:s|sec\w{{0,5}}|秒|[сc])[,，、] ?"
    rf"(?:(?P<rate>{_DECIMAL})|[^\W\d_]{{4,14}}) ?(?P<unit>[kKMGTPE]?i?B?|bytes)/(?:s(?:ec)?|秒|[сc])",
)
TRANSFERRED = re.compile(
    rf"(?:\^C)?(?P<bytes>[0-9]{{1,20}}) bytes? transferred in (?P<seconds>{_DECIMAL}) sec(?:s|onds?) "
    r"\((?P<bytes_s>[0-9]{1,15}|inf|nan) bytes/sec\)"
)
TOTAL = re.compile(
    rf"(?P<size>{_DECIMAL}) ?(?P<prefix>[KMGT])B in (?P<seconds>{_DECIMAL})s = {_DECIMAL} MB/s (?:Write|Read)"
)
MEMORY = re.compile(r"Memory size: (?P<mib>[0-9]{3,9}) Megabytes")  # napp-it prints it above the command
WITHIN_RUN = ("No space left on device", "Input/output error")  # dd prints a result below
MESSAGES = read_messages(__file__, "dd")
_COUNTED = re.compile(r"(?P<count>[0-9]{1,15})(?P<suffix>c|b|[kKmMgGtTpP](?:i?B)?)?")
_BLOCK = 512  # bytes of the suffix "b"
_MAX_FACTORS = 4
PATHS = frozenset({"if", "of"})
FLAGS = frozenset({"conv", "iflag", "oflag", "status"})
WORDS_OF_FLAGS = read_words(__file__, "flags.txt")
UNKNOWN = "\u2026"  # instead of a word that isn't a flag; it may be part of one
NUMBERS = frozenset({"bs", "ibs", "obs", "cbs", "count", "skip", "seek", "iseek", "oseek", "speed", "files"})


class DdLine(NamedTuple):
    """What a line is: "in", "out", "copied", "total", "error"; and its parts."""

    kind: str
    match: re.Match[str] | None


def read_line(line: str) -> DdLine | None:
    """What the line is of dd's output; None for others."""
    text = line.strip()
    if not text or len(text) > 300:
        return None
    if "+" in text and (records := RECORDS.fullmatch(text)) is not None:
        return DdLine(records["side"] or "records", records)
    if "/" in text:
        for kind, shape in (("copied", TRANSFERRED), ("copied", COPIED), ("total", TOTAL)):
            match = shape.fullmatch(text)
            if match is not None:
                return DdLine(kind, match)
    return DdLine("error", None) if MESSAGES.include(text) else None


def is_certain(line: str) -> bool:
    """Whether output can begin at a line: translated records alone could be anything."""
    found = read_line(line)
    return found is not None and (found.kind != "records" or found.match is None or bool(found.match["lead"]))


def final_lines(lines: Sequence[str]) -> dict[int, DdLine]:
    """What the lines are, by index, without those of status=progress: a result has records, or nothing follows it."""
    found = {at: known for at, line in enumerate(lines) if (known := read_line(line)) is not None}
    copied = [at for at, line in found.items() if line.kind == "copied"]
    records = {at for at, line in found.items() if line.kind in ("in", "out", "records")}
    with_records = {at for above, at in pairwise(found) if above in records}
    for at, below in pairwise(copied):
        if at not in with_records and _grows(found[at], found[below], is_final=below in with_records):
            del found[at]
    return found


def _grows(earlier: DdLine, later: DdLine, *, is_final: bool) -> bool:
    more = copied_bytes(later) - copied_bytes(earlier)
    return (more > 0 or (is_final and more == 0)) and seconds_of(later) >= seconds_of(earlier)


def copied_bytes(line: DdLine) -> int:
    return int(line.match["bytes"]) if line.match else 0


def seconds_of(line: DdLine) -> Decimal:
    text = line.match["seconds"].replace(",", ".") if line.match else "0"
    return Decimal(text)


def total_bytes(match: re.Match[str]) -> int:
    """The bytes of napp-it's line, whose units are powers of 1000."""
    return bytes_of(parse_decimal(match["size"]) or "0", f"{match['prefix']}B", kilo=1000)


def size_of(text: str) -> int | None:
    """The bytes of an operand such as 64K, 1m, 4kB, 2x512; None where it isn't a number of bytes.

    K, M and G are powers of 1024 with and without a following iB, of 1000 with a following B (dd(1) of GNU); "w" is
    another number of bytes for GNU than for BSD.
    """
    product = 1
    for factor in text.split("x", _MAX_FACTORS):
        match = _COUNTED.fullmatch(factor)
        if match is None:
            return None
        suffix = match["suffix"] or ""
        if suffix in ("", "c", "b"):
            product *= int(match["count"]) * (_BLOCK if suffix == "b" else 1)
        else:
            product *= bytes_of(match["count"], suffix, kilo=1000 if suffix.endswith("B") else KIBIBYTE)
    return product
