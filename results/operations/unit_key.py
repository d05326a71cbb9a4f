"""SLOGDB_UNIT_KEY never changes: its fingerprint is stored, and a site with another key doesn't start."""

from typing import Any

import psycopg
from django.conf import settings
from django.core.checks import Error, Tags, register

from results.core.security.digests import digest_of_key
from results.models import Installation
from results.operations.postgres_tools import parameters

ANOTHER_KEY = (
    "SLOGDB_UNIT_KEY isn't this database's key: units seen before wouldn't be recognized, and closed accounts "
    "could come back. Put the old key back into the settings (.env, or var/keys.env for bin/serve)."
)
IF_LOST = (
    " If it is lost: manage.py accept_unit_key --yes (with bin/serve, while bin/serve --only-servers runs in "
    "another terminal)"
)
_STORED = "SELECT unit_key_digest FROM results_installation WHERE id = 1"


class AnotherKeyError(Exception):
    """The stored digests were made with another key; the message says what to do."""


def record_key() -> None:
    """Store the fingerprint of the key if there is none yet. Raises AnotherKeyError."""
    site = Installation.objects.get_or_create(id=1)[0]
    if not site.unit_key_digest:
        accept_key()
    elif site.unit_key_digest != digest_of_key():
        raise AnotherKeyError(ANOTHER_KEY)


def accept_key() -> None:
    """Store the fingerprint of the key, whatever is stored."""
    Installation.objects.update_or_create(id=1, defaults={"unit_key_digest": digest_of_key()})


def check_key() -> None:
    """Raise AnotherKeyError if another fingerprint is stored, before a process serves or works.

    It doesn't use Django's connection, which the process may open only after forking. If the database is down, the
    process starts anyway, and waits for it.
    """
    try:
        with psycopg.connect(**parameters()) as connection:
            stored = connection.execute(_STORED).fetchone()
    except psycopg.Error:
        return
    if stored is not None and stored[0] not in {"", digest_of_key()}:
        raise AnotherKeyError(ANOTHER_KEY + IF_LOST)


@register(Tags.security)
def check_keys_differ(**_: Any) -> list[Error]:
    """If the keys are equal, a leak of one exposes what the other protects."""
    if settings.UNIT_KEY not in {settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS}:
        return []
    return [
        Error(
            "SLOGDB_SECRET_KEY and SLOGDB_UNIT_KEY are equal.",
            hint="Change SLOGDB_SECRET_KEY (openssl rand -base64 48), which can be changed: docs/self-hosting.md, "
            '"Upgrade".',
            id="results.E002",
        )
    ]
