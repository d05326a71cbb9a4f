"""The API's own way to its views: nobody signs in to it by a cookie, so what is there for people is passed by.

Sessions, accounts, messages and the check of forms take longer than a small read does.
"""

from collections.abc import Sequence
from typing import Any

from csp.middleware import CSPMiddleware
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.utils.module_loading import import_string

PREFIX = "/api/v1/"
PAGES = "/api/v1/docs/"  # which people look at
MIDDLEWARE = (
    "results.web.middleware.SeenMiddleware",
    "results.web.middleware.BodyLimitMiddleware",
    "results.web.middleware.DatabaseAwayMiddleware",
    "results.api.short_way.PolicyMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
)


def goes_short(path: str) -> bool:
    return path.startswith(PREFIX) and not path.startswith(PAGES)


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


class PolicyMiddleware:
    """The Content-Security-Policy of all pages, put together once: an answer of the API has no way to change it."""

    def __init__(self, get_response: Any) -> None:
        self._get_response = get_response
        self._policies: dict[str, str] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self._get_response(request)
        if not self._policies:
            self._policies = _policies(request)
        for name, value in self._policies.items():
            response[name] = value
        return response


def _policies(request: HttpRequest) -> dict[str, str]:
    """The headers that the middleware of all other pages sets."""
    empty = HttpResponse()
    before = set(empty.headers)
    CSPMiddleware(lambda _: empty).process_response(request, empty)
    return {name: value for name, value in empty.headers.items() if name not in before}
