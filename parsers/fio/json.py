"""fio's `--output-format=json` and `json+`, of 2.x and 3.x, a document per run.

Source: fio's stat.c (`add_ddir_status_json`, `show_thread_status_json`) and client.c (`client_stats`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from parsers.base.dates import read_asctime, read_time_t
from parsers.base.format import ParseError
from parsers.base.readings import FioJob, FioReading
from parsers.base.units import KIBIBYTE, MICROSECONDS
from parsers.fio.load import is_flush_off, load_of
from parsers.fio.options import (
    CommandLine,
    Options,
    flushes_are_durable,
    integer_option,
    is_flush_per_write,
    makes_every_write_durable,
    several_targets,
    target_of_jobs,
    write_block_size,
    written_disks,
    written_path,
)
from parsers.fio.words import ALL_CLIENTS
from parsers.text.json_repair import FRACTION

Object = dict[str, object]

_CLIENT_KEYS = ("hostname", "port")
LARGEST = 10**15  # above any count, rate or time in nanoseconds that a run can have
SMALLEST = Decimal("1e-9")  # smaller values other than 0 can't come from a run


class FigureError(ParseError):
    """A value that is not a number, with its name in the document."""

    def __init__(self, name: str, value: object) -> None:
        message = f'"{name}" of the fio JSON is not a figure: {value!r:.40}'
        super().__init__(message, code="unreadable_value")
        self.name = name

    def find_line(self, text: str) -> int | None:
        """Return the first line, from 1, on which the name has such a value, or None."""
        for match in re.finditer(rf'"{re.escape(self.name)}"\s*:\s*([^\s,}}]+)', text):
            if FRACTION.fullmatch(match[1]) is None or not _is_figure(Decimal(match[1])):
                return text.count("\n", 0, match.start(1)) + 1
        return None


def job_rows(document: Object) -> list[Object]:
    """Return the rows of jobs of a fio document or of a client's; empty for any other."""
    return [row for row in _all_rows(document) if not _is_sum(document, row)]


def _all_rows(document: Object) -> list[Object]:
    rows = document.get("jobs") or document.get("client_stats")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _is_sum(document: Object, row: Object) -> bool:
    """Say whether a row of a client's sums up the others."""
    return row.get("jobname") == ALL_CLIENTS and "client_stats" in document


def _count_hosts(document: Object) -> int:
    """Return how many machines the rows are of; a sum of all clients is of at least two."""
    hosts = {host for row in job_rows(document) if (host := _text(row.get("hostname")))}
    has_sum = any(_is_sum(document, row) for row in _all_rows(document))
    return len(hosts) or (2 if has_sum else 1)


def _written(
    rows: Sequence[tuple[Object, Options]], jobs: Sequence[FioJob], command: CommandLine
) -> Iterator[tuple[int | None, Options]]:
    """Yield the group and the options of each job that wrote; one row may stand for all jobs of a group."""
    for (_row, options), job in zip(rows, jobs, strict=True):
        if job.iops or job.throughput_bytes_s:
            yield job.group, command.options_for(job.name) | dict(options)
            if "group_reporting" in options or "group_reporting" in command.options_for(job.name):
                yield from (
                    (job.group, options_of_job) for options_of_job in command.jobs.values() if len(rows) == 1
                )


def _several_disks(
    document: Object, rows: Sequence[tuple[Object, Options]], command: CommandLine
) -> tuple[str, ...]:
    """Return the disks that were written, where no option says what was and they are several."""
    if any(written_path(command.options_for(_text(row.get("jobname"))) | dict(cells)) for row, cells in rows):
        return ()
    disks = [_object(entry) for entry in _list(document.get("disk_util"))]
    if any(key.startswith("aggr_") for disk in disks for key in disk):
        return ()  # of an array or a mapping, with its members
    return written_disks(
        (_text(disk.get("name")) or "", _integer(disk.get("write_ios")) or 0) for disk in disks
    )


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class Places:
    """First and last line of a document; lines of its jobs and depths where known."""

    first: int
    last: int
    jobs: Sequence[tuple[int, int | None]] = ()


def read_document(value: object, command: CommandLine, places: Places, *, is_cut: bool) -> FioReading:
    """Return the reading of one document.

    Raises ParseError where it holds no job, or a word where a figure belongs.
    """
    document = _object(value)
    all_rows = _all_rows(document)
    rows = [
        (row, _shared_options(document, row) | _texts(row.get("job options"))) for row in job_rows(document)
    ]
    if not rows:
        raise ParseError("this JSON of fio ends before the result of a job", code="no_result")
    jobs = [_read_job(row, options, command) for row, options in rows]
    if len(places.jobs) == len(all_rows):
        lines = [
            place for row, place in zip(all_rows, places.jobs, strict=True) if not _is_sum(document, row)
        ]
        jobs = [
            replace(job, line=line, setup_line=depth) for job, (line, depth) in zip(jobs, lines, strict=True)
        ]
    targets = several_targets(_written(rows, jobs, command)) or _several_disks(document, rows, command)
    paths = {path for _row, options in rows if (path := written_path(options))}
    return FioReading(
        targets=targets,
        hosts=_count_hosts(document),
        first_line=places.first,
        last_line=places.last,
        format="json",
        path=paths.pop() if len(paths) == 1 else None,
        stated_target=target_of_jobs(_all_stated(rows, command)),
        tool_version=_text(document.get("fio version")),
        complete=not is_cut,
        jobs=tuple(jobs),
        measured_on=_local_date(document),
    )


