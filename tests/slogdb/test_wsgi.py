"""The whole stack as the web server calls it: Django's pages behind the cache."""

import gc
import json
from importlib import reload
from wsgiref.util import setup_testing_defaults

import pytest
from redis import Redis

from results.core.public import MARK
from results.core.redis import key
from results.submissions.intake.receive import Sender, receive_submission
from slogdb import wsgi
from tests import pastes
from tests.concurrency import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def application(settings):
    """As a server that was just started has it: nothing kept, nothing told."""
    Redis.from_url(settings.REDIS_URL).delete(key("data-version"))
    yield reload(wsgi).application
    gc.unfreeze()


def test_loaded_modules_are_frozen(application):
    assert gc.get_freeze_count() > 10_000


@pytest.fixture
def get(application):
    def get(path, query="", **environ):
        environ = {"PATH_INFO": path, "QUERY_STRING": query, "HTTP_HOST": "127.0.0.1", **environ}
        setup_testing_defaults(environ)
        answer = {}
        chunks = application(
            environ, lambda status, headers, *_: answer.update(status=status, headers=dict(headers))
        )
        body = b"".join(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
        return answer["status"], answer["headers"], body

    return get


@pytest.mark.parametrize(
    "path", ["/", "/leaderboard/", "/about/", "/api/v1/leaderboard/", "/api/v1/results/"]
)
def test_a_public_page_has_an_etag_and_is_rendered_once(get, path, django_assert_num_queries):
    status, headers, body = get(path)
    assert (status, MARK in headers, "Set-Cookie" in headers) == ("200 OK", False, False)
    assert headers["ETag"].startswith('"')
    assert headers["Vary"] == ("Accept, Accept-Encoding" if path.startswith("/api/") else "Accept-Encoding")
    with django_assert_num_queries(0):
        assert get(path)[2] == body
        assert get(path, HTTP_IF_NONE_MATCH=headers["ETag"])[0] == "304 Not Modified"


def test_a_change_is_seen_within_a_moment(get):
    before = get("/api/v1/results/")[1]["ETag"]
    receive_submission(pastes.FIRST_PASTE, Sender())
    wait_until(lambda: get("/api/v1/results/")[1]["ETag"] != before)
    assert len(json.loads(get("/api/v1/results/")[2])["results"]) == 1


@pytest.mark.parametrize("path", ["/submit/", "/healthz", "/nowhere/", "/admin/login/"])
def test_private_and_failed_responses_are_not_cached(get, path):
    headers = get(path)[1]
    assert "ETag" not in headers
    assert "public" not in headers.get("Cache-Control", "")


def test_unknown_hosts_are_refused_and_not_cached(get):
    assert get("/about/", "page=7", HTTP_HOST="evil.example")[0] == "400 Bad Request"
    assert b"evil.example" not in get("/about/", "page=7")[2]
