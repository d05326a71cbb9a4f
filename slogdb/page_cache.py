"""A WSGI cache in front of Django: rendered public pages in the process's memory.

A view marks its response as public (results.core.public): it depends on its URL and the data version only, so one
copy serves every reader until the version changes. Everything else passes through. The web server runs one thread per
process (`--blocking-threads 1`), so nothing here needs a lock.
"""

import time
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.utils import formatdate
from operator import itemgetter
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlencode

import brotli
from backports import zstd
from prometheus_client import Counter

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]
Key = tuple[str, ...]

CACHE_CONTROL = "public, max-age=0, s-maxage=5, stale-if-error=86400"
PER_READER = {"ratelimit", "ratelimit-policy", "x-request-id"}  # headers for the reader of a cache miss only
REPLACED = {"etag", "cache-control", "content-length", "last-modified", "vary", *PER_READER}
API = "/api/"
STREAMED = ("csv", "ndjson")  # formats in the API's Accept header that are never cached
REQUESTS = Counter(
    "slogdb_page_cache_requests_total",
    "Requests for public pages, by outcome: hit, miss or stale.",
    ["outcome"],
)
CAPACITY_BYTES = 64 * 1024 * 1024
PAGE_OVERHEAD_BYTES = 4500  # headers and dictionary entries of one page
FIRST_TIME_MS = 10**12  # from here on, a version is the time of the last change (results.core.data_version)

WORTH_COMPRESSING_BYTES = 500
BROTLI_QUALITY = 5
GZIP_WINDOW = 31  # makes zlib write a gzip header
ENCODERS: dict[str, Callable[[bytes], bytes]] = {  # in order of preference
    "br": lambda body: brotli.compress(body, quality=BROTLI_QUALITY),
    "zstd": lambda body: zstd.compress(body, level=6),
    "gzip": lambda body: zlib.compress(body, level=6, wbits=GZIP_WINDOW),
    "identity": bytes,
}
ZERO_WEIGHTS = {"q=0", "q=0.0", "q=0.00", "q=0.000"}


