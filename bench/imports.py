"""A bulk import through two worker processes, beside COPY of the same rows: submissions a second, and the ratio.

Linux only: the processors' time is read from /proc.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from django.db import connection

from bench.ranking import manage
from results.core.redis import key, link
from results.ingest.batches import Text, enqueue_reading, store_texts
from results.ingest.digests import digest_text
from results.made_up.draw import MadeRun, draw_runs
from results.made_up.text import SERIAL_MASK, run_text
from results.models import Device, DeviceRanking, ImportBatch, Result, Submission
from results.models.choices import State
from results.tasks import WORKER_SEEN_KEY, sweep

TEXTS = 20_000
PROCESSES = 2
AT_LEAST_A_SECOND = 300
WORKER = [sys.executable, "-m", "celery", "--app", "slogdb", "worker", "--concurrency", str(PROCESSES)]
OPTIONS = ["--without-gossip", "--without-mingle", "--loglevel", "ERROR"]
POLL_S = 0.25  # more often, and the question itself takes from the processors
PATIENCE_S = 3600.0


class Cost(NamedTuple):
    """Time on the clock, and time of processors in Python and in PostgreSQL."""

    elapsed_s: float
    python_s: float
    postgresql_s: float


def main(arguments: Sequence[str]) -> int:
    """`arguments`: how many texts to make up, if not TEXTS."""
    manage("migrate", "-v0")
    manage("load_initial_data")
    print_figures(int(arguments[0]) if arguments else TEXTS)
    return 0


def print_figures(count: int) -> None:
    """Store `count` made-up texts, let the workers read them, and copy the rows that came of it."""
    batch = ImportBatch.objects.create(title="Made up")
    storing = _cost(lambda: store_texts(made_up_texts(count), batch), os.getpid())
    texts = Submission.objects.filter(batch=batch)
    stored = texts.count()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    with _worker() as worker:
        reading = _cost(lambda: _read_all(), worker)
    copying = _cost(_copy_again, os.getpid())
    read = texts.filter(state=State.PUBLISHED).count()
    sys.stdout.write(
        f"{read:,} of {stored:,} texts read; {Result.objects.count():,} results of all, "
        f"{DeviceRanking.objects.count():,} ranked devices; load of the machine {os.getloadavg()[0]:.1f}\n\n"
        + table(stored, {"mask and store": storing, "read, store and rank": reading, "COPY": copying})
    )


def made_up_texts(count: int) -> Iterator[Text]:
    """Pastes with a serial number each, the same of the same unit."""
    return (Text(text=_text(run), posted_on=run.measured_on) for run in draw_runs(count, seed=1))


def _text(run: MadeRun) -> str:
    serial = digest_text(f"{run.device.model_name} {run.unit}")[:14].upper()
    return run_text(run).replace(SERIAL_MASK, f"S{serial}")


@contextmanager
def _worker() -> Iterator[int]:
    """A worker with its processes and the beat, as bin/serve has it, once it is at work."""
    with (
        TemporaryDirectory(prefix="slogdb-bench-") as folder,
        subprocess.Popen(  # noqa: S603 - our own worker
            [*WORKER, *OPTIONS, "--beat", "--schedule", f"{folder}/beat"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as worker,
    ):
        try:
            sweep.delay()
            _wait_until(lambda: bool(link.call(lambda redis: redis.exists(key(WORKER_SEEN_KEY)))))
            yield worker.pid
        finally:
            worker.terminate()


def _read_all() -> None:
    enqueue_reading(PROCESSES)
    waiting = Submission.objects.filter(state=State.WAITING)
    _wait_until(lambda: not waiting.exists() and not Device.objects.dirty().exists())


def _wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > deadline:
            raise SystemExit("the workers did not come to an end")
        time.sleep(POLL_S)


def _copy_again() -> None:
    """COPY the submissions and results, as text, into tables with the same constraints and indexes."""
    with connection.cursor() as cursor:
        for table_name in ("results_submission", "results_result"):
            columns = _plain_columns(table_name)
            with connection.connection.cursor().copy(f"COPY {table_name} ({columns}) TO STDOUT") as copied:
                rows = b"".join(bytes(block) for block in copied)
            cursor.execute(f"CREATE TABLE again_{table_name} (LIKE {table_name} INCLUDING ALL)")
            with connection.connection.cursor().copy(
                f"COPY again_{table_name} ({columns}) FROM STDIN"
            ) as copied:
                copied.write(rows)


def _plain_columns(table_name: str) -> str:
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, table_name)
    return ", ".join(column.name for column in described)


def _cost(work: Callable[[], object], process: int) -> Cost:
    """Of the process with its children, and of the PostgreSQL that this stack runs."""
    python, postgresql, began = _processor_s(process), _processor_s(_postmaster()), time.perf_counter()
    work()
    elapsed = time.perf_counter() - began
    return Cost(elapsed, _processor_s(process) - python, _processor_s(_postmaster()) - postgresql)


def _postmaster() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return _stat(Path(f"/proc/{cursor.fetchone()[0]}/stat")).parent


class _Stat(NamedTuple):
    parent: int
    seconds: float


def _stat(path: Path) -> _Stat:
    """Of /proc/PID/stat, see proc(5)."""
    fields = path.read_text().rpartition(")")[2].split()
    return _Stat(int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))


def _processor_s(process: int) -> float:
    """What a process and its children and theirs have used so far; of those that run."""
    running = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            running[int(path.parent.name)] = _stat(path)
    family, grown = {process}, True
    while grown:
        more = {pid for pid, stat in running.items() if stat.parent in family} - family
        family, grown = family | more, bool(more)
    return sum(stat.seconds for pid, stat in running.items() if pid in family)


def table(count: int, costs: dict[str, Cost]) -> str:
    """Each cost a text, beside that of COPY, which comes last."""
    *_, copying = costs.values()
    lines = [
        "| what is done | texts/s | of COPY | ms of processor a text, Python | PostgreSQL |",
        "|---|---:|---:|---:|---:|",
        *(_row(name, cost, count=count, floor=copying) for name, cost in costs.items()),
        "",
        f"Reading is to reach at least {AT_LEAST_A_SECOND:,} texts/s with {PROCESSES} processes.",
    ]
    return "\n".join(lines) + "\n"


def _row(name: str, cost: Cost, *, count: int, floor: Cost) -> str:
    cells: Iterable[str] = (
        name,
        f"{count / cost.elapsed_s:,.0f}",
        f"{floor.elapsed_s / cost.elapsed_s:.2f}",
        f"{cost.python_s * 1000 / count:.2f}",
        f"{cost.postgresql_s * 1000 / count:.2f}",
    )
    return f"| {' | '.join(cells)} |"
