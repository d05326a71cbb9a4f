"""A small WSGI cache in front of Django: finished public pages in the memory of the process.

A view marks its response as public (results.public); such a page depends on nothing but its URL and the
data version, so one copy serves everybody until the version moves. Everything else passes through untouched.
"""

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlencode

import brotli

Environ = dict[str, Any]
Headers = list[tuple[str, str]]
StartResponse = Callable[..., Any]
Key = tuple[str, str]  # path and parameters
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

MARK = "X-Slogdb-Public"  # set by a public view; never leaves the process
CACHE_CONTROL = "public, max-age=0, s-maxage=5, stale-if-error=86400"
CAPACITY_BYTES = 64 * 1024 * 1024
WORTH_COMPRESSING_BYTES = 500
BROTLI_QUALITY = 5
GZIP_WINDOW = 31  # zlib's word for a gzip header


class Watch(Protocol):
    """What tells the current data version (results.data_version.VersionWatch)."""

    def current(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Variant:
    """One encoding of a page: its ETag, its headers and its bytes."""

    etag: str
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """A finished page, in every encoding that it is served in."""

    version: int
    variants: dict[str, Variant]

    @property
    def size(self) -> int:
        return sum(len(variant.body) for variant in self.variants.values())


class PageCache:
    """WSGI middleware; `build` is the part of the ETag that changes with the code."""

    def __init__(
        self,
        application: Application,
        watch: Watch,
        *,
        build: str,
        parameters: frozenset[str],
        only_https: bool = False,
        capacity_bytes: int = CAPACITY_BYTES,
    ) -> None:
        self._application = application
        self._watch = watch
        self._build = build
        self._parameters = parameters
        self._only_https = only_https
        self._capacity_bytes = capacity_bytes
        self._pages: dict[Key, Page] = {}
        self._held_bytes = 0

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in {"GET", "HEAD"} or not self._is_secure_enough(environ):
            return self._application(environ, start_response)
        version = self._watch.current()
        key = self._key(environ)
        page = self._pages.get(key)
        if page is None or page.version != version:
            return self._render(environ, start_response, key=key, version=version)
        return _answer(page, environ, start_response)

    def _is_secure_enough(self, environ: Environ) -> bool:
        """False for a request that Django is to redirect to https."""
        if not self._only_https:
            return True
        return bool(environ.get("HTTP_X_FORWARDED_PROTO", environ["wsgi.url_scheme"]) == "https")

    def _key(self, environ: Environ) -> Key:
        """Path and the parameters that a public page knows, in one order: made-up ones make no new entry."""
        path: str = environ.get("PATH_INFO", "/")
        query: str = environ.get("QUERY_STRING", "")
        if not query:
            return path, ""
        if not query.isascii():  # Django guesses the encoding, so only the same bytes are the same page
            return path, query
        given = dict(parse_qsl(query, keep_blank_values=True))  # as in Django, the last of a name counts
        known = sorted((name, value) for name, value in given.items() if value and name in self._parameters)
        return path, urlencode(known)

    def _render(
        self, environ: Environ, start_response: StartResponse, *, key: Key, version: int | None
    ) -> Iterable[bytes]:
        started: list[Any] = []
        chunks = self._application(
            {**environ, "REQUEST_METHOD": "GET"}, lambda *args: started.extend(args[:2])
        )
        status, headers = started
        if not _take_mark(headers):
            start_response(status, headers)
            return chunks if environ["REQUEST_METHOD"] == "GET" else _closed(chunks)
        page = _finish(headers, _joined(chunks), version=version or 0, build=self._build)
        if version is not None:
            self._store(key, page)
        return _answer(page, environ, start_response)

    def _store(self, key: Key, page: Page) -> None:
        replaced = self._pages.pop(key, None)
        self._held_bytes += page.size - (replaced.size if replaced else 0)
        self._pages[key] = page
        while self._held_bytes > self._capacity_bytes and self._pages:
            oldest = next(iter(self._pages))
            self._held_bytes -= self._pages.pop(oldest).size


def _take_mark(headers: Headers) -> bool:
    """Remove the mark; True when it was there. A response with a cookie is somebody's own, mark or not."""
    is_marked = any(name == MARK for name, _ in headers)
    headers[:] = [(name, value) for name, value in headers if name != MARK]
    return is_marked and not any(name.lower() == "set-cookie" for name, _ in headers)


def _joined(chunks: Iterable[bytes]) -> bytes:
    try:
        return b"".join(chunks)
    finally:
        _closed(chunks)


def _closed(chunks: Iterable[bytes]) -> list[bytes]:
    close = getattr(chunks, "close", None)
    if close is not None:
        close()
    return []


def _finish(headers: Headers, body: bytes, *, version: int, build: str) -> Page:
    replaced = {"etag", "cache-control", "content-length", "vary"}
    kept = [(name, value) for name, value in headers if name.lower() not in replaced]
    kept += [("Cache-Control", CACHE_CONTROL), ("Vary", "Accept-Encoding")]
    bodies = {"identity": body}
    if len(body) >= WORTH_COMPRESSING_BYTES:
        bodies["br"] = brotli.compress(body, quality=BROTLI_QUALITY)
        bodies["gzip"] = zlib.compress(body, level=6, wbits=GZIP_WINDOW)
    variants = {}
    for encoding, encoded in bodies.items():
        etag = f'"{build}-{version}-{encoding}"'
        own = [("ETag", etag), ("Content-Length", str(len(encoded)))]
        if encoding != "identity":
            own.append(("Content-Encoding", encoding))
        variants[encoding] = Variant(etag, kept + own, encoded)
    return Page(version, variants)


def _answer(page: Page, environ: Environ, start_response: StartResponse) -> list[bytes]:
    variant = _pick(page, environ.get("HTTP_ACCEPT_ENCODING", ""))
    condition = environ.get("HTTP_IF_NONE_MATCH")
    if condition is not None and _names(condition, variant.etag):
        unsent = {"Content-Length", "Content-Type", "Content-Encoding"}
        start_response("304 Not Modified", [pair for pair in variant.headers if pair[0] not in unsent])
        return []
    start_response("200 OK", list(variant.headers))
    return [variant.body] if environ["REQUEST_METHOD"] == "GET" else []


def _pick(page: Page, accepted: str) -> Variant:
    for encoding in ("br", "gzip"):
        if encoding in accepted and encoding in page.variants and not _is_refused(encoding, accepted):
            return page.variants[encoding]
    return page.variants["identity"]


def _is_refused(encoding: str, accepted: str) -> bool:
    """Whether Accept-Encoding names `encoding` only to rule it out ("br;q=0"), or only inside another word."""
    for item in accepted.split(","):
        name, _, weight = item.strip().partition(";")
        if name.strip().lower() == encoding:
            return weight.replace(" ", "") in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return True


def _names(condition: str, etag: str) -> bool:
    """Whether an If-None-Match header names `etag` (weak comparison, as RFC 9110 wants it here)."""
    tags = (tag.strip().removeprefix("W/") for tag in condition.split(","))
    return condition.strip() == "*" or etag in tags
