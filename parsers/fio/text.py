"""fio's normal text output: from the lines of one run to its jobs."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import TypeVar

from parsers.base.readings import FioJob, FioReading, Notice
from parsers.base.target import Target
from parsers.base.units import KIBIBYTE
from parsers.fio import lines
from parsers.fio.lines import Setup
from parsers.fio.load import is_flush_off, load_of
from parsers.fio.options import (
    CommandLine,
    Options,
    flushes_are_durable,
    in_flight,
    integer_option,
    is_flush_per_write,
    makes_every_write_durable,
    several_targets,
    target_of_jobs,
    written_disks,
    written_path,
)
from parsers.fio.words import ALL_CLIENTS
from parsers.text.tool_lines import fio_line_kind

MAX_UNSPLIT_BYTES = 128 * KIBIBYTE  # bytes; block layers pass on a write of this size in one request
DISK_WRITES_PER_DURABLE_WRITE = 1.8  # the data, and a flush or a journal block; sampled, so a little under 2
Found = TypeVar("Found")
NOTHING_STATED = Setup(name="", group=0, rw=None, block_size=None, ioengine=None, iodepth=None)


@dataclass(slots=True)
class ResultDraft:
    """One result while its lines are read: the writes, and separately the flushes."""

    head: lines.RowHead | None
    rate: lines.Rate | None = None
    mean_us: dict[str, Decimal] = field(default_factory=dict)  # by "lat" and "sync"
    max_us: dict[str, Decimal] = field(default_factory=dict)  # by "lat", "clat" and "sync"
    # By the same, and "p99", "p999", "p9999"
    tails_us: dict[tuple[str, str], Decimal] = field(default_factory=dict)
    depth_percent: Decimal = Decimal(0)
    writes: int | None = None
    is_complete: bool = False
    line: int | None = None  # where it begins


class UnreadableLineError(Exception):
    """A line of fio's isn't in its format."""


def _require(found: Found | None) -> Found:
    """What was found in a line; raises UnreadableLineError for nothing."""
    if found is None:
        raise UnreadableLineError
    return found


class TextRun:
    """Collects what the lines of one run state, line by line, in their order."""

    def __init__(self) -> None:
        self.version: str | None = None
        self.setups: list[lines.Setup] = []
        self.rows: list[ResultDraft] = []
        self.disk_writes: list[int] = []
        self.disks: dict[str, int] = {}  # the writes of each, unless they are members of another
        self.hosts: set[str] = set()  # the servers whose lines a client passed on
        self.has_sum = False  # of all clients
        self.started_jobs: int | None = None
        self.is_ended = False
        self.is_on_file = False  # fio reports that it lays out a file, as it does for files alone
        self.notices: list[Notice] = []
        self.numbers: list[int] = []  # of the lines that belong to the run
        self._places: dict[tuple[str, int, int], int] = {}  # of the row of a job, for its next snapshot
        self._row_now: ResultDraft | None = None
        self._title: lines.Time | None = None
        self._is_write_side = False
        self._side = ""  # the direction that the lines below are of
        self._seen: set[tuple[str, ...]] = set()  # lines that a row has only once, by kind and direction
        self.has_lines = False  # besides the version
        # A line that can't be read: the last one may lack its end
        self._cut_off: tuple[str, int] | None = None
        self._line = 0  # the current one

    @property
    def ended_on(self) -> date | None:
        """The day that the first of the results states."""
        return next((row.head.ended_on for row in self.rows if row.head and row.head.ended_on), None)

    def feed(self, line: str, number: int) -> None:
        """Take the next line, stripped. One that can't be read is a notice, unless it is the last one of fio's."""
        kind = fio_line_kind(line)
        if kind is None:
            return
        if self._cut_off is not None:
            (cut_off, cut_line), self._cut_off = self._cut_off, None
            setup = lines.read_cut_setup(cut_off)
            if setup is not None:
                self.setups.append(replace(setup, line=cut_line))
            message = f"this line is not in fio's format: {cut_off[:80]!r}"
            self.notices.append(Notice("unreadable_line", message, cut_line))
        self._line = number
        self.has_lines = self.has_lines or kind != "version"
        handler: Callable[[str], None] | None = getattr(self, f"_read_{kind}", None)
        # The start is a line of the terminal's, unless fio printed nothing above
        if handler is not None and not (kind == "start" and self.numbers):
            self.numbers.append(number)
        try:
            if handler is not None:
                handler(line)
        except UnreadableLineError:
            self._cut_off = (line, number)
        self._seen |= {given for given in [self._once(line, kind)] if given}

    def has_seen(self, line: str, kind: str) -> bool:
        """Whether the row already has this line, which it has only once: then it belongs to another run."""
        return self._once(line, kind) in self._seen

    def _once(self, line: str, kind: str) -> tuple[str, ...] | None:
        if kind in ("rate", "other_side"):
            return ("rate", line.partition(":")[0].rstrip())
        mean = lines.read_latency(line) if kind == "mean" else None
        if mean is not None:
            return (mean.name, "" if mean.name == "sync" else self._side)
        return (kind,) if kind in ("cpu", "depths", "issued") else None

    def _read_version(self, line: str) -> None:
        self.version = line

    def _read_setup(self, line: str) -> None:
        self._note_host(line)
        self.setups.append(replace(_require(lines.read_setup(line)), line=self._line))

    def _read_head(self, line: str) -> None:
        head = _require(lines.read_row_head(line))
        self._note_host(line)
        self._is_write_side, self._title, self._side = False, None, ""
        self._seen.clear()
        if head.name == ALL_CLIENTS and all(setup.name != ALL_CLIENTS for setup in self.setups):
            self.has_sum = True
            self._row_now = ResultDraft(head)  # its lines are read, and are of no job
        else:
            self._begin_row(head)

    def _note_host(self, line: str) -> None:
        host = lines.read_host(line)
        if host is not None:
            self.hosts.add(host)

    def has_row_of(self, head: lines.RowHead) -> bool:
        """Say whether the result is a later snapshot of a job of this run.

        `--status-interval` prints those.
        """
        return head.job() in self._places

    def _begin_row(self, head: lines.RowHead) -> None:
        row, job = ResultDraft(head, line=self._line), head.job()
        self._row_now = row
        if job in self._places:
            self.rows[self._places[job]] = row
            self.disk_writes.clear()
            self.disks.clear()
            self.is_ended = False
            return
        if job is not None:
            self._places[job] = len(self.rows)
        self.rows.append(row)

    def _row(self) -> ResultDraft:
        """Return the current row; a paste may begin below the row's first line."""
        if self._row_now is None:
            self._row_now = ResultDraft(None, line=self._line)
            self.rows.append(self._row_now)
        return self._row_now

    def _read_rate(self, line: str) -> None:
        self._row().rate = _require(lines.read_rate(line))
        self._is_write_side, self._side = True, "write"

    def _read_other_side(self, line: str) -> None:
        self._is_write_side, self._title, self._side = False, None, line.partition(":")[0]

    def _read_mean(self, line: str) -> None:
        mean = _require(lines.read_latency(line))
        if self._is_write_side or mean.name == "sync":
            self._row().mean_us[mean.name] = mean.microseconds
            if mean.max_us:
                self._row().max_us[mean.name] = mean.max_us

    def _read_title(self, line: str) -> None:
        self._title = lines.read_percentiles_title(line)
        _require(self._title)
        self._read_percentiles(line)  # the first ones, before 2.0.3

    def _read_percentiles(self, line: str) -> None:
        title = self._title
        if title is not None and (self._is_write_side or title.name == "sync"):
            for rank, value in lines.read_tails(line).items():
                self._row().tails_us[title.name, rank] = value * title.microseconds

    def _read_depths(self, line: str) -> None:
        self._row().depth_percent = lines.read_depth_percent(line)

    def _read_cpu(self, _line: str) -> None:
        self._row().is_complete = True  # fio prints every time above this line

    def _read_issued(self, line: str) -> None:
        self._row().writes = lines.read_issued_writes(line)

    def _read_disk(self, line: str) -> None:
        writes = lines.read_disk_writes(line)
        if writes is not None:
            self.disk_writes.append(writes)
            self.disks[line.partition(":")[0]] = -1 if "aggr" in line else writes

    def _read_layout(self, _line: str) -> None:
        self.is_on_file = True

    def _read_start(self, line: str) -> None:
        self.started_jobs = lines.read_started_jobs(line)

    def _read_end(self, _line: str) -> None:
        self.is_ended = True


