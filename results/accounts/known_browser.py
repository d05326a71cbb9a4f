"""Browsers in which a member signed in before: failed attempts in others don't lock the member out of these.

Like OWASP's device cookies: attempts in a known browser are counted separately from all others.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse

_REMEMBERED_S = 365 * 24 * 3600


def remember_browser(response: HttpResponse, email: str) -> None:
    """Set a cookie that marks the browser as one in which the member with this address signed in."""
    response.set_signed_cookie(
        settings.KNOWN_BROWSER_COOKIE_NAME,
        secrets.token_urlsafe(12),
        salt=_salt(email),
        max_age=_REMEMBERED_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_browser(request: HttpRequest, email: str) -> str:
    """The name of a browser in which the member with this address signed in; "" for any other."""
    name = request.get_signed_cookie(
        settings.KNOWN_BROWSER_COOKIE_NAME, default=None, salt=_salt(email), max_age=_REMEMBERED_S
    )
    return name or ""


def _salt(email: str) -> str:
    return f"known browser of {email.lower()}"
