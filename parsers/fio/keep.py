"""Keep fio's text: the lines of runs, joined if they were wrapped, documents, options, job files and errors.

The names of jobs are the sender's own words.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from parsers.base.dates import keep_asctime
from parsers.base.format import Block, KeptLines, Masker
from parsers.fio.keep_json import DOCUMENT_KEY, is_document_start, keep_document
from parsers.fio.lines import (
    CUT_SETUP,
    MESSAGES,
    ROW,
    SETUP,
    read_latency,
    read_rate,
    read_row_head,
    read_setup,
)
from parsers.fio.options import job_files
from parsers.fio.words import (
    MAX_NAME_LENGTH,
    VERSION,
    is_fio_line,
    is_fio_text,
    keep_option,
    own_name,
    takes_value,
)
from parsers.text.remarks import without_front
from parsers.text.tool_lines import fio_line_kind, has_lost_line_ends

_MAX_PARTS = 6  # lines that one is wrapped to at most
_MAX_LENGTH = 400  # characters of a line
# What ends a complete line of a kind; a line without it continues on the next
_ENDS = {
    "rate": re.compile(r"\)$|zone resets$|runt=\s*\d+\s*msec$|mint=.*msec$|short=\d+$"),
    "other_side": re.compile(r"\)$|zone resets$|runt=\s*\d+\s*msec$|msec$|short=\d+$"),
    "mean": re.compile(r"stdev=\s*[\d.]+[kMG]?$"),
    "percentiles": re.compile(r"(?:\]|th=\d{1,15}),?$"),
    "cpu": re.compile(r"minf=\d+$"),
    "depths": re.compile(r">=64=[\d.]+%$"),
    "issued": re.compile(r"(?:dropped|d|short|total)=[\w=,/]+$"),
    "disk": re.compile(r"util=[\d.]+%$"),
    "setup": re.compile(r"iodepth=\d+$"),
    "head": re.compile(r"pid=\s*\d+(?:: .{10,40})?$"),
    "other": re.compile(r"[\d%)\]:,a-z]$"),
}
# Lines that are kept and not read
_OTHER = re.compile(
    r"(?:(?:slat|clat|lat|sync|bw|iops)\s*+(?:\([\w/ ]{1,10}\)\s*+)?:\s*+(?:min|max|\d|<|>|avg|per)"
    r"|lat \([num]?sec\)\s*:|(?:submit|complete|errors|latency|bw|iops|ctx)\s*:|\(?clat percentiles"
    r"|(?:READ|WRITE|TRIM|MIXED):\s*(?:bw|io)=|Disk stats \(read/write\):|Run status group|fsync/fdatasync/sync_file"
    r"|Jobs: \d|(?:[A-Z_]\()|Starting \d|zone resets|mixed: |steadystate\s*:|All clients:|client <)"
)
_PREFIX = re.compile(r"<(?P<host>[^<>]{1,100})> (?P<rest>.*)")  # of a client's lines
_WIDE_GAP = re.compile(r"\s{3,}")  # of a terminal's, between lines
_NAMED = re.compile(r"(?P<name>.+?)(?P<rest>: (?:\(g=\d|\(groupid=|Laying out IO files?\b).*)")
_PERCENTILES = re.compile(  # the last one may be cut off
    r"\|?(?:\s*[\d.]{1,9}th=(?:\[\s*>?=?\d{1,15}\s*\]|\d{1,15}(?!\d)),?)*(?:\s*[\d.]{1,9}th=\[\s*\d{0,15})?"
)
_DISK = re.compile(r"(?P<disk>\S+)(?P<rest>: ios=.*)")
_TERSE_LINE = re.compile(
    rf"(?P<head>[2-5];{VERSION})[\w.+-]{{0,30}};"
    r"(?P<name>[^;]{0,100})(?P<rest>;[\w;.%,=:/+-]{1,8000})"
)
_TERSE_FIGURE = re.compile(r"-?[\d.,:%=+-]{0,60}|-?nan|-?inf", re.ASCII)
_MAX_LOST_RUN_LENGTH = 8000  # characters of a run on one line
_MAX_CANDIDATES = 16
_NAMES = frozenset({"setup", "head", "layout"})
_STARTS = frozenset({"setup", "head", "version"})
_READERS: Mapping[str, Callable[[str], object]] = {
    "setup": read_setup, "head": read_row_head, "rate": read_rate, "mean": read_latency,
}  # fmt: skip
_VERSION = re.compile(VERSION)
_MAX_INDENT = 12  # characters
_MAY_BE_REST = re.compile(r"[\d.,=%|\[\]()<>:/ -]*[\w]")
_LEFT_OUT = "; \u2026"  # in place of an option that isn't known, or a comment
_LAST_NAME = re.compile(r"(?P<name>\S{1,100})(?P<rest>: \(groupid=.*)")
_LOST_BLANK = re.compile(r"(?<=,)(?=\S)|(?<=\(.\))(?=\d)|(?<=:)(?=rw=)")
_KNOWN_DISK = re.compile(
    r"(?:[a-z]{1,8}\d{1,4}(?:n\d{1,3})?(?:p\d{1,3})?|[shv]d[a-z]{1,3}\d{0,3}|xvd[a-z]\d{0,2}|dm-\d{1,4})"
)
_JOB_FILE = re.compile(r"[\w./~-]{1,100}\.(?:fio|job|jobs|ini|cfg|conf|txt)")


def keep(block: Block, masks: Masker) -> KeptLines:
    lines = [line.strip() for line in block.lines]
    masked_lines: list[str | None] = []
    while len(masked_lines) < len(lines):
        at = len(masked_lines)
        if is_document_start(lines, at):
            masked_lines += keep_document(block.lines[at : _end_of_document(lines, at)], masks)
        else:
            indent = block.lines[at][: len(block.lines[at]) - len(block.lines[at].lstrip())][:_MAX_INDENT]
            masked_lines += [indent + line if line else line for line in _keep_at(lines, at, masks)]
    for at, line in keep_job_files(lines, masks).items():
        masked_lines[at] = line if masked_lines[at] is None else masked_lines[at]
    return KeptLines(masked_lines)


def _end_of_document(lines: Sequence[str], at: int) -> int:
    """Where text of the same run, or the next document, can begin."""
    first = at + 1 if DOCUMENT_KEY in lines[at] else at + 2
    rest = range(first, len(lines))
    ends = (end for end in rest if is_document_start(lines, end) or fio_line_kind(lines[end]) in _STARTS)
    return next(ends, len(lines))


def _keep_at(lines: Sequence[str], at: int, masks: Masker) -> list[str | None]:
    """What is kept of the line, and of those that it continues on."""
    text = lines[at]
    if not text or text == "...":  # "..." stands for jobs like the one above
        return [text]
    if MESSAGES.include(text):
        return [MESSAGES.keep(text)]
    terse = _TERSE_LINE.fullmatch(text)
    if terse is not None:
        fields = (_keep_field(field) for field in terse["rest"].split(";"))
        return [f"{terse['head']};{own_name(terse['name'], masks)}{';'.join(fields)}"]
    if has_lost_line_ends(text):
        return [_keep_lost(text[:_MAX_LOST_RUN_LENGTH], masks)]
    kind = fio_line_kind(text) or ("other" if _OTHER.match(text) else None)
    if kind is None or len(text) > _MAX_LENGTH:
        return [None]
    joined, count = _join(lines, at, kind)
    return [_keep_line(joined, kind, masks), *[""] * (count - 1)]


def _keep_field(field: str) -> str:
    """A field of a terse line: a figure, or a disk; behind them there may be a description."""
    return field if not field or _TERSE_FIGURE.fullmatch(field) or _KNOWN_DISK.fullmatch(field) else "disk"


def _join(lines: Sequence[str], at: int, kind: str) -> tuple[str, int]:
    """Join a line with those that it was wrapped to; return it and how many they are."""
    if kind == "setup":
        return _join_setup(lines, at)
    if kind not in _ENDS or _is_complete(lines[at], kind):
        return lines[at], 1
    joined = [lines[at]]
    for count, below in enumerate(lines[at + 1 : at + _MAX_PARTS], start=2):
        is_another = not below or fio_line_kind(below) or _OTHER.match(below)
        if is_another or not (_is_rest(below) or kind in _NAMES):
            break
        joined = [line + sign + below for line in joined for sign in ("", " ")]
        complete = next((line for line in joined if _is_complete(line, kind)), None)
        if complete is not None:
            return complete, count
        joined = joined[:_MAX_CANDIDATES]
    return lines[at], 1


def _join_setup(lines: Sequence[str], at: int) -> tuple[str, int]:
    """The same for a set-up, which is complete if its depth is split in two as well."""
    best, count = lines[at], 1
    pieces = [lines[at]]
    for below in lines[at + 1 : at + _MAX_PARTS]:
        has_depth = read_setup(best) is not None
        if not below or (not below.isdigit() if has_depth else fio_line_kind(below) is not None):
            break
        pieces.append(below)
        joined = _with_blanks(pieces)
        if _ENDS["setup"].search(joined) and read_setup(joined) is not None:
            best, count = joined, len(pieces)
    return best, count


def _with_blanks(pieces: Sequence[str]) -> str:
    """A set-up with the blanks that it was broken at: no value of it has any."""
    name, sign, _rest = pieces[0].partition(": (g=")
    rest = "".join("".join(pieces).removeprefix(name + sign).split())
    return name + sign + _LOST_BLANK.sub(" ", rest)


def _is_complete(text: str, kind: str) -> bool:
    reader = _READERS.get(kind)
    return reader(text) is not None if reader else _ENDS[kind].search(text) is not None


def _is_rest(text: str) -> bool:
    """Whether a line may be the rest of one: figures, and words of fio's."""
    return is_fio_text(text) and _MAY_BE_REST.match(text) is not None


