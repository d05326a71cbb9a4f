import gzip
import io
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import brotli
import pytest
from backports import zstd

from results.core.public import MARK
from slogdb.page_cache import ENCODERS, PAGE_OVERHEAD_BYTES
from tests.slogdb.cached_site import PUBLIC, Site


def test_a_page_is_rendered_once_and_cached():
    site = Site()
    first, second = site.request(), site.request()
    assert first.body == second.body == site.body
    assert first.headers == second.headers
    assert len(site.calls) == 1


def test_a_page_has_only_public_headers():
    assert Site().request().headers == {
        "Content-Type": "text/html",
        "Cache-Control": "public, max-age=0, s-maxage=5, stale-if-error=86400",
        "Vary": "Accept-Encoding",
        "ETag": '"b1-1-identity"',
        "Content-Length": "1100",
    }


def test_last_modified_is_derived_from_the_version():
    site = Site()
    site.watch.version = 1_700_000_000_999
    assert site.request().headers["Last-Modified"] == "Tue, 14 Nov 2023 22:13:20 GMT"
    site.watch.version = 99_700_000_000_999  # a clock that was wrong
    assert parsedate_to_datetime(site.request("/other").headers["Last-Modified"]) <= datetime.now(UTC)


def test_a_method_in_lower_case_is_the_same_method():
    site = Site()
    site.request()
    assert site.request(method="get").body == site.body
    assert len(site.calls) == 1


def test_a_changed_version_renders_a_new_page():
    site = Site()
    old = site.request()
    site.watch.version, site.body = 2, b"news"
    new = site.request()
    assert (new.body, new.headers["ETag"]) == (b"news", '"b1-2-identity"')
    assert old.headers["ETag"] != new.headers["ETag"]


def test_a_stale_page_is_served_without_a_version():
    site = Site()
    site.request()
    site.watch.version = None
    assert site.request().body == site.body
    assert len(site.calls) == 1
    new = site.request("/new")
    assert (new.body, "ETag" in new.headers, MARK in new.headers) == (site.body, False, False)


def test_a_stale_page_is_served_while_the_database_is_unavailable():
    site = Site()
    before = site.request()
    site.watch.version, site.status, site.headers = 2, "503 Service Unavailable", []
    answer = site.request()
    assert (answer.status, answer.body, answer.headers) == ("200 OK", before.body, before.headers)
    assert site.request("/new").status == "503 Service Unavailable"


def test_a_page_comes_in_the_best_encoding_that_is_accepted(subtests):
    for accepted, encoding in [
        ("", None),
        ("identity", None),
        ("gzip", "gzip"),
        ("br", "br"),
        ("gzip, deflate, br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, zstd", "zstd"),
        ("gzip, br;q=0", "gzip"),
        ("br; q=0, gzip;q=0.000", None),
        ("br;q=0.5", "br"),
        ("brotli, x-gzip", None),
        ("*", None),
    ]:
        with subtests.test(accepted=accepted):
            answer = Site().request(HTTP_ACCEPT_ENCODING=accepted)
            assert answer.headers.get("Content-Encoding") == encoding
            assert answer.headers["ETag"] == f'"b1-1-{encoding or "identity"}"'
            assert answer.headers["Content-Length"] == str(len(answer.body))
            unpack = {"br": brotli.decompress, "zstd": zstd.decompress, "gzip": gzip.decompress, None: bytes}[
                encoding
            ]
            assert unpack(answer.body) == Site().body


def test_each_encoding_is_compressed_once_and_cached(monkeypatch):
    encoded = []
    monkeypatch.setitem(ENCODERS, "br", lambda body: encoded.append(body) or b"small")
    site = Site()
    site.request()
    assert encoded == []
    assert [site.request(HTTP_ACCEPT_ENCODING="br").body for _ in range(2)] == [b"small"] * 2
    assert encoded == [site.body]


def test_a_small_page_is_not_compressed():
    answer = Site(body=b"small").request(HTTP_ACCEPT_ENCODING="br, gzip")
    assert (answer.body, "Content-Encoding" in answer.headers) == (b"small", False)


