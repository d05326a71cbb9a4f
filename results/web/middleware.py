"""What stands before every view: a limit for bodies, and an answer for when the database is away."""

from collections.abc import Callable

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

View = Callable[[HttpRequest], HttpResponse]
TOO_LARGE = (
    "413 Content Too Large: at most 512 KiB of text. Send only the output of diskinfo and smartctl, "
    "or send it in several parts.\n"
)


class BodyLimitMiddleware:
    """Refuses a body that is too large by what it says of its length, before any of it is read."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if (
            not (length.isascii() and length.isdecimal())
            or int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        ):
            return HttpResponse(TOO_LARGE, status=413, content_type="text/plain; charset=utf-8")
        return self._get_response(request)


class DatabaseAwayMiddleware:
    """Answers 503 with a plain page while the database is away; the site comes back by itself after it."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        page = render_to_string("503.html", {"path": request.path})
        return HttpResponse(page, status=503, headers={"Retry-After": "10", "Cache-Control": "no-store"})
