"""The site's middleware: limits of bodies, and responses if the database or the account is gone."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from http import HTTPStatus

from allauth.usersessions.middleware import UserSessionsMiddleware
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.db import DatabaseError, Error, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from psycopg.errors import DiskFull, ReadOnlySqlTransaction

from results.core.parameters import parse_whole_number
from results.core.public import IS_PUBLIC
from results.core.reader import ReadingError
from results.core.security.bodies import (
    MAX_BYTES_BESIDE_TEXT,
    MAX_FORM_SIZE,
    READS_TEXTS,
    bytes_beside_text,
    form_size,
)
from results.core.security.events import has_signed_out, log_refusal
from results.core.security.rate_limits import IS_COUNTED, refuse_read
from results.core.turns import LARGE_BYTES, RETRY_AFTER_S, turn
from results.models.member import has_left

logger = logging.getLogger(__name__)
View = Callable[[HttpRequest], HttpResponse]
API = "/api/"
OPENID = "/account/oidc/"
PROBES = {"/healthz", "/readyz"}
PRIVATE = ("/account/", "/admin/", "/moderation/", "/operator/")
TOO_LARGE = (
    "At most 4 MiB for a log, 512 KiB for other text: send only the tools’ output, or send it in "
    "several parts."
)
TOO_MUCH_BESIDE = f"Everything besides the text may have at most {MAX_BYTES_BESIDE_TEXT // 1024} KiB."
FORM_TOO_LARGE = f"The fields of a form may have at most {MAX_FORM_SIZE // 1024} KiB in total."
NO_TEXT = f"At most {LARGE_BYTES // 1024} KiB: no text is read at this address."
NUL_IN_PATH = "Addresses can't contain NUL characters."
INCOMPLETE = "The body is shorter than Content-Length says."
BUSY = "Other long texts are being read. Nothing was stored; send yours again in a few seconds."
MAX_CONTENT_LENGTH_DIGITS = 18  # digits of Content-Length; Python refuses to parse thousands of them


class Middleware:
    """Passes each request on."""

    def __init__(self, get_response: View) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)


class Refusal(HttpResponse):
    """A refusal without a page, in plain text; the API states its `detail` and `code` as a problem."""

    def __init__(self, status: HTTPStatus, detail: str, *, code: str) -> None:
        super().__init__(
            f"{status} {status.phrase}: {detail}\n", status=status, content_type="text/plain; charset=utf-8"
        )
        self.detail, self.code = detail, code


class EncodingMiddleware(Middleware):
    """Read every request as UTF-8.

    Django would decode the query, too, in whatever charset a Content-Type names; the page cache knows only UTF-8.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.encoding = "utf-8"
        return self._get_response(request)


class BodyLimitMiddleware(Middleware):
    """Refuse bodies that are too large, as announced or besides their text, incomplete ones, and paths with a NUL.

    Django accepts a truncated body as complete.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info:
            return Refusal(HTTPStatus.NOT_FOUND, NUL_IN_PATH, code="not_found")
        announced = request.META.get("CONTENT_LENGTH") or "0"
        length = parse_whole_number(announced, max_digits=MAX_CONTENT_LENGTH_DIGITS)
        if length is None or length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE, code="too_long")
        if length and not _is_complete(request, length):
            return Refusal(HTTPStatus.BAD_REQUEST, INCOMPLETE, code="bad_request")
        if length > MAX_BYTES_BESIDE_TEXT and _beside_text(request) > MAX_BYTES_BESIDE_TEXT:
            return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_MUCH_BESIDE, code="too_long")
        return self._get_response(request)


def _is_complete(request: HttpRequest, length: int) -> bool:
    try:
        return len(request.body) == length
    except UnreadablePostError:
        return False


def _beside_text(request: HttpRequest) -> int:
    boundary = (request.content_params or {}).get("boundary", "")
    return bytes_beside_text(request.body, request.content_type or "", boundary)


class LargeBodyMiddleware(Middleware):
    """Limit forms; accept large bodies only for views that read texts, and handle them in all processes but one.

    A process serves one request at a time, and waits while a text is read.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with ExitStack() as request.turns:  # type: ignore[attr-defined] # ours
            return self._get_response(request)

    def process_view(self, request: HttpRequest, view: object, *_: object) -> HttpResponse | None:
        reads_texts = getattr(view, READS_TEXTS, False)
        if request.method == "POST" and form_size(request.POST, has_text=reads_texts) > MAX_FORM_SIZE:
            return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, FORM_TOO_LARGE, code="too_long")
        if len(request.body) <= LARGE_BYTES:
            return None
        if request.method != "POST" or not reads_texts:
            return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, NO_TEXT, code="too_long")
        if request.turns.enter_context(turn("large body")):  # type: ignore[attr-defined] # as above
            return None
        response = Refusal(HTTPStatus.TOO_MANY_REQUESTS, BUSY, code="busy")
        response["Retry-After"] = str(RETRY_AFTER_S)
        return response


class ReadsMiddleware(Middleware):
    """Count the pages that no decorator counts, such as those of accounts, among their sender's reads."""

    def process_view(self, request: HttpRequest, view: object, *_: object) -> HttpResponse | None:
        is_counted = getattr(view, IS_COUNTED, False) or request.path_info.startswith(API)
        if is_counted or request.path_info in PROBES:
            return None
        return refuse_read(request)


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
