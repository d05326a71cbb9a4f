"""The operator's page: the site's current state, for administrators with a second factor, never cached."""

import platform
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import django
import psycopg
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import Error, connection, connections
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from parsers.paste import PARSER_VERSION
from results.core.mail import failed_count
from results.core.public import REPLICA
from results.core.security.members import Audience, declare_audience, member_of
from results.models import RereadRun
from results.operations import site_state
from results.submissions.intake.reread import written_kinds

UNKNOWN = "not known"
NONE = "none"
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3600, 86_400


class NamedValue(NamedTuple):
    """A name and a value."""

    name: str
    value: str


def _page(request: HttpRequest) -> HttpResponse:
    if not member_of(request).is_superuser:
        raise PermissionDenied
    sections = [(title, [NamedValue(*row) for row in rows()]) for title, rows in _SECTIONS]
    return render(request, "results/operations/page.html", {"sections": sections})


@declare_audience(Audience.ADMINISTRATORS)
@never_cache
@require_safe
def operator(request: HttpRequest) -> HttpResponse:
    """The operator's page, for administrators; the admin's check asks them for their second factor."""
    answer: HttpResponse = admin.site.admin_view(_page)(request)
    return answer


def _versions() -> list[tuple[str, str]]:
    return [
        ("slogdb", str(settings.FULL_VERSION)),
        ("Build", settings.BUILD),
        ("Parsers", PARSER_VERSION),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        ("PostgreSQL", _server_version()),
        ("psycopg", psycopg.__version__),
    ]


def _server_version() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW server_version")
            return str(cursor.fetchone()[0])
    except Error:
        return "unavailable"


def _waiting() -> list[tuple[str, str]]:
    stored, queue = site_state.stored(), site_state.queue()
    rows: list[tuple[str, str]] = [
        ("PostgreSQL", _database(stored)),
        ("Redis", "unavailable" if queue is None else "responds"),
    ]
    if queue is not None:
        rows += [
            ("Tasks in the queue", f"{queue.depth:,}"),
            ("Worker", _seen(queue.is_worker_seen)),
            ("Scheduler (beat)", _seen(queue.is_scheduler_seen)),
            ("Responding workers", ", ".join(site_state.workers()) or NONE),
        ]
    rows.append(("Mail", _mail()))
    if stored is not None:
        rows += [
            ("Read-only switch", stored.read_only_reason or "off"),
            ("Submissions to review", f"{stored.to_review_count:,}"),
            ("Boards to rank", f"{stored.unranked_boards:,}"),
            ("Devices to rank", f"{stored.late_devices:,}"),
        ]
    return rows


def _seen(is_seen: bool) -> str:
    return "seen within 20 seconds" if is_seen else "not seen"


def _database(stored: site_state.Stored | None) -> str:
    if stored is None:
        return "unavailable"
    return "responds, but is read-only" if stored.is_read_only else "responds"


def _mail() -> str:
    """Whether mail can be sent."""
    if not settings.EMAIL_HOST:
        return f"not sent, since SLOGDB_SMTP_HOST isn't set: written to {settings.EMAIL_FILE_PATH}"
    failed = failed_count()
    if failed is None:
        return UNKNOWN
    return f"{failed:,} failed within the last hour" if failed else "no failure within the last hour"


def _left_databases() -> str:
    left = site_state.left_databases()
    if left is None:
        return UNKNOWN
    if left.oldest_s is None:
        return NONE
    return f"{left.count:,}, the oldest replaced {written_age(left.oldest_s)}; drop them within 14 days"


def _last() -> list[tuple[str, str]]:
    stored = site_state.stored()
    archive = UNKNOWN
    if stored is not None:
        archive = "fails: its disk is full or not writable" if stored.is_archive_failing else "works"
    return [
        ("Class-wide pass", written_age(None if stored is None else stored.rank_age_s)),
        ("Exports", written_age(site_state.export_age_s())),
        ("PostgreSQL's archive", archive),
        ("Verified backup", written_age(site_state.backup_age_s())),
        ("Databases left by restores", _left_databases()),
        ("TLS certificate", _certificate(site_state.certificate_left_s())),
        ("Data version", UNKNOWN if stored is None else f"{stored.data_version:,}"),
    ]


def _certificate(left_s: float | None) -> str:
    if left_s is None:
        return UNKNOWN
    return "has expired" if left_s <= 0 else f"expires in {left_s / _DAY_S:.0f} days"


def _cache() -> list[tuple[str, str]]:
    serving = sys.modules.get(
        "slogdb.wsgi"
    )  # loaded only where pages are served, not in every test or command
    replica = ("Replica", "configured" if REPLICA in connections else NONE)
    if serving is None:
        return [("Page cache", "not used in this process"), replica]
    pages, used, capacity = serving.application.usage()
    return [("Cached pages", f"{pages:,}"), ("Bytes used", f"{used:,} of {capacity:,}"), replica]


def _disks() -> list[tuple[str, str]]:
    folders = {
        "Exports": settings.EXPORT_FOLDER,
        **({} if settings.BACKUP_STATUS else {"Backups": settings.BACKUP_FOLDER}),
        "Mail": settings.EMAIL_FILE_PATH,
    }
    found = {name: site_state.free_bytes(str(Path(folder))) for name, folder in folders.items()}
    return [(name, UNKNOWN if free is None else f"{free / 1e9:,.1f} GB free") for name, free in found.items()]


def written_age(seconds: float | None) -> str:
    """An age in words."""
    if seconds is None:
        return NONE
    for unit, length in (("day", _DAY_S), ("hour", _HOUR_S), ("minute", _MINUTE_S)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return f"{int(seconds)} s ago"


def _reread() -> list[tuple[str, str]]:
    """The progress of the worker's latest reread."""
    try:
        run = RereadRun.objects.first()
    except Error:
        return [("Texts", UNKNOWN)]
    if run is None:
        return [("Texts", NONE)]
    done = f"{run.done:,} of {run.total:,} read again"
    if run.finished_at is not None:
        done += f", finished {written_age((timezone.now() - run.finished_at).total_seconds())}"
    elif run.done:
        left_s = (run.touched_at - run.started_at).total_seconds() / run.done * max(0, run.total - run.done)
        done += f", about {max(1, round(left_s / _MINUTE_S))} min left"
    failed = [("Texts that failed, see the worker's log", f"{run.failed:,}")] if run.failed else []
    return [("Texts", done), *failed, ("Results that changed", ", ".join(written_kinds(run.changes)) or NONE)]


_SECTIONS: list[tuple[str, Callable[[], Sequence[tuple[str, str]]]]] = [
    ("What waits", _waiting),
    ("Last runs", _last),
    ("Reread by the worker", _reread),
    ("This process's page cache", _cache),
    ("Disks", _disks),
    ("Versions", _versions),
]