def _keep_line(text: str, kind: str, masks: Masker) -> str | None:
    if kind in _NAMES:
        return _keep_named(text, masks)
    disk = _DISK.fullmatch(text) if kind == "disk" else None
    if disk is not None:
        name = disk["disk"] if _KNOWN_DISK.fullmatch(disk["disk"]) else "disk"
        return f"{name}{disk['rest']}" if is_fio_line(disk["rest"]) else None
    if kind == "percentiles" and not _PERCENTILES.fullmatch(text):
        return None
    if kind == "version":
        version = _VERSION.match(text)
        return version[0] if version else None
    return text if is_fio_line(text) else None


def _keep_named(text: str, masks: Masker) -> str | None:
    """A line that begins with the name of a job, or with the host and the name."""
    named = _NAMED.fullmatch(text)
    rest = _keep_rest(named["rest"]) if named else None
    if named is None or not rest:
        return None
    client = _PREFIX.fullmatch(named["name"])
    host = f"<{masks.mask('host', client['host'])}> " if client else ""
    name = client["rest"] if client else without_front(_WIDE_GAP.split(named["name"])[-1])
    is_lost = len(name) > MAX_NAME_LENGTH  # in front of the name there may be anything
    return f"{host}{own_name(name.split()[-1] if is_lost else name, masks)}{rest}"


