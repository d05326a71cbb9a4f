"""Around everything below /api/: errors that no view made become problem details, and other sites may read."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.permissions import SAFE_METHODS

from results.api.errors import PROBLEM_TYPE, TooLongProblem, problem_bytes

View = Callable[[HttpRequest], HttpResponse]
PREFIX = "/api/"
EVERYBODY = "Access-Control-Allow-Origin"
_READ_BY_OTHERS = "ETag, Last-Modified, Location, RateLimit, RateLimit-Policy, Retry-After"
_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
_PASSED_HEADERS = ("Retry-After", "Allow", "Cache-Control", "WWW-Authenticate")
_DETAILS = {
    HTTPStatus.BAD_REQUEST: "This request can't be understood, or less came than Content-Length announced.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address; /api/v1/schema/ names all there are.",
    HTTPStatus.LENGTH_REQUIRED: "Say with Content-Length how much is coming.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLongProblem.default_detail,
    HTTPStatus.SERVICE_UNAVAILABLE: "The site can't take this just now; nothing was stored. Try again soon.",
}
_CODES = {HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLongProblem.default_code}  # where a view says it, too
_IN_THE_CLEAR = "Ask with https. A key that was sent in the clear should be revoked."
_OTHERWISE = "Something went wrong here. It was noted."


class ApiMiddleware:
    """Stands before all that can refuse a request: body limits, hosts, the URL table, a database that is away."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self._get_response(request)
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return _in_the_clear()
        if request.method == "OPTIONS" and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in request.META:
            return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={EVERYBODY: "*", **_PREFLIGHT})
        response = _without_length() if _hides_its_length(request) else self._get_response(request)
        if response.status_code == HTTPStatus.MOVED_PERMANENTLY and request.method not in SAFE_METHODS:
            response = _with_a_slash(request.path)
        if response.status_code >= HTTPStatus.BAD_REQUEST and response["Content-Type"] != PROBLEM_TYPE:
            response = _problem(response)
        response[EVERYBODY] = "*"
        response["Access-Control-Expose-Headers"] = _READ_BY_OTHERS
        return response


def _hides_its_length(request: HttpRequest) -> bool:
    """Whether a body comes whose end nobody knows: Django would take it for an empty one."""
    return "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH")


def _in_the_clear() -> HttpResponse:
    body = problem_bytes(HTTPStatus.FORBIDDEN, _IN_THE_CLEAR, code="https_required")
    return HttpResponse(body, status=HTTPStatus.FORBIDDEN, content_type=PROBLEM_TYPE)


def _with_a_slash(path: str) -> HttpResponse:
    """In place of a redirect, which clients follow with a GET, if at all: what they sent would be lost in silence."""
    body = problem_bytes(HTTPStatus.NOT_FOUND, f"This address ends with a slash: {path}/", code="not_found")
    return HttpResponse(body, status=HTTPStatus.NOT_FOUND, content_type=PROBLEM_TYPE)


def _without_length() -> HttpResponse:
    return HttpResponse(status=HTTPStatus.LENGTH_REQUIRED)


def _problem(response: HttpResponse) -> HttpResponse:
    """The problem in place of a page for people."""
    status = HTTPStatus(response.status_code)
    detail = _DETAILS.get(status, _OTHERWISE)
    body = problem_bytes(status, detail, code=_CODES.get(status, status.name.lower()))
    kept = {name: response[name] for name in _PASSED_HEADERS if name in response}
    return HttpResponse(body, status=status, content_type=PROBLEM_TYPE, headers=kept)
