"""Many readers at once: one page is made once, nobody waits for somebody else's own page."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from slogdb.page_turns import PageTurns
from tests.slogdb.cached_site import PUBLIC, Site

READERS = 8


class SlowSite(Site):
    """A site whose pages take until `may_end` is set; `begun` says that one is being made."""

    def __init__(self, **options):
        super().__init__(**options)
        self.may_end, self.begun = Event(), Event()

    def _serve(self, environ, start_response):
        self.begun.set()
        assert self.may_end.wait(5)
        return super()._serve(environ, start_response)


def test_many_who_ask_for_a_new_page_at_once_have_it_made_once():
    site, together = SlowSite(), Barrier(READERS)

    def ask():
        together.wait()
        return site.ask("/leaderboard/").body

    with ThreadPoolExecutor(READERS) as pool:
        asked = [pool.submit(ask) for _ in range(READERS)]
        assert site.begun.wait(5)
        site.may_end.set()
        assert {one.result() for one in asked} == {site.body}
    assert len(site.calls) == 1


def test_while_a_page_is_made_anew_others_get_the_one_before():
    site = SlowSite()
    site.may_end.set()
    before = site.ask("/leaderboard/")
    site.may_end.clear()
    site.begun.clear()
    site.watch.version, site.body = 2, b"news"
    with ThreadPoolExecutor(1) as pool:
        making = pool.submit(lambda: site.ask("/leaderboard/"))
        assert site.begun.wait(5)
        meanwhile = site.ask("/leaderboard/")
        assert (meanwhile.body, meanwhile.headers["ETag"]) == (before.body, before.headers["ETag"])
        site.may_end.set()
        assert making.result().body == b"news"
    assert site.ask("/leaderboard/").body == b"news"


def test_nobody_waits_for_a_page_that_is_somebody_elses_own():
    site = SlowSite(headers=[("Content-Type", "text/html")])
    site.may_end.set()
    site.ask("/account/")
    site.may_end.clear()
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(lambda: site.ask("/account/").body) for _ in range(2)]
        site.may_end.set()
        assert [one.result() for one in both] == [site.body, site.body]
    assert len(site.calls) == 3


def test_a_page_that_fails_lets_the_next_one_try():
    site = Site(status="500 Internal Server Error", headers=[("Content-Type", "text/html")])
    for _ in range(2):
        assert site.ask("/leaderboard/").status.startswith("500")
    assert len(site.calls) == 2


def test_a_page_is_made_once_for_many_also_after_a_request_that_was_refused():
    site, together = SlowSite(), Barrier(READERS)
    site.may_end.set()
    site.status, site.headers = "400 Bad Request", [("Content-Type", "text/html")]
    site.ask("/leaderboard/?page=none")
    site.status, site.headers = "200 OK", PUBLIC
    site.may_end.clear()

    def ask():
        together.wait()
        return site.ask("/leaderboard/").body

    with ThreadPoolExecutor(READERS) as pool:
        asked = [pool.submit(ask) for _ in range(READERS)]
        site.may_end.set()
        assert {one.result() for one in asked} == {site.body}
    assert len(site.calls) == 2


def test_a_view_that_raises_leaves_no_turn_behind():
    site = Site()
    serve = site._serve
    site.cache._application = lambda *_: (_ for _ in ()).throw(ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        site.ask("/leaderboard/")
    site.cache._application = serve
    assert site.ask("/leaderboard/").body == site.body


def test_remembered_paths_are_bounded(monkeypatch):
    monkeypatch.setattr("slogdb.page_turns.MOST_KNOWN_PATHS", 2)
    turns = PageTurns()
    for number in range(5):
        turns.is_personal((f"/{number}", ""))
    assert len(turns._personal) <= 2
