"""Results that were published in a browser without an account, remembered there until their sender has one.

A signed cookie names the submissions and when each is forgotten. It holds no claim token, and what it
names can only be claimed by the member who is signed in in that browser, by pressing a button.
"""

import time
from collections.abc import Sequence

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

REMEMBERED_S = 24 * 3600
MAX_SUBMISSIONS = 20  # submissions, the newest
SALT = "results published in this browser"


def remember_published(request: HttpRequest, response: HttpResponse, public_id: str) -> None:
    """Remember in the browser that the submission was published there; it is forgotten after REMEMBERED_S."""
    ends = {**_ends(request), public_id: int(time.time()) + REMEMBERED_S}
    newest = dict(list(ends.items())[-MAX_SUBMISSIONS:])
    response.set_cookie(
        settings.PUBLISHED_COOKIE_NAME,
        signing.dumps(newest, salt=SALT),
        max_age=REMEMBERED_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def published_here(request: HttpRequest) -> Sequence[str]:
    """The public ids of the submissions that were published in this browser and are still remembered."""
    return list(_ends(request))


def forget_published(response: HttpResponse) -> None:
    """Forget all of them."""
    response.delete_cookie(settings.PUBLISHED_COOKIE_NAME, samesite="Lax")


def _ends(request: HttpRequest) -> dict[str, int]:
    """When each is forgotten, in seconds since the epoch; nothing from a cookie that we didn't sign."""
    cookie = request.COOKIES.get(settings.PUBLISHED_COOKIE_NAME)
    if not cookie:
        return {}
    try:
        ends: dict[str, int] = signing.loads(cookie, salt=SALT, max_age=REMEMBERED_S)
    except signing.BadSignature:
        return {}
    now = time.time()
    return {public_id: end for public_id, end in ends.items() if now < end}
