"""A way to views past what is there for people who sign in: for the API, and for public pages.

Sessions, accounts, messages and the check of forms take longer than a small read does. Nobody signs in to the API by
a cookie, and a public page (results.public) reads nothing of who asks.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from csp.middleware import CSPMiddleware
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, get_resolver, get_urlconf
from django.utils.module_loading import import_string

from results.public import IS_PUBLIC

API = "/api/v1/"
PAGES = "/api/v1/docs/"  # which people look at
KEPT_PATHS = 2000  # of two kilobytes
LONGEST_KEPT = 200  # letters; of 2,000 longer paths somebody could fill the memory
MIDDLEWARE = (
    "results.web.middleware.SeenMiddleware",
    "results.web.middleware.BodyLimitMiddleware",
    "results.web.middleware.DatabaseAwayMiddleware",
    "results.short_way.PolicyMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
)


class ShortWayMiddleware:
    """Leads past all middleware that comes after it what needs none but MIDDLEWARE."""

    def __init__(self, get_response: Any) -> None:
        self._get_response = get_response
        self._short_way = ShortWay()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = (self._short_way if goes_short(request) else self._get_response)(request)
        return response


def goes_short(request: HttpRequest) -> bool:
    """Whether it is of the API, or reads a public page without a cookie."""
    path = request.path_info
    if path.startswith(API):
        return not path.startswith(PAGES)
    if request.method not in {"GET", "HEAD"} or request.META.get("HTTP_COOKIE"):
        return False
    try:
        return getattr(_resolve(path, get_urlconf()).func, IS_PUBLIC, False)
    except Resolver404:
        return False


def _resolve(path: str, urls: str | None) -> ResolverMatch:
    """The view of a path, looked up in the URL table once unless it is long; raises Resolver404."""
    return (_kept_view if len(path) <= LONGEST_KEPT else _find_view)(path, urls)


def _find_view(path: str, urls: str | None) -> ResolverMatch:
    return get_resolver(urls).resolve(path)


_kept_view = lru_cache(maxsize=KEPT_PATHS)(_find_view)


class ShortWay(BaseHandler):
    """Django's URL table and views behind MIDDLEWARE, which is a part of the settings', in the same order."""

    def __init__(self, names: Sequence[str] = MIDDLEWARE) -> None:
        self._view_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        itself: Any = self
        handler: Any = convert_exception_to_response(itself._get_response)
        for name in reversed(names):
            middleware = import_string(name)(handler)
            if hasattr(middleware, "process_view"):
                self._view_middleware.insert(0, middleware.process_view)
            if hasattr(middleware, "process_exception"):
                self._exception_middleware.append(middleware.process_exception)
            handler = convert_exception_to_response(middleware)
        self._handler = handler

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self._handler(request)
        return response

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        """As Django's own, each path once."""
        request.resolver_match = _resolve(request.path_info, get_urlconf())
        return request.resolver_match


class PolicyMiddleware:
    """The Content-Security-Policy of all pages, put together once. An image has one of its own, and keeps it."""

    def __init__(self, get_response: Any) -> None:
        self._get_response = get_response
        self._policies: dict[str, str] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self._get_response(request)
        if not self._policies:
            self._policies = _policies(request)
        for name, value in self._policies.items():
            response.setdefault(name, value)
        return response


def _policies(request: HttpRequest) -> dict[str, str]:
    """The headers that the middleware of all other pages sets."""
    empty = HttpResponse()
    before = set(empty.headers)
    CSPMiddleware(lambda _: empty).process_response(request, empty)
    return {name: value for name, value in empty.headers.items() if name not in before}
