"""Middleware for /api/: errors as problem details, and CORS for reads."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

from results.api.errors import PROBLEM_TYPE, TooLongProblem, problem_bytes

View = Callable[[HttpRequest], HttpResponse]
PREFIX = "/api/"
ALLOW_ORIGIN = "Access-Control-Allow-Origin"
_EXPOSED_HEADERS = "ETag, Last-Modified, Location, RateLimit, RateLimit-Policy, Retry-After"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
_PRESERVED_HEADERS = ("Retry-After", "Allow", "Cache-Control", "WWW-Authenticate")
_DETAILS = {
    HTTPStatus.BAD_REQUEST: "Bad request, or the body is shorter than its Content-Length.",
    HTTPStatus.NOT_FOUND: "Nothing exists at this URL; /api/v1/schema/ lists all there are.",
    HTTPStatus.LENGTH_REQUIRED: "Send the size of the body as Content-Length.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLongProblem.default_detail,
    HTTPStatus.SERVICE_UNAVAILABLE: "The site is temporarily unavailable; nothing was stored. Try again soon.",
}
_CODES = {HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLongProblem.default_code}  # as views set it
_HTTPS_REQUIRED = "Use HTTPS. Revoke any key that was sent unencrypted."
_UNEXPECTED = "Something went wrong. The error was logged."


class ApiMiddleware:
    """Wraps all that can refuse a request: body limits, hosts, URLs, the database."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self._get_response(request)
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return _https_required()
        if request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.META:
            return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={ALLOW_ORIGIN: "*", **_PREFLIGHT})
        response = _length_required() if _lacks_length(request) else self._get_response(request)
        if response.status_code == HTTPStatus.MOVED_PERMANENTLY and request.method not in SAFE_METHODS:
            response = _slash_required(request.path)
        if response.status_code >= HTTPStatus.BAD_REQUEST and response["Content-Type"] != PROBLEM_TYPE:
            response = _problem(response)
        response[ALLOW_ORIGIN] = "*"
        response["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
        return response


def _lacks_length(request: HttpRequest) -> bool:
    """Whether the body's length is unknown: Django would read it as empty."""
    return "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH")


def _https_required() -> HttpResponse:
    body = problem_bytes(HTTPStatus.FORBIDDEN, _HTTPS_REQUIRED, code="https_required")
    return HttpResponse(body, status=HTTPStatus.FORBIDDEN, content_type=PROBLEM_TYPE)


def _slash_required(path: str) -> HttpResponse:
    """Replaces a redirect, which clients would follow without the body."""
    body = problem_bytes(HTTPStatus.NOT_FOUND, f"This address ends with a slash: {path}/", code="not_found")
    return HttpResponse(body, status=HTTPStatus.NOT_FOUND, content_type=PROBLEM_TYPE)


def _length_required() -> HttpResponse:
    return HttpResponse(status=HTTPStatus.LENGTH_REQUIRED)


def _problem(response: HttpResponse) -> HttpResponse:
    """Problem details in place of an HTML error page."""
    status = HTTPStatus(response.status_code)
    detail = _DETAILS.get(status, _UNEXPECTED)
    body = problem_bytes(status, detail, code=_CODES.get(status, status.name.lower()))
    headers = {name: response[name] for name in _PRESERVED_HEADERS if name in response}
    return HttpResponse(body, status=status, content_type=PROBLEM_TYPE, headers=headers)
