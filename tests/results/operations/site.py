"""A site of its own for tests of backups, in a database beside the suite's."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connections
from django.db.utils import ConnectionHandler
from django.test import Client

from results.models import Member
from results.operations import backup as make
from slogdb import env
from tests import migrated
from tests.factories import make_moderator
from tests.page import Page
from tests.sessions import sign_in_with

ROOT = Path(__file__).resolve().parents[3]
DATABASE = f"backed_up_{os.getpid()}"


class Site:
    """A database that a restore may replace; commands of the site on it reach it `by` another address, if told.

    It begins as a copy of the database `template`, by default an empty one.
    """

    def __init__(self, folder: Path, *, name: str = DATABASE, template: str = "", by: str = "") -> None:
        self._base = os.environ["DATABASE_URL"]
        self._name = name
        self._url = urlsplit(self._base)._replace(path=f"/{name}").geturl()
        self.address = by or self._url
        reached = {"DATABASE_URL": self.address, "SLOGDB_BACKUP_FOLDER": str(folder)}
        self._environment = {**os.environ, **reached}
        self.administer(
            f"DROP DATABASE IF EXISTS {name} WITH (FORCE)",
            f"CREATE DATABASE {name} TEMPLATE {template or migrated.template()}",
        )

    def manage(self, *arguments: str) -> str:
        """Run the command as a process of its own; what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run_python(self, *arguments: str) -> int:
        """Run Python with the site's settings; how it ended."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self._environment, capture_output=True
        )
        return done.returncode

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self._url) as connection:
            return connection.execute(statement).fetchall()

    def count(self, table: str) -> int:
        return int(self.query(f"SELECT count(*) FROM {table}")[0][0])  # noqa: S608 - our own name

    def administer(self, *statements: str) -> list[str]:
        """Run these; returns the databases of this site."""
        with psycopg.connect(self._base, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
            found = connection.execute("SELECT datname FROM pg_database").fetchall()
        return sorted(name for (name,) in found if name.startswith(self._name))

    def end(self) -> None:
        for name in self.administer():
            self.administer(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def connected_to(address: str) -> Iterator[None]:
    """Django in this process uses that database, as a process with this DATABASE_URL would."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DATABASE_URL", address)
        other = ConnectionHandler(env.databases())["default"]
    usual = connections["default"]
    connections["default"] = other
    try:
        yield
    finally:
        other.close()
        connections["default"] = usual


def name_at(moment: datetime) -> str:
    """The name of a backup that was begun at that time."""
    return f"slogdb-{moment:%Y%m%dT%H%M%S%fZ}.dump"


def make_unproved_backup(folder: Path) -> Path:
    """As make_backup, but without restoring it once to prove it."""
    folder.mkdir(exist_ok=True)
    dump, unfinished = folder / name_at(datetime.now(UTC)), folder / ".unfinished"
    make.put_in_place(unfinished, dump, make.dump_database(unfinished, print))
    return dump


def operator_rows(client: Client) -> dict[str, str]:
    """What the operator's page shows to an administrator, by the names of its rows: of two, the first."""
    administrator = make_moderator()
    Member.objects.filter(pk=administrator.pk).update(is_superuser=True)
    sign_in_with(client, administrator, "mfa")
    rows = [row for table in Page(client.get("/operator/")).tables for row in table if len(row) == 2]
    return dict(reversed(rows))


def metric(client: Client, name: str) -> float:
    """A figure without labels of /metrics; raises StopIteration if there is none."""
    lines = client.get("/metrics").text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))
