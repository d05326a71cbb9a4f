"""A bulk import with a worker of two processes, from reading the first text to ranking the last device.

`bench.run` runs this in a Django process of an empty data set.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.db import connection, transaction

from bench.bars import BenchmarkError, Row
from parsers.text.decode import decode
from results.core.queue import WORKER_SEEN_KEY
from results.core.redis import key, link
from results.core.security.digests import digest_text
from results.demo.draw import DemoRun, draw_runs
from results.demo.text import SERIAL_MASK, run_text
from results.imports.bulk import Text, import_texts
from results.models import Device, ImportBatch
from results.tasks import sweep

AT_LEAST_PER_SECOND = 300.0
FLOOR_PER_SECOND = 20_000.0  # of _floor on the machine that the bar is for
FLOOR_TEXTS = 5000
WORKER = [sys.executable, "-m", "celery", "--app", "slogdb", "worker", "--concurrency", "2", "--beat"]
OPTIONS = ["--without-gossip", "--without-mingle", "--loglevel", "ERROR"]
POLL_S = 0.25  # polling more often would itself take processor time
PATIENCE_S = 3600.0


def measure(count: int) -> list[Row]:
    """The rate of importing `count` made-up texts, until the worker has ranked the last device."""
    call_command("load_catalogue", verbosity=0)
    batch = ImportBatch.objects.create(title="Made up")
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    floor = _floor()
    with _worker():
        began = time.perf_counter()
        new = sum(text.new_count for text in import_texts(made_up_texts(count), batch))
        stored = time.perf_counter()
        _wait_until(lambda: not Device.objects.dirty().exists())
        ended = time.perf_counter()
    return rows(new, count, store_s=stored - began, total_s=ended - began, floor=floor)


def _floor() -> float:
    """Texts decoded and inserted per second, in one transaction."""
    texts = [_text(run).encode() for run in draw_runs(FLOOR_TEXTS, seed=1)]
    began = time.perf_counter()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE floor (id bigserial PRIMARY KEY, text text)")
        for text in texts:
            cursor.execute("INSERT INTO floor (text) VALUES (%s)", [decode(text)])
        cursor.execute("DROP TABLE floor")
    return FLOOR_TEXTS / (time.perf_counter() - began)


def rows(new: int, count: int, *, store_s: float, total_s: float, floor: float) -> list[Row]:
    """The rates; BenchmarkError if most of the texts were not published."""
    if new < count * 0.9:
        raise BenchmarkError(f"only {new:,} of {count:,} texts were published")
    return [
        Row("texts decoded and inserted", floor, "texts/s"),
        Row("bulk import: read and store", new / store_s, "texts/s"),
        Row(
            "bulk import: from the first text to the last device",
            new / total_s,
            "texts/s",
            AT_LEAST_PER_SECOND,
            is_minimum=True,
            slowness=FLOOR_PER_SECOND / floor,
        ),
    ]


def made_up_texts(count: int) -> Iterator[Text]:
    """Pastes with a serial number each, the same one for the same unit."""
    return (Text(text=_text(run), posted_on=run.measured_on) for run in draw_runs(count, seed=1))


def _text(run: DemoRun) -> str:
    serial = digest_text(f"{run.device.model_name} {run.unit}")[:14].upper()
    return run_text(run).replace(SERIAL_MASK, f"S{serial}")


@contextmanager
def _worker() -> Iterator[None]:
    """Run a worker with its processes and the beat, as in bin/serve, from when it is ready."""
    with (
        TemporaryDirectory(prefix="slogdb-bench-") as folder,
        subprocess.Popen(  # noqa: S603 - our own worker
            [*WORKER, *OPTIONS, "--schedule", f"{folder}/beat"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as worker,
    ):
        try:
            sweep.delay()
            _wait_until(lambda: bool(link.call(lambda redis: redis.exists(key(WORKER_SEEN_KEY)))))
            yield
        finally:
            worker.terminate()


def _wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > deadline:
            raise BenchmarkError("the workers did not come to an end")
        time.sleep(POLL_S)
