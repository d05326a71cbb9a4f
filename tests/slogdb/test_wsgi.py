"""The whole stack as the web server calls it: Django's pages behind the cache."""

import gc
import json
import subprocess
import sys
from importlib import reload
from urllib.parse import urlencode
from wsgiref.util import setup_testing_defaults

import pytest
from redis import Redis

from results.api import docs
from results.core.public import MARK
from results.core.redis import key
from results.core.security import hosts
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


def test_hosts_and_schemes_of_a_client_make_no_copies(get, django_assert_num_queries):
    body = get("/about/")[2]
    with django_assert_num_queries(0):
        for host in ("127.0.0.1:1", "127.0.0.1:2", "localhost:8000"):
            assert get("/about/", HTTP_HOST=host)[2] == body
        for scheme in ("https", "ftp", "anything"):
            assert get("/about/", HTTP_X_FORWARDED_PROTO=scheme)[2] == body


@pytest.fixture
def behind_a_proxy(settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    hosts.accepts.cache_clear()
    yield
    hosts.accepts.cache_clear()


def test_behind_a_proxy_a_page_is_served_at_its_scheme_only(behind_a_proxy, get):
    for _ in range(2):
        assert get("/about/", HTTP_X_FORWARDED_PROTO="https")[0] == "200 OK"
        for scheme in ("http", "ftp", ""):
            status, headers, _ = get("/about/", HTTP_X_FORWARDED_PROTO=scheme)
            assert (status, "ETag" in headers) == ("301 Moved Permanently", False)
        assert get("/about/")[0] == "301 Moved Permanently"


@pytest.mark.parametrize("path", ["/leaderboard.md", "/leaderboard.bbcode", "/leaderboard/", "/products/"])
def test_no_address_poisons_the_copy_of_another(get, path):
    columns = [("columns", "endurance_tbw"), ("columns", "end_of_sale"), ("columns", "")]
    for query in (urlencode(columns), urlencode(columns[::-1]), "columns=&columns=endurance_tbw"):
        assert get(path, query)[0] == "302 Found"
    with_columns = get(path, "columns=endurance_tbw")[2]
    plain = get(path)[2]
    assert get(path)[2] == plain != with_columns


def test_an_authorization_header_does_not_go_round_the_cache(get, django_assert_num_queries):
    pages = ("/", "/api/v1/bands/")
    bodies = [get(path)[2] for path in pages]
    with django_assert_num_queries(0):
        for header in ("x", "Basic eDp4", "Bearer x", f"Bearer slogdb_{'0' * 39}"):
            assert [get(path, HTTP_AUTHORIZATION=header)[2] for path in pages] == bodies
        assert get("/", HTTP_AUTHORIZATION=f"Bearer slogdb_{'0' * 40}")[2] == bodies[0]
    assert get(pages[1], HTTP_AUTHORIZATION=f"Bearer slogdb_{'0' * 40}")[0] == "401 Unauthorized"


def test_copies_of_the_page_cache_are_not_counted(get, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-read": (2, 3600)}
    reader = {"REMOTE_ADDR": "203.0.113.7"}
    for _ in range(5):
        etag = get("/about/", **reader)[1]["ETag"]
        assert get("/about/", **reader, HTTP_IF_NONE_MATCH=etag)[0] == "304 Not Modified"
    assert get("/api/v1/bands/", **reader)[0] == "200 OK"
    assert get("/", **reader)[0] == "429 Too Many Requests"
    assert get("/about/", **reader)[0] == "200 OK"


def test_the_schema_is_one_file_whatever_the_data(get, monkeypatch):
    first = get("/api/v1/schema/", HTTP_ACCEPT_ENCODING="br")
    assert first[0] == "200 OK"
    assert first[1]["Content-Encoding"] == "br"
    monkeypatch.setattr(docs, "SchemaGenerator", None)  # it is rendered already
    receive_submission(pastes.FIRST_PASTE, Sender())
    wait_until(lambda: get("/api/v1/results/")[1]["ETag"] != first[1]["ETag"])
    etag = first[1]["ETag"]
    assert get("/api/v1/schema/", HTTP_ACCEPT_ENCODING="br", HTTP_IF_NONE_MATCH=etag)[0] == "304 Not Modified"
    plain = get("/api/v1/schema/")
    assert plain[1]["ETag"] == etag.replace("-br", "-identity")
    assert json.loads(plain[2])["openapi"].startswith("3.1")
    head = get("/api/v1/schema/", REQUEST_METHOD="HEAD")
    assert (head[0], head[2], head[1]["ETag"]) == ("200 OK", b"", plain[1]["ETag"])


def test_the_schema_is_not_rendered_for_unknown_parameters(get, monkeypatch):
    monkeypatch.setattr(docs, "schema_file", None)
    for number in range(24):
        status, _, body = get("/api/v1/schema/", f"a={number}")
        assert (status, len(body) < 500) == ("400 Bad Request", True)


def test_a_charset_of_the_sender_changes_no_page(get):
    query = urlencode({"q": "intel 750"})  # in UTF-7, "+750" is one character
    for charset in ("utf-7", "zlib", "undefined", "rot13", "latin-1"):
        status, _, body = get("/products/", query, CONTENT_TYPE=f"text/plain; charset={charset}")
        assert status == "200 OK"
        assert b'value="intel 750"' in body
    assert get("/products/", query)[2] == body


SHOW_LIMITS = """
from slogdb.granian import load_site
load_site()
from django.conf import settings
print(settings.READ_DEADLINE_S, settings.DATABASES["default"]["OPTIONS"])
"""


def test_a_site_loaded_before_the_fork_has_the_limits_of_a_web_process(settings):
    shown = subprocess.run(
        [sys.executable, "-c", SHOW_LIMITS],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert shown.stdout.startswith("5 "), shown.stderr
    assert "statement_timeout=30s" in shown.stdout
