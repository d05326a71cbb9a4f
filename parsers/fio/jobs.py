"""From the lines of a text run to its jobs: each result with its set-up, and with what the command asked for."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace

from parsers.base.readings import FioJob, FioReading
from parsers.fio.lines import Setup
from parsers.fio.options import (
    CommandLine,
    flag,
    flushes_are_durable,
    in_flight,
    is_flush_per_write,
    makes_every_write_durable,
    target_of_jobs,
    whole_number,
    written_path,
)
from parsers.fio.text import Row, TextRun

LARGEST_UNSPLIT = 128 * 1024  # bytes; block layers pass on a write of this size in one request
DISK_WRITES_PER_DURABLE_WRITE = 1.8  # the data, and a flush or a journal block; sampled, so a little under 2
NOTHING_STATED = Setup(name="", group=0, rw=None, block_size=None, ioengine=None, iodepth=None)


def read_text_run(run: TextRun, command: CommandLine) -> FioReading:
    """Return what the run states.

    `rw`, `bs`, `ioengine` and `iodepth` are those that fio says it took; only what it never prints (sync, fsync,
    direct, the file) comes from the command.
    """
    jobs = [_job(row, setup, command) for row, setup in _with_setups(run)]
    if command == CommandLine() and _disk_shows_flushes(run, jobs):
        jobs = [replace(job, sync_each_write=True) for job in jobs]
    asked = [command.options_for(job.name) for job in jobs]
    stated = [
        options
        for job, options in zip(jobs, asked, strict=True)
        if written_path(options) or command.states_all_of(job.name)
    ]
    return FioReading(
        first_line=run.numbers[0],
        last_line=run.numbers[-1],
        path=written_path(asked[0]),
        stated_target=target_of_jobs(stated),
        tool_version=run.version,
        complete=all(row.is_complete for row in run.rows),
        jobs=tuple(jobs),
    )


def _with_setups(run: TextRun) -> Iterator[tuple[Row, Setup]]:
    """Give each row its set-up: by name and order, and to the row of a whole group what its jobs agree on."""
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


def _job(row: Row, setup: Setup, command: CommandLine) -> FioJob:
    head = row.head
    name = head.name if head else None
    asked = command.options_for(name)
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
        direct=flag(asked, "direct"),
        sync=asked.get("sync"),
        fsync=whole_number(asked, "fsync"),
        fdatasync=whole_number(asked, "fdatasync"),
        sync_each_write=makes_every_write_durable(asked) or (flushed and flushes_are_durable(asked)),
        iops=row.rate.iops if row.rate else None,
        throughput_bytes_s=row.rate.bytes_s if row.rate else None,
        write_latency_us=row.mean_us.get("lat"),
        write_latency_p99_us=row.p99_us.get("clat"),
        flush_latency_us=row.mean_us.get("sync"),
        flush_latency_p99_us=row.p99_us.get("sync"),
        line=row.line,
        setup_line=setup.line,
    )


def _disk_shows_flushes(run: TextRun, jobs: Sequence[FioJob]) -> bool:
    """Say whether the disk served about two writes or more for each of fio's: the data and what makes it durable.

    A sync write that fio hands over as one leaves no other trace in its text. Holds for one disk and for single
    writes small enough to travel whole; in-flight or mixed work proves nothing.
    """
    writes = sum(row.writes or 0 for row in run.rows)
    if len(run.disk_writes) != 1 or not writes:
        return False
    return run.disk_writes[0] >= writes * DISK_WRITES_PER_DURABLE_WRITE and all(
        job.rw in ("write", "randwrite")
        and in_flight(job) == 1
        and job.block_size is not None
        and job.block_size <= LARGEST_UNSPLIT
        for job in jobs
    )
