"""Replace the database with a backup: restore, check and prepare a new database, and only then exchange them."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import Error, connection
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from results.core.data_version import agree_on_version, published_version, raise_stored_version
from results.exports.files import sha256_of
from results.operations.backup import (
    CHECKSUM,
    MANIFEST,
    NO_TIMEOUTS,
    NOT_KEPT,
    begun_at,
    difference,
    restore_into,
    row_counts,
)
from results.operations.postgres_tools import ADMINISTRATIVE, django_on, parameters
from results.operations.prepare import (
    Confirmed,
    Replaced,
    RestoreError,
    erase_again,
    is_replaced_empty,
    look_at_replaced,
    prepare,
)
from results.operations.site_state import REPLACED_AT, replaced_at

ATTEMPTS = 5  # to exchange databases, while the site keeps connecting
_LOCK = "SELECT pg_advisory_lock(hashtext(%s))"
_NAMES = "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY datname"
# PostgreSQL ends those of autovacuum, which have no role, when the database is renamed.
_END_SESSIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = %s AND usesysid IS NOT NULL AND pid <> ALL(%s)
"""
# Roles whose sessions the owner can't end: that of the site, and of whoever is connected.
_FOREIGN = """
    SELECT rolname FROM pg_roles
    WHERE (rolname = %s OR oid IN (SELECT usesysid FROM pg_stat_activity WHERE datname = %s))
        AND NOT (pg_has_role(oid, 'USAGE') OR (pg_has_role('pg_signal_backend', 'USAGE') AND NOT rolsuper))
    ORDER BY rolname
"""
_FOREIGN_OWNER = (
    "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s AND NOT pg_has_role(datdba, 'USAGE')"
)
CANT_END = (
    "{owner} can't end sessions of {role} in {name}, as a restore has to. Run as a superuser: "
    "GRANT {role} TO {owner}. Or, if {role} isn't the site's role, close its sessions."
)
CANT_RENAME = (
    "{name} belongs to {role}, so {owner} can't rename it. Run as a superuser: "
    "ALTER DATABASE {name} OWNER TO {owner}"
)
Report = Callable[[str], None]
NOTHING = Confirmed()


def restore_backup(
    dump: Path, *, confirmed: Confirmed = NOTHING, is_drill: bool = False, report: Report = lambda _: None
) -> None:
    """Replace the database that Django uses with `dump`; a drill does everything except the exchange.

    The old database remains under another name. Raises RestoreError and ToolError, and then the site's database is
    unchanged. A killed restore leaves either the old or the new database in use, and the next restore cleans up.
    """
    made_at = check(dump)
    name = _name()
    with exclusive_server(name) as server:
        _check_rights(server, name)
        for left_behind in _named(server, f"{name}_restored_"):
            _drop(server, left_behind)
        new = f"{name}_restored_{datetime.now(UTC):{REPLACED_AT}}"
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(new)))
        try:
            report(f"Restoring {dump.name} as {new}")
            restore_into(new, dump)
            _check_rows(dump, new, report)
            replaced = look_at_replaced()
            if replaced is None:
                report(
                    "The database to be replaced "
                    + ("is empty" if is_replaced_empty() else "doesn't exist, can't be read, or is older")
                )
            prepare(new, replaced, made_at=made_at, folder=dump.parent, confirmed=confirmed, report=report)
            if not is_drill:
                _exchange(server, new, replaced, report)
        finally:
            _drop(server, new)
    _publish_version()


def undo_restore(folder: Path, *, confirmed: Confirmed = NOTHING, report: Report = lambda _: None) -> None:
    """Put the database that the last restore replaced back in use, without what was erased since.

    Raises RestoreError. To redo the restore, undo it again.
    """
    name = _name()
    with exclusive_server(name) as server:
        _check_rights(server, name)
        found = _named(server, f"{name}_before_")
        if not found:
            raise RestoreError(f"There is no database {name}_before_…, so there is no restore to undo.")
        replaced = look_at_replaced()
        made_at = replaced_at(found[-1])
        report(f"Preparing {found[-1]}, which was replaced on {made_at:%Y-%m-%d at %H:%M} UTC")
        prepare(found[-1], replaced, made_at=made_at, folder=folder, confirmed=confirmed, report=report)
        _exchange(server, found[-1], replaced, report)
    _publish_version()


def _publish_version() -> None:
    """Tell the site's processes that the data changed; if this fails, the sweep does it later."""
    with suppress(Error):
        agree_on_version()


