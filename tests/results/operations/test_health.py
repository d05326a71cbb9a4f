import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from results.core.queue import WORKER_SEEN_KEY
from results.core.redis import key
from results.operations import health
from tests.results.conftest import read_only_connection

pytestmark = pytest.mark.django_db(transaction=True)  # the view may drop the connection


@pytest.fixture
def database_away(monkeypatch):
    """As Django says it; a database that is really stopped is tests/browser's."""

    def refuse():
        raise OperationalError

    monkeypatch.setattr(health, "stored_version", refuse)


def test_all_is_well(client, redis):
    redis.set(key(WORKER_SEEN_KEY), 1)
    redis.rpush(key("celery"), "task", "task")
    response = client.get("/healthz")
    assert (response.status_code, "no-store" in response["Cache-Control"]) == (200, True)
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "cache": "ok",
        "queue": {"waiting": 2},
        "worker": "ok",
        "scheduler": "not seen",
    }


@pytest.mark.usefixtures("redis_away")
def test_the_site_is_healthy_and_ready_without_redis_and_reports_it(client):
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "cache": "away",
        "queue": "away",
        "worker": "unknown",
        "scheduler": "unknown",
    }
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["status"], ready.json()["redis"]) == (200, "degraded", "away")


@pytest.mark.usefixtures("database_away")
def test_the_site_is_neither_healthy_nor_ready_without_the_database(client):
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "database away",
        "database": "away",
        "migrations": "unknown",
        "cache": "ok",
        "queue": {"waiting": 0},
        "worker": "not seen",
        "scheduler": "not seen",
    }
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["migrations"]) == (503, "unknown")


def test_a_read_only_database_is_reported_but_the_site_is_healthy(client):
    with read_only_connection():
        health, ready = client.get("/healthz"), client.get("/readyz")
    assert (health.status_code, health.json()["status"]) == (200, "database read only")
    assert (ready.status_code, ready.json()["status"]) == (200, "degraded")
    assert health.json()["database"] == ready.json()["database"] == "read only"
    assert ready.json()["migrations"] == "ok"


def test_a_site_with_all_its_parts_is_ready(client):
    for _ in range(2):
        response = client.get("/readyz")
        assert response.status_code == 200
        assert response.json() == {"status": "ready", "database": "ok", "migrations": "ok", "redis": "ok"}
    assert "no-store" in response["Cache-Control"]


def test_a_site_that_was_well_is_not_while_a_migration_is_missing(client):
    """As after a database was replaced by an older one."""
    assert client.get("/readyz").status_code == 200
    applied = MigrationRecorder(connection)
    applied.record_unapplied("sessions", "0001_initial")
    try:
        ready, health = client.get("/readyz"), client.get("/healthz")
    finally:
        applied.record_applied("sessions", "0001_initial")
    assert (ready.status_code, ready.json()["status"]) == (503, "not ready")
    assert (health.status_code, health.json()["status"]) == (503, "migrations missing")
    assert ready.json()["migrations"] == health.json()["migrations"] == "missing"
    assert client.get("/readyz").status_code == client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("name", "status", "migrations", "health"),
    [
        ("9999_extended", 200, "newer", "ok"),
        ("9999_dropped_needs_0_9_0", 200, "newer", "ok"),
        ("9999_dropped_needs_1_10_0", 503, "too new", "migrations too new"),
    ],
)
def test_a_site_is_ready_on_a_newer_database_unless_that_needs_a_newer_release(
    client, name, status, migrations, health
):
    applied = MigrationRecorder(connection)
    applied.record_applied("results", name)
    try:
        ready, alive = client.get("/readyz"), client.get("/healthz")
    finally:
        applied.record_unapplied("results", name)
    assert (ready.status_code, ready.json()["migrations"]) == (status, migrations)
    assert (alive.status_code, alive.json()["status"], alive.json()["migrations"]) == (
        200,
        health,
        migrations,
    )
