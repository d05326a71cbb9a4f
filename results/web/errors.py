"""Pages for what went wrong, with a way on."""

import re

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.web.chart_view import AskedChart, BadParameterError, known_parameters

LONGEST_QUERY = 100
_NAMED = re.compile(r"/(?P<kind>device|result)s/(?P<slug>[-\w]+)")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was sent without the cookie that belongs to it."""
    return render(request, "403.html", {"reason": reason}, status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What was asked for makes no sense; a view that raises BadRequest says in its message what does not."""
    reason = str(exception) if isinstance(exception, BadRequest) else ""
    kept = known_parameters(request) if isinstance(exception, BadParameterError) else {}
    without = {name: value for name, value in kept.items() if name != getattr(exception, "name", "")}
    context = {"reason": reason, "path": request.path, "way_back": AskedChart(request.path, without).url()}
    return render(request, "400.html", context, status=400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """Nothing is there; what the address seems to name stands in the search box."""
    match = _NAMED.match(request.path)
    wanted = match["kind"] if match else ""
    words = (
        re.sub(r"[-_]+", " ", match["slug"])[:LONGEST_QUERY].strip() if match and wanted == "device" else ""
    )
    return render(request, "404.html", {"q": words, "wanted": wanted}, status=404)
