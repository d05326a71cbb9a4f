"""Whether this release works with a database and can migrate it, or which release is needed."""

import re
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Name = tuple[str, str]  # of a migration: app and name

LAST_WITH_ALL = "d82064c"  # the last release that still has every migration that was squashed
STOP = (
    "This database is older than this release can migrate: it lacks {missing}. "
    f"Upgrade to {LAST_WITH_ALL} first, then to this release."
)
HINT = f'git checkout {LAST_WITH_ALL}, start the site once, come back: docs/self-hosting.md, "Upgrade".'

# A migration that removes what earlier releases need is named after the oldest release that works without it.
_NEEDS = re.compile(r"_needs_(\d+)_(\d+)_(\d+)$")
TOO_NEW = "This database needs slogdb {needed} or newer; this is {ours}."
TOO_NEW_HINT = (
    "git checkout v{needed}, or restore the backup from before the upgrade with this release: "
    'docs/self-hosting.md, "Roll back".'
)


def needed_stop(connection: BaseDatabaseWrapper) -> str:
    """Why another release has to migrate the database first; "" if this one can."""
    applied = set(MigrationRecorder(connection).applied_migrations())
    loader = MigrationLoader(None)
    for squashed in loader.replacements.values():
        missing = [name for name in squashed.replaces if name not in applied | loader.disk_migrations.keys()]
        if missing and len(missing) < len(squashed.replaces):
            return STOP.format(missing=missing[-1][1])
    return ""


@cache
def known_migrations() -> frozenset[Name]:
    """All migrations of this release, and those that they replace."""
    on_disk = MigrationLoader(None).disk_migrations
    return frozenset(on_disk).union(*(migration.replaces for migration in on_disk.values()))


@cache
def required_migrations() -> frozenset[Name]:
    """This release's migrations, without those that a squashed one replaces."""
    return frozenset(MigrationLoader(None).graph.nodes)


def unknown_migrations(applied: Collection[Name]) -> list[Name]:
    """The applied migrations of a newer release, of apps that this one has, too."""
    apps = {app for app, _ in known_migrations()}
    return sorted(name for name in {*applied} - known_migrations() if name[0] in apps)


def needed_release(applied: Collection[Name]) -> str:
    """The oldest release that works after these migrations, as "1.2.0"; "" if this one does."""
    needs = (_NEEDS.search(name) for _, name in unknown_migrations(applied))
    newest = max((tuple(map(int, found.groups())) for found in needs if found), default=(0,))
    is_newer = newest > tuple(map(int, settings.VERSION.split(".")))
    return ".".join(map(str, newest)) if is_newer else ""


@register(Tags.database)
def check_history(databases: Sequence[str] | None = None, **_: Any) -> list[Error]:
    """Run by `migrate`, which would otherwise fail with "lazy reference: app isn't installed", or do nothing."""
    return [error for alias in databases or () for error in _errors(connections[alias])]


def _errors(connection: BaseDatabaseWrapper) -> list[Error]:
    if stop := needed_stop(connection):
        return [Error(stop, hint=HINT, id="results.E001")]
    if needed := needed_release(MigrationRecorder(connection).applied_migrations()):
        stop = TOO_NEW.format(needed=needed, ours=settings.VERSION)
        return [Error(stop, hint=TOO_NEW_HINT.format(needed=needed), id="results.E004")]
    return []
