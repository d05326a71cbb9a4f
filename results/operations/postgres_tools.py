"""Run PostgreSQL's programs on the database that Django uses."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any, NoReturn

import psycopg
from django.conf import settings
from django.db import connection

ADMINISTRATIVE = "postgres"  # a database on every server: the site's may not exist
POOLED = (
    "PostgreSQL's programs leave their settings in the sessions of a pooler, where the site would find no table "
    "any more: name the server itself in DATABASE_URL, with SLOGDB_POOLS_TRANSACTIONS=0"
)
ENCRYPTED_KEY = (
    "PostgreSQL's programs can't be given the password of a key (sslpassword in DATABASE_URL) unless all see it: "
    "name a key without one, which only the site may read"
)
# libpq's parameters, and the environment variable for each that has one.
_OPTIONS = {
    option.keyword.decode(): (option.envvar or b"").decode()
    for option in psycopg.pq.Conninfo.get_defaults()
    if option.keyword != b"dbname"
}
_MAJOR = re.compile(r"\(PostgreSQL\) (\d+)")


class ToolError(Exception):
    """A PostgreSQL program is missing, too old, or failed; the message says which and why."""


def parameters(database: str | None = None) -> dict[str, Any]:
    """psycopg's parameters for a separate connection to `database`, by default the one that Django uses."""
    return {**_django_parameters(), "dbname": database or connection.get_connection_params()["dbname"]}


@contextmanager
def django_on(database: str) -> Iterator[None]:
    """Let Django use another database of its server for the duration of the block. Not for use by threads."""
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual


def run_tool(name: str, arguments: Sequence[str], *, database: str) -> str:
    """Run the program `name` on `database` of Django's server; return its output. Raises ToolError."""
    if connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
        raise ToolError(POOLED)
    with psycopg.connect(**parameters(ADMINISTRATIVE)) as server:
        program = find_tool(name, at_least=server.info.server_version // 10_000)
    done = subprocess.run(  # noqa: S603 - PostgreSQL's programs
        [str(program), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**_environment(database), **_with_tls(program)},
    )
    if done.returncode:
        raise ToolError(f"{shlex.join([name, *arguments])} failed: {done.stderr.strip()}")
    return done.stdout


def open_shell(arguments: Sequence[str]) -> NoReturn:
    """Replace this process by psql on the database that Django uses. Raises ToolError."""
    program = find_tool("psql", at_least=0)
    environment = {**_environment(str(parameters()["dbname"])), **_with_tls(program)}
    connection.close()
    os.execve(program, [program.name, *arguments], environment)  # noqa: S606 - PostgreSQL's program


def _environment(database: str) -> dict[str, str]:
    """An environment with the server's address: a password on the command line would be visible to everybody."""
    found = _django_parameters()
    if "sslpassword" in found:
        raise ToolError(ENCRYPTED_KEY)
    from_django = {_OPTIONS[name]: str(value) for name, value in found.items() if _OPTIONS[name]}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**inherited, **from_django, "PGDATABASE": database}


def _django_parameters() -> dict[str, Any]:
    """Those of Django's connection parameters that libpq understands, including certificates."""
    found = connection.get_connection_params()
    return {name: found[name] for name in _OPTIONS if found.get(name) not in {None, ""}}


def _with_tls(program: Path) -> dict[str, str]:
    """An environment with the libpq of psycopg's wheel, since that of PostgreSQL's wheel was built without TLS."""
    libpq = _libpq_of_psycopg()
    return {"LD_PRELOAD": str(libpq)} if libpq and program.parent == settings.POSTGRES_BIN else {}


@cache
def _libpq_of_psycopg() -> Path | None:
    """The libpq of psycopg's wheel; None if psycopg uses the system's."""
    try:
        listed = files("psycopg-binary") or []
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in listed if file.name.startswith("libpq-")), None)


@cache
def find_tool(name: str, *, at_least: int) -> Path:
    """The program on PATH or in the wheel that is no older than the server: pg_dump refuses a newer server."""
    on_path = shutil.which(name)
    seen = []
    for path in [*([Path(on_path)] if on_path else []), settings.POSTGRES_BIN / name]:
        if path.is_file():
            major = _major(path)
            if major >= at_least:
                return path
            seen.append(f"{path} is version {major}")
    raise ToolError(f"no {name} for PostgreSQL {at_least} here; {', '.join(seen) or 'none was found'}")


def _major(path: Path) -> int:
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    match = _MAJOR.search(output)
    return int(match[1]) if match else 0
