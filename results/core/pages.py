"""Error pages, with links to continue, and the context processor of all templates."""

import re

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.core.addresses import with_query
from results.core.read_only import ENVIRON_KEY
from results.core.security.rate_limits import refuse_read

MAX_QUERY_LENGTH = 100
_NAMED = re.compile(r"/(?P<kind>device|result)s/(?P<slug>[-\w]+)")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page for a form sent without its CSRF cookie."""
    return render(request, "403.html", {"reason": reason}, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for an invalid request; a view that raises BadRequest states the reason in its message."""
    reason = str(exception) if isinstance(exception, BadRequest) else ""
    wrong = getattr(exception, "name", "")  # of a parameter; without it the page is available
    others = {name: str(value) for name, value in request.GET.items() if name != wrong} if wrong else {}
    context = {"reason": reason, "path": request.path, "valid_url": with_query(request.path, **others)}
    return render(request, "400.html", context, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """The 404 page; what the URL seems to name is filled into the search box.

    If no view has the address, the request is counted here as one of its sender's reads.
    """
    refused = refuse_read(request) if request.resolver_match is None else None
    if refused is not None:
        return refused
    match = _NAMED.match(request.path)
    kind = match["kind"] if match else ""
    words = (
        re.sub(r"[-_]+", " ", match["slug"])[:MAX_QUERY_LENGTH].strip() if match and kind == "device" else ""
    )
    return render(request, "404.html", {"q": words, "wanted": kind}, status=404)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """The page for too many tries at signing in and the like, whose limits are by the minute."""
    response = render(request, "429.html", {"wait": "a minute"}, status=429)
    response["Retry-After"] = "60"
    return response


def site(request: HttpRequest) -> dict[str, object]:
    return {
        "is_demo": settings.IS_DEMO,
        "read_only_reason": request.META.get(ENVIRON_KEY, ""),
        "site_url": settings.SITE_URL,
        "path": request.path,
    }
