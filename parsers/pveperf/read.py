"""Proxmox VE's `pveperf`: a label and a figure per line, in this order; only FSYNCS/SECOND is about sync writes.

BUFFERED READS and AVERAGE SEEK TIME need a block device, so they are missing on ZFS. DNS times are left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import Notice, PveperfReading
from parsers.base.shell import own_commands, words_after
from parsers.base.units import parse_grouped, parse_grouped_decimal
from parsers.pveperf.keep import keep, keep_command
from parsers.pveperf.lines import FIELDS, LABELS, MESSAGES, VALUE, is_cut, split_fields

TOOL = "pveperf"
REQUIRED = ("cpu_bogomips", "regex_s", "hd_size_gb", "fsyncs_s")
DISK_FIELDS = ("buffered_reads_mb_s", "average_seek_ms")
NO_RESULT = "pveperf's output ends before its first figure: paste the complete output"
NO_FSYNCS = (
    "the line FSYNCS/SECOND is missing, and it is the only one about sync writes: paste the complete output"
)
Figure = int | Decimal


@dataclass(slots=True)
class PveperfDraft:
    """One run while its lines are read."""

    labels: set[str] = field(default_factory=set)
    figures: dict[str, Figure] = field(default_factory=dict)  # of the labels that have one
    numbers: list[int] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    source: str | None = None
    error: Notice | None = None

    def add_field(self, name: str, text: str, number: int, line: str) -> None:
        """Read a label and the text after it."""
        self.numbers.append(number)
        self.labels.add(name)
        if name not in FIELDS:
            return
        match = VALUE.match(text)
        if match is None:
            message = f"this line has no figure: {line.strip()[:80]!r}"
            self.notices.append(Notice("unreadable_field", message, number))
            return
        value, fault = _figure(name, match["figure"], match["unit"])
        if value is not None:
            self.figures[name] = value
        if match["source"] and name == "hd_size_gb":
            self.source = match["source"].strip(" \t|*()")
        if fault is not None:
            self.notices.append(Notice("impossible_figure", f"{fault}: {line.strip()[:80]!r}", number))


def _drafts(block: Block) -> Iterator[PveperfDraft]:
    """Yield the runs of a block: a repeated label begins the next one.

    So does a label that is out of order, if another line comes before it.
    """
    draft = PveperfDraft()
    order = list(LABELS)
    last, follows_other_line = 0, False
    for line, number in block.numbered:
        fields = list(split_fields(line))
        for name, text in fields:
            place = order.index(name)
            if name in draft.labels or (place < last and (follows_other_line or len(fields) > 1)):
                yield draft
                draft = PveperfDraft()
            last, follows_other_line = place, False
            draft.add_field(name, text, number, line)
        follows_other_line = follows_other_line or not fields
        if not fields and is_cut(line):
            draft.numbers.append(number)
        elif not fields and MESSAGES.include(line):
            draft.error = MESSAGES.explain(line, number)
            draft.notices.append(draft.error)
            draft.numbers.append(number)
    if draft.numbers:
        yield draft


def _figure(name: str, text: str, unit: str | None) -> tuple[Figure | None, str | None]:
    """The figure in the unit of its field, and what is wrong with it."""
    _label, factors, too_large = FIELDS[name]
    factor = factors.get(unit, None) if unit and factors else 1
    value: Figure | None = parse_grouped_decimal(text.rstrip(".,"))
    if name == "regex_s":
        value = parse_grouped(text) or (None if value is None else round(value))
    if value is None or not 0 < value < too_large:
        return None, "this figure is impossible"
    if factor is None:
        return None, f"this isn't in pveperf's unit, {next(iter(factors))}"
    return value * factor if factor != 1 else value, None


def starts(line: str) -> bool:
    """Say whether output can begin here: a label followed by a figure, or an error."""
    stated = (text for name, text in split_fields(line) if name in FIELDS)
    return any(map(VALUE.match, stated)) or MESSAGES.include(line) or is_cut(line)


def read_block(block: Block) -> Outcome:
    """The runs of one block."""
    outcome = Outcome()
    drafts = list(_drafts(block))
    paths = own_commands(list(map(_path, block.commands)), drafts, lambda _path, draft: bool(draft.figures))
    for draft, path in zip(drafts, paths, strict=True):
        outcome.notices += draft.notices
        if draft.figures:
            outcome.readings.append(_reading(draft, path))
            outcome.notices += _explain_missing(draft)
        else:
            none = Notice("no_result", NO_RESULT, draft.numbers[-1])
            outcome.leave_out(none, draft.numbers, reported=draft.error)
    return outcome


def _path(command: str) -> str:
    """The folder that was measured; pveperf measures / by default."""
    return next((word for word in words_after(command, TOOL) if not word.startswith("-")), "/")


def _reading(draft: PveperfDraft, path: str | None) -> PveperfReading:
    return PveperfReading(
        first_line=min(draft.numbers),
        last_line=max(draft.numbers),
        path=path,
        source=draft.source,
        complete=not draft.notices and not _missing(draft),
        **draft.figures,  # type: ignore[arg-type]
    )


def _missing(draft: PveperfDraft) -> list[str]:
    """The missing fields; a disk field counts as missing only if the other one is present."""
    on_disk = any(name in draft.figures for name in DISK_FIELDS)
    return [name for name in (*REQUIRED, *(DISK_FIELDS if on_disk else ())) if name not in draft.figures]


def _explain_missing(draft: PveperfDraft) -> Iterator[Notice]:
    missing = [name for name in _missing(draft) if name not in draft.labels]
    if "fsyncs_s" in missing:
        yield Notice("no_fsyncs", NO_FSYNCS, max(draft.numbers))
    elif missing:
        names = ", ".join(name.partition("_")[0] for name in missing)
        yield Notice("section_missing", f"lines of pveperf are missing: {names}", max(draft.numbers))


MARKERS = (
    "BOGOMIPS", "/SECOND", "/ SECOND", "HD SIZE", "BUFFERED", "SEEK", "FSYNCS", "CPU BO", "REGEX", "pveperf",
)  # fmt: skip
FORMAT = Format(TOOL, starts, keep, read_block, markers=MARKERS, keep_command=keep_command, is_benchmark=True)