def read_text_run(run: TextRun, command: CommandLine) -> FioReading:
    """Return what the run states.

    `rw`, `bs`, `ioengine` and `iodepth` are those that fio prints; only what it never prints (sync, fsync,
    direct, the file) comes from the command.
    """
    jobs = [_job(row, setup, command) for row, setup in _with_setups(run)]
    if command == CommandLine() and _disk_shows_flushes(run, jobs):
        jobs = [replace(job, sync_each_write=True) for job in jobs]
    command_options = [command.options_for(job.name) for job in jobs]
    stated = [
        options
        for job, options in zip(jobs, command_options, strict=True)
        if written_path(options) or command.states_all_of(job.name)
    ]
    targets = several_targets(_written(run, command)) or _several_disks(run, command_options)
    target = target_of_jobs(stated)
    paths = {written_path(options) for _group, options in _written(run, command)}
    return FioReading(
        first_line=run.numbers[0],
        last_line=run.numbers[-1],
        path=None if targets and len(paths) > 1 else written_path(command_options[0]),
        targets=targets,
        hosts=max(len(run.hosts), 2 if run.has_sum else 1),
        stated_target=Target.FILE if run.is_on_file and target is Target.DEVICE else target,
        tool_version=run.version,
        complete=all(row.is_complete for row in run.rows),
        jobs=tuple(jobs),
        missing_jobs=_missing_jobs(run),
        measured_on=run.ended_on,
    )


