"""An empty database with all migrations applied, beside the suite's: tests copy it, as to migrate takes seconds."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "migrated"
_LOCK = ROOT / "var" / "test" / "migrated.lock"


def template() -> str:
    """The name of that database, which the first process to need it creates."""
    base = os.environ["DATABASE_URL"]
    _LOCK.parent.mkdir(parents=True, exist_ok=True)
    with _LOCK.open("w") as lock, psycopg.connect(base, autocommit=True) as connection:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE]).fetchone()
        if found is None:
            _migrate_into(connection, base)
    return TEMPLATE


def _migrate_into(connection: psycopg.Connection, base: str) -> None:
    """Under its own name only when it is complete: a failure leaves no half of it for the next process."""
    unfinished = f"{TEMPLATE}_unfinished"
    connection.execute(f"DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)")
    connection.execute(f"CREATE DATABASE {unfinished}")
    url = urlsplit(base)._replace(path=f"/{unfinished}").geturl()
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        check=True,
    )
    connection.execute(f"ALTER DATABASE {unfinished} RENAME TO {TEMPLATE}")
