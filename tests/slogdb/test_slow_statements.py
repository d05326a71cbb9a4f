"""Slow statements are logged and counted with what ran them, without their values."""

import sys

import pytest
import structlog
from celery import shared_task
from django.db import connection
from django.db.backends.signals import connection_created
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from results.models import Device
from slogdb import slow_statements
from tests.factories import make_device

pytestmark = pytest.mark.django_db


@pytest.fixture
def logged(settings, monkeypatch):
    """The lines of statements; each is slow."""
    settings.SLOW_STATEMENT_S = -1
    monkeypatch.setattr(slow_statements, "logger", structlog.get_logger("uncached"))
    with capture_logs() as lines:
        yield lines


def counted():
    return REGISTRY.get_sample_value("slogdb_slow_statements_total", {"source": "leaderboard"}) or 0


def sources(logged):
    return {line["source"] for line in logged if line["event"] == "slow_statement"}


def test_a_request_names_its_view(client, logged):
    before = counted()
    assert client.get("/leaderboard/").status_code == 200
    assert sources(logged) == {"leaderboard"}
    assert counted() - before == sum(line["event"] == "slow_statement" for line in logged)
    assert client.get("/api/v1/products/").status_code == 200
    assert "api-products" in sources(logged)


def test_a_task_and_a_command_have_names_too(logged, monkeypatch):
    @shared_task(name="sample.count_devices")
    def count_devices():
        return Device.objects.count()

    count_devices.apply()
    assert sources(logged) == {"sample.count_devices"}
    monkeypatch.setattr(sys, "argv", ["/somewhere/manage.py", "reread", "--all"])
    Device.objects.count()
    assert "manage.py reread" in sources(logged)


def test_a_line_has_no_values(logged):
    make_device(model_name="SECRET 9000")
    Device.objects.filter(model_name="SECRET 9000").exists()
    line = logged[-1]
    assert 'FROM "results_device" WHERE' in line["sql"]
    assert "SECRET" not in str(logged)
    assert (line["log_level"], line["ms"] >= 0) == ("warning", True)


def test_a_fast_statement_has_no_line_and_a_connection_one_wrapper(logged, settings):
    settings.SLOW_STATEMENT_S = 60
    Device.objects.count()
    assert logged == []
    for _ in range(2):
        connection_created.send(sender=type(connection), connection=connection)
    assert connection.execute_wrappers.count(slow_statements.note_if_slow) == 1