def _keep_rest(text: str) -> str | None:
    """The set-up, the head of a result, or that a file is being laid out, without what follows it."""
    setup = SETUP.match(text) or CUT_SETUP.match(text)
    if setup is not None:
        return setup[0] if is_fio_text(setup[0]) else None
    row = ROW.match(text)
    if row is None:
        return text if is_fio_line(text) else None
    ended = keep_asctime(row["ended"] or "")
    head = text[: row.end("error")] + (f": pid={row['pid']}" if row["pid"] else "")
    return f"{head}: {ended}" if ended else head


def _keep_lost(text: str, masks: Masker) -> str | None:
    """A run on one line, from its result on: in front of it there may be anything."""
    named = _LAST_NAME.search(text)
    if named is None:
        return None
    rest = named["rest"] if is_fio_line(named["rest"]) else ": (groupid=0, jobs=1): err= 0: IOPS="
    return own_name(named["name"], masks) + rest


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The known options; None if other words show that it is a sentence."""
    masked_words: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("-"):
            if not (_JOB_FILE.fullmatch(word) or "$" in word or word == "\\"):
                return None
            masked_words += ["job.fio"] if _JOB_FILE.fullmatch(word) else []
            continue
        name, is_assigned, value = word.lstrip("-").partition("=")
        if not name and not is_assigned:  # the end of a wrapper's options, or a job file from a pipe
            continue
        if not is_assigned and rest and not rest[0].startswith("-") and takes_value(name):
            value = rest.pop(0)
        option = keep_option(name, value or None, masks)
        masked_words += [f"--{option}"] if option else []
    return " ".join(masked_words) if masked_words else None


def keep_job_files(lines: Sequence[str], masks: Masker) -> dict[int, str | None]:
    """What to keep of each line: the sections and known options of job files that have any."""
    masked_lines: dict[int, str | None] = {}
    for file in job_files(lines):
        joined = {line.at for line in file if line.option and _WIDE_GAP.search(line.option[1] or "")}
        options = {
            line.at: keep_option(*line.option, masks)
            for line in file
            if line.option and line.at not in joined
        }
        for line in file if any(options.values()) else ():
            if line.section is not None:
                name = line.section if line.section == "global" else own_name(line.section, masks)
                masked_lines[line.at] = f"[{name}]"
            elif lines[line.at].strip():
                masked_lines[line.at] = options.get(line.at) or (None if line.at in joined else _LEFT_OUT)
    return masked_lines