def test_a_matching_etag_gets_304_and_another_the_page():
    for condition in ('"b1-1-br"', 'W/"b1-1-br"', '"other", "b1-1-br"', "*"):
        answer = Site().request(HTTP_ACCEPT_ENCODING="br", HTTP_IF_NONE_MATCH=condition)
        assert (answer.status, answer.body) == ("304 Not Modified", b""), condition
        assert answer.headers == {
            "ETag": '"b1-1-br"',
            "Cache-Control": "public, max-age=0, s-maxage=5, stale-if-error=86400",
            "Vary": "Accept-Encoding",
        }
    for condition in ('"b1-1-gzip"', '"b1-0-br"', '"b0-1-br"', "", '"b1-1-br'):
        answer = Site().request(HTTP_ACCEPT_ENCODING="br", HTTP_IF_NONE_MATCH=condition)
        assert (answer.status, len(answer.body) > 0) == ("200 OK", True), condition


def test_head_is_answered_like_get_without_the_body():
    site = Site()
    head = site.request(method="HEAD")
    get = site.request()
    assert (head.status, head.body) == ("200 OK", b"")
    assert head.headers == get.headers
    assert [call["REQUEST_METHOD"] for call in site.calls] == ["GET"]


def test_a_page_has_one_key_however_its_parameters_are_written():
    site = Site()
    for url in (
        "/?class=hdd&page=2&q=é".encode().decode("latin-1"),  # the bytes, not escaped
        "/?page=2&class=hdd&q=%C3%A9",
        "/?&page=%32&&class=hdd&q=%c3%a9",
    ):
        site.request(url)
    assert len(site.calls) == 1
    for url in ("/", "/?class=hdd", "/?class=hdd&page=3", "/other?class=hdd&page=2"):
        site.request(url)
    assert len(site.calls) == 5


def test_all_values_of_a_parameter_are_part_of_the_key():
    queries = ("a=1", "a=1&a=2", "a=2&a=1", "a=1&a=", "a=&a=1", "a=", "", "a=1&a=2&b=1", "b=1&a=1&a=3")
    site = Site()
    for query in queries:
        site.request(f"/?{query}")
    assert len(site.calls) == len(queries)
    site.request("/?a=1&b=1&a=2")
    assert len(site.calls) == len(queries)


def test_a_page_keeps_an_etag_of_its_own_whatever_the_version():
    site = Site(headers=[*PUBLIC, ("ETag", '"content"')])
    first = site.request(HTTP_ACCEPT_ENCODING="br")
    site.watch.version = 2
    assert first.headers["ETag"] == site.request(HTTP_ACCEPT_ENCODING="br").headers["ETag"] == '"content-br"'
    assert (
        site.request(HTTP_ACCEPT_ENCODING="br", HTTP_IF_NONE_MATCH='"content-br"').status
        == "304 Not Modified"
    )


def test_urls_that_django_distinguishes_have_separate_entries():
    for first, second in (
        ("/?q=%C3%83%C2%A9", "/?q=\xc3\xa9"),  # the bytes of é, not escaped
        ("/?q=%E9", "/?q=\xe9"),  # Django takes the second for Latin-1
        ("/?q=a%26class=hdd", "/?q=a&class=hdd"),
        ("/?q=a%2Bb", "/?q=a+b"),
        ("/%3Fclass=hdd", "/?class=hdd"),
    ):
        site = Site()
        site.request(first)
        site.request(second)
        assert len(site.calls) == 2, first


def test_private_responses_pass_through_unchanged():
    for status, headers in (
        ("200 OK", [("Content-Type", "text/html")]),
        ("200 OK", [*PUBLIC, ("Set-Cookie", "session=1")]),
        ("404 Not Found", [("Content-Type", "text/html")]),
        ("302 Found", [("Location", "/")]),
        ("503 Service Unavailable", []),
    ):
        site = Site(status=status, headers=headers)
        for _ in range(2):
            answer = site.request(HTTP_ACCEPT_ENCODING="br")
            assert (answer.status, answer.body) == (status, site.body)
            assert answer.headers == dict(pair for pair in headers if pair[0] != MARK)
        assert len(site.calls) == 2, headers