class Watch(Protocol):
    """A source of the current data version (results.core.data_version.VersionWatch)."""

    read_only_reason: str

    def current(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Page:
    """A rendered page in one encoding."""

    version: int
    etag: str
    headers: Headers
    body: bytes


class PageCache:
    """WSGI middleware: an LRU cache of public pages, bounded by `capacity_bytes`.

    `build` is the part of the ETag that changes with the code. `is_accepted` tells whether Django accepts a request's
    host and scheme: one copy serves all of those; requests that it refuses or redirects bypass the cache.
    `carries_key` tells whether an Authorization header has an API key. `mark` is the header by which a view marks its
    response as public, which may have an ETag of its own. `version_key` is the environ key of the minimum data
    version that a page must show, None if unknown; `read_only_key` that of the reason why the site is read-only, or
    "", which never changes without the version.
    """

    def __init__(
        self,
        application: Application,
        watch: Watch,
        *,
        build: str,
        is_accepted: Callable[[Environ], bool],
        carries_key: Callable[[str], bool],
        mark: str,
        version_key: str,
        read_only_key: str,
        capacity_bytes: int = CAPACITY_BYTES,
    ) -> None:
        self._application = application
        self._watch = watch
        self._build = build
        self._is_accepted = is_accepted
        self._carries_key = carries_key
        self._mark = mark
        self._version_key = version_key
        self._read_only_key = read_only_key
        self._capacity_bytes = capacity_bytes
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._used_bytes = 0

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Respond from the cache, or from Django if the page is missing, outdated or requested with an API key."""
        environ["REQUEST_METHOD"] = environ["REQUEST_METHOD"].upper()  # as Django reads it
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD"} or not self._is_accepted(environ):
            return self._application(environ, start_response)
        version = self._watch.current()
        key = _key(environ)
        page = None if self._is_for_one_reader(environ) else self._pages.get(key)
        if page is None or version not in {page.version, None}:
            return self._render(environ, start_response, key=key, version=version, old_page=page)
        self._pages.move_to_end(key)
        return _answer(page, environ, start_response, outcome="stale" if version is None else "hit")

    def usage(self) -> tuple[int, int, int]:
        """The number of pages, their size and the capacity in bytes."""
        return len(self._pages), self._used_bytes, self._capacity_bytes

    def _is_for_one_reader(self, environ: Environ) -> bool:
        """Whether the API may respond otherwise: to a key, or with all rows, which are never stored."""
        if not environ.get("PATH_INFO", "").startswith(API):
            return False
        accepted = environ.get("HTTP_ACCEPT", "").lower()
        is_stream = any(name in accepted for name in STREAMED)
        return is_stream or self._carries_key(environ.get("HTTP_AUTHORIZATION", ""))

    def _render(
        self,
        environ: Environ,
        start_response: StartResponse,
        *,
        key: Key,
        version: int | None,
        old_page: Page | None,
    ) -> Iterable[bytes]:
        """Render with Django and store a public page; serve the old page while the database is unavailable."""
        started: list[Any] = []
        request = {
            **environ,
            "REQUEST_METHOD": "GET",
            self._version_key: version,
            self._read_only_key: self._watch.read_only_reason,
        }
        chunks = self._application(request, lambda *args: started.extend(args))
        status, headers = started[0], started[1]
        if old_page is not None and status.startswith("503"):
            _close(chunks)
            return _answer(old_page, environ, start_response, outcome="stale")
        is_public = any(name == self._mark for name, _ in headers)
        headers = [(name, value) for name, value in headers if name != self._mark]
        if not is_public or version is None or any(name.lower() == "set-cookie" for name, _ in headers):
            start_response(status, headers)
            return chunks if environ["REQUEST_METHOD"] == "GET" else _close(chunks)
        body = b"".join(chunks)
        _close(chunks)
        page = self._store(key, headers, body, version=version)
        per_reader = [(name, value) for name, value in headers if name.lower() in PER_READER]
        return _answer(page, environ, start_response, outcome="miss", per_reader=per_reader)

    def _store(self, key: Key, headers: Headers, body: bytes, *, version: int) -> Page:
        encoding = key[0] if len(body) >= WORTH_COMPRESSING_BYTES else "identity"
        body = ENCODERS[encoding](body)
        own = next((value.strip('"') for name, value in headers if name.lower() == "etag"), "")
        etag = f'"{own or f"{self._build}-{version}"}-{encoding}"'
        vary = "Accept, Accept-Encoding" if key[1].startswith(API) else "Accept-Encoding"
        stored = [(name, value) for name, value in headers if name.lower() not in REPLACED]
        stored += [("Cache-Control", CACHE_CONTROL), ("Vary", vary), ("ETag", etag)]
        stored.append(("Content-Length", str(len(body))))
        if version >= FIRST_TIME_MS:
            stored.append(("Last-Modified", formatdate(min(version / 1000, time.time()), usegmt=True)))
        if encoding != "identity":
            stored.append(("Content-Encoding", encoding))
        replaced = self._pages.pop(key, None)
        self._used_bytes -= _size(key, replaced) if replaced else 0
        page = self._pages[key] = Page(version, etag, stored, body)
        self._used_bytes += _size(key, page)
        while self._used_bytes > self._capacity_bytes:
            self._used_bytes -= _size(*self._pages.popitem(last=False))
        return page


def _key(environ: Environ) -> Key:
    """The cache key: the encoding, the path, and the parameters by name with all their values.

    No page is rendered with parameters that it doesn't read, so there is nothing to leave out.
    """
    query: str = environ.get("QUERY_STRING", "")
    if query:
        if not query.isascii():
            query = _decoded(query.encode("latin-1"))
        query = urlencode(sorted(parse_qsl(query, keep_blank_values=True), key=itemgetter(0)))
    return pick_encoding(environ.get("HTTP_ACCEPT_ENCODING", "")), environ.get("PATH_INFO", "/"), query


def _decoded(query: bytes) -> str:
    """The query as Django reads bytes that aren't escaped."""
    try:
        return query.decode()
    except UnicodeDecodeError:
        return query.decode("latin-1")


def pick_encoding(accepted: str) -> str:
    """The best encoding that an Accept-Encoding header allows."""
    weights = {}
    for item in accepted.lower().split(","):
        name, _, weight = item.partition(";")
        weights[name.strip()] = weight.replace(" ", "")
    return next((name for name in ENCODERS if weights.get(name, "q=0") not in ZERO_WEIGHTS), "identity")


def _answer(
    page: Page,
    environ: Environ,
    start_response: StartResponse,
    *,
    outcome: str,
    per_reader: Iterable[tuple[str, str]] = (),
) -> list[bytes]:
    """Respond with the page, or with 304; `outcome` is hit, miss, or stale for an old page."""
    REQUESTS.labels(outcome).inc()
    condition = environ.get("HTTP_IF_NONE_MATCH", "")
    known = (tag.strip().removeprefix("W/") for tag in condition.split(","))  # weak comparison, RFC 9110
    if condition.strip() == "*" or page.etag in known:
        absent = {"Content-Type", "Content-Length", "Content-Encoding"}
        headers = [(name, value) for name, value in page.headers if name not in absent]
        start_response("304 Not Modified", [*headers, *per_reader])
        return []
    start_response("200 OK", [*page.headers, *per_reader])
    return [page.body] if environ["REQUEST_METHOD"] == "GET" else []


def _size(key: Key, page: Page) -> int:
    return PAGE_OVERHEAD_BYTES + sum(map(len, key)) + len(page.body)


def _close(chunks: Iterable[bytes]) -> list[bytes]:
    close = getattr(chunks, "close", None)
    if close is not None:
        close()
    return []
