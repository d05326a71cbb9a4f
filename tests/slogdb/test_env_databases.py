import socket

import psycopg
import pytest
from django.db.utils import ConnectionHandler

from slogdb.env import DEAD_PEER_DETECTION, REPLICA, databases


@pytest.fixture(autouse=True)
def given(monkeypatch):
    """A primary, and nothing else."""
    for name in ("DATABASE_REPLICA_URL", "SLOGDB_STATEMENT_TIMEOUT", "SLOGDB_POOLS_TRANSACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgresql://writer@db/slogdb")


def test_connections_are_persistent_and_prepare_on_request():
    found = databases()
    assert list(found) == ["default"]
    assert found["default"]["CONN_MAX_AGE"] == 600
    assert found["default"]["OPTIONS"]["connect_timeout"] == 5
    assert found["default"]["OPTIONS"]["prepare_threshold"] == 5


def test_an_unresponsive_server_times_out(monkeypatch):
    """As one that hangs, or a machine that is gone and refuses nothing: a reader waits for that."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("DATABASE_URL", f"postgresql://writer@{address}/slogdb?connect_timeout=2")
        with pytest.raises(psycopg.errors.ConnectionTimeout):
            ConnectionHandler(databases())["default"].connect()


@pytest.mark.parametrize("alias", ["default", REPLICA])
def test_dead_connections_are_detected(monkeypatch, alias):
    monkeypatch.setenv("DATABASE_REPLICA_URL", "postgresql://reader@standby/slogdb")
    options = databases()[alias]["OPTIONS"]
    assert {name: options[name] for name in DEAD_PEER_DETECTION} == DEAD_PEER_DETECTION
    assert options["tcp_user_timeout"] <= 15_000
    assert options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"] <= 30


def test_the_url_can_override_connection_options(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://writer@db/slogdb?connect_timeout=30")
    assert databases()["default"]["OPTIONS"]["connect_timeout"] in {30, "30"}


def test_a_replica_is_one_setting(monkeypatch):
    monkeypatch.setenv("DATABASE_REPLICA_URL", "postgresql://reader@standby/slogdb")
    found = databases()[REPLICA]
    assert (found["HOST"], found["USER"], found["OPTIONS"]["connect_timeout"]) == ("standby", "reader", 2)


def test_web_processes_limit_their_statements(monkeypatch):
    assert "options" not in databases()["default"]["OPTIONS"]
    monkeypatch.setenv("SLOGDB_STATEMENT_TIMEOUT", "30")
    assert databases()["default"]["OPTIONS"]["options"] == "-c statement_timeout=30s"
    monkeypatch.setenv("SLOGDB_POOLS_TRANSACTIONS", "1")
    assert "options" not in databases()["default"]["OPTIONS"]


def test_no_session_state_is_used_behind_a_pooler(monkeypatch):
    assert databases()["default"]["DISABLE_SERVER_SIDE_CURSORS"] is False
    monkeypatch.setenv("SLOGDB_POOLS_TRANSACTIONS", "1")
    found = databases()["default"]
    assert (found["OPTIONS"]["prepare_threshold"], found["DISABLE_SERVER_SIDE_CURSORS"]) == (None, True)
