"""The site's current state from PostgreSQL, Redis, the disk and the proxy, for metrics and the operator's page."""

import json
import shutil
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from celery import current_app
from cryptography.x509 import load_der_x509_certificate
from django.conf import settings
from django.db import Error, connection
from kombu.exceptions import OperationalError as BrokerError

from results.core.queue import SCHEDULER_SEEN_KEY, WORKER_ALIVE_KEY, WORKER_SEEN_KEY
from results.core.redis import RedisAwayError, key, link
from results.exports.build import current_manifest

QUEUE = "celery"  # Celery's name for its default queue
WORKERS_ANSWER_WITHIN_S = 0.5
PROXY_ANSWERS_WITHIN_S = 1.0
LATEST_BACKUP = "latest.json"
REPLACED_AT = "%Y%m%d%H%M%S%f"  # in the names of databases that restores made or replaced
ARCHIVE_FAILS = """
    SELECT current_setting('archive_mode') <> 'off' AND last_failed_time IS NOT NULL
        AND last_failed_time > coalesce(last_archived_time, '-infinity')
    FROM pg_stat_archiver
"""
# Databases left by restores, with the time in their names: see results.operations.restore.
_LEFT = """
    SELECT datname FROM pg_database
    WHERE starts_with(datname, current_database() || '_before_') AND datname ~ '_before_[0-9]{20}$'
"""
_STANDING = """
    SELECT
        (SELECT count(*) FROM results_submission WHERE needs_review OR state = 'held'),
        (SELECT count(*) FROM results_classranking WHERE changes > ranked_changes),
        (SELECT count(*) FROM results_device WHERE dirty_since IS NOT NULL),
        (SELECT extract(epoch FROM now() - min(dirty_since))::float8 FROM results_device),
        (SELECT extract(epoch FROM now() - max(ranked_at))::float8 FROM results_classranking),
        coalesce((SELECT value FROM results_dataversion WHERE id = 1), 1),
        coalesce((SELECT read_only_reason FROM results_dataversion WHERE id = 1), '')
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """The state from PostgreSQL in the order that stored() reads; ages are in seconds, None if nothing can be dated.

    The archive is PostgreSQL's WAL archive.
    """

    to_review_count: int
    unranked_boards: int
    late_devices: int
    late_age_s: float | None
    rank_age_s: float | None
    data_version: int
    read_only_reason: str
    is_archive_failing: bool = False
    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class Queue:
    """The state of Redis, the worker and the scheduler (beat); `depth` counts the tasks in the queue."""

    depth: int
    is_worker_seen: bool
    is_scheduler_seen: bool


def stored() -> Stored | None:
    """The state from PostgreSQL; None while it is unavailable."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_STANDING)
            standing = cursor.fetchone()
            cursor.execute(ARCHIVE_FAILS)
            values = (*standing, *cursor.fetchone(), not takes_writes())
    except Error:
        return None
    return Stored(*values)


def takes_writes() -> bool:
    """Whether the primary accepts writes; after a failover it may be a standby. Raises django.db.Error."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only') = 'off'")
        return bool(cursor.fetchone()[0])


def queue() -> Queue | None:
    """The state of Redis, the worker and the scheduler; None while Redis is unavailable.

    A worker is seen if it runs the sweeps. Without a scheduler there are none, and it is enough that it is alive.
    """
    names = (WORKER_SEEN_KEY, WORKER_ALIVE_KEY, SCHEDULER_SEEN_KEY)
    try:
        depth, seen = link.call(
            lambda redis: (redis.llen(key(QUEUE)), redis.mget([key(name) for name in names]))
        )
    except RedisAwayError:
        return None
    works, is_alive, scheduler = map(bool, seen)
    return Queue(depth, works or (is_alive and not scheduler), scheduler)


@dataclass(frozen=True, slots=True)
class Left:
    """Databases that restores replaced: how many, and the age of the oldest; None without one."""

    count: int
    oldest_s: float | None


def left_databases() -> Left | None:
    """The databases that restores left; None while PostgreSQL is unavailable."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_LEFT)
            names = [name for (name,) in cursor.fetchall()]
    except Error:
        return None
    ages = [(datetime.now(UTC) - replaced_at(name)).total_seconds() for name in names]
    return Left(len(names), max(ages, default=None))


def replaced_at(name: str) -> datetime:
    """When a restore replaced the database that it named so."""
    return datetime.strptime(name.rpartition("_")[2], REPLACED_AT).replace(tzinfo=UTC)


def workers() -> list[str]:
    """The names of the workers that respond within half a second."""
    try:
        answers = current_app.control.inspect(timeout=WORKERS_ANSWER_WITHIN_S).ping()
    except (BrokerError, OSError):
        return []
    return sorted(answers or {})


def export_age_s() -> float | None:
    """Seconds since the current exports were built; None before the first."""
    manifest = current_manifest()
    return None if manifest is None else _age(manifest.built_at)


def backup_age_s() -> float | None:
    """Seconds since the last verified backup; None if there is none."""
    return age_of_backup_s(Path(settings.BACKUP_STATUS or Path(settings.BACKUP_FOLDER, LATEST_BACKUP)))


def age_of_backup_s(manifest: Path) -> float | None:
    """The same for a backup's manifest; None if there is none."""
    try:
        stated: dict[str, Any] = json.loads(manifest.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return _age(stated["finished_at"])


def certificate_left_s() -> float | None:
    """Seconds until the TLS certificate expires, negative after that; None if there is none to read."""
    if settings.CERTIFICATE_FROM is None:
        return None
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # only read: an expired one, too
    name = urlsplit(settings.SITE_URL).hostname
    try:
        with (
            socket.create_connection(settings.CERTIFICATE_FROM, timeout=PROXY_ANSWERS_WITHIN_S) as plain,
            context.wrap_socket(plain, server_hostname=name) as connection,
        ):
            certificate = load_der_x509_certificate(connection.getpeercert(binary_form=True) or b"")
    except (OSError, ValueError):
        return None
    return (certificate.not_valid_after_utc - datetime.now(UTC)).total_seconds()


def free_bytes(folder: str) -> int | None:
    """Free bytes on the disk of a folder, or of the parent in which it will be created."""
    path = Path(folder)
    while not path.exists():
        path = path.parent
    try:
        return shutil.disk_usage(path).free
    except OSError:
        return None


def _age(moment: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(moment)).total_seconds()
