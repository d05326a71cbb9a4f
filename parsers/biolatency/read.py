"""Read biolatency, the one of bcc and the one of bpftrace: a histogram of the latency of block I/O is a reading.

Other tools print the same histogram, so that the text around it has to name this one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from parsers.base.format import Block, Format, KeptLines, Masker, Outcome
from parsers.base.markers import HISTOGRAM
from parsers.base.readings import BiolatencyReading, Notice
from parsers.base.units import KIBIBYTE, scaled
from parsers.text.messages import read_messages

TOOL = "biolatency"
TRACING = "Tracing block device I/O... Hit Ctrl-C to end."
_BIOLATENCY = re.compile(r"\bbiolatency\b|Tracing block device I/O", re.IGNORECASE)
_OTHER_TOOLS = re.compile(
    r"\b(?:runq(?:lat|len)|cpudist|vfs(?:read|write)?lat|(?:ext4|zfs|xfs|btrfs|nfs)dist|funclatency|hardirqs|softirqs"
    r"|dbstat|tcprtt|bitesize|offcputime)\b|Tracing (?!block device)"
)
_HEAD = re.compile(
    r"\s*(?P<unit>[num]secs)\s*:\s*count\s*+(?:distribution\s*+)?|\s*@(?P<bt>[num]secs)(?:\[[^\]\n]{0,60}\])?:\s*"
)
_ROW = re.compile(r"\s*(?P<low>[0-9]{1,15}) -> (?P<high>[0-9]{1,15})\s*:\s*(?P<count>[0-9]{1,15})[\s|*]*+")
_SIZE = r"(?:[0-9]{1,15}|[0-9]{1,6}[KMGT]|[0-9]{1,3}P)"  # all fit 64 bits
_BT_ROW = re.compile(rf"\s*\[(?P<low>{_SIZE})(?:, (?P<high>{_SIZE})\)|\])\s+(?P<count>[0-9]{{1,15}})[\s|@]*+")
_KERNELS = re.compile(  # names by the kernel; any other may be somebody's
    r"(?:[svh]|xv)d[a-z]{1,3}|nvme[0-9]{1,4}(?:c[0-9]{1,4})?n[0-9]{1,4}|mmcblk[0-9]{1,3}(?:boot[01])?|md_d[0-9]{1,4}"
    r"|(?:dm-|md|zd|pmem|loop|ram|zram|nbd|rbd|drbd|sr|bcache)[0-9]{1,5}"
)
_FLAG = (  # of bcc's flags_print()
    "Read|Write|Flush|Discard|SecureErase|ZoneReset|WriteSame|WriteZeros|Unknown|Sync|Metadata|ForcedUnitAccess|Priority"
    "|NoMerge|Idle|ReadAhead|Background|NoWait|Integrity"
)
_FLAG_LIST = rf"\s*flags = (?P<flags>(?:{_FLAG})(?:-(?:{_FLAG})){{0,9}})\s*"
_FLAGS = re.compile(_FLAG_LIST)
_DISK = re.compile(rf"\s*(?:Bucket )?disk = b?'?(?P<disk>[a-z][a-z0-9-]{{1,15}})'?(?:{_FLAG_LIST}|\s*)")
_PART = re.compile(r"\s*(?:[0-9]{1,15} -> [0-9]{1,15}|[num]secs)\s*")  # of a line whose cells are lines
_REST = re.compile(r"\s*:\s*(?:[0-9]{1,15}|count(?:\s+distribution)?)\s*")
_NEAR = 4  # lines
MESSAGES = read_messages(__file__, TOOL)
NO_ROWS = "the histogram has no rows: run it while the disk is written to, and end it with Ctrl-C"


def _joined(lines: Sequence[str], at: int) -> tuple[str, int]:
    """A line, with its rest if a page put each cell on a line of its own, and where that is."""
    if _PART.fullmatch(lines[at]):
        for below in range(at + 1, min(at + _NEAR, len(lines))):
            if _REST.fullmatch(lines[below]):
                return f"{lines[at].strip()} {lines[below].strip()}", below
            if lines[below].strip():
                break
    return lines[at], at


def keep(block: Block, _masks: Masker) -> KeptLines:
    masked_lines: list[str | None] = [None] * len(block.lines)
    if not _is_biolatency(block.lines, block.above) and not any(map(MESSAGES.include, block.lines)):
        is_named = any(map(_OTHER_TOOLS.search, (*block.above, *block.lines)))
        rows = [at for at, line in enumerate(block.lines) if not is_named and _canonical(line) is not None]
        return KeptLines(masked_lines, unread=dict.fromkeys(rows, HISTOGRAM))
    for at, line in enumerate(block.lines):
        if not line.strip() or masked_lines[at] is not None:
            continue
        text, rest = _joined(block.lines, at)
        canonical = _canonical(text)
        if canonical is not None:
            masked_lines[at] = canonical
            masked_lines[rest] = masked_lines[rest] if rest == at else ""
        elif _BIOLATENCY.search(line) and at == 0:
            masked_lines[at] = TRACING
    return KeptLines(masked_lines)


def keep_above(lines: Sequence[str], _masks: Masker) -> dict[int, str | None]:
    """That the tool is this one, in one form."""
    named_at = [at for at, line in enumerate(lines) if _BIOLATENCY.search(line)]
    return dict.fromkeys(named_at[-1:], TRACING)


def _is_biolatency(lines: Sequence[str], above: Sequence[str]) -> bool:
    """Whether the nearest line that names a tool names this one."""
    first = next(
        (at for at, line in enumerate(lines) if _HEAD.fullmatch(line) or _PART.fullmatch(line)), len(lines)
    )
    for line in reversed([*above, *lines[: first + 1]]):
        if _BIOLATENCY.search(line) or _DISK.fullmatch(line) or _FLAGS.fullmatch(line):
            return True
        if _OTHER_TOOLS.search(line):
            return False
    return False


def _canonical(text: str) -> str | None:
    """A line of the output in one form; None for any other."""
    head, row, bt_row = _HEAD.fullmatch(text), _ROW.fullmatch(text), _BT_ROW.fullmatch(text)
    if head is not None:
        return f"{head['unit']} : count" if head["unit"] else f"@{head['bt']}:"
    if row is not None:
        return f"{row['low']} -> {row['high']} : {row['count']}"
    if bt_row is not None:
        bounds = f"[{bt_row['low']}, {bt_row['high']})" if bt_row["high"] else f"[{bt_row['low']}]"
        return f"{bounds} {bt_row['count']}"
    if MESSAGES.include(text):
        return MESSAGES.keep(text)
    disk = _DISK.fullmatch(text)
    if disk is not None and not _KERNELS.fullmatch(disk["disk"]):
        return f"disk = other  flags = {disk['flags']}" if disk["flags"] else "disk = other"
    return text.strip() if disk or _FLAGS.fullmatch(text) else None


def starts(line: str) -> bool:
    """Whether output can begin at a line."""
    is_head = ("secs" in line and (_HEAD.fullmatch(line) or line.strip() in ("usecs", "msecs", "nsecs"))) or (
        " = " in line and (_DISK.fullmatch(line) or _FLAGS.fullmatch(line))
    )
    return bool(is_head) or MESSAGES.include(line)


@dataclass(slots=True)
class _HistogramDraft:
    """A histogram while its lines are read."""

    numbers: list[int]
    unit: str
    disk: str | None = None
    flags: str | None = None
    buckets: list[tuple[int, int, int]] = field(default_factory=list)


def read_block(block: Block) -> Outcome:
    """The histograms of one block."""
    outcome = Outcome()
    outcome.readings += [
        BiolatencyReading(
            first_line=draft.numbers[0],
            last_line=draft.numbers[-1],
            unit=draft.unit,
            disk=draft.disk,
            flags=draft.flags,
            buckets=tuple(draft.buckets),
            complete=True,
        )
        for draft in _drafts(block, outcome.notices)
        if draft.buckets
    ]
    if not outcome.readings and not outcome.notices:
        outcome.notices.append(Notice("no_result", NO_ROWS, block.numbers[-1]))
    return outcome


def _drafts(block: Block, notices: list[Notice]) -> Iterator[_HistogramDraft]:
    draft: _HistogramDraft | None = None
    disk: str | None = None
    flags: str | None = None
    for line, number in block.numbered:
        head, for_disk, for_flags = _HEAD.fullmatch(line), _DISK.fullmatch(line), _FLAGS.fullmatch(line)
        row = _ROW.fullmatch(line) or _BT_ROW.fullmatch(line)
        if head is not None:
            yield from [draft] if draft else []
            draft = _HistogramDraft([number], head["unit"] or head["bt"], disk, flags)
            disk = flags = None
        elif for_disk is not None:
            disk, flags = for_disk["disk"], for_disk["flags"]
        elif for_flags is not None:
            flags = for_flags["flags"]
        elif row is not None and draft is not None:
            if draft.buckets and _bound(row["low"]) <= draft.buckets[-1][0]:  # another's, without heading
                yield draft
                draft = _HistogramDraft([], draft.unit)
            draft.numbers.append(number)
            draft.buckets.append((_bound(row["low"]), _bound(row["high"] or row["low"]), int(row["count"])))
        elif MESSAGES.include(line):
            notices.append(MESSAGES.explain(line, number))
    yield from [draft] if draft else []


def _bound(text: str) -> int:
    count = text.rstrip("KMGTPE")
    return int(scaled(count, text.removeprefix(count), kilo=KIBIBYTE))


FORMAT = Format(
    TOOL,
    starts,
    keep,
    read_block,
    markers=("secs", "disk = ", "flags = ", "bpf", "biolatency: ", "bcc"),
    hint=re.compile(
        r"\s*@?[num]secs|\{'ts': |\s*(?:(?:Bucket )?disk|flags) = |[^\n]{0,40}(?:bpf|bcc|biolatency: )"
    ),
    keep_above=keep_above,
)
