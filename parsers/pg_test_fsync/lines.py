"""The lines of `pg_test_fsync`, in any of the languages that it prints.

Source: PostgreSQL's src/bin/pg_test_fsync/pg_test_fsync.c and its translations. Names of methods are never
translated, and the rest of a row has the same order in each language, so a row is read by its names and figures.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from parsers.base.readings import Section
from parsers.base.units import KIBIBYTE, parse_grouped_decimal
from parsers.text.messages import read_messages

NAMES = ("open_datasync", "fdatasync", "fsync_writethrough", "open_sync", "fsync")
DESCRIPTOR_NAMES = ("write, fsync, close", "write, close, fsync")
_KB = r"(?:[kK]i?[bB]?|Ko|КБ|кБ)(?![A-Za-z/])"
_LABEL = re.compile(
    r"[^\w(\n]{0,40}(?:"
    # 9.0 writes "8k write, fdatasync" and "2 open_datasync 8k writes"
    r"(?P<count>[0-9]{1,2})[ ]?[*x×][ ]{0,3}(?:[^\W\d]{1,12}[ ][^\W\d]{1,4}[ ])?"
    rf"(?P<size>[0-9]{{1,4}})[ ]?{_KB}[^:0-9\n]{{0,24}}?open_sync(?:[ -]?[^\W\d]{{1,20}})?"
    r"|[^\W\d]{1,12}[ ][^\W\d]{1,4}[ ]open_sync[ ]{0,4}"
    rf"(?P<late_count>[0-9]{{1,2}})[ ]?[*x×][ ]{{0,3}}(?P<late_size>[0-9]{{1,4}})[ ]?{_KB}"
    rf"|(?P<only_size>[0-9]{{1,4}})[ ]?{_KB} open_sync writes?"
    rf"|(?P<old_size>[0-9]{{1,4}})k write(?:, [0-9]{{1,4}}k write)?, (?P<old_sync>fdatasync|fsync(?:_writethrough)?)"
    rf"|(?:2 )?(?P<old_open>open_datasync|open_sync) (?P<old_open_size>[0-9]{{1,4}})k writes?"
    rf"|(?P<name>{'|'.join(NAMES)}|(?:[0-9]{{1,4}}k )?(?:{'|'.join(DESCRIPTOR_NAMES)}|write(?=[ |\t]|\Z)))"
    r")(?![\w,/(])"
)
_FIGURE = r"-?[0-9]{1,10}(?:[.,'][0-9]{1,9}){0,2}|-?(?:inf|nan)"
_WORD = r"[^\W\d]{1,16}\.?(?:[ ][^\W\d]{1,16}\.?){0,2}"
_PER_SECOND = rf"(?:{_WORD})?/(?:{_WORD})"
_FIGURES = re.compile(
    rf"[\s|:=\u2026.]{{1,80}}(?P<ops>{_FIGURE})[ ]?(?P<per_s>{_PER_SECOND})"
    rf"(?:[\s|,;(]{{1,40}}(?P<usecs>{_FIGURE})[ ]?(?P<per_op>{_PER_SECOND}))?"
    r"[^\w\n]{0,12}(?:[^\w\s].{0,80})?"  # a remark
)
_CELLS = re.compile(rf"[ ]?\|[ ]?(?P<ops>{_FIGURE})[ ]?(?:\|[ ]?(?P<usecs>{_FIGURE})[ ]?)?\|?")
_NOT_AVAILABLE = re.compile(
    r"(?:[\s|:=]{1,80}(?:n/a|entf\.|н/д|利用不可|nd\.|ej tillämpbar|μ/δ|არაა)\*?(?: \(uygulanamaz\))?[^\w\n]{0,8}"
    r"|[ ]{3,80}[^\s\d][^\d\n]{1,30})",  # in any other language
    re.IGNORECASE,
)
_CUT = re.compile(rf"[\s|:=]{{1,80}}(?P<ops>{_FIGURE})[ ]?(?P<per_s>{_PER_SECOND})\s.{{0,30}}")
_PART_OF_FIGURES = re.compile(
    rf"[\s|:=/*-]{{1,80}}(?:(?:{_FIGURE})(?![\d.,'])[ ]?(?:ops?/?s?e?c?|usecs?/?o?p?)?(?=\s|\Z)"
    r"(?:\s+[0-9]{1,10}(?=\D{0,4}\Z))?)?"
)
_FIGURE_START = re.compile(r"\s+[0-9]{1,9}(?=\D{0,4}\Z)")
# spellings of second and microsecond; the Italian translation prints "operazioni/sec" for both units
_SECOND = re.compile(r"(?:s|sec|secs|second|seconds|seg|с|сек|秒|წმ)\.?", re.IGNORECASE)
_MICROSECOND = re.compile(
    r"(?:us|µs|μs|usecs?|usegs?|мкс|マイクロ秒|operazioni|microsec(?:ond)?s?)\.?", re.IGNORECASE
)

_OTHER_UNIT = re.compile(r"(?:m|milli|n|nano)s|min|h\b|hour|day", re.IGNORECASE)  # of time

_SYNC_WORD = re.compile(r"s[iy]n[ck]|синхрон|同步|同期|싱크|συγχρον|სინქრ", re.IGNORECASE)
_SIZE = re.compile(rf"(?<!\d)(?P<size>[0-9]{{1,4}})[ ]?{_KB}")
_FSYNC = re.compile(r"(?<![A-Za-z0-9_/])fsync(?![A-Za-z0-9_/])")
_OPEN_SYNC = re.compile(r"(?<![A-Za-z0-9_/])open_sync(?![A-Za-z0-9_/])")
_NOT_SYNCED = re.compile(
    r"\b(?:non-?|nicht|no|não|nie-|icke-)|не ?синхр|不同步|不使用同步|なし|非同期|edilmemiş"
    r"|^simple (?:non-sync'?ed )?write",
    re.IGNORECASE,
)
_TWO = re.compile(
    r"\b(?:two|zwei|dos|deux|duas|due|dwóch|två|dvou|iki|два)\b|двухкратн"
    r"|両|[2２][個回]|[两兩]个|[两兩]個|두 ?개|δύο|ორი",
    re.IGNORECASE,
)
_ONE = re.compile(
    r"\b(?:one|einem|una|une|uma|jednego|en|jednoho|bir|один)\b|однократн|[1１一][個回个]|하나|μία|ერთი",
    re.IGNORECASE,
)
_TESTS = ("test", "prueba", "тест", "测试", "測試", "テスト", "검사")
_SECONDS = re.compile(
    r"\b(?:seconds?|sekund\w{0,2}|segundos?|secondes?|second[oi]|saniye)\b|секунд|сек\.|秒|초", re.IGNORECASE
)
_ONE_NUMBER = re.compile(r"[^0-9\n]{0,40}?(?P<number>[0-9]{1,5})[^0-9\n]{0,40}")
SECONDS = re.compile(r"[^\w\n]{0,8}(?P<number>[0-9]{1,5}) seconds? per test\b.{0,20}")
_OPERATIONS = re.compile(r"(?:Loops = |Ops-per-test = )[0-9]{1,9}|[0-9]{1,9} operations per test")
MAX_LINE_LENGTH = 160  # characters; translated titles have up to 110
FASTEST = 10**9  # operations a second
MAX_PARTS = 5  # the most lines that a row can be wrapped to
WRAPPED_TITLE = ("Compare ", "Test if ", "Non-sync", "Non-Sync")
MESSAGES = read_messages(__file__, "pg_test_fsync")


@dataclass(frozen=True, slots=True)
class Title:
    """The line above a section."""

    section: Section
    write_size: int | None


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row as printed; `fault` says what is impossible about it."""

    method: str
    write_size: int | None = None
    writes: int | None = None
    ops_s: Decimal | None = None
    usecs_per_op: int | None = None
    is_available: bool = True
    fault: str | None = None
    is_final: bool = True  # its last unit was printed


