"""Keep pg_test_fsync's lines: rows and titles, joined if they were wrapped, the head, errors.

Translated titles are put back into English: their words can't be told from anybody's.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from parsers.base.format import Block, KeptLines, Masker
from parsers.base.readings import Section
from parsers.base.units import KIBIBYTE
from parsers.base.vocabulary import read_lines, read_words
from parsers.pg_test_fsync import lines as printed
from parsers.privacy.paths import mask_path

TITLES = {
    Section(name): title
    for name, _tab, title in (line.partition("\t") for line in read_lines(__file__, "titles.txt"))
}
OLD_NON_SYNCED = "Simple non-sync'ed write:"
_ENGLISH = read_words(__file__, "vocabulary.txt")
_ROWS_BELOW = 3  # lines below a title in which its first row is
_FIGURES = re.compile(r"\d(?!\d?[kK][bB])")
_WORDS = re.compile(r"[^\W\d_]+")
DIRECT_IO = "O_DIRECT supported on this platform for open_datasync and open_sync."
F_NOCACHE = "F_NOCACHE supported on this platform for open_datasync and open_sync."
NO_DIRECT_IO = "Direct I/O is not supported on this platform."


def keep(block: Block, _masks: Masker) -> KeptLines:
    lines = [printed.plain(line) for line in block.lines]
    masked_lines: list[str | None] = []
    section: Section | None = None
    while len(masked_lines) < len(lines):
        at = len(masked_lines)
        title, end = _title_at(lines, at, section)
        section = title.section if title else section
        masked_lines += [_in_english(title), *[""] * (end - at - 1)] if title else _keep_at(lines, at)
    is_certain = any(map(_is_unmistakable, lines))  # a title may be anybody's sentence
    return KeptLines(masked_lines if is_certain else [None] * len(masked_lines))


def _is_unmistakable(line: str) -> bool:
    return printed.starts_row(line) or printed.is_head(line) or printed.MESSAGES.include(line)


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The file that was written, and the seconds per test."""
    masked_words: list[str] = []
    rest = iter(words)
    for word in rest:
        name, is_assigned, value = word.partition("=")
        if word[:2] in ("-f", "-s") and len(word) > len("-f"):
            name, is_assigned, value = word[:2], "=", word[2:]
        if name not in ("-f", "--filename", "-s", "--secs-per-test"):
            return None
        value = value if is_assigned else next(rest, "")
        if name in ("-s", "--secs-per-test"):
            masked_words += ["-s", value if value.isdecimal() else "5"]
        else:
            masked_words += ["-f", mask_path(value, masks)]
    return " ".join(masked_words)


def _title_at(lines: Sequence[str], at: int, earlier: Section | None) -> tuple[printed.Title | None, int]:
    """The title at a line, in any language, and the line below it."""
    if not lines[at] or (printed.starts_row(lines[at]) and any(map(str.isdigit, lines[at]))):
        return None, at + 1
    title, end = printed.read_title_at(lines, at)
    if title is None:
        rows = [line for line in lines[at + 1 : at + 1 + _ROWS_BELOW] if line]
        title, end = printed.title_of_rows(lines[at], rows[:1], earlier), at + 1
    return title, end


def _keep_at(lines: Sequence[str], at: int) -> list[str | None]:
    """What is kept of the line, and of those that it continues on."""
    line = lines[at]
    if printed.starts_row(line):
        row, text, end = printed.read_row_at(lines, at)
        if row is not None or any(map(str.isdigit, line)):
            return [_keep_row(row, printed.without_remark(text)), *[""] * (end - at - 1)]
    seconds = printed.read_seconds(line)
    if seconds is not None:
        return [f"{seconds} second{'' if seconds == 1 else 's'} per test"]
    if printed.is_head(line):
        return [line.strip()]
    direct_io = printed.read_direct_io(line)
    if direct_io is not None:
        return [F_NOCACHE if "F_NOCACHE" in line else DIRECT_IO if direct_io else NO_DIRECT_IO]
    if printed.MESSAGES.include(line):
        return [printed.MESSAGES.keep(line)]
    is_remark = line.lstrip().startswith("(") or line.endswith(")")
    return [line if is_remark and _is_english(line) and not _FIGURES.search(line) else None]


def _keep_row(row: printed.PrintedRow | None, text: str) -> str | None:
    """A row as it was printed; the label of a translated one in English."""
    if not any(map(str.isdigit, text)) and (row is None or row.is_available):
        return None
    if _is_english(text):
        return text
    if row is None or row.fault is not None:
        return None
    size = f"{Decimal(row.write_size) / KIBIBYTE:f}kB" if row.write_size else ""
    label = f"{row.writes:>2} * {size:>4} {row.method} write" if row.writes else row.method
    if not row.is_available:
        return f"        {label:<30}  n/a"
    usecs = "" if row.usecs_per_op is None else f"  {row.usecs_per_op:>6} usecs/op"
    return f"        {label:<30}  {row.ops_s:>12.3f} ops/sec{usecs}"


def _is_english(text: str) -> bool:
    return text.isascii() and all(word.lower() in _ENGLISH for word in _WORDS.findall(text))


def _in_english(title: printed.Title) -> str:
    if title.section is Section.NON_SYNCED and not title.write_size:
        return OLD_NON_SYNCED
    size = f"{Decimal(title.write_size) / KIBIBYTE:f}kB " if title.write_size else ""
    return TITLES[title.section].format(size=size)
