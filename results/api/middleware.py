"""Middleware for /api/: errors as problem details, and CORS for reads."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

from results.api.errors import PROBLEM_TYPE, plain_problem
from results.core.middleware import Middleware, Refusal

PREFIX = "/api/"
ALLOW_ORIGIN = "Access-Control-Allow-Origin"
_EXPOSED_HEADERS = (
    "Deprecation, ETag, Idempotent-Replayed, Last-Modified, Link, Location, RateLimit, RateLimit-Policy, "
    "Retry-After, Sunset, X-Request-Id"
)
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
# What scripts of other sites may send a body to; it stores nothing
_OPEN_TO_POSTS = {"/api/v1/parse", "/api/v1/check", "/api/v1/drives/check", "/api/v1/lookup"}
_PREFLIGHT_OF_POSTS = _PREFLIGHT | {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, If-None-Match",
}
_PRESERVED_HEADERS = ("Retry-After", "Allow", "Cache-Control", "WWW-Authenticate")
_DETAILS = {
    HTTPStatus.BAD_REQUEST: f"Bad request, or a form with more than {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS} fields.",
    HTTPStatus.NOT_FOUND: "Nothing exists at this URL; /api/v1/schema/ lists all there are.",
    HTTPStatus.LENGTH_REQUIRED: "Send the size of the body as Content-Length.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The site is temporarily unavailable; nothing was stored. Try again soon.",
}
_DISK_FULL = (
    "The server’s disk is full: nothing can be stored until its operator frees some space. Try again later."
)
_HTTPS_REQUIRED = "Use HTTPS. Revoke any key that was sent unencrypted."
_UNEXPECTED = "Something went wrong. The error was logged."


class ApiMiddleware(Middleware):
    """Wraps all that can refuse a request: body limits, hosts, URLs, the database."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self._get_response(request)
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return plain_problem(HTTPStatus.FORBIDDEN, _HTTPS_REQUIRED, code="https_required")
        if request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.META:
            is_open = (
                request.path.rstrip("/") in _OPEN_TO_POSTS
            )  # without the slash, the answer names the address
            preflight = _PREFLIGHT_OF_POSTS if is_open else _PREFLIGHT
            return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={ALLOW_ORIGIN: "*", **preflight})
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            # Django would read the body as empty
            response = HttpResponse(status=HTTPStatus.LENGTH_REQUIRED)
        else:
            response = self._get_response(request)
        if response.status_code == HTTPStatus.MOVED_PERMANENTLY and request.method not in SAFE_METHODS:
            # clients would follow it without the body
            detail = f"This address ends with a slash: {request.path}/"
            response = plain_problem(HTTPStatus.NOT_FOUND, detail, code="not_found")
        if response.status_code >= HTTPStatus.BAD_REQUEST and response["Content-Type"] != PROBLEM_TYPE:
            response = _problem(response)
        response[ALLOW_ORIGIN] = "*"
        response["Access-Control-Expose-Headers"] = _EXPOSED_HEADERS
        return response


def _problem(response: HttpResponse) -> HttpResponse:
    """Problem details in place of an HTML error page."""
    status = HTTPStatus(response.status_code)
    detail, code = _DETAILS.get(status, _UNEXPECTED), status.name.lower()
    if isinstance(response, Refusal):
        detail, code = response.detail, response.code
    headers = {name: response[name] for name in _PRESERVED_HEADERS if name in response}
    if getattr(response, "is_disk_full", False):
        detail, code = _DISK_FULL, "disk_full"
    return plain_problem(status, detail, code=code, headers=headers)
