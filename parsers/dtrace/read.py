"""Read what DTrace scripts print of disk I/O: iopattern and zilstat (tables), seeksize and bitesize (histograms).

Formats: the DTraceToolkit's scripts and Richard Elling's zilstat. OpenZFS has another program of that name, with
other columns.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from parsers.base.format import Block, Format, KeptLines, Masker, Outcome
from parsers.base.readings import AccessRow, HistogramReading, Notice, TableReading, TracedProcess
from parsers.privacy.free_text import mask_shapes
from parsers.privacy.paths import mask_path
from parsers.text.messages import read_messages

_IOPATTERN = (
    "percent_random", "percent_sequential", "count", "min_bytes", "max_bytes", "mean_bytes", "read_kb", "write_kb"
)  # fmt: skip
_ZILSTAT = (
    "bytes", "bytes_s", "bytes_max_rate", "buffer_bytes", "buffer_bytes_s", "buffer_bytes_max_rate", "ops",
    "ops_le_4kb", "ops_4_32kb", "ops_ge_32kb",
)  # fmt: skip
_IN_MEGABYTES = 6  # of zilstat's columns, with -M
_MEGABYTE = 10**6
_IOPATTERN_HEAD = re.compile(
    r"\s*(?:(?P<time>TIME)\s+)?(?:(?P<name>DEVICE|MOUNT|FILE)\s+)?%RAN\s+%SEQ\s+COUNT\s+MIN\s+MAX\s+AVG\s+KR\s+KW"
)
_ZILSTAT_HEAD = re.compile(
    r"\s*(?:(?P<time>TIME)\s+)?(?:txg\s+)?N-(?P<unit>Bytes|MB)\s+N-(?:Bytes|MB)/s\s+N-Max-Rate\s+B-(?:Bytes|MB)"
    r"\s+B-(?:Bytes|MB)/s\s+B-Max-Rate(?P<ops>\s+ops\s+<=4kB\s+4-32kB\s+>=32kB)?"
)
_HEAD = re.compile(r"\s*value\s+-{3,20} Distribution -{3,20}\s+count")
_BUCKET = re.compile(r"\s*+(?P<value>-?[0-9]{1,15})\s++\|?@{0,60}+\s*+(?P<count>[0-9]{1,15})")
_PROCESS = re.compile(r"\s*(?P<pid>[0-9]{1,8})\s+(?P<command>[A-Za-z./][^|]{0,200})")
_PIDS = re.compile(r"\s*PID\s+CMD")
_SCRIPT = re.compile(r"\b(?P<name>seeksize|bitesize)(?:\.d)?\b")
_SCRIPT_LINE = re.compile(r"(?P<name>seeksize|bitesize)\.d")
_DEVICE = re.compile(r"[a-z]{2,6}[0-9]{1,4}")
_PROGRAM = re.compile(r"[A-Za-z][\w.+-]{0,30}", re.ASCII)
# They take neither names nor passwords
_ON_ARCHIVES = frozenset({"gzip", "gunzip", "bzip2", "bunzip2", "xz"})
_ARCHIVE = re.compile(  # a system's installation image: sol-10-b63-x86-v1.iso; or somebody's
    r"(?P<image>(?:sun|sol|solaris|freebsd|debian|ubuntu|sample)(?:-(?:x86|sparc|amd64|[a-z]?[0-9]{1,3})){0,6}\.iso)"
    r"|\S{1,60}?(?P<ending>(?:\.(?:iso|img|tar|tgz|gz|bz2|xz)){1,3})"
)
_POOL_PROCESS = "zpool-"  # the process that writes a pool is named by it
_FIGURE = re.compile(r"-|[0-9]{1,11}")  # no disk does more in the interval of a row
_LARGEST = 10**14  # with the unit, so that the sums of all rows fit 64 bits
MESSAGES = read_messages(__file__, "zilstat")
NOTHING_TRACED = "the script traced nothing: run it while the pool is written to"
NO_ROWS = "the table ends below its header: paste the complete output"
_MAX_LENGTH = 400  # characters


@dataclass(slots=True)
class _TableState:
    """Where in a table the lines are; `kind` is that of the reading."""

    kind: str = ""
    columns: Sequence[str] = ()
    factor: int = 1
    has_name: bool = False


def keep(block: Block, masks: Masker) -> KeptLines:
    state = _TableState()
    masked_lines = [_keep_line(block.lines, at, state, masks) for at in range(len(block.lines))]
    is_known = any(map(_SCRIPT.search, (*block.above, *block.lines))) or any(
        line and not _HEAD.fullmatch(line) and not _BUCKET.fullmatch(line) for line in masked_lines
    )
    return KeptLines(masked_lines if is_known else [None] * len(masked_lines))


def _keep_line(lines: Sequence[str], at: int, state: _TableState, masks: Masker) -> str | None:
    text = lines[at].strip()
    if not text or len(text) > _MAX_LENGTH:
        return None
    if _begin(state, text) or _PIDS.fullmatch(text) or _SCRIPT_LINE.fullmatch(text):
        return text
    if _is_process(lines, at):
        return _keep_process(text, masks)
    if state.columns and state.kind != "histogram":
        return _keep_row(text, state, masks)
    if MESSAGES.include(text):
        return MESSAGES.keep(text)
    return text if state.kind == "histogram" and _BUCKET.fullmatch(text) else None


def keep_above(lines: Sequence[str], _masks: Masker) -> dict[int, str | None]:
    """The name of the last script, wherever it is."""
    scripts = [(at, f"{match['name']}.d") for at, line in enumerate(lines) if (match := _SCRIPT.search(line))]
    return dict(scripts[-1:])


def precedes(line: str) -> bool:
    """Whether a line is the process of the histogram below."""
    return _PROCESS.fullmatch(line) is not None


def starts(line: str) -> bool:
    """Whether output can begin at a line."""
    return (
        ("%RAN" in line and _IOPATTERN_HEAD.fullmatch(line) is not None)
        or ("Max-Rate" in line and _ZILSTAT_HEAD.fullmatch(line) is not None)
        or ("Distribution" in line and _HEAD.fullmatch(line) is not None)
        or ("PID" in line and _PIDS.fullmatch(line) is not None)
        or MESSAGES.include(line.strip())
    )


def _begin(state: _TableState, line: str) -> bool:
    """Whether the line is a header; the state is then that of its table."""
    iopattern, zilstat = _IOPATTERN_HEAD.fullmatch(line), _ZILSTAT_HEAD.fullmatch(line)
    if iopattern is not None:
        state.kind, state.columns, state.factor = "iopattern", _IOPATTERN, 1
        state.has_name = iopattern["name"] == "DEVICE"
    elif zilstat is not None:
        state.kind, state.has_name = "zilstat", False
        state.columns = _ZILSTAT if zilstat["ops"] else _ZILSTAT[:_IN_MEGABYTES]
        state.factor = _MEGABYTE if zilstat["unit"] == "MB" else 1
    elif _HEAD.fullmatch(line) is not None:
        state.kind = "histogram"
    else:
        return False
    return True


def _keep_row(text: str, state: _TableState, masks: Masker) -> str | None:
    words = text.split()
    figures = _figures(words, state)
    if not figures:
        return None
    name = words[-len(state.columns) - 1] if state.has_name and len(words) > len(state.columns) else ""
    if name and not _DEVICE.fullmatch(name):
        name = masks.mask("pool", name)
    return "  ".join(filter(None, (name, *figures)))


def _figures(words: Sequence[str], state: _TableState) -> Sequence[str]:
    """The figures of a row; none of a line that isn't one."""
    figures = words[-len(state.columns) :] if state.columns else []
    is_row = len(figures) == len(state.columns) and all(map(_FIGURE.fullmatch, figures))
    return figures if is_row else []


