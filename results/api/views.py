"""Base classes of endpoints: keys, throttling, parameter checks, `fields`."""

import hashlib
from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import Http404, HttpResponse
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import APIException, MethodNotAllowed, NotAcceptable, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from results.api.authentication import BearerKey, ReadThrottle, WriteThrottle, limit_headers
from results.api.errors import EncodedProblem
from results.api.parameters import (
    FIELDS,
    FORMAT,
    field_names,
    nested_names,
    object_of,
    refuse_empty_numbers,
    refuse_nul,
    refuse_repeated,
    refuse_unknown,
    values_of,
)
from results.api.renderers import OrjsonRenderer, to_json
from results.api.schema import EndpointSchema
from results.core.record import Record, Row
from results.core.security.rate_limits import Spent

_AS_IT_IS = "identity"


class AnyAccepted(DefaultContentNegotiation):
    """Respond by `format`, else by Accept, and with the first renderer for all other values of Accept."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> tuple[Any, str]:
        try:
            chosen: tuple[Any, str] = super().select_renderer(request, renderers, format_suffix)
        except (NotAcceptable, Http404):  # 404 for an unknown format, which is refused as a parameter
            named = [
                renderer for renderer in renderers if renderer.format == request.query_params.get(FORMAT)
            ]
            first = (named or renderers)[0]
            return first, first.media_type
        return chosen


class Endpoint(APIView):
    """A view of the API.

    `operation_id` names its GET for clients, whose own parameters `query` describes; `record` is the serializer of
    the answer, whose `fields` a read can select.
    """

    authentication_classes = [BearerKey]
    content_negotiation_class = AnyAccepted
    schema = EndpointSchema()
    operation_id = ""
    query: ClassVar[Sequence[OpenApiParameter]] = ()
    record: ClassVar[type[Record] | None] = None
    spent: Spent | None = None

    @property
    def default_response_headers(self) -> dict[str, str]:
        return {"Allow": ", ".join(self.allowed_methods)}  # lists add Vary to what depends on Accept

    def get_throttles(self) -> list[BaseThrottle]:
        return [ReadThrottle() if self.request.method in SAFE_METHODS else WriteThrottle()]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Run DRF's checks, then those of the parameters."""
        if str(request.method) not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        if request.META.get("HTTP_CONTENT_ENCODING", _AS_IT_IS).lower() != _AS_IT_IS:
            raise EncodedProblem
        super().initial(request, *args, **kwargs)
        refuse_unknown(request.query_params, self.known_parameters(), "parameter")
        refuse_repeated(request.query_params, self.plural_parameters())
        refuse_empty_numbers(request.query_params)
        refuse_nul(request.query_params)

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except APIException:  # an unknown key, for example: it counts as a request without one
            self.check_throttles(request)
            raise

    def known_parameters(self) -> set[str]:
        """The names of the parameters that the URL takes."""
        return {*(parameter.name for parameter in self.query), *([FIELDS] if self.record else [])}

    def plural_parameters(self) -> set[str]:
        """The names of the parameters that take several values."""
        return {FIELDS, *(parameter.name for parameter in self.query if parameter.style == "form")}

    @property
    def selectable(self) -> type[Record] | None:
        """The record whose fields the request can select."""
        return self.record

    def selected_fields(self) -> Sequence[str]:
        """The requested fields in the order of the request, else all in the record's; raises ValidationError.

        A field of an object, such as `device.slug`, is left out if the entire object is requested.
        """
        known = field_names(self.selectable) if self.selectable else ()
        nested = nested_names(self.selectable) if self.selectable else ()
        names = values_of(self.request.query_params, FIELDS)
        unknown = sorted({*names}.difference(known, nested))
        if unknown:
            objects = {object_of(name) for name in unknown if "." in name}
            allowed = [*known, *(name for name in nested if object_of(name) in objects)]
            message = f"Unknown: {', '.join(unknown)}. Allowed: {', '.join(allowed)}."
            raise ValidationError({FIELDS: [message]})
        return [name for name in names if name in known or object_of(name) not in names] or known

    def select_fields(self, records: list[Row]) -> list[Row]:
        """The records with the requested fields; raises ValidationError."""
        names = self.selected_fields()
        if self.selectable is None or {*names} == {*field_names(self.selectable)}:
            return records
        inner: dict[str, set[str]] = {object_of(name): set() for name in names}
        for name in names:
            if "." in name:
                inner[object_of(name)].add(name.partition(".")[2])
        return [
            {name: _part(value, inner[name]) for name, value in record.items() if name in inner}
            for record in records
        ]

    def answer(self, record: Row) -> HttpResponse:
        """Respond with one record, with the requested fields, without DRF's deferred rendering.

        Its ETag changes with the record, not with each change on the site.
        """
        body = to_json(self.select_fields([record])[0])
        etag = f'"{hashlib.sha256(body).hexdigest()[:24]}"'
        return HttpResponse(body, content_type=OrjsonRenderer.media_type, headers={"ETag": etag})

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        for name, value in limit_headers(self.spent).items():
            answer[name] = value
        return answer


def _part(value: Any, names: set[str]) -> Any:
    """These fields of an object, if there is one; without names, the entire value."""
    return {name: value[name] for name in value if name in names} if names and value else value


class ReadEndpoint(Endpoint):
    """Responds to a GET with one record."""

    def get_serializer_class(self) -> Any:
        return self.record

    def find(self, *_: Any, **names: Any) -> Row:
        """Find the record that the path names, by its parts; raises Http404 and the like."""
        raise NotImplementedError

    def get(self, request: Request, **names: str) -> HttpResponse:  # noqa: ARG002 - a view gets its request
        return self.answer(self.find(**names))


class PrivateRead(Endpoint):
    """Responds to a GET with `Cache-Control: private`, or 304 if unchanged."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if request.method in {"GET", "HEAD"} and answer.status_code == 200 and not answer.streaming:
            if isinstance(answer, Response):
                answer.render()
            answer["Cache-Control"] = "private, no-cache"
            answer["Vary"] = "Authorization"
            answer["ETag"] = f'"{hashlib.sha256(answer.content).hexdigest()[:24]}"'
            return get_conditional_response(request._request, etag=answer["ETag"], response=answer)
        return answer
