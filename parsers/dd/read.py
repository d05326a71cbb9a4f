"""Read dd: a run is the result behind its records; without them, napp-it's line or what a terminal showed last."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from parsers.base.format import Block, Format, Outcome
from parsers.base.readings import DdReading, Notice
from parsers.base.shell import LOOP, is_repeated, own_commands, unknown_command, words_after
from parsers.base.units import MEBIBYTE
from parsers.dd.keep import keep, keep_above, keep_command
from parsers.dd.lines import (
    MEMORY,
    MESSAGES,
    UNKNOWN,
    WITHIN_RUN,
    DdLine,
    copied_bytes,
    final_lines,
    is_certain,
    seconds_of,
    size_of,
    total_bytes,
)

TOOL = "dd"
MAX_BYTES = 10**16
MAX_SECONDS = 10**7  # four months
MAX_BYTES_S = 10**13
SYNCED = {"oflag": {"sync", "dsync", "fsync"}, "conv": {"fsync", "fdatasync"}}
_ENDLESS = ("/dev/zero", "/dev/urandom", "/dev/random")
NO_RESULT = "dd's output ends before its result: paste the lines up to the one with the bytes and the seconds"


@dataclass(slots=True)
class CopyDraft:
    """One run while its lines are read; `result` is its last line with bytes and seconds."""

    numbers: list[int] = field(default_factory=list)
    has_begun: bool = False  # only what may be an error of the next run precedes the others
    result: DdLine | None = None
    error: Notice | None = None
    records: tuple[int, int] | None = None  # full and partial ones
    is_interrupted: bool = False


def read_block(block: Block) -> Outcome:
    """The runs of one block."""
    memory = next((found for line in reversed(block.above) if (found := MEMORY.fullmatch(line))), None)
    drafts = _without_interim(list(_drafts(block)), block.commands)
    commands = own_commands(block.commands, [other for other in drafts if other.result], _fits, is_repeated)
    outcome = Outcome()
    for draft in drafts:
        command = commands.pop(0) if draft.result else None
        fault = _fault(draft)
        if fault is not None:
            outcome.leave_out(fault, draft.numbers)
            continue
        reading = _reading(draft, _operands(command), command and command.removeprefix(LOOP), memory)
        outcome.readings.append(reading)
        outcome.notices += _doubts(draft, _operands(command), reading)
        if block.commands and command is None:
            outcome.notices.append(unknown_command(TOOL, reading.first_line))
    return outcome


def _operands(command: str | None) -> dict[str, str]:
    return dict(word.partition("=")[::2] for word in words_after(command, TOOL))


def _fits(command: str, draft: CopyDraft) -> bool:
    """Whether a command can have copied that many bytes, given its block size and count."""
    operands = _operands(command)
    copied, size = _bytes(draft), size_of(operands.get("bs", ""))
    if not size or "bytes" in operands.get("iflag", ""):
        return True
    if draft.records is not None:
        full, partial = draft.records
        fits_size = full * size <= copied <= (full + partial) * size
    else:
        fits_size = copied % size == 0 or draft.result is None or draft.result.kind == "total"
    count = size_of(operands.get("count", ""))
    is_endless = operands.get("if") in _ENDLESS and not (draft.is_interrupted or draft.error)
    is_short = bool(count) and is_endless and draft.records is not None and copied < (count or 0) * size
    return fits_size and not is_short and (not count or copied <= count * size)


def _drafts(block: Block) -> Iterator[CopyDraft]:
    """Yield the runs: records in begin one, and so does a result behind another."""
    draft = CopyDraft()
    for at, line in final_lines(block.lines).items():
        is_another = (
            draft.has_begun if line.kind == "in" else draft.result is not None and line.kind == "copied"
        )
        if draft.numbers and (is_another or (line.kind == "total" and _is_of_another_run(draft, line))):
            yield draft
            draft = CopyDraft()
        draft.numbers.append(block.numbers[at])
        draft.has_begun = draft.has_begun or line.kind != "error"
        if line.kind in ("in", "out") and line.match:
            draft.records = int(line.match["full"]), int(line.match["partial"])
            draft.is_interrupted = draft.is_interrupted or line.match[0].startswith("^C")
        if line.kind == "error":
            draft.error = MESSAGES.explain(block.lines[at], block.numbers[at])
            draft.has_begun = draft.has_begun or not any(part in block.lines[at] for part in WITHIN_RUN)
        elif line.kind == "copied" or (line.kind == "total" and draft.result is None):
            draft.result = line
    if draft.numbers:
        yield draft


def _is_of_another_run(draft: CopyDraft, line: DdLine) -> bool:
    """Whether napp-it's line is of another run than the result above it."""
    return draft.result is not None and abs(seconds_of(draft.result) - seconds_of(line)) > 1