def plain(line: str) -> str:
    """The line without the backslashes that Markdown puts before an underscore or a quote."""
    return line.replace("\\", "") if "\\" in line else line


def read_seconds(line: str) -> int | None:
    """Read `5 seconds per test` in any language."""
    if len(line) > 60 or not any(map(line.lower().__contains__, _TESTS)):
        return None
    match = SECONDS.fullmatch(line)
    if match is None and _SECONDS.search(line):
        match = _ONE_NUMBER.fullmatch(line.replace("1件", ""))
    return int(match["number"]) if match else None


def is_head(line: str) -> bool:
    """Say whether a run begins here: the duration of its tests, or how many writes each of them makes."""
    may_be_head = "per" in line or "Loops" in line
    return may_be_head and bool(SECONDS.fullmatch(line) or _OPERATIONS.fullmatch(line.strip()))


def read_direct_io(line: str) -> bool | None:
    """Read whether the open_ methods bypass the page cache."""
    if "O_DIRECT" in line or "F_NOCACHE" in line:
        return True
    return False if "Direct I/O is not supported" in line else None


def read_title(line: str) -> Title | None:
    """Read the line above a section."""
    text = line.strip(" \t*#_>-/|`")
    if not 8 <= len(text) <= MAX_LINE_LENGTH or text[0] == "(" or text.rstrip(":： ")[-1:] in ".)":
        return None
    if text[-1] not in ":：" and "karşılaştır" not in text and "kıyasla" not in text:  # Turkish has no colon
        return None
    if "open_sync" in text and "DIRECT" not in text:
        return Title(Section.OPEN_SYNC_SIZES, None)
    size = _SIZE.search(text)
    write_size = int(size["size"]) * KIBIBYTE if size else None
    if size is None and _FSYNC.search(text):
        return Title(Section.DIFFERENT_DESCRIPTOR, None)
    is_old = text.startswith(("Compare file sync methods using", "Simple "))  # names no size
    if not (size and _SYNC_WORD.search(text)) and not is_old:
        return None
    if _TWO.search(text):
        return Title(Section.TWO_WRITES, write_size)
    if _NOT_SYNCED.search(text):
        return Title(Section.NON_SYNCED, write_size)
    return Title(Section.ONE_WRITE, write_size) if _ONE.search(text) else None


