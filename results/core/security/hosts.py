"""Which hosts and schemes the site accepts, by Django's own rules."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest


class _Request(HttpRequest):
    """The part of a request that those rules read."""

    def __init__(self, host: str, scheme: str, forwarded: str | None) -> None:
        self._scheme = scheme
        self.META: dict[str, str | None] = {"HTTP_HOST": host}
        if settings.SECURE_PROXY_SSL_HEADER:
            self.META[settings.SECURE_PROXY_SSL_HEADER[0]] = forwarded

    def _get_scheme(self) -> str:
        return self._scheme


def is_accepted(environ: dict[str, Any]) -> bool:
    """Whether Django would neither refuse the request's host nor redirect its scheme.

    Host headers and schemes are the client's; where they are accepted, they change nothing about a public page.
    """
    trusted = settings.SECURE_PROXY_SSL_HEADER
    forwarded = environ.get(trusted[0]) if trusted else None
    return accepts(environ.get("HTTP_HOST", ""), environ["wsgi.url_scheme"], forwarded)


@lru_cache(maxsize=100)
def accepts(host: str, scheme: str, forwarded: str | None) -> bool:
    request = _Request(host, scheme, forwarded)
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return request.is_secure() or not settings.SECURE_SSL_REDIRECT
