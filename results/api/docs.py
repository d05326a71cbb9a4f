"""The API's documentation page."""

import inspect
import re
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.views.decorators.http import require_GET

from results.core.public import public_page

_API = "api/v1/"
_METHODS = ("get", "post", "patch", "delete")
_PLACE = re.compile(r"<\w+:(\w+)>")


class Operation(NamedTuple):
    """An address of the API, what can be done with it, and what it is."""

    methods: str
    path: str
    summary: str


@require_GET
@public_page
def api_docs(request: HttpRequest) -> HttpResponse:
    context = {"schema_url": reverse("api-schema"), "operations": _operations(), "nav": "api"}
    return render(request, "results/api/docs.html", context)


@cache
def _operations() -> list[Operation]:
    """What there is below the API's address, as its URL table has it; the schema itself left out."""
    found = []
    for pattern in _patterns():
        view: Any = vars(pattern.callback)["cls"]  # as DRF leaves it there
        methods = ", ".join(name.upper() for name in _METHODS if hasattr(view, name))
        summary = (inspect.getdoc(view) or "").partition("\n")[0]
        path = _PLACE.sub(r"{\1}", f"/{_API}{pattern.pattern}")
        if pattern.name != "api-schema":
            found.append(Operation(methods, path, summary))
    return found


def _patterns() -> list[URLPattern]:
    resolvers = (one for one in get_resolver().url_patterns if isinstance(one, URLResolver))
    api = next(one for one in resolvers if str(one.pattern) == _API)
    return [one for one in api.url_patterns if isinstance(one, URLPattern)]
