"""The API's documentation page."""

import hashlib
import inspect
import re
from functools import cache
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from results.api.lists import RecordList
from results.api.parameters import FORMAT
from results.api.renderers import OrjsonRenderer
from results.api.schema import ClientSchema
from results.api.views import Endpoint
from results.core.addresses import full_url, with_query
from results.core.public import public_page
from results.core.record import Record, Url, field

_API = "api/v1/"
_METHODS = ("get", "post", "patch", "delete")
_PROFILE = "profile"
_GENERATORS = {"": ClientSchema, "all": SchemaGenerator}
_PLACE = re.compile(r"<\w+:(\w+)>")


class Operation(NamedTuple):
    """A URL of the API with its methods and a summary."""

    methods: str
    path: str
    summary: str


@public_page(in_sitemap=True)
def api_docs(request: HttpRequest) -> HttpResponse:
    context = {
        "schema_url": with_query(reverse("api-schema"), profile="all"),
        "operations": _operations(),
        "nav": "api",
    }
    return render(request, "results/api/docs.html", context)


class Schema(Endpoint):
    """The OpenAPI schema, which depends on the code alone: no key is looked at, so a refused one can't hide it.

    With `profile=all`, also what generated clients have no types for: `fields`, `format`, CSV and NDJSON.
    """

    authentication_classes = []
    schema = None  # type: ignore[assignment] # as DRF excludes a view

    def known_parameters(self) -> set[str]:
        return {FORMAT, _PROFILE}  # format, as generators of clients ask for it

    def get(self, request: Request) -> HttpResponse:
        if request.query_params.get(FORMAT, OrjsonRenderer.format) != OrjsonRenderer.format:
            raise ValidationError({FORMAT: [f"Unknown format. Allowed: {OrjsonRenderer.format}."]})
        profile = request.query_params.get(_PROFILE, "")
        if profile not in _GENERATORS:
            raise ValidationError({_PROFILE: ["Unknown profile. Allowed: all."]})
        body, etag = schema_file(profile)
        return HttpResponse(body, content_type=OpenApiJsonRenderer.media_type, headers={"ETag": etag})


@cache
def schema_file(profile: str = "") -> tuple[bytes, str]:
    """The schema and its ETag, rendered once per process."""
    document = _GENERATORS[profile]().get_schema(request=None, public=True)  # type: ignore[no-untyped-call] # the library
    body = OpenApiJsonRenderer().render(document)
    return body, f'"{hashlib.sha256(body).hexdigest()[:24]}"'


class ResourceRecord(Record):
    """A URL of the API without path parameters."""

    name: str = field("its path below /api/v1/")
    url: Url = field("its address")
    methods: str = field("the methods that it supports")
    description: str = field("a summary")


class Resources(RecordList):
    """The resources of the API."""

    record = ResourceRecord
    ordering_fields = {"name": "name"}

    def get_queryset(self) -> Any:
        return [
            {
                "name": operation.path.removeprefix(f"/{_API}").strip("/"),
                "url": full_url(operation.path),
                "methods": operation.methods,
                "description": operation.summary,
            }
            for operation in _operations()
            if "{" not in operation.path and operation.path != f"/{_API}"
        ]


@cache
def _operations() -> list[Operation]:
    """The operations in the API's URL table, without the schema."""
    found = []
    resolvers = (pattern for pattern in get_resolver().url_patterns if isinstance(pattern, URLResolver))
    api = next(resolver for resolver in resolvers if str(resolver.pattern) == _API)
    for pattern in (pattern for pattern in api.url_patterns if isinstance(pattern, URLPattern)):
        view: Any = vars(pattern.callback)["cls"]  # set by DRF's as_view
        methods = ", ".join(name.upper() for name in _METHODS if hasattr(view, name))
        summary = (inspect.getdoc(view) or "").partition("\n")[0]
        path = _PLACE.sub(r"{\1}", f"/{_API}{pattern.pattern}")
        if pattern.name != "api-schema":
            found.append(Operation(methods, path, summary))
    return found
