"""A small WSGI cache in front of Django: finished public pages in the memory of the process.

A view marks its response as public (results.public); such a page depends on nothing but its URL and the
data version, so one copy serves everybody until the version moves. Everything else passes through untouched.
"""

import time
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import lru_cache
from threading import Event
from typing import Any, Protocol
from urllib.parse import parse_qsl, urlencode

from slogdb.kept_pages import CAPACITY_BYTES, Headers, KeptPages, Key, Page
from slogdb.known_keys import known_keys
from slogdb.page_encodings import pick_encoding
from slogdb.page_turns import PageTurns
from slogdb.waiting_room import BusyError, WaitingRoom

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

SEEN = "slogdb.seen"  # in the environ: a dict that says what became of the request (slogdb.access)
VERSION = (
    "slogdb.version"  # in the environ: the data version that a page is at least to be of; None: not known
)
MARK = "X-Slogdb-Public"  # set by a public view; never leaves the process
CACHE_CONTROL = "public, max-age=0, s-maxage=5, stale-if-error=86400"
OF_ONE_ANSWER = {"ratelimit", "ratelimit-policy"}  # what a page says to who had it made, and to nobody after
WAIT_S = 5.0  # for a page that another thread makes
LISTED = "fields"  # of the API's parameters the one of which each counts, and not the last
KEPT_KEYS = 4096  # of queries that were put in order: they come again and again
LONGEST_KEPT = 300  # letters of one; of so many longer ones somebody could fill the memory
FIRST_TIME_MS = 10**12  # a version from here on is the time of the last change (results.data_version)


class Watch(Protocol):
    """What tells the current data version (results.data_version.VersionWatch)."""

    def current(self) -> int | None: ...