def _is_process(lines: Sequence[str], at: int) -> bool:
    """Whether a line is the process of the histogram below."""
    below = next((line for line in lines[at + 1 : at + 4] if line.strip()), "")
    return _PROCESS.fullmatch(lines[at]) is not None and _HEAD.fullmatch(below) is not None


def _keep_process(text: str, masks: Masker) -> str:
    """The process with the name of its program, noted as the sender's own; its arguments can be anybody's names.

    A compressor's archive is kept, too, as it says what was read and written: of its name only what no person chose.
    """
    pid, program, *arguments = text.removesuffix("\\0").split()
    masked_words = [_keep_program(program.removesuffix(":"), masks)]
    if program in _ON_ARCHIVES:
        archives = filter(None, map(_ARCHIVE.fullmatch, arguments))
        masked_words += [archive["image"] or f"*{archive['ending']}" for archive in archives]
    return f"{pid}  {masks.own_word(mask_shapes(' '.join(masked_words), masks))}"


def _keep_program(word: str, masks: Masker) -> str:
    """A program, the path in it masked: dd, /usr/bin/dd."""
    if word.startswith(_POOL_PROCESS):
        return _POOL_PROCESS + masks.pool(word.removeprefix(_POOL_PROCESS))
    if "/" in word:
        return mask_path(word, masks)
    return word if _PROGRAM.fullmatch(word) else "program"


