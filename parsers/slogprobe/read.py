"""slogprobe: a head with the version of the format, what was measured and how, a row per size, and what followed.

Printed by results/submissions/slogprobe.py. Each line is whole or left out, so that a text which was cut off anywhere
has fewer figures, never others.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import Notice, SlogprobeReading, SlogprobeRow
from parsers.base.units import CAPACITY, KIBIBYTE
from parsers.slogprobe.keep import keep
from parsers.slogprobe.lines import HEAD, MESSAGES, OTHERS, ROW, SIZES, TARGET, VERSION

TOOL = "slogprobe"
NO_TARGET = (
    "the line that says what slogprobe wrote to is missing or can't be read: paste the complete output"
)
NO_RESULT = "slogprobe's output ends before its first figure: paste the complete output"


@dataclass(slots=True)
class ProbeDraft:
    """One run while its lines are read."""

    version: str
    numbers: list[int]
    rows: list[SlogprobeRow] = field(default_factory=list)
    stated: dict[str, str] = field(default_factory=dict)  # by the names of the groups of the patterns
    fault: Notice | None = None


def starts(line: str) -> bool:
    """Whether output can begin here: its first line, or a message in its place."""
    return HEAD.fullmatch(line.strip()) is not None or MESSAGES.include(line)


def read_block(block: Block) -> Outcome:
    """The runs of one block."""
    outcome = Outcome(notices=MESSAGES.explain_all(block))
    for draft in _drafts(block):
        fault = _fault(draft)
        if fault is not None:
            outcome.leave_out(fault, draft.numbers)
            continue
        reading = _reading(draft)
        outcome.readings.append(reading)
        if not reading.complete:
            message = "slogprobe's output is incomplete: we read only the lines that are here"
            outcome.notices.append(Notice("truncated", message, reading.last_line))
    return outcome


def _drafts(block: Block) -> Iterator[ProbeDraft]:
    draft = None
    for line, number in block.numbered:
        head = HEAD.fullmatch(line)
        if head is not None:
            if draft is not None:
                yield draft
            draft = ProbeDraft(head["version"], [number])
        elif draft is not None:
            _add(draft, line, number)
    if draft is not None:
        yield draft


def _add(draft: ProbeDraft, line: str, number: int) -> None:
    """Read a line of a run."""
    row = ROW.fullmatch(line)
    if row is not None:
        draft.numbers.append(number)
        draft.rows.append(_row(row, number))
    for shape in (TARGET, *OTHERS):
        match = shape.fullmatch(line)
        if match is not None:
            draft.numbers.append(number)
            draft.stated |= {name: value for name, value in match.groupdict().items() if value is not None}


def _row(match: re.Match[str], number: int) -> SlogprobeRow:
    return SlogprobeRow(
        block_size=int(match["kibibytes"]) * KIBIBYTE,
        writes=int(match["writes"]),
        latency_us=Decimal(match["mean"]),
        **{f"{rank}_us": Decimal(match[rank]) for rank in ("p50", "p99", "p999", "max")},
        line=number,
    )


def _fault(draft: ProbeDraft) -> Notice | None:
    """Why no reading can be made of a run."""
    number = draft.numbers[0]
    if draft.version != VERSION:
        message = f"this is version {draft.version} of slogprobe's output, but we only read version {VERSION}"
        return Notice("unknown_version", message, number)
    if not draft.rows:
        return Notice("no_result", NO_RESULT, draft.numbers[-1])
    if "bytes" not in draft.stated:
        return Notice("no_target", NO_TARGET, number)
    sizes = [row.block_size for row in draft.rows]
    if len(set(sizes)) < len(sizes):
        return Notice(
            "several_runs", "a size is here twice, so these are two runs: paste each in full", number
        )
    odd = next((row for row in draft.rows if not _is_possible(row)), None)
    if odd is not None:
        return Notice("impossible_figure", "the figures of this row contradict each other", odd.line)
    if int(draft.stated["bytes"]) not in CAPACITY:
        return Notice("impossible_capacity", f"a capacity is {CAPACITY}", number)
    return None


def _is_possible(row: SlogprobeRow) -> bool:
    is_in_order = 0 < row.p50_us <= row.p99_us <= row.p999_us <= row.max_us
    return is_in_order and row.writes > 0 and 0 < row.latency_us <= row.max_us


def _reading(draft: ProbeDraft) -> SlogprobeReading:
    stated = draft.stated
    rows = sorted(draft.rows, key=lambda row: row.block_size)
    return SlogprobeReading(
        first_line=draft.numbers[0],
        last_line=draft.numbers[-1],
        path=stated.get("path"),
        layer=stated.get("layer"),
        size_bytes=_number(stated, "bytes"),
        system=stated.get("system"),
        system_version=stated.get("release"),
        flush=stated.get("flush"),
        flushes=_number(stated, "flushes"),
        writes=_number(stated, "all_writes"),
        link=stated.get("link"),
        temperature_before_c=_degrees(stated, "before"),
        temperature_after_c=_degrees(stated, "after"),
        warm_up_seconds=Decimal(stated["warm_up"]) if "warm_up" in stated else None,
        complete="all_writes" in stated and _sizes(rows) == SIZES and "flush" in stated,
        rows=tuple(rows),
    )


def _sizes(rows: Sequence[SlogprobeRow]) -> tuple[int, ...]:
    return tuple(row.block_size for row in rows)


def _number(stated: dict[str, str], name: str) -> int | None:
    return int(stated[name]) if name in stated else None


def _degrees(stated: dict[str, str], name: str) -> int | None:
    text = stated.get(name, "").removesuffix(" C")
    return int(text) if text.lstrip("-").isdecimal() else None


FORMAT = Format(
    TOOL,
    starts,
    keep,
    read_block,
    markers=("slogprobe",),
    hint=re.compile(r"\s*slogprobe"),
    is_benchmark=True,
)
