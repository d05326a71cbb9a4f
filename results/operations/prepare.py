"""Prepare a restored database for this site: migrated, without what was erased since, accessible to its role."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management import call_command
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder

from results.accounts.data import close_account
from results.core.data_version import stored_version
from results.core.security.digests import digest_account
from results.models import DataVersion, Erasure, Installation, Member, Submission
from results.models.choices import State
from results.operations.erasures import ANY_FILE, ErasureList, all_lines, copied_lists, list_file, stored_list
from results.operations.migration_history import needed_stop, unknown_migrations
from results.operations.postgres_tools import django_on
from results.operations.site_role import grant_site_access
from results.operations.unit_key import AnotherKeyError, accept_key, record_key
from results.submissions.edit import erase_submission

REASON = "Erased again after a backup brought it back."
CURRENT = timedelta(minutes=10)  # a list of erasures that ends earlier isn't current
NEWER = "It was made by a newer release: this one doesn't know {unknown}. Upgrade (git pull) before you restore it."
UNCOVERED = "The list of erasures ends {end:%Y-%m-%d %H:%M} UTC: what was erased since then isn't known"
WHAT_TO_DO = (
    ", and would come back.{wrong} Put the newest copy of the list ({name}) next to the backup. Only if "
    "there is no newer copy anywhere, confirm with --without-erasures."
)
WRONG = " Another site’s list, or incomplete: {names}."
NOT_READ_ONLY: dict[str, Any] = {"read_only_reason": "", "read_only_since": None}


class RestoreError(Exception):
    """The backup can't be restored; the message says why and what to do. The site's database is unchanged."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the operator accepts: unknown erasures, or a backup with another SLOGDB_UNIT_KEY."""

    uncovered: bool = False
    another_key: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """The database to be replaced."""

    name: str
    lineage: UUID | None
    erasures: ErasureList
    version: int
    read_only: dict[str, Any]

    def continues(self, candidate: "NewDatabase") -> bool:
        """Whether it has all of the candidate's past: then its list of erasures is complete for the candidate."""
        if candidate.lineage is not None:
            return self.lineage == candidate.lineage
        with django_on(self.name):  # a backup from before sites had a lineage
            return Submission.objects.filter(public_id__in=candidate.newest).count() == len(candidate.newest)


@dataclass(frozen=True, slots=True)
class NewDatabase:
    """The database to replace it with.

    `newest` has the public id of its newest submission, if it has any, and `erased` its list of erasures: every later
    list of its site has all of that.
    """

    lineage: UUID | None
    newest: list[str]
    erased: frozenset[str]


@dataclass(frozen=True, slots=True)
class KnownErasures:
    """The erasures to repeat, complete until `end`; `advice` says which list would be more complete.

    `is_current` is about lists only: however new a backup is, something may have been erased after it.
    """

    lines: frozenset[str]
    end: datetime
    is_current: bool
    advice: str


def look_at_replaced() -> Replaced | None:
    """Look at the database that Django uses; None if it can't be read, or is older than this release."""
    name = str(connection.settings_dict["NAME"])
    connection.close()  # a firewall may have ended one that was idle for hours
    try:
        return Replaced(name, _lineage(), stored_list(), stored_version(), _read_only())
    except Error:
        return None
    finally:
        connection.close()


def is_replaced_empty() -> bool:
    """Whether the database that Django uses has no tables, as on a new machine: nothing is lost by replacing it."""
    try:
        return not connection.introspection.table_names()
    except Error:
        return False
    finally:
        connection.close()


def _read_only() -> dict[str, Any]:
    """The columns of the read-only switch; those of a site that isn't, if the database is of an older release."""
    with suppress(Error):
        return DataVersion.objects.filter(id=1).values(*NOT_READ_ONLY).first() or NOT_READ_ONLY
    return NOT_READ_ONLY


def _lineage() -> UUID | None:
    return Installation.objects.filter(id=1).values_list("lineage", flat=True).first()


