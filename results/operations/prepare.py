"""Prepare a restored database for this site: migrated, without what was erased since, accessible to its role."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.core.management import call_command
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder

from results.accounts.data import close_account
from results.core.data_version import stored_version
from results.core.security.digests import digest_account
from results.models import Erasure, Installation, Member, Submission
from results.models.choices import State
from results.operations.erasures import ErasureList, copied_list, stored_list
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
    "{uncovered}, and would come back. Put the newest copy of the list (erasures-….txt) next to "
    "the backup; if there is none, confirm with --without-erasures."
)


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

    def continues(self, candidate: "Candidate") -> bool:
        """Whether it has all of the candidate's past: then its list of erasures is complete for the candidate."""
        if candidate.lineage is not None:
            return self.lineage == candidate.lineage
        with django_on(self.name):  # a backup from before sites had a lineage
            return Submission.objects.filter(public_id__in=candidate.newest).count() == len(candidate.newest)


@dataclass(frozen=True, slots=True)
class Candidate:
    """The database to replace it with; `newest` has the public id of its newest submission, if it has any."""

    lineage: UUID | None
    newest: list[str]


def look_at_replaced() -> Replaced | None:
    """Look at the database that Django uses; None if it can't be read, or is older than this release."""
    name = str(connection.settings_dict["NAME"])
    connection.close()  # a firewall may have ended one that was idle for hours
    try:
        return Replaced(name, _lineage(), stored_list(), stored_version())
    except Error:
        return None
    finally:
        connection.close()


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
        candidate = Candidate(_lineage(), list(newest))
    past = replaced if replaced and replaced.continues(candidate) else None
    known = _known_lists(past, folder, candidate)
    covered = [one.complete_until for one in known if one.complete_until]
    _check_covered(max([made_at, *covered]), is_accepted=confirmed.uncovered, report=report)
    lines = frozenset().union(*(one.lines for one in known))
    with django_on(database):
        report(f"Repeating erasures: {len(lines)} are listed")
        if candidate.lineage is None and past is not None and past.lineage is not None:
            Installation.objects.create(id=1, lineage=past.lineage)
        _check_key(is_accepted=confirmed.another_key)
        erase_again(lines)
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


def _known_lists(past: Replaced | None, folder: Path, candidate: Candidate) -> list[ErasureList]:
    """The copy in the folder, and the list of the database to be replaced if it continues the candidate."""
    copied = copied_list(folder, past.lineage if past else candidate.lineage)
    return [copied] if past is None else [copied, past.erasures]


def _check_covered(end: datetime, *, is_accepted: bool, report: Callable[[str], None]) -> None:
    """Raise RestoreError if erasures are known only until `end`, unless that is accepted."""
    age = datetime.now(UTC) - end
    if age <= CURRENT:
        return
    uncovered = UNCOVERED.format(end=end)
    if not is_accepted:
        raise RestoreError(WHAT_TO_DO.format(uncovered=uncovered))
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
