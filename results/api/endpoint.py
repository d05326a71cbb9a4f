"""What every endpoint does: look at the key, count, refuse what is not known, answer with the fields asked for."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.exceptions import MethodNotAllowed, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from results.api.authentication import BearerKey
from results.api.limits import CountedAsRead, CountedAsWrite, limit_headers
from results.api.names import FIELDS, field_names, fields_asked, refuse_empty_numbers, refuse_unknown
from results.api.rendering import OrjsonRenderer, to_json
from results.api.rows import Row
from results.api.schema import EndpointSchema
from results.rate_limits import Spent

_JSON = OrjsonRenderer()


class AlwaysJson(DefaultContentNegotiation):
    """There is one form of an answer, so what a client says it accepts changes nothing, and pages can be shared."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> tuple[Any, str]:  # noqa: ARG002 - DRF's signature
        return _JSON, _JSON.media_type


class Endpoint(APIView):
    """A view of the API. `parameters` are what its URL can ask; `record` is what `fields` picks from, on a read."""

    authentication_classes = [BearerKey]
    content_negotiation_class = AlwaysJson
    schema = EndpointSchema()
    parameters: ClassVar[Iterable[str]] = ()
    record: ClassVar[type[Serializer] | None] = None
    spent: Spent | None = None

    def get_throttles(self) -> list[BaseThrottle]:
        return [CountedAsRead() if self.request.method in SAFE_METHODS else CountedAsWrite()]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002 - DRF's signature
        """What DRF does before a view, without what has one outcome here: choosing a form and a version."""
        if str(request.method) not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        request.accepted_renderer, request.accepted_media_type = _JSON, _JSON.media_type
        self.perform_authentication(request)
        self.check_permissions(request)
        self.check_throttles(request)
        self.refuse_unknown(request)
        refuse_empty_numbers(request.query_params)

    def refuse_unknown(self, request: Request) -> None:
        """Raise ValidationError for parameters and fields that there are not, with those that there are."""
        known = {*self.parameters, FIELDS} if self.record else set(self.parameters)
        refuse_unknown(request.query_params, known, "parameter")

    def picked(self, records: list[Row]) -> list[Row]:
        """The records with the fields that the request asks for; raises ValidationError for unknown ones."""
        asked = fields_asked(self.request.query_params)
        if not asked or self.record is None:
            return records
        names, known = asked.split(","), field_names(self.record)
        unknown = sorted(set(names) - set(known))
        if unknown:
            message = f"There is no {', '.join(unknown)}. There are: {', '.join(known)}."
            raise ValidationError({FIELDS: [message]})
        return [{name: value for name, value in record.items() if name in names} for record in records]

    def answer(self, record: Row) -> HttpResponse:
        """One record, with the fields that the request asks for."""
        return written(self.picked([record])[0])

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        for name, value in limit_headers(self.spent).items():
            answer[name] = value
        return answer


def written(data: Row | bytes) -> HttpResponse:
    """The answer of a read, as a record or as JSON. DRF's own would wait until it knows in which form to write it."""
    body = data if isinstance(data, bytes) else to_json(data)
    return HttpResponse(body, content_type=_JSON.media_type)


class ReadEndpoint(Endpoint):
    """One record at a GET."""

    def find(self, **names: str) -> Row:
        """The record that the path names; raises Http404 and its like."""
        raise NotImplementedError

    def get(self, request: Request, **names: str) -> HttpResponse:  # noqa: ARG002 - a view gets its request
        return self.answer(self.find(**names))
