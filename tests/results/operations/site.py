"""A site of its own for tests of backups, in a database beside the suite's."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.migrated import template

ROOT = Path(__file__).resolve().parents[3]
DATABASE = f"backed_up_{os.getpid()}"


class Site:
    """A database that a restore may replace; commands of the site on it reach it `by` another address, if told."""

    def __init__(self, folder: Path, *, by: str = "") -> None:
        self._base = os.environ["DATABASE_URL"]
        self._url = urlsplit(self._base)._replace(path=f"/{DATABASE}").geturl()
        reached = {"DATABASE_URL": by or self._url, "SLOGDB_BACKUP_FOLDER": str(folder)}
        self._environment = {**os.environ, **reached}
        self.administer(
            f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)",
            f"CREATE DATABASE {DATABASE} TEMPLATE {template()}",
        )

    def manage(
        self, *arguments: str, check: bool = True, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env={**self._environment, **environment}, capture_output=True, text=True
        )
        assert done.returncode == 0 or not check, done.stderr
        return done

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self._url) as connection:
            return connection.execute(statement).fetchall()

    def administer(self, *statements: str) -> list[str]:
        with psycopg.connect(self._base, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
            return [name for (name,) in connection.execute("SELECT datname FROM pg_database").fetchall()]

    def end(self) -> None:
        for name in self.administer():
            if name.startswith(DATABASE):
                self.administer(f"DROP DATABASE {name} WITH (FORCE)")