def may_be_title(line: str) -> bool:
    """Whether a line may be a title in a language that isn't known: it ends with a colon, and names what it is of."""
    text = line.strip(" \t*#_>-/|`")
    if not 8 <= len(text) <= MAX_LINE_LENGTH or text[-1] not in ":\uff1a" or starts_row(line):
        return False
    return any(pattern.search(text) for pattern in (_SIZE, _FSYNC, _OPEN_SYNC))


def title_of_rows(line: str, rows: Sequence[str], earlier: Section | None) -> Title | None:
    """The title of the rows below it, whatever its language: their methods show the section."""
    label = (
        next((label for row in rows if (label := _LABEL.match(row))), None) if may_be_title(line) else None
    )
    if label is None:
        return None
    method, _size, writes = _method(label)
    found = _SIZE.search(line)
    write_size = int(found["size"]) * KIBIBYTE if found else None
    if method in DESCRIPTOR_NAMES:
        return Title(Section.DIFFERENT_DESCRIPTOR, None)
    if writes is not None:
        return Title(Section.OPEN_SYNC_SIZES, None)
    if write_size is None:
        return None
    if method == "write":
        return Title(Section.NON_SYNCED, write_size)
    return Title(Section.TWO_WRITES if earlier is Section.ONE_WRITE else Section.ONE_WRITE, write_size)


def starts_row(line: str) -> bool:
    """Say whether a row begins at the line, complete or not."""
    may_start = len(line) <= 2 * MAX_LINE_LENGTH and ("sync" in line or "write" in line)
    return may_start and _LABEL.match(line) is not None


def read_row(line: str) -> PrintedRow | None:
    """Read a row; None if the line isn't a complete row."""
    if len(line) > 2 * MAX_LINE_LENGTH:
        return None
    label = _LABEL.match(line)
    if label is None:
        return None
    method, write_size, writes = _method(label)
    if _NOT_AVAILABLE.fullmatch(line, label.end()):
        return PrintedRow(method, write_size, writes, is_available=False)
    figures = _FIGURES.fullmatch(line, label.end()) or (
        _CELLS.fullmatch(line, label.end()) if "|" in line else None
    )
    if figures is None:
        return None
    units = figures.groupdict()
    per_s, per_op = units.get("per_s"), units.get("per_op")
    if _are_translated(figures["ops"], figures["usecs"], per_s, per_op):
        per_s = per_op = None
    ops_s, fault = _ops_s(figures["ops"], per_s)
    usecs, usecs_fault = _usecs(figures["usecs"], per_op) if fault is None else (None, None)
    fault = fault or usecs_fault or _contradiction(ops_s, usecs)
    return PrintedRow(
        method, write_size, writes, ops_s, usecs, fault=fault, is_final=figures["usecs"] is not None
    )


def read_cut_row(line: str) -> PrintedRow | None:
    """Read what is left of a row that is cut off within its microseconds."""
    label = _LABEL.match(line)
    figures = _CUT.fullmatch(line, label.end()) if label else None
    if label is None or figures is None:
        return None
    ops_s, fault = _ops_s(figures["ops"], figures["per_s"])
    return PrintedRow(*_method(label), ops_s, fault=fault or "it is cut off")


def without_remark(line: str) -> str:
    """The row as far as it is a label and figures, its units in English."""
    label = _LABEL.match(line)
    if label is None:
        return line
    head = line[: label.end()]
    figures = _FIGURES.match(line, label.end())
    if figures is not None:
        gap = line[label.end() : figures.start("ops")]
        usecs = figures["usecs"]
        is_known = _are_translated(figures["ops"], usecs, figures["per_s"], figures["per_op"])
        rate = "ops/sec" if is_known else _in_english(figures["per_s"], _SECOND, "ops/sec")
        unit = (
            "usecs/op" if is_known else _in_english(figures["per_op"] or "", _MICROSECOND, "usecs/op", side=0)
        )
        masked = f"{head}{gap}{figures['ops']} {rate}"
        part = _FIGURE_START.match(line, figures.end("per_s"))  # of a row that is cut off
        return f"{masked}  {usecs:>6} {unit}" if usecs else masked + (part[0] if part else "")
    if _NOT_AVAILABLE.match(line, label.end()):
        return f"{head:<40}n/a"
    rest = _CELLS.match(line, label.end()) or _PART_OF_FIGURES.match(line, label.end())
    return line[: rest.end()].rstrip() if rest else head


