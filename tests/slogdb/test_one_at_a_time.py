"""What goes on one at a time, and what does not wait for it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import pytest
from django.db import connection
from django.http import HttpResponse

from slogdb import waiting_room
from slogdb.one_at_a_time import OneAtATime
from tests.slogdb.cached_site import ROOM, Site

PATIENCE_S = 30


@pytest.mark.django_db(transaction=True)
def test_all_threads_have_one_connection():
    asked = []

    def application(environ, start_response):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            asked.append(cursor.fetchone()[0])
        return []

    turns = OneAtATime(application, room=ROOM)
    threads = [Thread(target=turns, args=({}, lambda *_: None)) for _ in range(3)]
    for thread in threads:
        thread.start()
        thread.join()
    for shared in turns._connections._by_alias.values():
        shared.close()
    assert len(asked) == 3
    assert len(set(asked)) == 1


class Chunks:
    def __init__(self):
        self.was_in_turn = []
        self.turns = OneAtATime(lambda *_: self, room=ROOM)

    def __iter__(self):
        return iter([b"a", b"b"])

    def close(self):
        self.was_in_turn.append(self.turns._lock.locked())


def test_the_end_of_an_answer_in_parts_has_its_turn():
    parts = Chunks()
    chunks = parts.turns({}, lambda *_: None)
    assert (b"".join(chunks), parts.turns._lock.locked(), parts.was_in_turn) == (b"ab", False, [])
    chunks.close()
    assert parts.was_in_turn == [True]


def test_an_answer_that_is_whole_ends_within_its_turn():
    whole = Chunks()
    whole.streaming = HttpResponse.streaming
    assert whole.turns({}, lambda *_: None) == [b"ab"]
    assert whole.was_in_turn == [True]


class Busy:
    """A site whose Django is at one page until it is let go."""

    def __init__(self):
        self.site = Site()
        self.began, self.may_end = Event(), Event()
        django = self.site.cache._application
        self.site.cache._application = OneAtATime(lambda *args: self._slow(django, *args), room=ROOM)
        self.is_slow = False

    def _slow(self, django, environ, start_response):
        if self.is_slow:
            self.began.set()
            assert self.may_end.wait(PATIENCE_S)
        return django(environ, start_response)

    def __enter__(self):
        self.is_slow = True
        self.thread = Thread(target=self.site.ask, args=("/slow/",))
        self.thread.start()
        assert self.began.wait(PATIENCE_S)
        return self.site

    def __exit__(self, *_):
        self.may_end.set()
        self.thread.join()


def test_a_page_that_is_kept_does_not_wait_for_another_that_is_made():
    busy = Busy()
    kept = busy.site.ask("/kept/")
    with busy as site:
        assert site.ask("/kept/").body == kept.body
        assert len(site.calls) == 1


def test_the_page_before_is_shown_while_it_is_made_anew():
    busy = Busy()
    before = busy.site.ask("/slow/")
    busy.site.watch.version = 2
    with busy as site:
        assert site.ask("/slow/").headers["ETag"] == before.headers["ETag"]
    assert busy.site.ask("/slow/").headers["ETag"] != before.headers["ETag"]


THREADS = 16  # of the web server


def test_who_waits_for_django_leaves_threads_for_what_is_kept():
    busy = Busy()
    kept = busy.site.ask("/kept/")
    with ThreadPoolExecutor(THREADS) as server:
        with busy as site:
            waiting = [server.submit(site.ask, f"/new/{number}/") for number in range(2 * THREADS)]
            same = [server.submit(site.ask, "/slow/") for _ in range(THREADS)]
            assert server.submit(site.ask, "/kept/").result(PATIENCE_S).body == kept.body
            assert not busy.may_end.is_set()
            refused = [one.result() for one in (*waiting, *same) if one.done()]
        answers = [one.result(PATIENCE_S) for one in (*waiting, *same)]
    assert {(one.status, one.headers["Retry-After"]) for one in refused} == {("503 Service Unavailable", "5")}
    assert {one.status for one in answers} == {"200 OK", "503 Service Unavailable"}


def test_who_waited_in_vain_gets_the_page_before(monkeypatch):
    monkeypatch.setattr(waiting_room, "LONG_S", 0.05)
    busy = Busy()
    before = busy.site.ask("/kept/")
    busy.site.watch.version = 2
    with busy as site:
        assert site.ask("/kept/").headers["ETag"] == before.headers["ETag"]
        assert site.ask("/other/").status == "503 Service Unavailable"
        assert site.ask("/kept/", method="POST").status == "503 Service Unavailable"
        problem = site.ask("/api/v1/other/")
    assert problem.headers["Content-Type"] == "application/problem+json"
    assert b'"code":"busy"' in problem.body
