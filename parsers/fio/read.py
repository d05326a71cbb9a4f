"""fio's output: which lines belong to which run, and a reading for each.

`--output-format=normal,json` prints a run twice, the JSON between the set-up and the result of the text: both are
one run. The lines of a broken or cut document are read as text, in which they state nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from parsers.base.advice import HOW_TO_MEASURE
from parsers.base.format import Block, Format, Outcome, ParseError
from parsers.base.readings import FioJob, FioReading, LeftOut, Notice
from parsers.base.shell import is_repeated, own_commands, unknown_command
from parsers.base.target import is_same_disk, node_of
from parsers.fio.json import FigureError, Object, Places, job_rows, read_document
from parsers.fio.keep import keep, keep_command, keep_job_files
from parsers.fio.keep_json import DOCUMENT_KEY, opens_document
from parsers.fio.lines import MESSAGES, TERSE, Setup, read_row_head
from parsers.fio.options import (
    CommandLine,
    StatedOptions,
    agrees,
    integer_option,
    read_command_line,
    written_path,
)
from parsers.fio.slog import is_through_file_system, refuse_as_slog
from parsers.fio.text import TextRun, read_text_run
from parsers.text.json_repair import read_json
from parsers.text.tool_lines import fio_line_kind, has_lost_line_ends

TOOL = "fio"
_ABOVE_RESULT = frozenset({"setup", "version", "start", "layout"})
_STARTS = _ABOVE_RESULT | {"head", "rate", "mean", "depths", "issued", "disk", "end"}
PRINTED_OPTIONS = ("rw", "block_size", "iodepth", "numjobs", "ioengine")
JOB_KEY = '"jobname"'
DEPTH_KEY = '"iodepth"'

NO_RESULT = (
    "this fio output has no result: the lines with a job's writes (`write: IOPS=\u2026`) are missing; paste"
    " everything that the command printed"
)
LINE_ENDS_LOST = (
    "this fio output has lost its line ends: paste it again as the terminal shows it, line by line"
)
JSON_INSTEAD = "fio's terse lines leave out most options: run it again with --output-format=json"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run when its document was printed.

    Times are in milliseconds, writes by job.
    """

    jobs: tuple[object, ...]
    printed_ms: int
    started_ms: int
    writes: tuple[int, ...]

    def continues(self, earlier: "Progress") -> bool:
        """Say whether this is a later state of the same run.

        It began before the other was printed, and nothing was undone.
        """
        return (
            self.jobs == earlier.jobs
            and self.started_ms < earlier.printed_ms <= self.printed_ms
            and all(now >= then for now, then in zip(self.writes, earlier.writes, strict=True))
        )