def _in_english(unit: str, known: re.Pattern[str], english: str, side: int = 2) -> str:
    """A unit as PostgreSQL prints it in English; another one as far as it is letters of ASCII."""
    if known.fullmatch(unit.partition("/")[side]):
        return english
    return unit if unit.isascii() else "?/?"


def _method(label: re.Match[str]) -> tuple[str, int | None, int | None]:
    size = next(
        (
            label[name]
            for name in ("size", "late_size", "only_size", "old_size", "old_open_size")
            if label[name]
        ),
        None,
    )
    write_size = int(size) * KIBIBYTE if size else None
    if label["old_sync"] or label["old_open"]:
        return label["old_sync"] or label["old_open"], write_size, None
    if label["name"]:
        name = label["name"]
        return name.removeprefix(name.partition("k ")[0] + "k ") if name[0].isdigit() else name, None, None
    count = label["count"] or label["late_count"]
    writes = int(count) if count else 16 * KIBIBYTE // write_size if write_size else None
    return "open_sync", write_size, writes


def _ops_s(text: str, unit: str | None) -> tuple[Decimal | None, str | None]:
    value = parse_grouped_decimal(text)
    if value is None or not 0 < value < FASTEST:
        return None, f"{text} operations a second is impossible"
    if unit is not None and not _SECOND.fullmatch(unit.partition("/")[2]):
        return None, f"{unit} is not a rate per second"
    return value, None


def _usecs(text: str | None, unit: str | None) -> tuple[int | None, str | None]:
    if text is None:
        return None, None
    value = parse_grouped_decimal(text)
    if value is None or value < 0:
        return None, f"{text} microseconds is impossible"
    if unit is not None and not _MICROSECOND.fullmatch(unit.partition("/")[0]):
        return None, f"{unit} is not in microseconds"
    return round(value), None


def _are_translated(ops: str, usecs: str | None, per_s: str | None, per_op: str | None) -> bool:
    """Whether the figures are operations a second and microseconds, whatever a language calls these."""
    if _OTHER_UNIT.match(per_op or "") or _OTHER_UNIT.match((per_s or "").partition("/")[2]):
        return False
    ops_s, microseconds = parse_grouped_decimal(ops), parse_grouped_decimal(usecs or "")
    if ops_s is None or microseconds is None or not 0 < ops_s < FASTEST or microseconds <= 0:
        return False
    return _contradiction(ops_s, round(microseconds)) is None


def _contradiction(ops_s: Decimal | None, usecs: int | None) -> str | None:
    """Compare the two figures of a row: each is 1e6 divided by the other."""
    if ops_s is None or usecs is None:
        return None
    computed = 1_000_000 / ops_s
    if abs(computed - usecs) <= 1 + computed / 50:
        return None
    return f"{ops_s} operations a second are {computed:.0f} microseconds each, not {usecs}"


def read_row_at(lines: Sequence[str], at: int) -> tuple[PrintedRow | None, str, int]:
    """Read the row that begins at a line, and return it with its text and the index of the line after it.

    A terminal breaks a row anywhere; a mail program breaks it at a space, and drops the space.
    """
    text, row, following = lines[at], read_row(lines[at]), at + 1
    if row is not None and (row.is_final or not row.is_available):
        return row, text, following
    joined = [text]
    for end in range(at + 1, min(at + MAX_PARTS, len(lines))):
        below = lines[end].strip()
        if not below and end == at + 1:
            continue
        if not below or starts_row(below) or read_title(below):
            break
        joined = [part + sign + below for part in joined for sign in ("", " ")]
        for candidate in joined:
            found = read_row(candidate)
            if found is not None and (found.is_final or not found.is_available):
                return found, candidate, end + 1
            if found is not None and row is None:
                row, text, following = found, candidate, end + 1
    return row or read_cut_row(lines[at]), text, following


def read_title_at(lines: Sequence[str], at: int) -> tuple[Title | None, int]:
    """Read the title that begins at a line, and return it with the index of the line after it."""
    title = read_title(lines[at])
    if title is None and lines[at].strip().startswith(WRAPPED_TITLE) and at + 1 < len(lines):
        below = lines[at + 1].strip()
        title = read_title(f"{lines[at]} {below}") or read_title(lines[at] + below)
        return title, at + 2
    return title, at + 1
