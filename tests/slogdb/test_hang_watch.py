"""A PostgreSQL that took a statement and says nothing more: who waits for it is let go."""

import time
from threading import Thread

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg.pq import TransactionStatus

from slogdb import hang_watch
from slogdb.hang_watch import PATIENCE_S, HangWatch
from slogdb.one_at_a_time import OneAtATime
from tests.slogdb.cached_site import ROOM

LONG = "SELECT pg_sleep(60)"
SHORT_S = 1.0


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(hang_watch, "LOOKS_EVERY_S", 0.05)
    monkeypatch.setattr(hang_watch, "PATIENCE_S", SHORT_S)


class Turns:
    """Requests that each do one thing with the database, all on the process's own connection."""

    def __init__(self):
        self.turns = OneAtATime(self._answer, room=ROOM)

    def _answer(self, environ, _):
        return [environ["work"]()]

    def take(self, work):
        """What came of it in a thread of its own, and the seconds that it took."""
        found = []

        def ask():
            try:
                found.extend(self.turns({"work": work}, lambda *_: None))
            except OperationalError as error:
                found.append(error)

        began = time.monotonic()
        thread = Thread(target=ask)
        thread.start()
        thread.join(50)
        return found[0], time.monotonic() - began

    def close(self):
        for shared in self.turns._connections._by_alias.values():
            shared.close()


@pytest.fixture
def turns(impatient):
    turns = Turns()
    yield turns
    turns.close()


def ask(statement, times=1):
    with connection.cursor() as cursor:
        for _ in range(times):
            cursor.execute(statement)
        return cursor.fetchone()[0]


@pytest.mark.django_db(transaction=True)
def test_who_waits_for_a_statement_without_an_end_is_told_so_and_the_next_is_answered(turns, caplog):
    error, took_s = turns.take(lambda: ask(LONG))
    assert isinstance(error, OperationalError)
    assert SHORT_S <= took_s < PATIENCE_S
    assert "does not answer" in caplog.text
    connection.close()
    assert turns.take(lambda: connection.close() or ask("SELECT 7"))[0] == 7


@pytest.mark.django_db(transaction=True)
def test_many_statements_of_which_each_ends_are_no_hang(turns):
    """Nearly every look finds a statement, but none the same for long."""

    def work():
        for _ in range(30):
            ask("SELECT pg_sleep(0.1)")
        return ask("SELECT 7")

    found, took_s = turns.take(work)
    assert found == 7
    assert took_s > 2 * SHORT_S


class Connection:
    """As Django's and psycopg's in one, at a statement or not."""

    def __init__(self, status=TransactionStatus.ACTIVE):
        self.connection = self.pgconn = self
        self.transaction_status = status
        self.cursor_count = 0

    @property
    def socket(self):
        raise psycopg.OperationalError("the connection is lost")


def test_a_turn_and_a_statement_that_began_meanwhile_have_their_own_time(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(hang_watch.time, "monotonic", lambda: now[0])
    ended = []
    monkeypatch.setattr(hang_watch, "_cut_off", lambda one: bool(ended.append(one)) or True)
    busy = Connection()
    watch = HangWatch(lambda: [busy, Connection(TransactionStatus.IDLE)])
    monkeypatch.setattr(watch, "_start", lambda: None)
    watch.turn_begins()
    for seconds, happens, expected in (
        (0, "nothing", 0),
        (9, "nothing", 0),
        (2, "another turn", 0),
        (9, "nothing", 0),
        (2, "another statement", 0),
        (9, "nothing", 0),
        (2, "nothing", 1),
    ):
        now[0] += seconds
        if happens == "another turn":
            watch.turn_begins()
        busy.cursor_count += happens == "another statement"
        assert watch.look() == expected
    assert ended == [busy]


def test_between_turns_nobody_waits(monkeypatch):
    """As a test or a command has the connections of a site that answers no more."""
    monkeypatch.setattr(hang_watch, "PATIENCE_S", 0)
    monkeypatch.setattr(hang_watch, "_cut_off", lambda _: True)
    watch = HangWatch(lambda: [Connection()])
    monkeypatch.setattr(watch, "_start", lambda: None)
    watch.turn_begins()
    assert [watch.look(), watch.look()] == [0, 1]
    watch.turn_ends()
    assert [watch.look(), watch.look()] == [0, 0]


def test_a_connection_that_was_closed_meanwhile_is_left_alone():
    assert hang_watch._cut_off(Connection()) is False
