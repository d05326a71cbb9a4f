"""A standby of the suite's PostgreSQL: a real copy of the cluster that follows it by streaming replication."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import psycopg

from slogdb.local.postgres import POSTGRES_BIN, data_owner, let_pass, make_private
from slogdb.local.process import Process, Program, run_as
from slogdb.local.stack import plain_environment
from tests.concurrency import wait_until


class Standby:
    """A running standby: where a database of it is, and how far it follows."""

    def __init__(self, primary_url: str, sockets: Path) -> None:
        self._primary_url = primary_url
        self._sockets = sockets

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={quote(str(self._sockets), safe='')}"

    def fall_behind(self) -> None:
        """Take over nothing more from the primary."""
        self._do("SELECT pg_wal_replay_pause()")
        wait_until(lambda: self._do("SELECT pg_get_wal_replay_pause_state()") == "paused")

    def catch_up(self) -> None:
        """Take over everything that the primary has done so far.

        Up to a record of ours: where the next would begin, behind the head of a page, nobody is before it is there.
        """
        with psycopg.connect(self._primary_url) as primary:
            end = primary.execute("SELECT pg_logical_emit_message(false, 'tests', '')").fetchone()[0]
        self._do("SELECT pg_wal_replay_resume()")
        wait_until(lambda: self._do(f"SELECT pg_last_wal_replay_lsn() >= '{end}'"))

    def _do(self, statement: str) -> object:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            return connection.execute(statement).fetchone()[0]


@contextmanager
def running_standby(primary_url: str) -> Iterator[Standby]:
    """A standby of the server at `primary_url`, on data that go away at the end."""
    folder = Path(tempfile.mkdtemp(prefix="slogdb-standby-", dir="/tmp"))
    data, sockets = folder / "data", folder / "sockets"
    owner = data_owner(data)
    for private in (folder, data, sockets):
        make_private(private, owner)
    if owner is not None:
        let_pass(POSTGRES_BIN)
    host = parse_qs(urlsplit(primary_url).query)["host"][0]
    command = [str(POSTGRES_BIN / "pg_basebackup"), "-h", host, "-U", "postgres", "-D", str(data), "-R"]
    subprocess.run([*command, "-X", "stream", "-c", "fast", "-N"], check=True, cwd="/", **run_as(owner))
    standby = Standby(primary_url, sockets)
    settings = {"listen_addresses": "", "unix_socket_directories": str(sockets), "fsync": "off"}
    process = Process(
        Program(
            name="standby",
            command=[
                str(POSTGRES_BIN / "postgres"),
                "-D",
                str(data),
                *(f"--{name}={value}" for name, value in settings.items()),
            ],
            log=folder / "log",
            environment=plain_environment(),
            owner=owner,
            is_ready=lambda: _answers(standby.url("postgres")),
        )
    )
    try:
        process.wait_until_ready()
        yield standby
    finally:
        process.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _answers(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
