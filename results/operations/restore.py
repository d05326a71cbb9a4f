"""Replacing the database by a backup, and repeating erasures made since."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.db import connection, transaction
from psycopg import sql

from results.accounts.data import close_account
from results.core.data_version import bump_data_version, stored_version
from results.core.digests import digest_account
from results.exports.files import sha256_of
from results.models import Erasure, Member, Submission
from results.models.choices import State
from results.operations.backup import CHECKSUM, restore_into
from results.operations.erasures import copied_list, copy_list, lineage
from results.operations.postgres_tools import ADMINISTRATIVE, parameters
from results.operations.site_role import grant_site_access
from results.ranking.boards import dirty_boards
from results.submissions.edit import erase_submission

REASON = "Erased again after a backup brought it back."


class RestoreError(Exception):
    """The backup can't be restored; the message says why. The database is unchanged."""


def restore_backup(dump: Path, *, report: Callable[[str], None] = lambda _: None) -> None:
    """Replace the database that Django uses by `dump`.

    The dump is first read into a new database, so that an unreadable one changes nothing. The old database remains
    under another name. Raises RestoreError and ToolError.
    """
    check(dump)
    version = _record_erasures(dump.parent, report)
    name = str(connection.get_connection_params()["dbname"])
    stamp = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
    new, old = f"{name}_restored_{stamp}", f"{name}_before_{stamp}"
    with psycopg.connect(**parameters(ADMINISTRATIVE), autocommit=True) as server:
        server.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(new)))
        try:
            report(f"Reading {dump.name} into {new}")
            restore_into(new, dump)
        except BaseException:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(new)))
            raise
        report(f"Replacing {name}; the old database remains as {old}")
        _exchange(server, name, new=new, old=old)
    call_command("migrate", interactive=False, verbosity=0)
    report(grant_site_access())  # a dump has no grants
    _repeat_erasures(dump.parent, version, report)


def check(dump: Path) -> None:
    """Raise RestoreError unless the file matches its checksum."""
    if not dump.is_file():
        raise RestoreError(f"no such file: {dump}")
    try:
        wanted = dump.with_suffix(CHECKSUM).read_text(encoding="ascii").split()[0]
    except (OSError, IndexError) as error:
        raise RestoreError(f"{dump.with_suffix(CHECKSUM).name} is missing beside the backup") from error
    if sha256_of(dump) != wanted:
        raise RestoreError(f"{dump.name} is damaged: its checksum differs")


def _record_erasures(folder: Path, report: Callable[[str], None]) -> int | None:
    """Save the erasures of the database to be replaced; return its data version, or None if it can't be read."""
    try:
        report(f"Recorded {copy_list(folder)} erasures from the database to be replaced")
        version = stored_version()
    except Exception as error:  # noqa: BLE001 - it may be broken in any way, which may be why it is replaced
        report(f"The database to be replaced can't be read ({type(error).__name__})")
        version = None
    connection.close()
    return version


def _exchange(server: psycopg.Connection[Any], name: str, *, new: str, old: str) -> None:
    def rename(before: str, after: str) -> None:
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"
        server.execute(end, [before])
        statement = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        server.execute(statement.format(sql.Identifier(before), sql.Identifier(after)))

    is_there = server.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone() is not None
    connection.close()
    with server.transaction():
        if is_there:
            rename(name, old)
        rename(new, name)


def _repeat_erasures(folder: Path, version: int | None, report: Callable[[str], None]) -> None:
    """Repeat erasures, and set the data version above every published one, so that no cached page seems current."""
    erase_again(copied_list(folder, lineage()).lines)
    report(f"Repeated the erasures made since; {len(dirty_boards())} boards to rank")
    with transaction.atomic():
        bump_data_version(past=max(version or 0, stored_version()))


def erase_again(lines: Iterable[str]) -> None:
    """Erase the listed submissions again, and close the listed accounts. Lists all of them in the database.

    An account's results remain, without their owner: those erased with it have separate lines. Each line is processed
    in a separate transaction, so that the site can already be in use. Idempotent.
    """
    listed = set(lines)
    Erasure.objects.bulk_create([Erasure(line=line) for line in sorted(listed)], ignore_conflicts=True)
    for submission in Submission.objects.filter(public_id__in=listed).exclude(state=State.ERASED):
        erase_submission(submission, reason=REASON)
    for member in Member.objects.iterator():
        if digest_account(member.pk, member.date_joined) in listed:
            close_account(member, keeps_results=True)