def _without_interim(drafts: Sequence[CopyDraft], commands: Sequence[str]) -> list[CopyDraft]:
    """The runs without what dd prints on a signal (USR1, INFO) while it runs: more follows of the same command."""
    return [
        draft
        for draft, below in zip(drafts, [*drafts[1:], CopyDraft()], strict=True)
        if not (len(commands) == 1 and _bytes(below) > _bytes(draft) > 0 and _fits(commands[0], below))
    ]


def _bytes(draft: CopyDraft) -> int:
    line = draft.result
    if line is None or line.match is None:
        return 0
    return total_bytes(line.match) if line.kind == "total" else copied_bytes(line)


def _fault(draft: CopyDraft) -> Notice | None:
    """Why no reading can be made of a run."""
    number = draft.numbers[-1]
    if draft.result is None:
        return draft.error or Notice("no_result", NO_RESULT, number)
    seconds, count = seconds_of(draft.result), _bytes(draft)
    if not 0 < seconds <= MAX_SECONDS or not 0 < count <= MAX_BYTES or count / seconds > MAX_BYTES_S:
        return Notice(
            "impossible_figure", f"dd can't have copied {count:,} bytes in {seconds:f} seconds", number
        )
    return None


def _reading(
    draft: CopyDraft, operands: Mapping[str, str], command: str | None, memory: re.Match[str] | None
) -> DdReading:
    count, seconds = _bytes(draft), seconds_of(draft.result or DdLine("", None))
    printed = draft.result.match.groupdict() if draft.result and draft.result.match else {}
    bytes_s = printed.get("bytes_s") or ""
    flags = {name: set(operands.get(name, "").split(",")) for name in SYNCED}
    unknown = False if operands and UNKNOWN not in set().union(*flags.values()) else None
    return DdReading(
        first_line=draft.numbers[0],
        last_line=draft.numbers[-1],
        command=command,
        input=operands.get("if"),
        output=operands.get("of"),
        block_size=size_of(operands.get("bs", "")),
        bytes=count,
        seconds=seconds,
        throughput_bytes_s=int(bytes_s) if bytes_s.isdecimal() else round(count / seconds),
        is_synced=any(flags[name] & SYNCED[name] for name in SYNCED) or unknown,
        is_direct="direct" in flags["oflag"] or unknown,
        memory_bytes=int(memory["mib"]) * MEBIBYTE if memory else None,
        complete=draft.error is None and not _is_short(count, operands),
    )


def _is_short(copied: int, operands: Mapping[str, str]) -> bool:
    """Whether dd copied less than its command says, since it was interrupted or its input ended."""
    count, block_size = size_of(operands.get("count", "")), size_of(operands.get("bs", ""))
    return bool(count and block_size and copied < count * block_size)


def _doubts(draft: CopyDraft, operands: Mapping[str, str], reading: DdReading) -> Iterator[Notice]:
    if draft.error is not None:
        yield draft.error
    elif _is_short(reading.bytes, operands):
        message = (
            f"dd stopped after {reading.bytes:,} bytes, before {operands['count']} blocks of {operands['bs']}: the"
            " figures are those of what it copied until then"
        )
        yield Notice("interrupted", message, reading.last_line)


FORMAT = Format(
    TOOL,
    is_certain,
    keep,
    read_block,
    markers=("+0 ", "records", "B/s", "M/s", "G/s", "k/s", "bytes/s", "/秒", "B/с", "B/c", "dd: "),
    hint=re.compile(r"[^\n]{0,160}(?:[0-9]\+[0-9]|/[sс秒c]|dd: )"),
    keep_command=keep_command,
    keep_above=keep_above,
    is_benchmark=True,
)
