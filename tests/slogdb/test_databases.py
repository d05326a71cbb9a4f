import pytest

from slogdb.databases import REPLICA, databases


@pytest.fixture(autouse=True)
def given(monkeypatch):
    """A primary, and nothing else."""
    for name in ("DATABASE_REPLICA_URL", "SLOGDB_DB_POOL", "SLOGDB_POOLS_TRANSACTIONS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", "postgresql://writer@db/slogdb")


def test_one_database_is_kept_open_and_prepares_what_asks_for_it():
    found = databases()
    assert list(found) == ["default"]
    assert (found["default"]["CONN_MAX_AGE"], found["default"]["OPTIONS"]) == (600, {"prepare_threshold": 5})


def test_a_replica_is_one_setting(monkeypatch):
    monkeypatch.setenv("DATABASE_REPLICA_URL", "postgresql://reader@standby/slogdb")
    found = databases()[REPLICA]
    assert (found["HOST"], found["USER"], found["OPTIONS"]["connect_timeout"]) == ("standby", "reader", 2)


def test_a_pool_has_its_size_and_keeps_connections_itself(monkeypatch):
    monkeypatch.setenv("SLOGDB_DB_POOL", "8")
    found = databases()["default"]
    assert (found["CONN_MAX_AGE"], found["OPTIONS"]["pool"]["max_size"]) == (0, 8)


def test_where_a_pooler_changes_sessions_nothing_is_left_in_them(monkeypatch):
    assert databases()["default"]["DISABLE_SERVER_SIDE_CURSORS"] is False
    monkeypatch.setenv("SLOGDB_POOLS_TRANSACTIONS", "1")
    found = databases()["default"]
    assert (found["OPTIONS"]["prepare_threshold"], found["DISABLE_SERVER_SIDE_CURSORS"]) == (None, True)
