"""Databases beside the suite's that tests copy: an empty one, as migrating takes seconds, and one of what ships."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE, SHIPPED = "migrated", "shipped"
_LOCK = 0x6D696772  # the number of an advisory lock: "migr"


def template() -> str:
    """The name of the empty one, with all migrations applied; the first process to need it creates it."""
    return _made(TEMPLATE, "template1", "migrate")


def shipped_template() -> str:
    """The same with the catalogue and the published results that ship, ranked."""
    return _made(SHIPPED, template(), "load_initial_data")


def _made(name: str, origin: str, command: str) -> str:
    """Under its own name only when it is complete: a failure leaves no half of it for the next process."""
    base, unfinished = os.environ["DATABASE_URL"], f"{name}_unfinished"
    url = urlsplit(base)._replace(path=f"/{unfinished}").geturl()
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
            connection.execute(f"DROP DATABASE IF EXISTS {unfinished} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {unfinished} TEMPLATE {origin}")
            environment = {**os.environ, "DATABASE_URL": url}
            program = [sys.executable, "manage.py", command, "--verbosity=0"]
            subprocess.run(program, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
            connection.execute(f"ALTER DATABASE {unfinished} RENAME TO {name}")
    return name
