"""Read fio's logs (write_iops_log and the like) and CSV of seconds and a figure: one reading a series.

fio's formats: "Log File Formats" of its HOWTO. Times are milliseconds; nothing in the rows says what the value is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from parsers.base.format import Block, Format, KeptLines, Masker, Outcome, ParseError
from parsers.base.readings import FioLogReading, Notice
from parsers.text.messages import read_messages
from parsers.text.samples import CSV_HEAD, CSV_SAMPLE, MAX_SAMPLES, SAMPLE, SIGN, is_run

TOOL = "fio_log"
DIRECTIONS = ("read", "write", "trim")
METRICS = "iops|bw|clat|slat|lat"
# "==> x_iops.1.log <==" of head and tail; a prompt with cat and the name
CAPTION = re.compile(rf"==> _(?P<metric>{METRICS})(?:\.(?P<job>[0-9]{{1,5}}))?\.log <==")
_NAMED = re.compile(rf"[^\n]{{0,200}}_(?P<metric>{METRICS})(?:\.(?P<job>[0-9]{{1,5}}))?\.log\b[^\n]{{0,40}}")
_CAPTION_START = re.compile(
    r"==> |(?:[^\n]{0,80}[#$%>] ?)?(?:sudo )?(?:cat|head|tail|less|more|type)\s|[^\s]{1,120}:?\s*\Z"
)
_CUT = re.compile(r"[0-9]{1,12},(?: ?[0-9]{0,15}(?:, ?)?)?")
MESSAGES = read_messages(__file__, "cat")
UNNAMED_FILE = "==> file <=="  # above a file beside logs
MIN_ROWS = 3  # fewer could be anything
RESTART = 2  # a time below the last one by this factor begins another file
MAX_NOTICES = 5
TOO_MANY = f"there are more than {MAX_SAMPLES:,} samples: average them with --log_avg_msec=1000"


@dataclass(slots=True)
class SeriesDraft:
    """One series while its rows are read."""

    metric: str | None
    job: int | None
    direction: str | None
    lines: list[int] = field(default_factory=list)
    times: list[Decimal | int] = field(default_factory=list)
    values: list[Decimal | int] = field(default_factory=list)


def keep(block: Block, _masks: Masker) -> KeptLines:
    masked_lines: list[str | None] = [None] * len(block.lines)
    is_csv, rows, has_caption = False, 0, False
    for at, line in enumerate(block.lines):
        caption = _caption_of(line)
        is_csv = CSV_HEAD.fullmatch(line) is not None or (is_csv and not caption)
        if caption or CSV_HEAD.fullmatch(line):
            masked_lines[at] = caption or line.strip().lower()
            has_caption = True
        elif is_run(line) or (CSV_SAMPLE if is_csv else SAMPLE).fullmatch(line):
            masked_lines[at] = line.strip()
            rows += MIN_ROWS if is_run(line) else 1
        elif MESSAGES.include(line):
            masked_lines[at] = MESSAGES.keep(line)
            has_caption = True
        elif rows and _CUT.fullmatch(line.strip()):
            masked_lines[at] = line.strip()
    return KeptLines(masked_lines if rows >= MIN_ROWS or has_caption else [None] * len(masked_lines))


def keep_above(lines: Sequence[str], _masks: Masker) -> dict[int, str | None]:
    """The name of the file, which a prompt states: what it measured, without the rest."""
    filled_at = [at for at, line in enumerate(lines) if line]
    return {at: _caption_of(lines[at]) for at in filled_at[-1:]}


def _caption_of(line: str) -> str | None:
    """The caption of a log whose name a line shows, as a caption or in a command that prints it, without the name."""
    if ".log" not in line or not _CAPTION_START.match(line.strip()) or "No such file" in line:
        return None
    return caption_of_file(line.strip())


def caption_of_file(name: str) -> str | None:
    """The caption for a log with this name, without the part that somebody chose; None if it isn't fio's."""
    match = _NAMED.fullmatch(name)
    if match is None:
        return None
    return f"==> _{match['metric']}{'.' + match['job'] if match['job'] else ''}.log <=="


def starts(line: str) -> bool:
    """Whether a log can begin at a line."""
    if is_run(line) or MESSAGES.include(line):
        return True
    if "," in line and SAMPLE.fullmatch(line):
        return True
    return (
        CAPTION.fullmatch(line) is not None
        or ("==> " in line and _caption_of(line) is not None)
        or ("econds" in line and CSV_HEAD.fullmatch(line) is not None)
    )


def read_block(block: Block) -> Outcome:
    """The series of one block."""
    outcome = Outcome()
    series = list(_series(block, outcome.notices))
    total = sum(len(draft.times) for draft in series)
    if total > MAX_SAMPLES:
        raise ParseError(TOO_MANY, code="too_many_samples", line_number=block.numbers[0])
    outcome.readings += [_reading(draft, outcome.notices) for draft in series if draft.times]
    if outcome.readings:
        del outcome.notices[MAX_NOTICES:]
    else:
        none = Notice("no_result", "the log has no samples: paste some", block.numbers[0])
        outcome.leave_out(none, block.numbers, reported=outcome.notices[0] if outcome.notices else None)
        del outcome.notices[1:]
    return outcome


def _series(block: Block, notices: list[Notice]) -> Iterator[SeriesDraft]:
    """Yield the series: of each file one per direction."""
    metric: str | None = None
    job: int | None = None
    is_csv = False
    current: dict[str | None, SeriesDraft] = {}
    for line, number in _rows(block):
        is_row = line[:1].isdigit()
        stated, head = (None, None) if is_row else (CAPTION.fullmatch(line), CSV_HEAD.fullmatch(line))
        if stated or head:
            yield from current.values()
            current, is_csv = {}, head is not None
            metric = stated["metric"] if stated else head["metric"].lower() if head else None
            job = int(stated["job"]) if stated and stated["job"] else None
            continue
        match = (CSV_SAMPLE if is_csv else SAMPLE).fullmatch(line)
        if match is None:
            notices += _explain(line, number)
            continue
        time_text, value_text, *rest = match.groups()
        direction = None if is_csv else DIRECTIONS[int(rest[0])]
        time, value = _figures(time_text, value_text, is_csv=is_csv)
        if value is None or value < 0 or time < 0:
            notices.append(
                Notice("impossible_figure", f"this sample is impossible: {line!r}; it is left out", number)
            )
            continue
        last = current.get(direction)
        if last is not None and last.times and time * RESTART < last.times[-1]:
            yield from current.values()
            current = {}
        series = current.setdefault(direction, SeriesDraft(metric, job, direction))
        series.lines.append(number)
        series.times.append(time)
        series.values.append(value)
    yield from current.values()


def _figures(time: str, value: str, *, is_csv: bool) -> tuple[Decimal | int, Decimal | int | None]:
    """The time in milliseconds, and the value; None for one that isn't finite."""
    if not value.lstrip("-")[0].isdigit():
        return 0, None
    return (Decimal(time) * 1000, Decimal(value)) if is_csv else (int(time), int(value))


