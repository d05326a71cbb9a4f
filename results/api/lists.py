"""Lists as plain rows: filtered, paged and described like any list of DRF's, without an object a row."""

import hashlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.db.models import QuerySet
from django_filters import FilterSet
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.pagination import BasePagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from results.api.errors import form_problem
from results.api.rows import Row
from results.api.serializers import FIELDS, refuse_unknown, requested_fields
from results.api.views import Endpoint
from results.core.links import PAGE_SIZE, full_url

LARGEST_ID = 2**63 - 1
LARGEST_PAGE = 1_000_000
CURSOR, ON, BACK = "cursor", "on", "back"
NO_CURSOR = "This cursor is not of this list as it is asked for: follow `next` of its first page."


class StrictFilters(DjangoFilterBackend):
    """Filters that say, of a value there is not, which there are."""

    def filter_queryset(self, request: Request, queryset: QuerySet, view: Any) -> QuerySet:
        filterset: FilterSet | None = self.get_filterset(request, queryset, view)
        if filterset is None:
            return queryset
        if not filterset.is_valid():
            raise form_problem(filterset.form)
        found: QuerySet = filterset.qs
        return found


class ByPage(PageNumberPagination):
    """Pages by number; links are the site's own, for DRF would repeat the host of whoever asks."""

    page_size = PAGE_SIZE
    invalid_page_message = "There is no page {page_number}: `next` of the last one is null."

    def paginate_queryset(
        self, queryset: Any, request: Request, view: APIView | None = None
    ) -> list[Any] | None:
        asked = request.query_params.get(self.page_query_param, "") or "1"
        is_number = asked.isascii() and asked.isdecimal() and len(asked) < 20
        if not is_number or not 1 <= int(asked) <= LARGEST_PAGE:
            raise ValidationError({"page": [f"A page is a number from 1 to {LARGEST_PAGE}."]})
        return super().paginate_queryset(queryset, request, view)

    def get_next_link(self) -> str | None:
        return _own_url(super().get_next_link())

    def get_previous_link(self) -> str | None:
        return _own_url(super().get_previous_link())

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        described: dict[str, Any] = super().get_paginated_response_schema(schema)
        return {**described, "required": ["count", "next", "previous", "results"]}


class NewestFirst(BasePagination):
    """By cursor: new results don't shift the pages of somebody who is reading on. A cursor is bound to its query."""

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:  # noqa: ARG002 - DRF's signature
        self._request, self._query = request, _query_digest(request)
        at = self._place(request.query_params.get(CURSOR, ""))
        is_back = at is not None and at[0] == BACK
        if at is not None:
            queryset = queryset.filter(**{"id__gt" if is_back else "id__lt": at[1]})
        found = list(queryset.order_by("id" if is_back else "-id")[: PAGE_SIZE + 1])
        page, has_more = found[:PAGE_SIZE], len(found) > PAGE_SIZE
        if is_back:
            page.reverse()
        self._has_next = bool(page) and (is_back or has_more)
        self._has_previous = bool(page) and (has_more if is_back else at is not None)
        self._ends = (_id_of(page[0]), _id_of(page[-1])) if page else (0, 0)
        return page

    def _place(self, cursor: str) -> tuple[str, int] | None:
        """Direction and id; raises ValidationError for a broken cursor and for one of another query."""
        if not cursor:
            return None
        direction, _, rest = cursor.partition(".")
        query, _, position = rest.partition(".")
        if direction not in {ON, BACK} or query != self._query or not _is_id(position):
            raise ValidationError({CURSOR: [NO_CURSOR]})
        return direction, int(position)

    def _link(self, direction: str, position: int) -> str:
        asked = {name: value for name, value in self._request.query_params.items() if value}
        fields = requested_fields(self._request.query_params)
        words = (
            asked | ({FIELDS: fields} if fields else {}) | {CURSOR: f"{direction}.{self._query}.{position}"}
        )
        return full_url(f"{self._request.path}?{urlencode(sorted(words.items()))}")

    def get_paginated_response(self, data: Any) -> Response:
        first, last = self._ends
        return Response(
            {
                "next": self._link(ON, last) if self._has_next else None,
                "previous": self._link(BACK, first) if self._has_previous else None,
                "results": data,
            }
        )

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        link = {"type": "string", "format": "uri", "nullable": True}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:  # noqa: ARG002 - DRF's signature
        description = "the end of a page that was read, as `next` and `previous` have it"
        return [{"name": CURSOR, "in": "query", "description": description, "schema": {"type": "string"}}]


class RowList(Endpoint, ListAPIView):
    """A list whose queryset yields dicts: no object is made a row. `record` is one row's shape."""

    filter_backends = [StrictFilters]
    pagination_class: type[BasePagination]
    filterset_class: type[FilterSet] | None = None

    def get_serializer_class(self) -> Any:
        return self.record

    def refuse_unknown(self, request: Request) -> None:
        refuse_unknown(request.query_params, {*list_parameters(self), FIELDS}, "parameter")

    def rows(self, page: Sequence[Any]) -> list[Row]:
        """The rows of a page in the shape of `record`."""
        raise NotImplementedError

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002 - DRF's signature
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(self.picked(self.rows(page or [])))


def list_parameters(view: RowList) -> tuple[str, ...]:
    """What the URL of a list can ask for, besides fields."""
    filters = tuple(view.filterset_class.base_filters) if view.filterset_class else ()
    is_by_cursor = issubclass(view.pagination_class, NewestFirst)
    return (*filters, CURSOR if is_by_cursor else "page")


def _id_of(row: Any) -> int:
    """Of a plain row or an object."""
    return int(row["id"] if isinstance(row, dict) else row.pk)


def _own_url(link: str | None) -> str | None:
    if link is None:
        return None
    path, query = urlsplit(link)[2:4]
    asked = sorted((name, value) for name, value in parse_qsl(query))  # without those that are empty
    return full_url(f"{path}?{urlencode(asked)}" if asked else path)


def _query_digest(request: Request) -> str:
    """What tells one query from another: its path and its filters."""
    apart = {CURSOR, FIELDS}
    asked = sorted(
        (name, value) for name, value in request.query_params.items() if value and name not in apart
    )
    return hashlib.sha256(f"{request.path}?{urlencode(asked)}".encode()).hexdigest()[:12]


def _is_id(position: str) -> bool:
    return position.isascii() and position.isdecimal() and len(position) < 20 and int(position) <= LARGEST_ID
