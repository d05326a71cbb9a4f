"""Backups: a dump by pg_dump, verified by a restore into a scratch database and a row count."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

from results.exports.files import sha256_of
from results.operations.erasures import copy_list, lineage
from results.operations.postgres_tools import parameters, run_tool
from results.operations.site_state import LATEST_BACKUP

KEPT_DAYS = 14
KEPT_AT_LEAST = 7  # of the newest, however old they are
DUMP, MANIFEST, CHECKSUM = ".dump", ".json", ".dump.sha256"
_PREFIX = "slogdb-"
_MOMENT = "%Y%m%dT%H%M%S%fZ"
_SCRATCH = "slogdb_scratch"
LEFT_BEHIND = timedelta(days=1)  # older scratch databases are from killed backups
NO_TIMEOUTS = "SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0"
# Their rows are worth more to a thief than to a restored site: open sessions, counts of attempts, and answers to be
# repeated, which may have the token that claims a result.
NOT_KEPT = ("django_session", "results_cache", "results_rememberedanswer", "usersessions_usersession")
_TABLES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p'
        AND relname <> ALL(%s) ORDER BY relname
"""


class BackupError(Exception):
    """The dump is not a valid backup; the message says why."""


def make_backup(
    folder: Path,
    *,
    days: float = KEPT_DAYS,
    keep: int = KEPT_AT_LEAST,
    report: Callable[[str], None] = lambda _: None,
) -> Path:
    """Dump the database into `folder` and verify that it can be restored.

    Then delete backups that are older than `days`, except the newest `keep`. Returns the dump. Raises
    postgres_tools.ToolError and BackupError; existing backups remain then.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    now = datetime.now(UTC)
    name = f"{_PREFIX}{now:{_MOMENT}}"
    unfinished = folder / f".{name}.unfinished"
    try:
        unfinished.touch(mode=0o600)  # it contains members' addresses, wherever it is copied to
        lineage()  # in the dump, too
        rows = dump_database(unfinished, report)
        report("Restoring it into a scratch database")
        with restored(unfinished) as scratch:
            found = row_counts(scratch)
        if found != rows:
            raise BackupError(f"the restored rows differ: {difference(rows, found)}")
        dump = folder / f"{name}{DUMP}"
        put_in_place(unfinished, dump, rows)
    finally:
        unfinished.unlink(missing_ok=True)
    tell_the_site(folder / LATEST_BACKUP)
    report(f"Recorded {copy_list(folder)} new erasures")
    oldest = f"{_PREFIX}{now - timedelta(days=days):{_MOMENT}}"
    for old in sorted(folder.glob(f"{_PREFIX}*{DUMP}"))[:-keep]:
        if old.stem < oldest:
            _remove(old)
    return dump


def begun_at(manifest: Mapping[str, Any]) -> datetime:
    """When the backup was started: it still has what was erased later. Raises KeyError and ValueError."""
    return datetime.strptime(manifest["file"], f"{_PREFIX}{_MOMENT}{DUMP}").replace(tzinfo=UTC)


def newest_backup(folder: Path) -> Path:
    """The newest dump in `folder`. Raises BackupError if there is none."""
    dumps = sorted(folder.glob(f"{_PREFIX}*{DUMP}"))
    if not dumps:
        raise BackupError(f"There is no backup in {folder}. Make one: manage.py backup")
    return dumps[-1]


def dump_database(path: Path, report: Callable[[str], None]) -> dict[str, int]:
    """Dump the database and count its rows in the same snapshot."""
    database = str(connection.get_connection_params()["dbname"])
    with psycopg.connect(**parameters(database)) as server:
        server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        server.execute(NO_TIMEOUTS)
        found = server.execute("SELECT pg_export_snapshot()").fetchone()
        snapshot = str(found[0]) if found else ""
        report(f"Dumping {database}")
        options = [
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            "--no-unlogged-table-data",  # the keys of the day's network digests
            *(f"--exclude-table-data={name}" for name in NOT_KEPT),
            f"--snapshot={snapshot}",
            f"--file={path}",
        ]
        run_tool("pg_dump", options, database=database)
        return _counted(server)


@contextmanager
def restored(dump: Path) -> Iterator[str]:
    """Restore `dump` into a scratch database for the duration of the block; yield its name."""
    scratch = scratch_name(datetime.now(UTC))
    with psycopg.connect(**parameters(), autocommit=True) as server:
        _drop_left_behind(server)
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(scratch)))
        try:
            restore_into(scratch, dump)
            yield scratch
        finally:
            server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(scratch)))


def scratch_name(moment: datetime) -> str:
    """A name from the time and random digits: one server may serve backups of several machines at once."""
    return f"{_SCRATCH}_{moment:%Y%m%d%H%M%S}_{secrets.token_hex(6)}"


def _drop_left_behind(server: psycopg.Connection[Any]) -> None:
    """Drop the scratch databases of backups that were killed, except those in use."""
    oldest = scratch_name(datetime.now(UTC) - LEFT_BEHIND)
    found = server.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{_SCRATCH}_%"])
    for (name,) in found.fetchall():
        if name < oldest:
            with suppress(psycopg.errors.ObjectInUse, psycopg.errors.InvalidCatalogName):
                server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(name)))


def restore_into(database: str, dump: Path) -> None:
    """Restore `dump` into an empty database, or leave it empty and raise ToolError."""
    options = [
        "--exit-on-error",
        "--single-transaction",
        "--no-owner",
        "--no-privileges",
        f"--dbname={database}",
    ]
    run_tool("pg_restore", [*options, str(dump)], database=database)


def row_counts(database: str) -> dict[str, int]:
    """The number of rows of each table that backups include."""
    with psycopg.connect(**parameters(database)) as server:
        return _counted(server)


def _counted(server: psycopg.Connection[Any]) -> dict[str, int]:
    counts = {}
    for (table,) in server.execute(_TABLES, [list(NOT_KEPT)]).fetchall():
        row = server.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
        counts[table] = int(row[0]) if row else 0
    return counts


def difference(wanted: Mapping[str, int], found: Mapping[str, int | None]) -> str:
    """The tables with unexpected row counts; "" if there are none."""
    names = sorted({*wanted, *found})
    return ", ".join(
        f"{name} {wanted.get(name)} and {found.get(name)}"
        for name in names
        if wanted.get(name) != found.get(name)
    )


def put_in_place(unfinished: Path, dump: Path, rows: dict[str, int]) -> None:
    """Write the checksum and manifest, then the dump, then latest.json; nothing of it if the disk is full."""
    digest = sha256_of(unfinished)
    manifest = {
        "file": dump.name,
        "sha256": digest,
        "bytes": unfinished.stat().st_size,
        "build": settings.BUILD,
        "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "verified": "restored into a scratch database, rows counted",
        "rows": rows,
    }
    text = json.dumps(manifest, indent=1)
    newest = dump.with_name(f".{LATEST_BACKUP}")
    try:
        dump.with_suffix(CHECKSUM).write_text(f"{digest}  {dump.name}\n", encoding="ascii")
        dump.with_suffix(MANIFEST).write_text(text, encoding="utf-8")
        newest.write_text(text, encoding="utf-8")
        unfinished.rename(dump)
        newest.rename(dump.with_name(LATEST_BACKUP))
    except OSError:
        _remove(dump)
        newest.unlink(missing_ok=True)
        raise


def tell_the_site(latest: Path) -> None:
    """Copy the newest manifest to where web processes can read it; they can't access the backups."""
    if not settings.BACKUP_STATUS:
        return
    status = Path(settings.BACKUP_STATUS)
    unfinished = status.with_name(f".{status.name}")
    unfinished.write_bytes(latest.read_bytes())
    unfinished.rename(status)


def _remove(dump: Path) -> None:
    for ending in (MANIFEST, CHECKSUM, DUMP):
        dump.with_suffix(ending).unlink(missing_ok=True)
