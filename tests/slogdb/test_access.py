"""The outermost layer: ids, counts and lines, in front of a small application."""

import json
import re
import threading

import pytest
from prometheus_client import REGISTRY

from slogdb import access
from slogdb.access import AccessLog
from slogdb.logs import request_id
from slogdb.page_cache import SEEN

MADE = re.compile(r"[0-9a-f]{12}-[0-9a-f]+")


class Front:
    def __init__(self, *, believes=False, is_json=True, is_written=True):
        self.written = []
        self.log = AccessLog(
            self._serve,
            believes=believes,
            is_json=is_json,
            writes=self.written.append if is_written else None,
        )
        self.log._carrier = threading.current_thread()  # carried by hand
        self.tells = {"cache": "hit"}

    def _serve(self, environ, start_response):
        environ[SEEN].update(self.tells)
        self.id_inside = request_id.get()
        start_response("200 OK", [])
        return [b"page"]

    def ask(self, path="/leaderboard/", **environ):
        headers = {}
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "q=secret", **environ}
        self.log(environ, lambda _, given: headers.update(given))
        return headers

    def lines(self):
        self.log.carry()
        return b"".join(self.written).decode().splitlines()


def counted(**labels):
    return REGISTRY.get_sample_value("slogdb_requests_total", labels) or 0


def test_each_request_has_an_id_of_its_own_and_is_told_it():
    front = Front()
    first, second = (front.ask()["X-Request-ID"] for _ in range(2))
    assert first != second
    assert MADE.fullmatch(first)
    assert front.id_inside == second


@pytest.mark.parametrize("given", ["from-the-proxy", "0123456789abcdef"])
def test_an_id_is_taken_over_from_a_trusted_proxy_only(given):
    assert Front(believes=True).ask(HTTP_X_REQUEST_ID=given)["X-Request-ID"] == given
    assert MADE.fullmatch(Front().ask(HTTP_X_REQUEST_ID=given)["X-Request-ID"])


@pytest.mark.parametrize(
    "given", ["short", "x" * 65, "two words", "new\nline", "a" * 8 + "\n", "ünreadable", ""]
)
def test_an_id_that_could_forge_a_line_is_replaced(given):
    assert MADE.fullmatch(Front(believes=True).ask(HTTP_X_REQUEST_ID=given)["X-Request-ID"])


def test_a_line_says_what_was_asked_and_nothing_of_who_asked():
    front = Front()
    name = front.ask(REMOTE_ADDR="192.0.2.7", HTTP_USER_AGENT="Browser", HTTP_COOKIE="sessionid=1")[
        "X-Request-ID"
    ]
    line = json.loads(front.lines()[0])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("time"))
    assert line.pop("ms") >= 0
    assert line == {
        "level": "INFO",
        "logger": "slogdb.access",
        "message": "GET /leaderboard/",
        "status": 200,
        "cache": "hit",
        "view": "-",
        "request_id": name,
    }


@pytest.mark.parametrize("is_json", [True, False])
def test_an_address_begins_no_line(is_json):
    front = Front(is_json=is_json)
    front.ask("/a\n/b\r\x1b[2J\x85é")
    assert len(front.lines()) == 1
    assert "\x1b" not in front.lines()[0]


def test_requests_are_counted_by_what_the_cache_did():
    before = counted(status="200", cache="hit"), counted(status="200", cache="stale")
    front = Front(is_written=False)
    front.ask()
    front.tells = {"cache": "stale"}
    front.ask()
    front.ask()
    assert front.lines() == []
    assert counted(status="200", cache="hit") == before[0] + 1
    assert counted(status="200", cache="stale") == before[1] + 2


def test_what_a_view_made_is_timed_by_the_view():
    front = Front()
    front.tells = {"cache": "miss", "view": "sample-view"}
    front.ask()
    labels = {"view": "sample-view", "status": "200"}
    assert REGISTRY.get_sample_value("slogdb_request_seconds_count", labels) == 1
    assert json.loads(front.lines()[0])["view"] == "sample-view"


def test_lines_that_nobody_takes_fill_no_memory(monkeypatch, caplog):
    monkeypatch.setattr(access, "MOST_WAITING_LINES", 3)
    front = Front()
    for _ in range(5):
        front.ask()
    assert len(front.lines()) == 3
    assert "2 lines of the access log were dropped" in caplog.text


class EndError(Exception):
    """Ends a loop that has no end."""


def test_a_second_that_could_not_be_counted_is_not_the_last(monkeypatch, caplog):
    def carry_and_fail():
        carry()
        front.ask()
        raise outcomes.pop(0)

    front = Front()
    front.ask()
    carry = front.log.carry
    outcomes = [OSError("no space left on device"), EndError()]
    monkeypatch.setattr(access, "CARRIED_EVERY_S", 0)
    monkeypatch.setattr(front.log, "carry", carry_and_fail)
    with pytest.raises(EndError):
        front.log._carry_on()
    assert len(front.written) == 2
    assert "requests were not counted" in caplog.text


def test_an_application_that_fails_is_counted_as_failed():
    front = Front()

    def fail(environ, start_response):
        raise RuntimeError

    front.log._application = fail
    with pytest.raises(RuntimeError):
        front.ask()
    assert json.loads(front.lines()[0])["status"] == 500
