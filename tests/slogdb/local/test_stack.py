import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import psycopg
import pytest

from slogdb.local.process import FolderLock, Process, ProcessError
from slogdb.local.stack import LocalStack, throwaway_stack

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder():
    """Where a system user can get to, unlike pytest's own folders."""
    with TemporaryDirectory(prefix="slogdb-test-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def start_postgres(stack: LocalStack) -> Process:
    process = Process(stack.postgres())
    process.wait_until_ready()
    return process


def test_a_throwaway_stack_leaves_nothing_and_clears_what_a_killed_one_left(folder):
    for name in ("run-killed", "run-alive"):
        (folder / name).mkdir()
    with FolderLock(folder / "run-alive"), throwaway_stack(folder) as environment:
        with psycopg.connect(environment["DATABASE_URL"]) as connection:
            assert connection.execute("SHOW fsync").fetchone() == ("off",)
        assert len(list(folder.iterdir())) == 2
    assert [path.name for path in folder.iterdir()] == ["run-alive"]


def test_data_outlive_a_kill_whatever_it_left_in_the_pid_file(folder):
    """The number of another program by now, of the same user, or PostgreSQL itself takes the file for a stale one;
    nothing, after a full disk; or anything, after a power cut.
    """
    pid_file = folder / "postgres" / "postmaster.pid"
    with LocalStack(folder) as stack:
        process, other = start_postgres(stack), Process(stack.valkey())
        stack.create_database()
        of_another = f"{other.pid}\n{folder / 'postgres'}\n".encode()
        for last in (of_another, b"\0" * 64):
            children = psutil.Process(process.pid).children(recursive=True)
            process.stop(within_s=0)
            psutil.wait_procs(children)  # they hold the shared memory until they notice
            for left in (b"", b"\n", b"\xff\xfe"):
                pid_file.write_bytes(left)
                stack.postgres().prepare()
                assert not pid_file.exists(), left
            pid_file.write_bytes(last)
            process = start_postgres(stack)
            psycopg.connect(stack.database_url).close()
        process.stop()
        other.stop()


def test_a_database_that_cannot_be_created_is_a_process_error(folder):
    with LocalStack(folder) as stack, pytest.raises(ProcessError, match="could not be created"):
        stack.create_database()


def test_a_server_that_outlived_its_starter_gives_way(folder):
    with LocalStack(folder) as first, LocalStack(folder) as second:
        outlived = start_postgres(first)
        successor = start_postgres(second)
        assert not outlived.is_running()
        successor.stop()


def test_a_broken_off_initdb_is_not_taken_for_data(folder):
    (folder / "postgres.new").mkdir()
    (folder / "postgres.new" / "PG_VERSION").write_text("18\n")
    with LocalStack(folder, is_throwaway=True) as stack:
        start_postgres(stack).stop()
    assert not (folder / "postgres.new").exists()


def test_nobody_else_gets_to_the_sockets(folder):
    with LocalStack(folder) as stack:
        sockets = Path(stack.redis_url.removeprefix("unix://")).parent
        assert sockets.stat().st_mode & 0o077 == 0
    assert not sockets.exists()


def test_one_command_runs_beside_a_stack_and_gives_its_exit_code():
    program = "import os, psycopg; psycopg.connect(os.environ['DATABASE_URL']); raise SystemExit(5)"
    command = [sys.executable, "-m", "slogdb.local.stack", "--", sys.executable, "-c", program]
    environment = {
        name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL"}
    }
    assert subprocess.run(command, cwd=ROOT, env=environment).returncode == 5
