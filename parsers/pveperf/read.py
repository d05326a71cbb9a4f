"""Proxmox VE's `pveperf`: a label and a figure per line, in this order; only FSYNCS/SECOND is about sync writes.

BUFFERED READS and AVERAGE SEEK TIME need a block device, so they are missing on ZFS. DNS times are left out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice

from parsers.base.format import Block, Format, Outcome, ParseError
from parsers.base.readings import LeftOut, Notice, PveperfReading
from parsers.base.shell import words_after
from parsers.base.units import parse_grouped, parse_grouped_decimal
from parsers.pveperf.keep import keep, keep_command
from parsers.pveperf.lines import ERROR, LABELS, VALUE, find_labels, is_cut, is_error

TOOL = "pveperf"
# factors to the unit that pveperf prints, which comes first; its GB are 1024^3 bytes
_FACTORS: Mapping[str, Mapping[str, int | Decimal]] = {
    "hd_size_gb": {"GB": 1, "G": 1, "GiB": 1, "TB": 1024, "T": 1024, "TiB": 1024, "MB": Decimal(1) / 1024},
    "buffered_reads_mb_s": {"MB/sec": 1, "MB/s": 1, "MB": 1, "MiB/s": 1, "GB/sec": 1024, "GB/s": 1024},
    "average_seek_ms": {"ms": 1, "msec": 1, "us": Decimal("0.001"), "usec": Decimal("0.001"), "s": 1000},
}
_LARGEST = {"cpu_bogomips": 10**8, "regex_s": 10**9, "hd_size_gb": 10**8, "buffered_reads_mb_s": 10**7}
_LARGEST_OTHER = 10**7
MAX_RUNS = 200  # nobody pastes more by hand
REQUIRED = ("cpu_bogomips", "regex_s", "hd_size_gb", "fsyncs_s")
OF_DISKS = ("buffered_reads_mb_s", "average_seek_ms")
NO_RESULT = "pveperf's output ends before its first figure: paste the complete output"
NO_FSYNCS = (
    "the line FSYNCS/SECOND is missing, and it is the only one about sync writes: paste the complete output"
)
Figure = int | Decimal


@dataclass(slots=True)
class Draft:
    """One run while its lines are read."""

    fields: dict[str, Figure | None] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    source: str | None = None
    error: Notice | None = None


def _drafts(block: Block) -> Iterator[Draft]:
    """Yield the runs of a block: a repeated label begins the next one.

    So does a label that is out of order, if another line comes before it.
    """
    draft = Draft()
    order = list(LABELS)
    last, follows_other_line = 0, False
    for line, number in zip(block.lines, block.numbers, strict=True):
        labels = find_labels(line)
        ends = [*(label.start() for label in labels[1:]), len(line)]
        for label, end in zip(labels, ends, strict=False):
            place = order.index(str(label.lastgroup))
            if label.lastgroup in draft.fields or (place < last and follows_other_line):
                yield draft
                draft = Draft()
            last, follows_other_line = place, False
            _take(draft, str(label.lastgroup), line[label.end() : end], number, line)
        follows_other_line = follows_other_line or not labels
        if not labels and is_cut(line):
            draft.numbers.append(number)
        elif not labels and is_error(line):
            draft.error = explain_error(line, number)
            draft.notices.append(draft.error)
            draft.numbers.append(number)
    if draft.numbers:
        yield draft


def _take(draft: Draft, name: str, text: str, number: int, line: str) -> None:
    draft.numbers.append(number)
    draft.fields[name] = None
    if name.startswith("dns_"):
        return
    match = VALUE.match(text)
    if match is None:
        draft.notices.append(
            Notice("unreadable_field", f"this line has no figure: {line.strip()[:80]!r}", number)
        )
        return
    value, fault = _figure(name, match["figure"], match["unit"])
    draft.fields[name] = value
    if match["source"] and name == "hd_size_gb":
        draft.source = match["source"].strip(" \t|*()")
    if fault is not None:
        draft.notices.append(Notice("impossible_figure", f"{fault}: {line.strip()[:80]!r}", number))


def _figure(name: str, text: str, unit: str | None) -> tuple[Figure | None, str | None]:
    """The figure in the unit of its field, and what is wrong with it."""
    factors = _FACTORS.get(name, {})
    factor = factors.get(unit, None) if unit and factors else 1
    value: Figure | None = parse_grouped_decimal(text.rstrip(".,"))
    if name == "regex_s":
        value = parse_grouped(text) or (None if value is None else round(value))
    if value is None or value <= 0 or value >= _LARGEST.get(name, _LARGEST_OTHER):
        return None, "this figure is impossible"
    if factor is None:
        return None, f"this isn't in pveperf's unit, {next(iter(factors))}"
    return value * factor if factor != 1 else value, None


def explain_error(line: str, number: int) -> Notice:
    match = ERROR.fullmatch(line)
    message = (match["message"] or match["bare"]).strip() if match else line.strip()
    advice = (
        "it comes with Proxmox VE, and needs root"
        if "not found" in message
        else "check what the message says"
    )
    return Notice("tool_error", f"pveperf says {message[:120]!r}: {advice}", number)


def starts(line: str) -> bool:
    """Say whether output can begin here: a label followed by a figure, or an error."""
    stated = (label for label in find_labels(line) if not str(label.lastgroup).startswith("dns_"))
    return any(VALUE.match(line, label.end()) for label in stated) or is_error(line) or is_cut(line)


def read_block(block: Block) -> Outcome:
    """The runs of one block."""
    path = _path(block)
    drafts = list(islice(_drafts(block), MAX_RUNS + 1))
    if len(drafts) > MAX_RUNS:
        raise ParseError(
            f"more than {MAX_RUNS} runs of pveperf: paste fewer at a time",
            code="too_many_runs",
            line_number=drafts[MAX_RUNS].numbers[0],
        )
    readings: list[PveperfReading] = []
    notices: list[Notice] = []
    left_out: list[LeftOut] = []
    for at, draft in enumerate(drafts):
        notices += draft.notices
        stated = {name: value for name, value in draft.fields.items() if not name.startswith("dns_")}
        if any(value is not None for value in stated.values()):
            reading = _reading(draft, path if at == 0 else None)
            readings.append(reading)
            notices += _explain_missing(reading, draft)
        else:
            why = draft.error or Notice("no_result", NO_RESULT, draft.numbers[-1])
            notices += [] if draft.error else [why]
            left_out.append(LeftOut(why.code, why.message, draft.numbers[0], draft.numbers[-1]))
    return Outcome(tuple(readings), tuple(notices), tuple(left_out))


def _path(block: Block) -> str | None:
    """The folder that was measured; pveperf measures / by default."""
    if block.command is None:
        return None
    return next((word for word in words_after(block.command, TOOL) if not word.startswith("-")), "/")


def _reading(draft: Draft, path: str | None) -> PveperfReading:
    fields: dict[str, object] = {
        name: value for name, value in draft.fields.items() if not name.startswith("dns_")
    }
    return PveperfReading(
        first_line=min(draft.numbers),
        last_line=max(draft.numbers),
        path=path,
        source=draft.source,
        complete=not draft.notices and not list(_missing(draft)),
        **fields,  # type: ignore[arg-type]
    )


def _missing(draft: Draft) -> Iterator[str]:
    """Yield the missing fields; a disk field counts as missing only if the other one is there."""
    has_one = any(draft.fields.get(name) is not None for name in OF_DISKS)
    for name in (*REQUIRED, *(OF_DISKS if has_one else ())):
        if draft.fields.get(name) is None:
            yield name


def _explain_missing(reading: PveperfReading, draft: Draft) -> Iterator[Notice]:
    missing = list(_missing(draft))
    if "fsyncs_s" in missing and "fsyncs_s" not in draft.fields:
        yield Notice("no_fsyncs", NO_FSYNCS, reading.last_line)
    elif missing:
        names = ", ".join(name.partition("_")[0] for name in missing if name not in draft.fields)
        if names:
            yield Notice("section_missing", f"lines of pveperf are missing: {names}", reading.last_line)


MARKERS = (
    "BOGOMIPS",
    "/SECOND",
    "/ SECOND",
    "HD SIZE",
    "BUFFERED",
    "SEEK",
    "FSYNCS",
    "CPU BO",
    "REGEX",
    "pveperf",
)
FORMATS = (
    Format(
        TOOL,
        starts,
        keep,
        read_block,
        several=True,
        markers=MARKERS,
        tool=TOOL,
        keep_command=keep_command,
        is_benchmark=True,
    ),
)