def _shared_options(document: Object, row: Object) -> dict[str, str]:
    """The global options of a row: a client's are a list, with the host and port that each object is for."""
    stated = document.get("global options")
    options: dict[str, str] = {}
    for each in stated if isinstance(stated, list) else [stated]:
        held = _object(each)
        if all(held.get(key) in (None, row.get(key)) or row.get(key) is None for key in _CLIENT_KEYS):
            options |= {name: value for name, value in _texts(held).items() if name not in _CLIENT_KEYS}
    return options


def _local_date(document: Object) -> date | None:
    """Return the date in `time`, which is local; that of `timestamp` is UTC."""
    printed = _text(document.get("time"))
    return read_time_t(document.get("timestamp")) if printed is None else read_asctime(printed)


def _all_stated(rows: Sequence[tuple[Object, Options]], command: CommandLine) -> Iterator[Options]:
    """Yield the options of each job of which all are known.

    fio 3 writes them, 2.x leaves them to the command.
    """
    for row, options in rows:
        name = _text(row.get("jobname"))
        all_options = command.options_for(name) | dict(options)
        if written_path(all_options) or options or command.states_all_of(name):
            yield all_options


def _read_job(row: Object, options: Options, command: CommandLine) -> FioJob:
    name = _text(row.get("jobname"))
    # The document takes precedence; 2.x writes no options
    all_options = command.options_for(name) | dict(options)
    write, sync = _object(row.get("write")), _object(row.get("sync"))
    flush_us = _mean_us(sync) or None
    are_shown = "rw" in options or command.shows_options_of(name)
    return FioJob(
        name=name,
        group=_integer(row.get("groupid")),
        error=_integer(row.get("error")),
        rw=options.get("rw"),
        block_size=write_block_size(options),
        iodepth=integer_option(options, "iodepth"),
        numjobs=integer_option(options, "numjobs"),
        ioengine=options.get("ioengine"),
        **load_of(all_options),
        sync=all_options.get("sync"),
        fsync=integer_option(all_options, "fsync"),
        fdatasync=integer_option(all_options, "fdatasync"),
        sync_each_write=makes_every_write_durable(all_options)
        or (flushes_are_durable(all_options) and _is_flushed_each_time(write, sync)),
        iops=_number(write, "iops"),
        throughput_bytes_s=_throughput_bytes_s(write),
        write_latency_us=_write_latency_us(write),
        write_latency_p99_us=_tail_us(write, "99.000000", "clat"),
        write_latency_p999_us=_tail_us(write, "99.900000", "clat"),
        write_latency_p9999_us=_tail_us(write, "99.990000", "clat"),
        write_latency_max_us=_max_us(write, "clat", "lat"),
        flush_off=None if flush_us else is_flush_off(all_options, are_shown=are_shown),
        flush_latency_us=flush_us,
        flush_latency_p99_us=_tail_us(sync, "99.000000", "lat"),
        flush_latency_p999_us=_tail_us(sync, "99.900000", "lat"),
        flush_latency_p9999_us=_tail_us(sync, "99.990000", "lat"),
        flush_latency_max_us=_max_us(sync, "lat"),
    )


def _is_flushed_each_time(write: Object, sync: Object) -> bool:
    # total_ios of "sync" is 0 in some versions while the times of the flushes are counted
    counts = (_number(sync, "total_ios"), _number(_object(sync.get("lat_ns")), "N"))
    return is_flush_per_write(_number(write, "total_ios") or 0, max(count or 0 for count in counts))


def _write_latency_us(write: Object) -> Decimal | None:
    """Return the mean latency of the writes.

    The zero of writes that took place is no time: the clock was not read (gtod_reduce).
    """
    mean_us = _mean_us(write)
    wrote = any(_number(write, count) for count in ("io_bytes", "total_ios", "iops"))
    return None if wrote and not mean_us else mean_us


def _mean_us(direction: Object) -> Decimal | None:
    times, microseconds = _times(direction, "lat")
    mean = _number(times, "mean")
    return None if mean is None else mean * microseconds


def _tail_us(direction: Object, rank: str, name: str) -> Decimal | None:
    """A percentile; None for zero."""
    times, microseconds = _times(direction, name)
    value = _number(_object(times.get("percentile")), rank)
    return value * microseconds if value else None


def _max_us(direction: Object, *names: str) -> Decimal | None:
    """The maximum under the first of the names that has one."""
    for name in names:
        times, microseconds = _times(direction, name)
        value = _number(times, "max")
        if value:
            return value * microseconds
    return None


def _times(direction: Object, name: str) -> tuple[Object, Decimal]:
    """Return an object of times and its unit in microseconds.

    3.x counts nanoseconds and states so in the key.
    """
    in_nanoseconds = f"{name}_ns"
    if in_nanoseconds in direction:
        return _object(direction[in_nanoseconds]), MICROSECONDS["nsec"]
    return _object(direction.get(name)), MICROSECONDS["usec"]


def _throughput_bytes_s(write: Object) -> int | None:
    exact, kibibytes = _number(write, "bw_bytes"), _number(write, "bw")
    if exact is not None:
        return round(exact)
    return None if kibibytes is None else round(kibibytes * KIBIBYTE)


def _number(holder: Object, name: str) -> Decimal | None:
    value = holder.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not _is_figure(value):
        raise FigureError(name, value)
    return Decimal(value)


def _is_figure(value: int | Decimal) -> bool:
    return value == 0 or SMALLEST <= value < LARGEST


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> dict[str, str]:
    return {name: text for name, text in _object(value).items() if isinstance(text, str)}


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
