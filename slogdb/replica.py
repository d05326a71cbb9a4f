"""Reading from a replica: only public pages do, and only from one that is not behind what is known already.

Everything else, and everything that writes, uses the primary, so that a writer reads what it wrote. A public page is
made in one snapshot of the replica, and the data version is read in that snapshot: a page of an older state than the
page cache knows of is never made, so never kept under a newer version's name.
"""

import contextvars
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from slogdb import metrics
from slogdb.databases import REPLICA

PAUSE_AFTER_FAILURE_S = 5.0
PUBLIC_APP = "results"
PRIVATE_MODELS = {"apikey", "member", "rememberedanswer"}  # what a page is allowed to is asked of the primary
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
_VERSION = "SELECT value FROM results_dataversion WHERE id = 1"

_reads_from: contextvars.ContextVar[str] = contextvars.ContextVar("reads_from", default=DEFAULT_DB_ALIAS)


class ReplicaUnfitError(Exception):
    """The replica is away, or behind what is wanted."""


class ReplicaRouter:
    """Django's router: reads go where `snapshot` says, writes to the primary."""

    def db_for_read(self, model: Any, **hints: Any) -> str:  # noqa: ARG002 - Django's signature
        told = model._meta
        is_public = told.app_label == PUBLIC_APP and told.model_name not in PRIVATE_MODELS
        return _reads_from.get() if is_public else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:  # noqa: ARG002 - the same
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Any, other: Any, **hints: Any) -> bool:  # noqa: ARG002 - the same
        return True  # the same rows, whichever server told them

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:  # noqa: ARG002 - the same
        return db == DEFAULT_DB_ALIAS


def reader() -> BaseDatabaseWrapper:
    """The connection for statements that are written out: the replica's within `snapshot`, else the primary's."""
    return connections[_reads_from.get()]


def is_configured() -> bool:
    return REPLICA in connections


class _Pause:
    until = 0.0


@contextmanager
def snapshot(*, wanted: int | None) -> Iterator[None]:
    """Read everything from one state of the replica, at least as new as version `wanted`.

    Raises ReplicaUnfitError, also for one that goes away meanwhile: what was begun can be made from the primary.
    """
    if time.monotonic() < _Pause.until:
        raise _unfit("away")
    token = _reads_from.set(REPLICA)
    try:
        with transaction.atomic(using=REPLICA):
            _check(wanted)
            yield
    except (OperationalError, InterfaceError) as error:
        _pause_if_away()
        raise _unfit("away") from error
    finally:
        _reads_from.reset(token)
    metrics.REPLICA_READS.labels("replica").inc()


def _pause_if_away() -> None:
    """Leave a replica that does not answer alone for a while; one that only ended a query is asked again."""
    connection = connections[REPLICA]
    if connection.connection is None or not connection.is_usable():
        connection.close()
        _Pause.until = time.monotonic() + PAUSE_AFTER_FAILURE_S


def _unfit(outcome: str) -> ReplicaUnfitError:
    metrics.REPLICA_READS.labels(outcome).inc()
    return ReplicaUnfitError(outcome)


def _check(wanted: int | None) -> None:
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(_SNAPSHOT)
        cursor.execute(_VERSION)
        row = cursor.fetchone()
    if wanted is not None and (row[0] if row else 1) < wanted:
        raise _unfit("lagging")