def progress_of(value: object) -> Progress | None:
    """Return the progress that a document states; None without a clock (before 3)."""
    document: Object = value if isinstance(value, dict) else {}
    rows = job_rows(document)
    printed_ms = document.get("timestamp_ms")
    runtimes_ms: defaultdict[object, int] = defaultdict(int)  # by group: groups run one after the other
    writes = []
    for row in rows:
        runtime_ms, write = row.get("job_runtime"), row.get("write")
        done = write.get("total_ios") if isinstance(write, dict) else None
        if not isinstance(runtime_ms, int) or not isinstance(done, int):
            return None
        group = str(row.get("groupid"))
        runtimes_ms[group] = max(runtimes_ms[group], runtime_ms)
        writes.append(done)
    if not isinstance(printed_ms, int) or not rows:
        return None
    jobs = tuple((row.get("jobname"), row.get("job options")) for row in rows)
    return Progress(jobs, printed_ms, printed_ms - sum(runtimes_ms.values()), tuple(writes))


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON document: its first line, the line after its last, and its reading.

    Lines are indices into the block.

    Of one that can't be read `last` is the last line that can belong to it.
    """

    first: int
    end: int
    reading: FioReading | None
    notice: Notice | None = None
    last: int = 0
    progress: Progress | None = None
    read_with: Callable[[CommandLine], FioReading] | None = None  # the options of a command

    def continues(self, earlier: "Document | None") -> bool:
        """Say whether this is a later snapshot of the run that the other document is of."""
        if earlier is None or earlier.progress is None or self.progress is None:
            return False
        return self.progress.continues(earlier.progress)


@dataclass(slots=True)
class FioRun:
    """One run of fio: its text, its JSON document, or both."""

    text: TextRun = field(default_factory=TextRun)
    document: Document | None = None

    def has_result(self) -> bool:
        return self.document is not None or bool(self.text.rows)

    def is_followed_by(self, line: str) -> bool:
        """Whether the line belongs to the next run: it precedes a result, names another run, or is repeated."""
        kind = fio_line_kind(line) if self.has_result() else None
        if kind != "head":
            return kind in _ABOVE_RESULT or (kind is not None and self.text.has_seen(line, kind))
        reading = self.document.reading if self.document else None
        head = read_row_head(line)
        if reading is None or head is None:
            return self.text.is_ended and (head is None or not self.text.has_row_of(head))
        return head.name not in {job.name for job in reading.jobs}


def split_runs(block: Block, options: StatedOptions) -> list[FioRun]:
    """Return the runs of the block in their order; the last one may lack a result."""
    documents = {document.first: document for document in _documents(block, options)}
    runs = [FioRun()]
    behind = 0
    for index, line in enumerate(block.lines):
        document = documents.get(index)
        if document is not None:
            if runs[-1].has_result() and not document.continues(runs[-1].document):
                runs.append(FioRun())
            runs[-1].document = document
            behind = document.end
        stripped = line.strip()
        if stripped and index >= behind:
            if runs[-1].is_followed_by(stripped):
                runs.append(FioRun())
            runs[-1].text.feed(stripped, block.numbers[index])
    return runs


def _documents(block: Block, options: StatedOptions) -> Iterator[Document]:
    keys = [index for index, line in enumerate(block.lines) if DOCUMENT_KEY in line]
    first_lines = [_first_line(block, index) for index in keys]
    for first, end in pairwise([*first_lines, len(block.lines)]):
        yield _read(block, options, first=first, end=end)


def _first_line(block: Block, key: int) -> int:
    """Return the line of the document's opening bracket.

    That is the line of its first key, or the one above.
    """
    is_above = "{" not in block.lines[key].partition(DOCUMENT_KEY)[0] and key > 0
    return key - 1 if is_above and block.lines[key - 1].rstrip().endswith("{") else key


def _read(block: Block, options: StatedOptions, *, first: int, end: int) -> Document:
    before_key, key, rest = "\n".join(block.lines[first:end]).partition(DOCUMENT_KEY)
    key_line = first + before_key.count("\n")
    # a paste that begins below the bracket, or with other text in front of it, states the same
    text = "{".ljust(len(before_key.rpartition("\n")[2])) + key + rest
    try:
        return _read_text(text, block, options, first=first, key_line=key_line)
    except ParseError as error:
        line = error.find_line(text) if isinstance(error, FigureError) else error.line_number
        number = block.numbers[key_line + (line or 1) - 1]
        last = next((at for at in range(end - 1, first, -1) if block.lines[at].strip()), first)
        return Document(first, first, None, Notice(error.code, str(error), number), last=last)


def _read_text(text: str, block: Block, options: StatedOptions, *, first: int, key_line: int) -> Document:
    decoded = read_json(text)
    last = key_line + text.count("\n", 0, decoded.end)
    jobs = _job_lines(block, range(first, last + 1))
    places = Places(block.numbers[first], block.numbers[last], jobs)

    def read_with(command: CommandLine) -> FioReading:
        return read_document(
            decoded.value, options.above(places.first, command), places, is_cut=decoded.is_cut
        )

    end = first if decoded.is_cut else last + 1
    progress = progress_of(decoded.value)
    return Document(first, end, read_with(CommandLine()), progress=progress, read_with=read_with)


def _job_lines(block: Block, indices: range) -> list[tuple[int, int | None]]:
    """Return the lines where each job begins and where its depth is stated.

    The depth is among the options of the job, or the global ones.
    """
    found: list[tuple[int, int | None]] = []
    shared: int | None = None
    for index in indices:
        line, number = block.lines[index], block.numbers[index]
        if JOB_KEY in line:
            found.append((number, shared))
        if DEPTH_KEY in line and found:
            found[-1] = (found[-1][0], number)
        elif DEPTH_KEY in line:
            shared = number
    return found


def starts(line: str) -> bool:
    """Say whether fio's output can begin at the line: JSON, a job, an error."""
    stripped = line.strip()
    return bool(stripped) and (
        DOCUMENT_KEY in stripped
        or fio_line_kind(stripped) in _STARTS
        or has_lost_line_ends(stripped)
        or TERSE.match(stripped) is not None
        or MESSAGES.include(stripped)
    )


def read_fio(block: Block) -> Outcome:
    """Return a reading per run, and notices why one can't be a SLOG result."""
    options = StatedOptions(block)
    outcome = Outcome(notices=list(_tool_errors(block)))
    notices = outcome.notices
    runs = split_runs(block, options)
    commands = own_commands(block.commands, [run for run in runs if run.has_result()], _fits, is_repeated)
    for run in runs:
        notices += run.text.notices
        if run.document is not None and run.document.notice is not None:
            notices.append(run.document.notice)
        command = commands.pop(0) if run.has_result() else None
        reading = _read_run(run, options, read_command_line(command))
        if reading is not None:
            is_stated = run.document is not None or options.above(reading.last_line).jobs
            if block.commands and command is None and not is_stated:
                notices.append(unknown_command(TOOL, reading.first_line))
            outcome.readings.append(reading)
            notices += _remarks(reading)
            continue
        if run.text.has_lines and not notices:
            notices.append(Notice("no_result", NO_RESULT, run.text.numbers[-1]))
        outcome.left_out += _unread(run, block)
    if not outcome.readings and not outcome.left_out and notices:
        numbers = [notice.line for notice in notices if notice.line is not None]
        outcome.left_out.append(notices[0].as_left_out(min(numbers), max(numbers)))
    return outcome


