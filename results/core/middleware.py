"""Middleware of the site: a limit for bodies, and answers for when the database or the account is gone."""

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
from psycopg.errors import ReadOnlySqlTransaction

from results.core.public import IS_PUBLIC
from results.models.member import has_left

logger = logging.getLogger(__name__)
View = Callable[[HttpRequest], HttpResponse]
API = "/api/"
OPENID = "/account/oidc/"
TOO_LARGE = (
    "413 Content Too Large: at most 512 KiB of text. Send only the output of diskinfo and smartctl, "
    "or send it in several parts.\n"
)
INCOMPLETE = "400 Bad Request: the body is shorter than Content-Length says.\n"
LONGEST_LENGTH = 18  # digits of Content-Length; Python refuses to read thousands of them


class BodyLimitMiddleware:
    """Refuse a body that is announced as too large, one that is incomplete, and paths with a NUL.

    Django takes a body that ends early for a complete one.
    """

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info:
            raise Http404  # PostgreSQL takes no NUL in a value
        length = _announced_length(request)
        if length is None or length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return _plain(413, TOO_LARGE)
        if length and not _is_complete(request, length):
            return _plain(400, INCOMPLETE)
        return self._get_response(request)


def _announced_length(request: HttpRequest) -> int | None:
    """The Content-Length; None for what is no length."""
    value = request.META.get("CONTENT_LENGTH") or "0"
    is_number = value.isascii() and value.isdecimal() and len(value) <= LONGEST_LENGTH
    return int(value) if is_number else None


def _is_complete(request: HttpRequest, length: int) -> bool:
    try:
        return len(request.body) == length
    except UnreadablePostError:
        return False


def _plain(status: int, text: str) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


def is_away(exception: Exception) -> bool:
    """Whether PostgreSQL may do later what it did not do: it is away, or takes no writes after a failover."""
    is_read_only = isinstance(exception.__cause__, ReadOnlySqlTransaction)
    return is_read_only or isinstance(exception, OperationalError | InterfaceError)


class DatabaseAwayMiddleware:
    """Answers 503 with a plain page while the database is away; the site comes back by itself after it."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not is_away(exception):
            return None
        logger.warning("PostgreSQL does not do it: %s", str(exception).partition("\n")[0])
        page = render_to_string("503.html", {"path": request.path})
        return HttpResponse(page, status=503, headers={"Retry-After": "10", "Cache-Control": "no-store"})


class ClosedAccountMiddleware:
    """Answers a member whose account was closed while they sent something, and signs them out: nothing was stored.

    What names a member who is gone PostgreSQL does not take, and an account is not brought back (Member.save).
    """

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return _closed_meanwhile(request) if _is_of_closed(request, exception) else None


def _is_of_closed(request: HttpRequest, exception: Exception) -> bool:
    return isinstance(exception, DatabaseError) and not is_away(exception) and has_left(request.user)


def _closed_meanwhile(request: HttpRequest) -> HttpResponse:
    logout(request)
    return render(request, "results/accounts/closed.html", {"is_late": True}, status=403)


class SessionsMiddleware:
    """Note that a member was here, unless the view is public or of the API: these don't read the session.

    While that can't be written members read what can be read. For an account that was closed meanwhile it can't:
    answered like what a view could not store.
    """

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response
        self._note = UserSessionsMiddleware(lambda _: HttpResponse())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: object, *_: object) -> HttpResponse | None:
        if getattr(view, IS_PUBLIC, False) or request.path_info.startswith(API):
            return None
        try:
            self._note(request)
        except Error as error:
            if _is_of_closed(request, error):
                return _closed_meanwhile(request)
            if not is_away(error):
                raise
            logger.warning("not noted that a member was here: %s", str(error).partition("\n")[0])
        return None


class ForumAwayMiddleware:
    """Leads back to signing in when a forum that lets people in by OpenID Connect does not answer."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not (isinstance(exception, OSError) and request.path.startswith(OPENID)):
            return None
        logger.warning("a provider of OpenID Connect does not answer: %s", type(exception).__name__)
        messages.error(request, "The forum does not answer just now. Try again later, or sign in by address.")
        return redirect("account_login")
