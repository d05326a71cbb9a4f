"""Fixtures that more than one folder of tests uses."""

from collections.abc import Iterator
from datetime import date

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.servers.basehttp import WSGIRequestHandler
from django.db import connection, connections
from django.test import override_settings
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker

from tests.migrated import template
from tests.patience import PATIENCE_S

# The live server sends head and body apart: without this each answer waits 40 ms for the browser's acknowledgment.
WSGIRequestHandler.disable_nagle_algorithm = True
expect.set_options(timeout=PATIENCE_S * 1000)

LET_NOBODY_IN = "ALTER DATABASE {} WITH ALLOW_CONNECTIONS false"
END_OTHER_SESSIONS = (
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
    " WHERE datname = %s AND pid <> pg_backend_pid()"
)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """pytest-django's own; the database is copied from one that is migrated already."""
    connections.databases["default"]["TEST"]["TEMPLATE"] = template()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """pytest-django's own; before it drops the database, threads that a browser's connections kept have left it."""
    yield
    name = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        connection.close()
        with connection._nodb_cursor() as cursor:  # noqa: SLF001 - Django's own way around it
            cursor.execute(LET_NOBODY_IN.format(connection.ops.quote_name(name)))
            cursor.execute(END_OTHER_SESSIONS, [name])


@pytest.fixture
def everyone_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown models are ranked at once, for tests that are about what comes after that."""
    monkeypatch.setattr("results.submissions.intake.other_results.is_trusted", lambda _: True)


@pytest.fixture
def nothing_counted(db: None) -> None:
    """No attempt to sign in was made before."""
    cache.clear()


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> date:
    """The day that ages on pages are counted to: 2024-06-30."""
    day = date(2024, 6, 30)
    monkeypatch.setattr("results.core.today.utc_day", lambda: day)
    return day


@pytest.fixture(scope="session", autouse=True)
def read_at_will() -> Iterator[None]:
    """All tests read from one network, faster than anybody may, and send one long text after another.

    Those about limits set their own.
    """
    limits = {**settings.RATE_LIMITS, "anonymous-read": (1_000_000, 60)}
    with override_settings(RATE_LIMITS=limits, TURN_REST=0):
        yield


@pytest.fixture(scope="session", autouse=True)
def own_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Static files under their own names: hashed ones need a collected folder, which tests/test_serve.py has.

    And no exports: those that bin/serve made in this checkout are of another database.
    """
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    storages = {**settings.STORAGES, "staticfiles": plain}
    with override_settings(STORAGES=storages, EXPORT_FOLDER=str(tmp_path_factory.mktemp("none") / "exports")):
        yield
