"""fio's output: reads every run of a block, and says which of them is no SLOG result and why."""

import re
from collections.abc import Iterator

from parsers.base.readings import Block, FioReading, Format, LeftOut, Notice, Outcome
from parsers.fio.job_file import Asked
from parsers.fio.jobs import read_text_run
from parsers.fio.lines import has_lost_line_ends, kind_of
from parsers.fio.runs import DOCUMENT_KEY, Run, split_runs
from parsers.fio.slog import is_through_file_system, refuse_as_slog

TERSE = re.compile(r"[2-5];fio-\d")
TOOL_ERROR = re.compile(r"fio: .+|.{1,80}\bfio: (?:command )?not found.*|.{1,80}: you need to specify .+")
ADVICE = (
    ("ermission denied", "run it as root"),
    ("not found", "install fio and run it again; TrueNAS SCALE has it"),
    ("not loadable", "this fio lacks that ioengine: take --ioengine=psync"),
    ("Invalid argument", "the file system may not take --direct=1, or --size= is missing"),
    ("need to specify", "add what it asks for to the command"),
)
NO_RESULT = "this fio run has no result: paste its complete output"
LINE_ENDS_LOST = (
    "this fio output has lost its line ends: paste it again as the terminal shows it, line by line"
)
JSON_INSTEAD = "fio's terse lines leave out most options: run it again with --output-format=json"


def starts(line: str) -> bool:
    """Say whether fio output can begin at the line: JSON, the set-up or the result of a job, an error."""
    stripped = line.strip()
    return bool(stripped) and (
        DOCUMENT_KEY in stripped
        or kind_of(stripped) in ("setup", "head", "rate")
        or has_lost_line_ends(stripped)
        or TERSE.match(stripped) is not None
        or _is_tool_error(stripped)
    )


def opens_document(line: str) -> bool:
    """Say whether the line above the first key of a JSON document is the one that opens it."""
    return line.rstrip().endswith("{")


def read_fio(block: Block) -> Outcome:
    """Return a reading a run, with a notice for whatever keeps it from being a SLOG result."""
    asked = Asked(block)
    readings: list[FioReading] = []
    notices = list(_tool_errors(block))
    left_out: list[LeftOut] = []
    for run in split_runs(block, asked):
        notices += run.text.notices
        if run.document is not None and run.document.notice is not None:
            notices.append(run.document.notice)
        reading = _read_run(run, asked)
        if reading is not None:
            readings.append(reading)
            notices += _remarks(reading)
            continue
        if run.text.setups and not notices:
            notices.append(Notice("no_result", NO_RESULT, run.text.numbers[-1]))
        left_out += _unread(run, block)
    if not readings and not left_out and notices:
        numbers = [notice.line for notice in notices if notice.line is not None]
        left_out.append(LeftOut(notices[0].code, notices[0].message, min(numbers), max(numbers)))
    return Outcome(tuple(readings), tuple(notices), tuple(left_out))


def _unread(run: Run, block: Block) -> Iterator[LeftOut]:
    """Report a run without a result, if its lines are those of one."""
    if run.document is not None and run.document.notice is not None:
        notice, document = run.document.notice, run.document
        lines = block.numbers[document.first], block.numbers[document.last]
        yield LeftOut(notice.code, notice.message, *lines)
    elif run.text.setups:
        yield LeftOut("no_result", NO_RESULT, run.text.numbers[0], run.text.numbers[-1])


def _read_run(run: Run, asked: Asked) -> FioReading | None:
    """Prefer the JSON, which rounds nothing, unless it is cut and the text goes on."""
    stated = run.document.reading if run.document is not None else None
    if run.text.rows and (stated is None or not stated.complete):
        return read_text_run(run.text, asked.above(run.text.numbers[-1]))
    return stated


def _is_tool_error(line: str) -> bool:
    return ("fio: " in line or "need to specify" in line) and TOOL_ERROR.fullmatch(line) is not None


def _tool_errors(block: Block) -> Iterator[Notice]:
    for line, number in zip(block.lines, block.numbers, strict=True):
        stripped = line.strip()
        if TERSE.match(stripped):
            yield Notice("terse_output", JSON_INSTEAD, number)
        elif has_lost_line_ends(stripped):
            yield Notice("lost_line_ends", LINE_ENDS_LOST, number)
        elif _is_tool_error(stripped):
            advice = next((advice for cause, advice in ADVICE if cause in stripped), "see what it says")
            yield Notice("tool_error", f"fio says {stripped[:200]!r}: {advice}", number)


def _remarks(reading: FioReading) -> Iterator[Notice]:
    if not reading.complete:
        yield Notice(
            "truncated", "fio's output is cut off: what was still to come is unknown", reading.last_line
        )
    elif untimed := [job for job in reading.jobs if job.iops and job.write_latency_us is None]:
        message = "no latency was measured (gtod_reduce=1 or disable_lat=1)"
        yield Notice("gtod_reduce", message, untimed[0].line or reading.first_line)
    refusal = refuse_as_slog(reading)
    if refusal is not None:
        yield Notice(refusal.code, refusal.message, refusal.line or reading.first_line)
    elif is_through_file_system(reading):
        message = (
            "this measured a file or a zvol, so the pool as well: --filename=/dev/... is the device alone"
        )
        yield Notice("file_system", message, reading.jobs[0].line or reading.first_line)


# What every line that `starts` takes holds, for a text to be passed over as a whole.
MARKERS = ("fio", ": (g", ": IOPS", ": io=", "need to specify")
FORMATS = (
    Format("fio", starts, read_fio, several=True, leads=opens_document, markers=MARKERS, is_benchmark=True),
)
