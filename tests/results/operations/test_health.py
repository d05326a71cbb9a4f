import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder

from results.core.queue import WORKER_SEEN_KEY
from results.core.redis import key
from results.operations import health

pytestmark = pytest.mark.django_db(transaction=True)  # the view may drop the connection


@pytest.fixture
def database_away(monkeypatch):
    """As Django says it; a database that is really stopped is tests/browser's."""

    def refuse():
        raise OperationalError

    monkeypatch.setattr(health, "stored_version", refuse)


@pytest.fixture
def read_only_database():
    """As a server that follows another one is after a failover; tests/standby.py has a real one."""
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    yield
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = off")


def test_all_is_well(client, redis):
    redis.set(key(WORKER_SEEN_KEY), 1)
    redis.rpush(key("celery"), "task", "task")
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "cache": "ok",
        "queue": {"waiting": 2},
        "worker": "ok",
        "scheduler": "not seen",
    }


def test_a_missing_worker_is_reported_but_the_site_is_healthy(client):
    response = client.get("/healthz")
    assert (response.status_code, response.json()["worker"]) == (200, "not seen")


@pytest.mark.usefixtures("redis_away")
def test_the_site_is_healthy_without_redis_and_reports_it(client):
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


@pytest.mark.usefixtures("database_away")
def test_the_site_is_unhealthy_without_the_database(client):
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


@pytest.mark.usefixtures("read_only_database")
def test_a_read_only_database_is_reported_but_the_site_is_healthy(client):
    health, ready = client.get("/healthz"), client.get("/readyz")
    assert (health.status_code, health.json()["status"]) == (200, "database read only")
    assert (ready.status_code, ready.json()["status"]) == (200, "degraded")
    assert health.json()["database"] == ready.json()["database"] == "read only"
    assert ready.json()["migrations"] == "ok"


def test_health_is_never_cached(client):
    assert "no-store" in client.get("/healthz")["Cache-Control"]


def test_a_site_with_all_its_parts_is_ready(client):
    for _ in range(2):
        response = client.get("/readyz")
        assert response.status_code == 200
        assert response.json() == {"status": "ready", "database": "ok", "migrations": "ok", "redis": "ok"}
    assert "no-store" in response["Cache-Control"]


@pytest.mark.usefixtures("redis_away")
def test_the_site_is_ready_without_redis_and_reports_it(client):
    response = client.get("/readyz")
    assert (response.status_code, response.json()["status"], response.json()["redis"]) == (
        200,
        "degraded",
        "away",
    )


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


@pytest.mark.usefixtures("database_away")
def test_the_site_is_not_ready_without_the_database(client):
    response = client.get("/readyz")
    assert (response.status_code, response.json()["migrations"]) == (503, "unknown")