def check(dump: Path) -> datetime:
    """Raise RestoreError unless the file matches its checksum; return when its backup was begun."""
    if not dump.is_file():
        raise RestoreError(f"no such file: {dump}")
    try:
        wanted = dump.with_suffix(CHECKSUM).read_text(encoding="ascii").split()[0]
        made_at = begun_at(_manifest(dump))
    except (OSError, IndexError, KeyError, ValueError) as error:
        raise RestoreError(
            f"A backup is three files: copy {dump.stem} with .dump, {CHECKSUM} and {MANIFEST} into one folder. "
            "One is missing or damaged."
        ) from error
    if sha256_of(dump) != wanted:
        raise RestoreError(
            f"{dump.name} is damaged: its checksum differs. Restore another backup, or copy it again."
        )
    return made_at


def _manifest(dump: Path) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(dump.with_suffix(MANIFEST).read_text(encoding="utf-8"))
    return manifest


def _check_rows(dump: Path, database: str, report: Report) -> None:
    """Raise RestoreError unless each table has as many rows as when it was dumped."""
    wanted = {table: rows for table, rows in _manifest(dump)["rows"].items() if table not in NOT_KEPT}
    found = row_counts(database)
    if wrong := difference(wanted, {table: found.get(table) for table in wanted}):
        raise RestoreError(f"{dump.name} doesn't match what was dumped: {wrong}. Restore another backup.")
    report(f"{sum(wanted.values()):,} rows in {len(wanted)} tables, as dumped")


def _name() -> str:
    return str(connection.get_connection_params()["dbname"])


@contextmanager
def exclusive_server(name: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection to another database of the server, which allows one restore at a time."""
    with psycopg.connect(**parameters(ADMINISTRATIVE), autocommit=True) as server:
        server.execute(
            "SET lock_timeout = '3s'"
        )  # a server needs a moment to notice that a restore was killed
        try:
            server.execute(_LOCK, [f"restore {name}"])
        except psycopg.errors.LockNotAvailable as error:
            raise RestoreError(f"Another restore of {name} is running.") from error
        server.execute("RESET lock_timeout")
        yield server


def _check_rights(server: psycopg.Connection[Any], name: str) -> None:
    """Raise RestoreError unless the owner may end all sessions of the database to be replaced, and rename it."""
    site = str(conninfo_to_dict(settings.DATABASE_SITE_URL).get("user") or "")
    for message, statement, values in (
        (CANT_END, _FOREIGN, [site, name]),
        (CANT_RENAME, _FOREIGN_OWNER, [name]),
    ):
        if found := server.execute(statement, values).fetchone():
            raise RestoreError(message.format(name=name, role=found[0], owner=server.info.user))


def _named(server: psycopg.Connection[Any], prefix: str) -> list[str]:
    return [name for (name,) in server.execute(_NAMES, [prefix]).fetchall()]


def _drop(server: psycopg.Connection[Any], name: str) -> None:
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _exchange(server: psycopg.Connection[Any], new: str, replaced: Replaced | None, report: Report) -> None:
    """Rename both databases in one transaction; the old one ends its sessions and keeps its data."""
    name = _name()
    old = f"{name}_before_{datetime.now(UTC):{REPLACED_AT}}"
    is_there = name in _named(server, name)
    report(f"Putting it in use as {name}" + (f"; the old database remains as {old}" if is_there else ""))
    for attempt in range(1, ATTEMPTS + 1):
        if replaced is not None:
            _catch_up(server, new, replaced)
        try:
            with server.transaction():
                if is_there:
                    _rename(server, name, old)
                _rename(server, new, name)
        except psycopg.errors.ObjectInUse as error:  # somebody connected meanwhile
            if attempt == ATTEMPTS:
                raise RestoreError(
                    f"{error.diag.message_detail} Stop web, worker and beat, and try again."
                ) from error
        else:
            return


def _catch_up(server: psycopg.Connection[Any], new: str, replaced: Replaced) -> None:
    """Repeat erasures made meanwhile, and end the sessions of the old database before it can erase more."""
    with psycopg.connect(**parameters(replaced.name)) as last:
        last.execute(NO_TIMEOUTS)
        last.execute("LOCK TABLE results_erasure, results_dataversion IN SHARE MODE")
        latest = look_at_replaced() or replaced
        with django_on(new):
            erase_again(latest.erasures.lines - replaced.erasures.lines)
            # Above each version that readers have seen, so that no cached page seems current.
            raise_stored_version(past=max(latest.version, published_version() or 0))
        server.execute(_END_SESSIONS, [replaced.name, [last.info.backend_pid]])


def _rename(server: psycopg.Connection[Any], before: str, after: str) -> None:
    server.execute(_END_SESSIONS, [before, []])
    statement = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    server.execute(statement.format(sql.Identifier(before), sql.Identifier(after)))