def _written(run: TextRun, command: CommandLine) -> list[tuple[int | None, Options]]:
    """Return the group and the options of each job that wrote, as far as they are known."""
    jobs: list[tuple[int | None, str | None]] = [
        (setup.group, setup.name)
        for setup in run.setups
        if setup.rw is None or "write" in setup.rw or "rw" in setup.rw
    ]
    jobs += [(row.head.group, row.head.name) for row in run.rows if row.head and row.rate]
    return [(group, command.options_for(name)) for group, name in dict.fromkeys(jobs)]


def _several_disks(run: TextRun, options: Iterable[Options]) -> tuple[str, ...]:
    """Return the disks that were written, where no option says what was and they are several."""
    if any(map(written_path, options)) or -1 in run.disks.values():
        return ()
    return written_disks(run.disks.items())


def _missing_jobs(run: TextRun) -> int | None:
    """Return how many jobs that fio started have no row, where some are clones; None for none.

    Without clones each set-up is a job of its own, and a ladder that was cut is still right as far as it goes.
    """
    started = run.started_jobs or 0
    missing = started - sum(row.head.jobs if row.head else 1 for row in run.rows)
    return missing if started > len(run.setups) > 0 and missing > 0 else None


def _with_setups(run: TextRun) -> Iterator[tuple[ResultDraft, Setup]]:
    """Pair each row with its set-up, by name and order.

    The row of a group gets what its jobs agree on.
    """
    by_name: defaultdict[str, deque[Setup]] = defaultdict(deque)
    by_group: dict[int, Setup] = {}
    for setup in run.setups:
        by_name[setup.name].append(setup)
        by_group[setup.group] = setup.agreed_with(by_group.get(setup.group, setup))
    for row in run.rows:
        head = row.head
        named = by_name.get(head.name) if head else deque(run.setups[:1])
        if head and head.jobs > 1 and head.group in by_group:
            yield row, by_group[head.group]
        elif not named:
            yield row, NOTHING_STATED
        else:  # rows of one name are either its jobs in their order or the clones (numjobs) of the last
            yield row, named.popleft() if len(named) > 1 else named[0]


def _job(row: ResultDraft, setup: Setup, command: CommandLine) -> FioJob:
    head = row.head
    name = head.name if head else None
    command_options = command.options_for(name)
    if setup.iodepth is None and setup.line is not None:  # cut off: the command states the rest
        setup = replace(
            setup,
            ioengine=command_options.get("ioengine"),
            iodepth=integer_option(command_options, "iodepth"),
        )
    flushed = "sync" in row.mean_us and is_flush_per_write(100, row.depth_percent - 100)
    return FioJob(
        name=name,
        group=head.group if head else None,
        error=head.error if head else None,
        rw=setup.rw,
        block_size=setup.block_size,
        iodepth=setup.iodepth,
        numjobs=head.jobs if head else None,
        ioengine=setup.ioengine,
        **load_of(command_options),
        sync=command_options.get("sync"),
        fsync=integer_option(command_options, "fsync"),
        fdatasync=integer_option(command_options, "fdatasync"),
        sync_each_write=makes_every_write_durable(command_options)
        or (flushed and flushes_are_durable(command_options)),
        iops=row.rate.iops if row.rate else None,
        throughput_bytes_s=row.rate.bytes_s if row.rate else None,
        write_latency_us=row.mean_us.get("lat"),
        write_latency_p99_us=row.tails_us.get(("clat", "p99")),
        write_latency_p999_us=row.tails_us.get(("clat", "p999")),
        write_latency_p9999_us=row.tails_us.get(("clat", "p9999")),
        write_latency_max_us=row.max_us.get("clat") or row.max_us.get("lat"),
        flush_off=None
        if "sync" in row.mean_us
        else is_flush_off(command_options, are_shown=command.shows_options_of(name)),
        flush_latency_us=row.mean_us.get("sync"),
        flush_latency_p99_us=row.tails_us.get(("sync", "p99")),
        flush_latency_p999_us=row.tails_us.get(("sync", "p999")),
        flush_latency_p9999_us=row.tails_us.get(("sync", "p9999")),
        flush_latency_max_us=row.max_us.get("sync"),
        line=row.line,
        setup_line=setup.line,
    )


def _disk_shows_flushes(run: TextRun, jobs: Sequence[FioJob]) -> bool:
    """Say whether the disk served about two writes or more per write of fio's.

    The second is what makes the data durable.

    A sync write that fio hands over as one leaves no other trace in its text. Holds for one disk and for single
    writes small enough to be passed on undivided; in-flight or mixed work proves nothing.
    """
    writes = sum(row.writes or 0 for row in run.rows)
    if len(run.disk_writes) != 1 or not writes:
        return False
    return run.disk_writes[0] >= writes * DISK_WRITES_PER_DURABLE_WRITE and all(
        job.rw in ("write", "randwrite")
        and in_flight(job) == 1
        and job.block_size is not None
        and job.block_size <= MAX_UNSPLIT_BYTES
        for job in jobs
    )