def read_block(block: Block) -> Outcome:
    """The tables and histograms of one block; histograms of one script below each other are one reading."""
    outcome = Outcome(notices=MESSAGES.explain_all(block))
    outcome.readings += [
        _reading(table, script)
        for script, part in _parts(block)
        for table in _tables(part)
        if table.rows or any(table.buckets)
    ]
    if not outcome.readings and not outcome.notices:
        is_begun = any(_begin(_TableState(), line) for line in block.lines)
        message = NO_ROWS if is_begun else NOTHING_TRACED
        outcome.notices.append(Notice("no_result", message, block.numbers[-1]))
    return outcome


def _parts(block: Block) -> Iterator[tuple[str, Block]]:
    """The name of a script, or "", with what is below it up to the next one."""
    begin, script = 0, _last_script([*block.above, *block.lines[:1]])
    for at in range(1, len(block.lines)):
        name = _last_script([block.lines[at]])
        if name:
            yield script, _part(block, begin, at)
            begin, script = at, name
    yield script, _part(block, begin, len(block.lines))


def _last_script(lines: Sequence[str]) -> str:
    """The script that the last line with one names; "" for none."""
    found = [match["name"] for line in lines if (match := _SCRIPT_LINE.fullmatch(line))]
    return found[-1] if found else ""


def _part(block: Block, first: int, end: int) -> Block:
    return replace(block, lines=block.lines[first:end], numbers=block.numbers[first:end])


@dataclass(slots=True)
class _Table:
    """What is read of one table, or of the histograms of one script."""

    kind: str = ""
    numbers: list[int] = field(default_factory=list)
    rows: list[AccessRow] = field(default_factory=list)
    processes: list[tuple[int | None, str | None]] = field(default_factory=list)  # their ids and commands
    buckets: list[list[tuple[int, int]]] = field(default_factory=list)  # the same for each process


def _tables(block: Block) -> Iterator[_Table]:
    state = _TableState()
    table = _Table()
    process: tuple[int | None, str | None] = (None, None)
    begin = 0  # where it is
    for at, (line, number) in enumerate(block.numbered):
        if _begin(state, line):
            if table.kind not in ("", state.kind):
                yield table
                table = _Table()
            table.kind = state.kind
            if state.kind == "histogram":
                table.processes.append(process)
                table.buckets.append([])
            table.numbers += [begin] if process[0] is not None else []
            process = None, None
        elif _is_process(block.lines, at):
            pid, command = [*line.split(maxsplit=1), ""][:2]
            process, begin = (int(pid), command or None), number
            continue
        elif not _add(table, state, line):
            continue
        table.numbers.append(number)
    yield table


def _reading(table: _Table, script: str) -> TableReading | HistogramReading:
    first, last = table.numbers[0], table.numbers[-1]
    if table.rows:
        return TableReading(
            kind=table.kind, first_line=first, last_line=last, rows=tuple(table.rows), complete=True
        )
    is_seeks = any(value <= 0 for buckets in table.buckets for value, _count in buckets)
    return HistogramReading(
        kind=script or ("seeksize" if is_seeks else "bitesize"),
        processes=tuple(
            TracedProcess(pid=pid, command=command, buckets=tuple(buckets))
            for (pid, command), buckets in zip(table.processes, table.buckets, strict=True)
            if buckets
        ),
        first_line=first,
        last_line=last,
        complete=True,
    )


def _add(table: _Table, state: _TableState, line: str) -> bool:
    """Add a row or a bucket."""
    if state.kind == "histogram":
        match = _BUCKET.fullmatch(line)
        if match is not None:
            bucket = int(match["value"]), int(match["count"])
            if table.buckets[-1] and bucket[0] <= table.buckets[-1][-1][0]:  # another's, without heading
                table.processes.append((None, None))
                table.buckets.append([])
            table.buckets[-1].append(bucket)
        return match is not None
    words = line.split()
    figures = _figures(words, state)
    if not figures:
        return False
    factors = [state.factor] * _IN_MEGABYTES + [1] * len(figures)
    values = [
        None if word == "-" else int(word) * factor for word, factor in zip(figures, factors, strict=False)
    ]
    if any(value is not None and value > _LARGEST for value in values):
        return False
    device = words[0] if len(words) > len(figures) else None
    table.rows.append(AccessRow(device=device, figures=dict(zip(state.columns, values, strict=True))))
    return True


FORMAT = Format(
    "dtrace",
    starts,
    keep,
    read_block,
    precedes=precedes,
    markers=("%RAN", "Max-Rate", "Distribution", "PID", "zil_lwb", "dtrace: ", "zilstat: "),
    hint=re.compile(
        r"\s*(?:TIME|DEVICE|MOUNT|FILE|%RAN|txg|N-|value|PID|unknown fbt|zilstat: )|[^\n]{0,70}dtrace: "
    ),
    keep_above=keep_above,
    names=("iopattern", "seeksize", "bitesize", "zilstat"),
)
