"""A real worker beside a real broker: what it is told to do is done, and again after it was killed."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.db import connection
from structlog.contextvars import bound_contextvars

from results.core.queue import WORKER_SEEN_KEY
from results.core.redis import key
from results.ranking.boards import ALL_CLASSES, ClassBoard, dirty_boards, ends_of
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, receive_submission
from results.tasks import sweep
from tests import pastes
from tests.concurrency import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("everyone_is_trusted")]

OPTIONS = [
    "--pool",
    "prefork",
    "--concurrency",
    "1",
    "--without-gossip",
    "--without-mingle",
    "--loglevel",
    "INFO",
]
COMMAND = [sys.executable, "-m", "celery", "--app", "slogdb", "worker", *OPTIONS]


BEAT = [sys.executable, "-m", "celery", "--app", "slogdb", "beat", "--loglevel", "INFO", "--pidfile="]


@pytest.fixture
def environment(tmp_path):
    """That of a process on this test's database and keys."""
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    exports = {"SLOGDB_EXPORT_FOLDER": str(tmp_path / "exports")}  # which the sweep builds
    return {**os.environ, "DATABASE_URL": database.geturl(), **exports}


@pytest.fixture
def start_worker(tmp_path, redis, environment) -> Iterator:
    """Starts a worker, and waits until it works."""
    workers = []

    def start():
        redis.delete(key(WORKER_SEEN_KEY))
        with (tmp_path / "worker.log").open("ab") as log:
            worker = subprocess.Popen(
                [*COMMAND, "--hostname", f"test-{len(workers)}@%h"],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        workers.append(worker)
        sweep.delay()
        wait_until(lambda: redis.exists(key(WORKER_SEEN_KEY)))
        return worker

    yield start
    for worker in workers:
        kill(worker)


def kill(worker):
    """As a machine does that runs out of memory: the worker and its children, with no word before."""
    if worker.poll() is None:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


def receive(text):
    receive_submission(text, Sender())


def is_all_ranked():
    return not dirty_boards()


def ranked_count():
    """How many devices have a place among those of all classes."""
    return len(ends_of(ClassBoard("sync_write", ALL_CLASSES)))


def test_a_worker_ranks_what_is_submitted_without_waiting_for_the_sweep(start_worker, tmp_path):
    """And logs with each task the id of the request that it came from."""
    start_worker()
    for number in range(3):
        receive(pastes.diskinfo(description=f"ATA HURRIED {number}", ident=f"ABCD{number}"))
        wait_until(is_all_ranked)
    assert ranked_count() == 3

    with bound_contextvars(request_id="from-a-request"):
        sweep.delay()

    def finished():
        lines = (tmp_path / "worker.log").read_text().splitlines()
        records = [json.loads(line) for line in lines if line.startswith("{")]
        of_request = [record for record in records if record.get("request_id") == "from-a-request"]
        return [record for record in of_request if record["message"] == "task_succeeded"]

    wait_until(finished)
    assert finished()[0]["duration_ms"] >= 0


def test_tasks_of_a_killed_worker_are_run_by_the_next(start_worker):
    worker = start_worker()
    receive(pastes.FIRST_PASTE)
    receive(pastes.diskinfo([20.0] * 15, description="SAMPLE SSD", ident="SAMPLE0001"))
    kill(worker)
    assert not is_all_ranked()
    start_worker()
    wait_until(is_all_ranked)
    assert ranked_count() == main_rows().count()


def test_a_worker_that_lost_its_queue_finds_in_the_database_what_is_left(start_worker, redis):
    receive(pastes.FIRST_PASTE)
    redis.delete(key("celery"))
    start_worker()
    wait_until(is_all_ranked)
    assert ranked_count() == 1


@pytest.fixture
def schedulers(tmp_path, environment):
    """Two schedulers that run at once, as after a second beat was started; each with its log."""
    running = []
    for number in range(2):
        path = tmp_path / f"beat-{number}.log"
        with path.open("ab") as log:
            command = [*BEAT, "--schedule", str(tmp_path / f"beat-{number}")]
            beat = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        running.append((beat, path))
    yield running
    for beat, _ in running:
        kill(beat)


def test_two_schedulers_lose_nothing_and_one_that_ends_is_replaced_by_the_other(
    start_worker, schedulers, redis, tmp_path
):
    start_worker()
    (first, _), (second, _) = schedulers
    for ends in (None, first):
        if ends:
            kill(ends)
        else:
            wait_until(lambda: all("Sending due task sweep" in path.read_text() for _, path in schedulers))
        receive(pastes.diskinfo(description=f"SAMPLE {ends}", ident=f"SAMPLE{ends is None}"))
        redis.delete(key("celery"))  # only a sweep finds it
        wait_until(is_all_ranked)
    assert ranked_count() == 2
    assert second.poll() is None
    for path in (tmp_path / "worker.log", *(path for _, path in schedulers)):
        assert "Traceback" not in path.read_text()