def _rows(block: Block) -> Iterator[tuple[str, int]]:
    for line, number in block.numbered:
        yield from zip(block.runs.get(line, (line,)), range(number, number + MAX_SAMPLES * 2), strict=False)


def _explain(line: str, number: int) -> list[Notice]:
    if MESSAGES.include(line):
        return [MESSAGES.explain(line, number)]
    if _CUT.fullmatch(line):
        return [Notice("truncated", f"this sample is cut off: {line!r}; it is left out", number)]
    return []


def _reading(series: SeriesDraft, notices: list[Notice]) -> FioLogReading:
    """A series in the order of its times."""
    back = next((at for at in range(1, len(series.times)) if series.times[at] < series.times[at - 1]), None)
    if back is not None:
        message = "the times go back here: the samples are read in the order of their times"
        notices.append(Notice("unordered_samples", message, series.lines[back]))
        order = sorted(range(len(series.times)), key=series.times.__getitem__)
        series.times, series.values = [series.times[at] for at in order], [series.values[at] for at in order]
    return FioLogReading(
        first_line=series.lines[0],
        last_line=series.lines[-1],
        metric=series.metric,
        job=series.job,
        direction=series.direction,
        rows=len(series.times),
        first_ms=series.times[0],
        last_ms=series.times[-1],
        mean=Decimal(sum(series.values)) / len(series.values),
        times_ms=tuple(series.times),
        values=tuple(series.values),
        complete=back is None and not notices,
    )


_COMMAS = tuple(f",{gap}{at},{gap}" for gap in ("", " ") for at in range(3))  # around a direction
FORMAT = Format(
    TOOL,
    starts,
    keep,
    read_block,
    markers=(SIGN, ".log", "No such file", "econds", *_COMMAS),
    hint=re.compile(
        rf"{SIGN}|[ \t]*-?[0-9]{{1,15}},|==> |[^\n]{{0,20}}econds|[^\n]{{0,260}}No such file",
        re.IGNORECASE,
    ),
    keep_above=keep_above,
    names=("fio",),
    is_benchmark=True,
)
