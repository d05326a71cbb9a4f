"""The site's middleware: a body limit, and responses if the database or the account is gone."""

import logging
from collections.abc import Callable

from allauth.usersessions.middleware import UserSessionsMiddleware
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.db import DatabaseError, Error, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from psycopg.errors import DiskFull, ReadOnlySqlTransaction

from results.core.public import IS_PUBLIC
from results.core.reader import ReadingError
from results.core.security.events import has_signed_out, log_refusal
from results.models.member import has_left

logger = logging.getLogger(__name__)
View = Callable[[HttpRequest], HttpResponse]
API = "/api/"
OPENID = "/account/oidc/"
PRIVATE = ("/account/", "/admin/", "/moderation/", "/operator/")
TOO_LARGE = (
    "413 Content Too Large: at most 4 MiB for a log, 512 KiB for other text. Send only the output of the tools, "
    "or send it in several parts.\n"
)
INCOMPLETE = "400 Bad Request: the body is shorter than Content-Length says.\n"
MAX_CONTENT_LENGTH_DIGITS = 18  # digits of Content-Length; Python refuses to parse thousands of them


class Middleware:
    """Passes each request on."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)


class BodyLimitMiddleware(Middleware):
    """Refuse bodies announced as too large, incomplete bodies, and paths with a NUL.

    Django accepts a truncated body as complete.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info:
            raise Http404  # PostgreSQL accepts no NUL in a value
        length = _announced_length(request)
        if length is None or length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return _plain(413, TOO_LARGE)
        if length and not _is_complete(request, length):
            return _plain(400, INCOMPLETE)
        return self._get_response(request)


def _announced_length(request: HttpRequest) -> int | None:
    """The Content-Length; None if it is invalid."""
    value = request.META.get("CONTENT_LENGTH") or "0"
    is_number = value.isascii() and value.isdecimal() and len(value) <= MAX_CONTENT_LENGTH_DIGITS
    return int(value) if is_number else None


def _is_complete(request: HttpRequest, length: int) -> bool:
    try:
        return len(request.body) == length
    except UnreadablePostError:
        return False


def _plain(status: int, text: str) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


def is_unavailable(exception: Exception) -> bool:
    """Whether a retry may succeed: PostgreSQL is unavailable, or read-only after a failover."""
    is_read_only = isinstance(exception.__cause__, ReadOnlySqlTransaction)
    return is_read_only or isinstance(exception, OperationalError | InterfaceError)


class RefusalLogMiddleware(Middleware):
    """Log each 401, 403 and 429 of pages and API."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        log_refusal(request, response)
        return response


class PrivatePagesMiddleware(Middleware):
    """Forbid storing any response below PRIVATE, and tell the browser at sign-out to clear those it has cached.

    Only its cache, which includes the pages behind "back": "cookies" would clear those of all sites of the registered
    domain, such as the forum's, and "storage" the theme and the devices to compare, which aren't the account's.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if request.path_info.startswith(PRIVATE):
            patch_cache_control(response, no_store=True, private=True)
        if has_signed_out(request):
            response["Clear-Site-Data"] = '"cache"'
        return response


class FailureMiddleware(Middleware):
    """Respond with a page where a view failed for a reason that isn't the site's fault."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if is_unavailable(exception):
            return _unavailable(request, exception)
        if isinstance(exception, ReadingError):  # and no form shows why
            return render(request, "422.html", {"notice": exception.notice}, status=422)
        if isinstance(exception, OSError) and request.path.startswith(OPENID):
            return _forum_unavailable(request, exception)
        return _closed_meanwhile(request) if _is_of_closed(request, exception) else None


def _unavailable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A plain page while the database is unavailable; the site recovers by itself.

    Its attribute `is_disk_full` is for the API, which turns the page into problem details.
    """
    logger.warning("PostgreSQL can't handle the request: %s", str(exception).partition("\n")[0])
    is_disk_full = isinstance(exception.__cause__, DiskFull)
    page = render_to_string("503.html", {"path": request.path, "is_disk_full": is_disk_full})
    response = HttpResponse(page, status=503, headers={"Retry-After": "10", "Cache-Control": "no-store"})
    response.is_disk_full = is_disk_full  # type: ignore[attr-defined]
    return response


def _forum_unavailable(request: HttpRequest, exception: OSError) -> HttpResponse:
    """Back to sign-in when a forum that provides OpenID Connect does not respond."""
    logger.warning("an OpenID Connect provider doesn't respond: %s", type(exception).__name__)
    messages.error(
        request, "The forum isn't responding. Try again later, or sign in with your e-mail address."
    )
    return redirect("account_login")


def _is_of_closed(request: HttpRequest, exception: Exception) -> bool:
    """Whether the member's account was closed during the request.

    PostgreSQL rejects rows that refer to a deleted member, and saving doesn't recreate an account (Member.save).
    """
    return isinstance(exception, DatabaseError) and not is_unavailable(exception) and has_left(request.user)


def _closed_meanwhile(request: HttpRequest) -> HttpResponse:
    """Sign the member out, and state that nothing was stored."""
    logout(request)
    return render(request, "results/accounts/closed.html", {"is_late": True}, status=403)


class SessionsMiddleware(Middleware):
    """Record a member's session activity, except for public views and the API, which don't read the session.

    If the database can't be written, members can still read pages. If it fails because the account was closed in the
    meantime, the response is that of FailureMiddleware.
    """

    def __init__(self, get_response: View) -> None:
        super().__init__(get_response)
        self._note = UserSessionsMiddleware(lambda _: HttpResponse())

    def process_view(self, request: HttpRequest, view: object, *_: object) -> HttpResponse | None:
        if getattr(view, IS_PUBLIC, False) or request.path_info.startswith(API):
            return None
        try:
            self._note(request)
        except Error as error:
            if _is_of_closed(request, error):
                return _closed_meanwhile(request)
            if not is_unavailable(error):
                raise
            logger.warning("session activity not recorded: %s", str(error).partition("\n")[0])
        return None
