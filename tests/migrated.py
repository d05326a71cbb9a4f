"""An empty database with all migrations applied, beside the suite's: tests copy it, as to migrate takes seconds."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "migrated"
_LOCK = 0x6D696772  # the number of an advisory lock: "migr"


def template() -> str:
    """The name of that database, which the first process to need it creates."""
    base = os.environ["DATABASE_URL"]
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
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
