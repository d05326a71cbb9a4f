"""Reduce a paste to the lines that the tools printed, with line numbers.

It removes what mail, paste sites and editors add to each line: quote marks, numbers, dashes, pipes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parsers.text.decode import check_line_count
from parsers.text.json_places import split_documents
from parsers.text.markdown import table_edits
from parsers.text.numbered import Edit, Numbered
from parsers.text.prefixes import prefix_edits
from parsers.text.remarks import SIGN, signed_remarks
from parsers.text.transport import undo_transport
from parsers.text.wrapping import join_commands, join_tables, join_wrapped, split_run_together

QUOTE_MARKS = re.compile(r"^[ \t]{0,8}(?:>(?!=6)[ \t]?){1,20}", re.MULTILINE)  # fio has a key ">=64"
QUOTED = re.compile(r"^>[ \t][^\n]*", re.MULTILINE)
INNER_MARK = re.compile(r"(?<![ \t])[ \t]+(?=>[ \t])")
DASH = re.compile(r"^[ \t]{0,3}[-*|\u2022\u00b7][ \t]", re.MULTILINE)
# not a list, but the last columns of smartctl's table, wrapped by a terminal
REST_OF_ROW = re.compile(r"^[ \t]{0,3}- {7}[0-9]", re.MULTILINE)
PIPE_ENDS = ("|\n", "| \n", "|  ")
WITHIN_NODE = re.compile(r"(?<=/dev)\n(?=/\w)")
PADDING = re.compile(r"(?<![ \t])[ \t]{2,}+$", re.MULTILINE)  # to the width of a terminal
PIPES = re.compile(r"(?:[ \t]*\|)+[ \t]*$")
NUMBER = re.compile(r"[ \t]*([0-9]{1,5})(?:([.):|])(?:[ \t]|$)|([ \t])|$)")
# A cheap test, in one go: a quote mark or dash, or a number. Any ten numbers in a row hold some that end in 3, 4
# or 5; a bare number right in front of what output begins with is the number of a line, too.
FIRST_WORDS = r" {1,4}(?:smartctl |=== |/dev/|Synchronous |fio-|\{|[A-Z][A-Za-z ]{2,20}:[ \t])"
MAY_BE_DECORATED = re.compile(
    rf"\n[ \t]*+(?:>|[-*|\u2022] |[0-9]{{1,5}}+(?:(?<=[345])(?:[.):|][ \t]|\t)|{FIRST_WORDS}))"
)
DECORATED_START = re.compile(rf"[ \t]*+(?:>|[|\u2022]|1[ \t]|[0-9]{{1,5}}+{FIRST_WORDS})")
MIN_REPEATS = 3  # decorations are on at least this many lines
WIDE = 3  # blanks between joined lines
MIN_RUN = 5  # numbers that increase by one on as many lines are line numbers
MIN_BARE_RUN = 10  # the same, with only a blank after them: tables begin like that, too
OVERLONG = re.compile(r"([0-9]{20})[0-9]+")  # longer than any figure, and still than those that are read
MAX_LAYERS = 3  # a quoted mail of numbered lines with the dashes of a list


@dataclass(frozen=True, slots=True)
class CleanText:
    """The lines of a cleaned text; `numbers[i]` is the line of what was sent, from 1, of `lines[i]`."""

    lines: list[str]
    numbers: Sequence[int]

    def split(self, parts: Sequence[Sequence[str]]) -> "CleanText":
        """The text with each line replaced by these."""
        numbers = [number for number, each in zip(self.numbers, parts, strict=True) for _part in each]
        return CleanText([part for each in parts for part in each], numbers)


def clean(text: str | Numbered) -> Numbered:
    """Remove quoting, markup, escapes and wrapping.

    Raises ParseError for too many lines.
    """
    plain = undo_transport(text)
    check_line_count(plain.text)
    if "  \n" in plain.text:
        plain = plain.edit(_deletions(PADDING, plain.text))
    plain = strip_decorations(plain)
    if SIGN.search(plain.text):
        plain = plain.edit(signed_remarks(plain.text))
    plain = split_run_together(split_documents(plain))
    plain = plain.edit(_deletions(WITHIN_NODE, plain.text))
    check_line_count(plain.text)
    return join_commands(join_wrapped(join_tables(plain)))


def clean_lines(cleaned: Numbered) -> CleanText:
    """Split a cleaned text into lines without trailing blanks; what is too long for a number is cut off."""
    text = OVERLONG.sub(r"\1", cleaned.text) if OVERLONG.search(cleaned.text) else cleaned.text
    return CleanText(list(map(str.rstrip, text.split("\n"))), cleaned.numbers)


def lines_with(word: re.Pattern[str], text: str) -> Iterator[int]:
    """Yield the indices of the lines that hold the word."""
    at = line_end = 0
    found = word.search(text)
    while found is not None:
        at += text.count("\n", line_end, found.start())
        yield at
        line_end = text.find("\n", found.start())
        found = word.search(text, line_end) if line_end >= 0 else None


def strip_decorations(plain: Numbered) -> Numbered:
    """Remove decorations at both ends of the lines, also one within another."""
    for _layer in range(MAX_LAYERS):
        stripped = _strip_layer(plain)
        if stripped is plain:
            break
        plain = stripped
    return plain


def _strip_layer(plain: Numbered) -> Numbered:
    text = plain.text
    is_marked = MAY_BE_DECORATED.search(text) or DECORATED_START.match(text)
    if is_marked and ">" in text:
        plain = plain.edit(_quoted_rows(text))
        text = plain.text
        plain = plain.edit(_deletions(QUOTE_MARKS, text))
    plain = plain.edit(table_edits(plain.text))
    plain = plain.edit(prefix_edits(plain.text))
    if "|" in text and sum(plain.text.count(end) for end in PIPE_ENDS) >= MIN_REPEATS:
        plain = plain.edit(_pipe_edits(plain.text))
    if is_marked:
        plain = plain.edit(_dash_edits(plain.text))
    return plain.edit(_number_edits(plain.text)) if is_marked else plain


def _deletions(pattern: re.Pattern[str], text: str) -> Iterator[Edit]:
    for match in pattern.finditer(text):
        yield match.start(), match.end(), ""


def _quoted_rows(text: str) -> Iterator[Edit]:
    """Where quoted lines were joined: at the marks behind wide gaps, or at all of several."""
    for line in QUOTED.finditer(text):
        marks = list(INNER_MARK.finditer(text, line.start() + 1, line.end()))
        for mark in marks:
            if len(marks) >= MIN_REPEATS or len(mark[0]) >= WIDE:
                yield mark.start(), mark.end(), "\n"


def _dash_edits(text: str) -> list[Edit]:
    """The marks of a list, whose every line has one."""
    edits = list(_deletions(DASH, text))
    is_list = len(edits) > MIN_RUN and (2 * len(edits) > text.count("\n") or not REST_OF_ROW.search(text))
    return edits if is_list else []


def _pipe_edits(text: str) -> Iterator[Edit]:
    """Pipes at the end of a line, and on such a line the one at its start."""
    start = 0
    for line in text.split("\n"):
        if line.rstrip(" \t").endswith("|"):
            body = PIPES.sub("", line[-40:])
            if line.startswith("|"):
                yield start, start + (2 if line.startswith("| ") else 1), ""
            end = start + len(line)
            yield max(end - min(len(line), 40) + len(body), start + 2), end, ""
        start += len(line) + 1


def _number_edits(text: str) -> Iterator[Edit]:
    """Delete line numbers: runs of lines whose numbers increase by one.

    Between lines whose numbers have a mark behind them there may be the rest of a wrapped line.
    """
    run: list[Edit] = []
    expected, ending = -1, ""
    start = 0
    for line in text.split("\n"):
        match = NUMBER.match(line)
        mark = (match[2] or match[3] or ending) if match else ""
        if mark == ending or ending in ("", " ", "\t"):
            if line.strip() and (match is None or int(match[1]) != expected or mark != ending):
                yield from _counted(run, ending)
                run = []
            if match is not None:
                run.append((start, start + match.end(), ""))
                expected, ending = int(match[1]) + 1, mark
        start += len(line) + 1
    covers_text = len(run) >= MIN_REPEATS and len(run) >= sum(1 for line in text.split("\n") if line.strip())
    yield from run if covers_text else _counted(run, ending)


def _counted(run: list[Edit], ending: str) -> list[Edit]:
    return run if len(run) >= (MIN_BARE_RUN if ending == " " else MIN_RUN) else []