def _unread(run: FioRun, block: Block) -> Iterator[LeftOut]:
    """Report a run without a result, if its lines are those of one."""
    if run.document is not None and run.document.notice is not None:
        notice, document = run.document.notice, run.document
        yield notice.as_left_out(block.numbers[document.first], block.numbers[document.last])
    elif run.text.has_lines:
        yield LeftOut("no_result", NO_RESULT, run.text.numbers[0], run.text.numbers[-1])


def _fits(command: str, run: FioRun) -> bool:
    """Whether a command can have started a run, given the jobs, their number, what they write, and to which disk."""
    line, text = read_command_line(command), run.text
    stated = run.document.reading if run.document else None
    jobs: list[FioJob | Setup] = [*text.setups, *(stated.jobs if stated else ())]
    names = {job.name for job in jobs} | {row.head.name for row in text.rows if row.head}
    if is_repeated(command) or not line.jobs:
        return True
    count = sum(integer_option(line.options_for(name), "numjobs") or 1 for name in line.jobs)
    disks = {node_of(f"/dev/{disk}") for disk, writes in text.disks.items() if writes >= 0}
    paths = {node_of(written_path(line.options_for(name))) for name in line.jobs}
    is_elsewhere = all(is_same_disk(disk, other) is False for disk in disks for other in paths)
    return (
        names - {None} <= line.jobs.keys()
        and (text.started_jobs in (None, count) or len(text.setups) != len(line.jobs))
        and not (disks and is_elsewhere)
        and all(agrees(line.options_for(job.name), job.rw, job.block_size, job.ioengine) for job in jobs)
    )


def _read_run(run: FioRun, options: StatedOptions, command: CommandLine) -> FioReading | None:
    """Prefer the JSON, which rounds nothing, unless it is cut and the text continues."""
    stated = run.document.reading if run.document is not None else None
    if (
        stated is not None
        and run.document is not None
        and run.document.read_with
        and command != CommandLine()
    ):
        stated = run.document.read_with(command)
    if run.text.rows:
        printed = read_text_run(run.text, options.above(run.text.numbers[-1], command))
        return _with_printed(stated, printed) if stated is not None and stated.complete else printed
    if stated is not None and stated.measured_on is None:
        return replace(stated, measured_on=run.text.ended_on)
    return stated


def _with_printed(stated: FioReading, printed: FioReading) -> FioReading:
    """The reading of a document with what only the text of the run states."""
    jobs = stated.jobs
    if [job.name for job in jobs] == [job.name for job in printed.jobs]:
        jobs = tuple(
            replace(job, **{name: getattr(job, name) or getattr(text, name) for name in PRINTED_OPTIONS})
            for job, text in zip(jobs, printed.jobs, strict=True)
        )
    return replace(stated, jobs=jobs, measured_on=stated.measured_on or printed.measured_on)


def _tool_errors(block: Block) -> Iterator[Notice]:
    for line, number in block.numbered:
        stripped = line.strip()
        if TERSE.match(stripped):
            yield Notice("terse_output", JSON_INSTEAD, number)
        elif has_lost_line_ends(stripped):
            yield Notice("lost_line_ends", LINE_ENDS_LOST, number)
        elif MESSAGES.include(stripped):
            yield MESSAGES.explain(stripped, number)


def _remarks(reading: FioReading) -> Iterator[Notice]:
    if not reading.complete:
        yield Notice("truncated", "fio's output is cut off: the rest is unknown", reading.last_line)
    elif untimed := [job for job in reading.jobs if job.iops and job.write_latency_us is None]:
        message = "no latency was measured (gtod_reduce=1 or disable_lat=1)"
        yield Notice("gtod_reduce", message, untimed[0].line or reading.first_line)
    refusal = refuse_as_slog(reading)
    if refusal is not None:
        yield Notice(refusal.code, refusal.message, refusal.line or reading.first_line)
    elif is_through_file_system(reading):
        message = f"this wrote through a file system or to a volume, so it isn't ranked. {HOW_TO_MEASURE}"
        yield Notice("file_system", message, reading.jobs[0].line or reading.first_line)


# Every line that `starts` accepts contains one of these: a text without them is skipped.
MARKERS = (
    "fio", ": (g", ": IOPS", ": io=", "need to specify", "Starting ", "sec): min=", "IO depths", "issued", ": ios=",
    "Run status", "Laying out",
)  # fmt: skip
FORMAT = Format(
    TOOL,
    starts,
    keep,
    read_fio,
    precedes=opens_document,
    markers=MARKERS,
    keep_command=keep_command,
    keep_above=keep_job_files,
    is_benchmark=True,
)
