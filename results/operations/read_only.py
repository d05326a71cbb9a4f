"""While the site is read-only, every request that would change it gets a 503 with the reason."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib import admin
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.accounts.sign_in import CODE_PAGE
from results.api.errors import plain_problem
from results.core.middleware import API, OPENID, Middleware
from results.core.read_only import read_only_reason

RETRY_AFTER_S = 300
SAFE = {"GET", "HEAD", "OPTIONS"}
# Signing in and out only changes sessions, which no backup has either. The others store nothing.
ALLOWED = {
    "account_login",
    "account_logout",
    "account_reauthenticate",
    CODE_PAGE,
    "mfa_authenticate",
    "mfa_login_webauthn",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    f"{admin.site.name}:logout",
    "api-parse",
    "api-lookup",
    "api-drive-check",
    "used-drive",
    "api-check",
    "check",
}
DETAIL = "The site is read-only for now: {reason} Nothing was stored; send it again later."


class ReadOnlyMiddleware(Middleware):
    """Refuse requests that write. A forum's OpenID Connect signs members up by GET, so it is refused, too."""

    def process_view(
        self, request: HttpRequest, _view: Callable[..., HttpResponse], *_: object
    ) -> HttpResponse | None:
        if request.method in SAFE and not request.path_info.startswith(OPENID):
            return None
        if request.resolver_match is not None and request.resolver_match.view_name in ALLOWED:
            return None
        try:
            reason = read_only_reason()
        except Error:  # the view says that the database is unavailable
            return None
        return _refuse(request, reason) if reason else None


def _refuse(request: HttpRequest, reason: str) -> HttpResponse:
    headers = {"Retry-After": str(RETRY_AFTER_S), "Cache-Control": "no-store"}
    if request.path_info.startswith(API):
        detail = DETAIL.format(reason=reason)
        return plain_problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, code="read_only", headers=headers)
    response = render(request, "read_only.html", {"reason": reason}, status=HTTPStatus.SERVICE_UNAVAILABLE)
    for name, value in headers.items():
        response[name] = value
    return response
