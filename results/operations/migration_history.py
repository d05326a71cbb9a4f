"""Whether this release can migrate a database, or which release has to migrate it first."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import Error, Tags, register
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

LAST_WITH_ALL = "d82064c"  # the last release that still has every migration that was squashed
STOP = (
    "This database is older than this release can migrate: it lacks {missing}. "
    f"Upgrade to {LAST_WITH_ALL} first, then to this release."
)
HINT = f'git checkout {LAST_WITH_ALL}, start the site once, come back: docs/self-hosting.md, "Upgrade".'


def needed_stop(connection: BaseDatabaseWrapper) -> str:
    """Why another release has to migrate the database first; "" if this one can."""
    applied = set(MigrationRecorder(connection).applied_migrations())
    for squashed in MigrationLoader(None).replacements.values():
        missing = [name for name in squashed.replaces if name not in applied]
        if missing and len(missing) < len(squashed.replaces):
            return STOP.format(missing=missing[-1][1])
    return ""


@register(Tags.database)
def check_history(databases: Sequence[str] | None = None, **_: Any) -> list[Error]:
    """Run by `migrate`, which would otherwise fail with "lazy reference: app isn't installed"."""
    stops = (needed_stop(connections[alias]) for alias in databases or ())
    return [Error(stop, hint=HINT, id="results.E001") for stop in stops if stop]