def prepare(
    database: str,
    replaced: Replaced | None,
    *,
    made_at: datetime,
    folder: Path,
    confirmed: Confirmed,
    report: Callable[[str], None],
) -> None:
    """Prepare `database` to replace another. Raises RestoreError.

    `made_at` is the time of its newest data, and `folder` has a copy of the list of erasures.
    """
    with django_on(database):
        report("Migrating it")
        migrate_restored()
        newest = Submission.objects.order_by("-pk").values_list("public_id", flat=True)[:1]
        candidate = NewDatabase(_lineage(), list(newest), stored_list().lines)
    past = replaced if replaced and replaced.continues(candidate) else None
    known = _known_erasures(replaced, folder, candidate, made_at, is_past=past is not None)
    _check_covered(known, is_accepted=confirmed.uncovered, report=report)
    with django_on(database):
        report(f"Repeating erasures: {len(known.lines)} are listed, all until {known.end:%Y-%m-%d %H:%M} UTC")
        if candidate.lineage is None and past is not None and past.lineage is not None:
            Installation.objects.create(id=1, lineage=past.lineage)
        _check_key(is_accepted=confirmed.another_key)
        erase_again(known.lines)
        # The switch is that of the site in use, whatever it was when the backup was made.
        DataVersion.objects.update_or_create(id=1, defaults=replaced.read_only if replaced else NOT_READ_ONLY)
        Installation.objects.update_or_create(id=1, defaults={"restored_at": datetime.now(UTC)})
        report(grant_site_access())  # a dump has no grants


def migrate_restored() -> None:
    """Apply this release's migrations to a restored database. Raises RestoreError if it can't."""
    _check_history()
    call_command("migrate", interactive=False, verbosity=0)


def _check_history() -> None:
    """Raise RestoreError unless this release can migrate the database and knows all its applied migrations."""
    if stop := needed_stop(connection):
        raise RestoreError(f"{stop} Restore it with that release, then upgrade.")
    applied = MigrationRecorder(connection).applied_migrations()
    unknown = [f"{app}.{name}" for app, name in unknown_migrations(applied)]
    if unknown:
        raise RestoreError(NEWER.format(unknown=", ".join(unknown)))


def _check_key(*, is_accepted: bool) -> None:
    """Raise RestoreError if the database has another SLOGDB_UNIT_KEY than this site, unless that is accepted."""
    if is_accepted:
        accept_key()
    try:
        record_key()
    except AnotherKeyError as error:
        raise RestoreError(f"{error} If it is lost, add --accept-unit-key.") from error


def _known_erasures(
    replaced: Replaced | None, folder: Path, candidate: NewDatabase, made_at: datetime, *, is_past: bool
) -> KnownErasures:
    """Those of the copies in the folder, and of the database to be replaced if that is the candidate's past.

    A backup from before sites had a lineage doesn't say which copy is its site's: all are repeated then. One that
    lacks what was erased before the backup isn't its site's, or not complete, so its end doesn't count; nor does that
    of a new site in whose place the backup is restored.
    """
    past = replaced if is_past else None
    of = past.lineage if past else candidate.lineage
    lists = copied_lists(folder, of) + ([past.erasures] if past else [])
    right = [erasure_list for erasure_list in lists if candidate.erased <= erasure_list.lines]
    if replaced and replaced.lineage and not past:
        right = [
            erasure_list
            for erasure_list in right
            if erasure_list.name != list_file(folder, replaced.lineage).name
        ]
    wrong = {path.name for path in folder.glob(ANY_FILE)} - {erasure_list.name for erasure_list in right}
    named = WRONG.format(names=", ".join(sorted(wrong))) if wrong else ""
    end = max(
        (erasure_list.complete_until for erasure_list in right if erasure_list.complete_until), default=None
    )
    return KnownErasures(
        all_lines(lists),
        max(made_at, end) if end else made_at,
        end is not None and datetime.now(UTC) - end <= CURRENT,
        WHAT_TO_DO.format(wrong=named, name=list_file(folder, of).name if of else "erasures-….txt"),
    )


def _check_covered(known: KnownErasures, *, is_accepted: bool, report: Callable[[str], None]) -> None:
    """Raise RestoreError unless erasures are known until now, or it is accepted that they aren't."""
    if known.is_current:
        return
    uncovered = UNCOVERED.format(end=known.end)
    if not is_accepted:
        raise RestoreError(uncovered + known.advice)
    report(f"{uncovered}; continuing, because of --without-erasures")


def erase_again(lines: Iterable[str]) -> None:
    """Erase the listed submissions again, and close the listed accounts. Lists all of them in the database.

    An account's results remain, without their owner: those erased with it have separate lines. Each line is processed
    in a separate transaction, so that the site can already be in use. Idempotent.
    """
    listed = set(lines)
    if not listed:
        return
    Erasure.objects.bulk_create([Erasure(line=line) for line in sorted(listed)], ignore_conflicts=True)
    for submission in Submission.objects.filter(public_id__in=listed).exclude(state=State.ERASED):
        erase_submission(submission, reason=REASON)
    for member in Member.objects.iterator():
        if digest_account(member.pk, member.date_joined) in listed:
            close_account(member, keeps_results=True)
