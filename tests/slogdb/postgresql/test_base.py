"""A PostgreSQL that keeps everybody waiting at the door is not knocked at by one after the other."""

import psycopg
import pytest
from django.db import OperationalError, connection
from django.db.backends.postgresql import base as djangos

from slogdb.postgresql import base
from slogdb.postgresql.base import PAUSE_S, SLOW_S, DatabaseWrapper


class Door:
    """Every attempt to connect takes `takes_s` and fails, on a clock of its own."""

    def __init__(self, takes_s):
        self.takes_s = takes_s
        self.now_s = 1000.0
        self.attempts = 0

    def monotonic(self):
        return self.now_s

    def knock(self):
        self.attempts += 1
        self.now_s += self.takes_s
        raise psycopg.OperationalError("no answer")


@pytest.fixture
def door_that_takes(monkeypatch):
    monkeypatch.setattr(DatabaseWrapper, "_paused_until", {})

    def make(takes_s):
        door = Door(takes_s)
        monkeypatch.setattr(base, "time", door)
        monkeypatch.setattr(djangos.DatabaseWrapper, "get_new_connection", lambda *_: door.knock())
        return door

    return make


def fails():
    wrapper = DatabaseWrapper({"OPTIONS": {}}, alias="default")
    with pytest.raises(psycopg.OperationalError):
        wrapper.get_new_connection({})


def test_after_a_slow_failure_the_next_ones_fail_at_once_for_a_while(door_that_takes):
    door = door_that_takes(SLOW_S + 4)
    for _ in range(3):
        fails()
    assert door.attempts == 1
    door.now_s += PAUSE_S
    fails()
    assert door.attempts == 2


def test_one_that_refuses_at_once_is_asked_again_at_once(door_that_takes):
    door = door_that_takes(0.01)
    for _ in range(3):
        fails()
    assert door.attempts == 3


@pytest.mark.django_db
def test_the_site_is_connected_by_it_and_its_pause_is_a_database_that_is_away(monkeypatch):
    assert connection.settings_dict["ENGINE"] == "slogdb.postgresql"
    other = connection.copy("paused")
    monkeypatch.setattr(DatabaseWrapper, "_paused_until", {"paused": float("inf")})
    with pytest.raises(OperationalError, match="did not let anybody in"):
        other.ensure_connection()