class PageCache:
    """WSGI middleware; `build` is the part of the ETag that changes with the code.

    Threads that wait for a page do so in `room`; `busy` answers who has waited for Django in vain.
    Below `api` every parameter makes a page of its own, as an unknown one is refused there, and keys are looked at.
    """

    def __init__(
        self,
        application: Application,
        watch: Watch,
        *,
        build: str,
        parameters: frozenset[str],
        room: WaitingRoom,
        busy: Application,
        api: str = "/api/",
        only_https: bool = False,
        is_host: Callable[[str], bool] = bool,
        capacity_bytes: int = CAPACITY_BYTES,
    ) -> None:
        self._application = application
        self._room = room
        self._busy = busy
        self._watch = watch
        self._build = build
        self._parameters = parameters
        self._api = api
        self._in_order = lru_cache(maxsize=KEPT_KEYS)(self._put_in_order)
        self._only_https = only_https
        self._is_host = is_host
        self._pages = KeptPages(capacity_bytes)
        self.figures = self._pages.figures
        self._turns = PageTurns()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        try:
            return self._look_or_render(environ, start_response)
        except BusyError:
            return self._make_do(environ, start_response)

    def _look_or_render(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if self._passes(environ):
            return self._application(environ, start_response)
        version = self._watch.current()
        key = self._key(environ)
        page = self._pages.get(key) if self._may_have_finished(environ) else None
        if page is not None and page.version == version:
            _tell(environ, "hit")
            return self._answer(page, environ, start_response)
        made = self._turns.take(key)
        if made is None:
            try:
                return self._render(environ, start_response, key=key, version=version)
            finally:
                self._turns.end(key)
        return self._wait(environ, start_response, key=key, made=made)

    def _wait(
        self, environ: Environ, start_response: StartResponse, *, key: Key, made: Event
    ) -> Iterable[bytes]:
        """While another thread makes this page: the one before, where there is one, else what comes of it."""
        has_one = self._may_have_finished(environ)
        page = self._pages.get(key) if has_one else None
        outcome = "stale"
        if page is None:
            with self._room.wait() as patience_s:
                made.wait(min(WAIT_S, patience_s))
            outcome = "hit"
            page = self._pages.get(key) if has_one else None
        if page is None:
            return self._render(environ, start_response, key=key, version=self._watch.current())
        _tell(environ, outcome)
        return self._answer(page, environ, start_response)

    def _passes(self, environ: Environ) -> bool:
        """True for what is never a page that is kept."""
        return environ["REQUEST_METHOD"] not in {"GET", "HEAD"} or self._is_refused(environ)

    def _make_do(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Without Django: the page as it was before, where there is one."""
        may_be_kept = not self._passes(environ) and self._may_have_finished(environ)
        page = self._pages.get(self._key(environ)) if may_be_kept else None
        if page is None:
            return self._busy(environ, start_response)
        _tell(environ, "stale")
        return self._answer(page, environ, start_response)

    def _may_have_finished(self, environ: Environ) -> bool:
        """False for a key that a view has to look at."""
        authorization = environ.get("HTTP_AUTHORIZATION")
        if authorization is None or not environ.get("PATH_INFO", "").startswith(self._api):
            return True
        return known_keys.has(authorization)

    def _is_refused(self, environ: Environ) -> bool:
        """True for what Django redirects to https, or refuses for its host, whatever the page."""
        if not self._is_host(environ.get("HTTP_HOST", "")):
            return True
        if not self._only_https:
            return False
        return bool(environ.get("HTTP_X_FORWARDED_PROTO", environ["wsgi.url_scheme"]) != "https")

    def _key(self, environ: Environ) -> Key:
        """Path and the parameters that a public page knows, in one order: made-up ones make no new entry."""
        path: str = environ.get("PATH_INFO", "/")
        query: str = environ.get("QUERY_STRING", "")
        if not query:
            return path, ""
        return (self._in_order if len(path) + len(query) <= LONGEST_KEPT else self._put_in_order)(path, query)

    def _put_in_order(self, path: str, query: str) -> Key:
        if not query.isascii():  # Django guesses the encoding, so only the same bytes are the same page
            return path, query
        pairs = parse_qsl(query, keep_blank_values=True)
        given = dict(pairs)  # as in Django, the last of a name counts
        is_api = path.startswith(self._api)  # which may refuse what is empty, and refuses what is unknown
        if is_api and LISTED in given:
            given[LISTED] = ",".join(value for name, value in pairs if name == LISTED)
        known = sorted(
            (name, value) for name, value in given.items() if is_api or (value and name in self._parameters)
        )
        return path, urlencode(known)

    def _render(
        self, environ: Environ, start_response: StartResponse, *, key: Key, version: int | None
    ) -> Iterable[bytes]:
        started: list[Any] = []
        chunks = self._application(
            {**environ, "REQUEST_METHOD": "GET", VERSION: version}, lambda *args: started.extend(args[:2])
        )
        status, headers = started
        if not _take_mark(headers):
            if status.startswith("200"):  # what fails or leads on says nothing of the path
                self._turns.is_personal(key)
            start_response(status, headers)
            return chunks if environ["REQUEST_METHOD"] == "GET" else _closed(chunks)
        _tell(environ, "miss")
        own = [(name, value) for name, value in headers if name.lower() in OF_ONE_ANSWER]
        page = _finish(headers, joined(chunks), version=version or 0, build=self._build)
        if version is not None:
            self._pages.store(key, page)
        return self._answer(page, environ, lambda line, rest: start_response(line, rest + own))

    def _answer(self, page: Page, environ: Environ, start_response: StartResponse) -> list[bytes]:
        encoding = pick_encoding(environ.get("HTTP_ACCEPT_ENCODING", ""), len(page.body))
        variant = page.variants.get(encoding) or self._pages.encode(self._key(environ), page, encoding)
        condition = environ.get("HTTP_IF_NONE_MATCH")
        if condition is not None and _names(condition, variant.etag):
            start_response("304 Not Modified", list(variant.unchanged_headers))
            return []
        start_response("200 OK", list(variant.headers))
        return [variant.body] if environ["REQUEST_METHOD"] == "GET" else []


def _tell(environ: Environ, outcome: str) -> None:
    """Say whether the page was there (hit), was made (miss) or is the one before (stale), for whoever counts."""
    seen = environ.get(SEEN)
    if seen is not None:
        seen["cache"] = outcome


def _take_mark(headers: Headers) -> bool:
    """Remove the mark; True when it was there. A response with a cookie is somebody's own, mark or not."""
    is_marked = any(name == MARK for name, _ in headers)
    headers[:] = [(name, value) for name, value in headers if name != MARK]
    return is_marked and not any(name.lower() == "set-cookie" for name, _ in headers)


def joined(chunks: Iterable[bytes]) -> bytes:
    """All of an answer, which ends with it."""
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
    replaced = {"etag", "cache-control", "content-length", "last-modified", "vary", *OF_ONE_ANSWER}
    kept = [(name, value) for name, value in headers if name.lower() not in replaced]
    kept += [("Cache-Control", CACHE_CONTROL), ("Vary", "Accept-Encoding")]
    if version >= FIRST_TIME_MS:
        kept.append(("Last-Modified", formatdate(min(version / 1000, time.time()), usegmt=True)))
    return Page(version, f"{build}-{version}", kept, body)


def _names(condition: str, etag: str) -> bool:
    """Whether an If-None-Match header names `etag` (weak comparison, as RFC 9110 wants it here)."""
    tags = (tag.strip().removeprefix("W/") for tag in condition.split(","))
    return condition.strip() == "*" or etag in tags
