"""PostgreSQL's own programs, for the database that Django uses: found, told where it is, and run."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

ADMINISTRATIVE = "postgres"  # a database that every server has: the site's may be missing
POOLED = (
    "PostgreSQL's programs leave their settings in the sessions of a pooler, where the site would find no table "
    "any more: name the server itself in DATABASE_URL, with SLOGDB_POOLS_TRANSACTIONS=0"
)
ENCRYPTED_KEY = (
    "PostgreSQL's programs can't be told the password of a key (sslpassword in DATABASE_URL) unless all see it: "
    "name a key without one, which only the site may read"
)
# What libpq knows of, and the variable that says it where there is one.
_OPTIONS = {
    option.keyword.decode(): (option.envvar or b"").decode()
    for option in psycopg.pq.Conninfo.get_defaults()
    if option.keyword != b"dbname"
}
_MAJOR = re.compile(r"\(PostgreSQL\) (\d+)")


class ToolError(Exception):
    """A program of PostgreSQL's is missing, too old, or failed; the message says which and why."""


def parameters(database: str | None = None) -> dict[str, Any]:
    """How psycopg reaches `database`, or the one that Django uses, on a connection of its own."""
    return {**_told(), "dbname": database or connection.get_connection_params()["dbname"]}


def run_tool(name: str, arguments: Sequence[str], *, database: str) -> str:
    """What the program `name` prints, run on `database` of the server that Django uses. Raises ToolError."""
    if connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
        raise ToolError(POOLED)
    program = _find(name, at_least=_server_major())
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own programs
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


def _environment(database: str) -> dict[str, str]:
    """Where the server is, in the variables of libpq: a password in a command line is seen by everybody."""
    told = _told()
    if "sslpassword" in told:
        raise ToolError(ENCRYPTED_KEY)
    given = {_OPTIONS[name]: str(value) for name, value in told.items() if _OPTIONS[name]}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
    return {**kept, **given, "PGDATABASE": database}


def _told() -> dict[str, Any]:
    """Of what Django tells psycopg of the server, what is libpq's: certificates and all."""
    told = connection.get_connection_params()
    return {name: told[name] for name in _OPTIONS if told.get(name) not in {None, ""}}


def _with_tls(program: Path) -> dict[str, str]:
    """The libpq of psycopg's wheel for programs of PostgreSQL's wheel, which was built without TLS."""
    libpq = _libpq_of_psycopg()
    return {"LD_PRELOAD": str(libpq)} if libpq and program.parent == settings.POSTGRES_BIN else {}


@cache
def _libpq_of_psycopg() -> Path | None:
    """None where psycopg came without one: it uses the system's then."""
    try:
        listed = files("psycopg-binary") or []
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in listed if file.name.startswith("libpq-")), None)


def _server_major() -> int:
    with psycopg.connect(**parameters(ADMINISTRATIVE)) as own:
        return own.info.server_version // 10_000


@cache
def _find(name: str, *, at_least: int) -> Path:
    """The one on PATH or in the wheel that is no older than the server: pg_dump refuses a newer one."""
    on_path = shutil.which(name)
    seen = []
    for path in [*([Path(on_path)] if on_path else []), settings.POSTGRES_BIN / name]:
        if path.is_file():
            major = _major(path)
            if major >= at_least:
                return path
            seen.append(f"{path} is of {major}")
    raise ToolError(f"no {name} for PostgreSQL {at_least} here; {', '.join(seen) or 'none was found'}")


def _major(path: Path) -> int:
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    match = _MAJOR.search(said)
    return int(match[1]) if match else 0
