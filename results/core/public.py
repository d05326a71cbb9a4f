"""Public pages: the same for every reader, so that one copy serves all until the data changes.

They are read from the replica if there is one. Everything else, including all writes, uses the primary, so that a
writer reads what it wrote.
"""

import contextvars
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, ParamSpec

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import Http404, HttpRequest, HttpResponseBase
from django.views.decorators.http import require_GET
from prometheus_client import Counter

from results.core.data_version import FIRST_VERSION
from results.core.parameters import Source, View, takes
from results.core.security.rate_limits import counted
from results.models import DataVersion

P = ParamSpec("P")

IS_PUBLIC = "is_public"  # an attribute of public views, which decorators pass on

MARK = "X-Slogdb-Public"  # a header that the page cache removes
VERSION = "slogdb.version"  # in the environ: the minimum data version that a page must show; None if unknown

REPLICA = "replica"  # its alias in settings.DATABASES
PAUSE_AFTER_FAILURE_S = 5.0
PUBLIC_APP = "results"
PRIVATE_MODELS = {"apikey", "member", "rememberedanswer"}  # permissions are looked up in the primary
REPLICA_READS = Counter(
    "slogdb_replica_reads_total",
    "Public pages rendered where a replica is configured, by what they were read from: replica or primary.",
    ["source"],
)

_reads_from: contextvars.ContextVar[str] = contextvars.ContextVar("reads_from", default=DEFAULT_DB_ALIAS)
replica_away_until = 0.0  # by time.monotonic()


def public_page(*sources: Source, in_sitemap: bool = False) -> Callable[[View[P]], View[P]]:
    """A public page, which answers nothing but GET and declares the same as results.core.parameters.takes.

    Rendering it counts as a read of its reader; copies from the page cache don't come here.
    """

    def decorate(view: View[P]) -> View[P]:
        return require_GET(takes(*sources, in_sitemap=in_sitemap)(counted(public(view))))

    return decorate


def public(view: View[P]) -> View[P]:
    """Mark what `view` returns as public: it must read nothing but the URL and the data, or set Cache-Control.

    A page that the replica doesn't have is looked up in the primary: it may have just been published.
    """

    @wraps(view)
    def marked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.method not in {"GET", "HEAD"}:
            return view(request, *args, **kwargs)
        response = None
        if REPLICA in connections:
            response = _from_replica(request, lambda: view(request, *args, **kwargs))
        if response is None:
            response = view(request, *args, **kwargs)
        is_stored = not response.streaming and "Cache-Control" not in response
        if response.status_code == 200 and is_stored:
            response[MARK] = "1"
        return response

    setattr(marked, IS_PUBLIC, True)
    return marked


def _from_replica(request: HttpRequest, render: Callable[[], HttpResponseBase]) -> HttpResponseBase | None:
    """Return the page from the replica, or None if it lags behind, is unavailable or lacks this page."""
    response = None
    with suppress(Http404, OperationalError, InterfaceError):
        if _is_current(request.META.get(VERSION)):
            token = _reads_from.set(REPLICA)
            try:
                response = render()
            finally:
                _reads_from.reset(token)
    is_found = response is not None and response.status_code != 404
    REPLICA_READS.labels("replica" if is_found else "primary").inc()
    return response if is_found else None


def _is_current(required: int | None) -> bool:
    """Whether the replica has the data version `required`, as which the page cache stores the page.

    A replica that doesn't respond isn't tried again for PAUSE_AFTER_FAILURE_S.
    """
    global replica_away_until
    if time.monotonic() < replica_away_until:
        return False
    try:
        stored = DataVersion.objects.using(REPLICA).values_list("value", flat=True).first()
    except (OperationalError, InterfaceError):
        replica_away_until = time.monotonic() + PAUSE_AFTER_FAILURE_S
        raise
    return required is None or (stored or FIRST_VERSION) >= required


def reader() -> BaseDatabaseWrapper:
    """Return the connection for raw SQL: the replica's while a public page is read from there."""
    return connections[_reads_from.get()]


@contextmanager
def from_primary() -> Iterator[None]:
    """Read what a replica may not have yet from the primary."""
    token = _reads_from.set(DEFAULT_DB_ALIAS)
    try:
        yield
    finally:
        _reads_from.reset(token)


class ReplicaRouter:
    """Django database router: queries of public pages may use the replica."""

    def db_for_read(self, model: Any, **hints: Any) -> str:  # noqa: ARG002 - Django's signature
        is_public = model._meta.app_label == PUBLIC_APP and model._meta.model_name not in PRIVATE_MODELS
        return _reads_from.get() if is_public else DEFAULT_DB_ALIAS

    def db_for_write(self, model: Any, **hints: Any) -> str:  # noqa: ARG002 - the same
        return DEFAULT_DB_ALIAS

    def allow_relation(self, obj: Any, other: Any, **hints: Any) -> bool:  # noqa: ARG002 - the same
        return True  # the same rows, whichever server they were read from

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:  # noqa: ARG002 - the same
        return db == DEFAULT_DB_ALIAS
