import pytest
from django.db import connection, connections
from prometheus_client import REGISTRY

from slogdb.pool import tell_pool
from tests.concurrency import wait_until


def told(state):
    return REGISTRY.get_sample_value("slogdb_db_pool_connections", {"state": state})


@pytest.fixture
def pooled(monkeypatch):
    """The suite's database through a pool of one."""
    own = dict(connection.settings_dict)
    own.update(CONN_MAX_AGE=0, OPTIONS={**own["OPTIONS"], "pool": {"min_size": 1, "max_size": 1}})
    monkeypatch.setitem(connections.settings, "pooled", own)
    database = connections["pooled"]
    monkeypatch.setattr(database, "ensure_connection", lambda: database.connection or database.connect())
    yield database
    database.close()
    database.close_pool()
    del connections["pooled"]


@pytest.mark.django_db(transaction=True)
def test_a_pool_tells_how_many_of_its_connections_are_open_and_free(pooled):
    with pooled.cursor() as cursor:
        cursor.execute("SELECT 1")
    tell_pool("pooled")
    assert (told("open"), told("available"), told("waiting")) == (1, 0, 0)
    pooled.close()

    def is_free():
        tell_pool("pooled")
        return told("available") == 1

    wait_until(is_free)


def test_without_a_pool_there_is_nothing_to_tell():
    tell_pool()