def test_other_methods_bypass_the_cache():
    site = Site(headers=[])
    methods = ["POST", "PUT", "DELETE", "OPTIONS"] * 2
    for method in methods:
        site.request(method=method, **{"wsgi.input": io.BytesIO(b"text")})
    assert [call["REQUEST_METHOD"] for call in site.calls] == methods


class Stream:
    """A body that comes piece by piece and wants to be closed."""

    def __init__(self):
        self.is_closed = False

    def __iter__(self):
        yield b"piece "
        yield b"by piece"

    def close(self):
        self.is_closed = True


def test_a_stream_stays_a_stream():
    stream = Stream()
    answer = Site(headers=[], body=stream).request()
    assert answer.chunks is stream
    assert not stream.is_closed


@pytest.mark.parametrize(("headers", "method"), [(PUBLIC, "GET"), ([], "HEAD")])
def test_responses_are_always_closed(headers, method):
    stream = Stream()
    Site(headers=headers, body=stream).request(method=method)
    assert stream.is_closed


ROOM_FOR_TWO = 2 * (PAGE_OVERHEAD_BYTES + 130) + 50


def test_the_memory_is_bounded_and_the_least_recently_used_page_goes_first():
    site = Site(body=b"x" * 100, capacity_bytes=ROOM_FOR_TWO)
    for path in ("/1", "/2", "/1", "/3", "/1", "/2"):
        site.request(path)
    assert [call["PATH_INFO"] for call in site.calls] == ["/1", "/2", "/3", "/2"]
    pages, used, capacity = site.cache.usage()
    assert (pages, capacity) == (2, ROOM_FOR_TWO)
    assert 0 < used <= capacity


def test_a_page_that_is_too_large_is_served_and_not_stored():
    site = Site(body=b"x" * 300, capacity_bytes=PAGE_OVERHEAD_BYTES + 250)
    assert site.request().body == site.request().body == site.body
    assert len(site.calls) == 2


def test_urls_count_toward_the_capacity():
    site = Site(body=b"x" * 100, capacity_bytes=ROOM_FOR_TWO)
    for _ in range(2):
        site.request("/" + "a" * 100)
        site.request("/" + "b" * 100)
    assert len(site.calls) == 4


def test_new_versions_replace_the_cached_page():
    site = Site(body=b"x" * 100, capacity_bytes=ROOM_FOR_TWO)
    site.request("/other")
    for version in range(1, 50):
        site.watch.version = version
        site.request()
    site.watch.version = 1
    calls = len(site.calls)
    site.request("/other")
    assert len(site.calls) == calls


def test_one_copy_serves_every_host_and_scheme_that_the_site_answers_at():
    site = Site()
    for host in ("127.0.0.1", "localhost:8000"):
        for scheme in ("", "https", "anything"):
            site.request(HTTP_HOST=host, HTTP_X_FORWARDED_PROTO=scheme)
    assert len(site.calls) == 1


def test_other_hosts_are_answered_by_django_and_never_from_the_cache():
    site = Site()
    site.request()
    for _ in range(2):
        assert site.request(HTTP_HOST="evil.example").status == "200 OK"
    assert len(site.calls) == 3
    assert site.cache.usage()[0] == 1


def test_a_request_with_a_key_is_answered_by_django_every_time():
    site = Site()
    site.request("/api/v1/")
    for _ in range(2):
        answer = site.request("/api/v1/", HTTP_AUTHORIZATION="Bearer key")
        assert (answer.status, answer.headers["ETag"]) == ("200 OK", '"b1-1-identity"')
    assert len(site.calls) == 3


def test_other_authorization_headers_do_not_go_round_the_cache_nor_do_keys_on_pages():
    site = Site()
    for header in ("", "x", "Basic key", "Bearer other", "Bearer key"):
        site.request("/", HTTP_AUTHORIZATION=header)
    assert len(site.calls) == 1
    for header in ("", "x", "Basic key", "Bearer other"):
        site.request("/api/v1/", HTTP_AUTHORIZATION=header)
    assert len(site.calls) == 2
