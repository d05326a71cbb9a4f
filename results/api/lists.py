"""Lists: filters, ordering, pagination, and exports as CSV or NDJSON."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.conf import settings
from django.core.paginator import InvalidPage, Paginator
from django.db.models import CharField, F, Max, QuerySet, TextField, Value
from django.db.models.expressions import Col
from django.db.models.functions import NullIf
from django.http import StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django_filters import FilterSet
from django_filters.filters import BaseCSVFilter
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.filters import OrderingFilter
from rest_framework.generics import ListAPIView
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from results.api.authentication import DownloadThrottle
from results.api.errors import UnknownNameError, form_problem
from results.api.parameters import CURSOR, FIELDS, FORMAT, ORDERING, PAGE, PAGE_SIZE, values_of
from results.api.renderers import Column, CsvRenderer, NdjsonRenderer, OrjsonRenderer, column_name
from results.api.views import Endpoint, PrivateRead
from results.core.addresses import PAGE_SIZE as DEFAULT_SIZE
from results.core.addresses import full_url
from results.core.public import VERSION
from results.core.record import Record, Row
from results.models import DataVersion

LARGEST_ID = 2**63 - 1
_DIGITS = "[0-9]{1,19}"
_CURSOR = rf"((on|back)\.[0-9a-f]{{12}}\.{_DIGITS}|at\.[0-9a-f]{{12}}\.{_DIGITS}\.{_DIGITS})?"
LARGEST_PAGE = 1_000_000
LARGEST_SIZE = 500
BATCH = 500  # rows that a stream reads at once
ON, BACK, AT = "on", "back", "at"
NO_CURSOR = "This is not a cursor: follow `next` of the first page."
OTHER_CURSOR = "This cursor belongs to a different query: follow `next` of the first page."
_PAGE_PARAMETERS = (PAGE, PAGE_SIZE, CURSOR)
_UNKNOWN = (None, "")
_EXPORTED_ROWS = "with it, CSV and NDJSON contain one page, otherwise all rows"


class StrictFilters(DjangoFilterBackend):
    """Filter by one or several values; errors name the allowed ones."""

    def get_filterset_kwargs(self, request: Request, queryset: QuerySet, view: Any) -> dict[str, Any]:
        filters = view.filterset_class.base_filters
        data = {
            name: values_of(request.query_params, name)
            if isinstance(filters[name], BaseCSVFilter)
            else request.query_params[name]
            for name in filters
            if name in request.query_params
        }
        return {**super().get_filterset_kwargs(request, queryset, view), "data": data}

    def filter_queryset(self, request: Request, queryset: QuerySet, view: Any) -> QuerySet:
        filterset: FilterSet | None = self.get_filterset(request, queryset, view)
        if filterset is None:
            return queryset
        if not filterset.is_valid():
            raise form_problem(filterset.form)
        found: QuerySet = filterset.qs
        return found


class StrictOrdering(OrderingFilter):
    """Order by the view's fields, rows without a value last, then by the view's default order."""

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> list[str]:  # noqa: ARG002 - DRF's signature
        """The fields, with a minus if descending; raises ValidationError."""
        terms = values_of(request.query_params, ORDERING)
        names = [term.removeprefix("-") for term in terms]
        known = view.ordering_names()
        unknown = sorted(set(names) - set(known))
        if unknown:
            message = f"Can't order by {', '.join(unknown)}. Allowed: {', '.join(known)}."
            raise ValidationError({ORDERING: [message]})
        return terms

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:
        terms = self.get_ordering(request, queryset, view)
        return view.ordered(queryset, terms) if terms else queryset

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        allowed = [sign + name for name in view.ordering_names() for sign in ("", "-")]
        return [
            {
                "name": ORDERING,
                "in": "query",
                "description": "fields to order by, separated by commas; a minus for descending",
                "style": "form",
                "explode": False,
                "schema": {"type": "array", "items": {"type": "string", "enum": allowed}},
            }
        ]


class Pages(PageNumberPagination):
    """Pages whose links use the site's host, not the request's; `parameters` name the place and the size."""

    request: Any
    parameters: ClassVar[Sequence[str]]

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        return envelope_of(schema)


class ByPage(Pages):
    """Pages by number."""

    page: Any
    page_size = DEFAULT_SIZE
    page_size_query_param = PAGE_SIZE
    parameters = (PAGE, PAGE_SIZE)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """The rows of the page; for a queryset, an unevaluated slice."""
        self.request, number = request, whole_number(request, PAGE, LARGEST_PAGE, default=1)
        try:
            self.page = Paginator(queryset, page_size_of(request)).page(number)
        except InvalidPage as error:
            raise NotFound(f"There is no page {number}: `next` of the last one is null.") from error
        view.start = self.page.start_index()
        return self.page.object_list

    def get_next_link(self) -> str | None:
        return self._link(self.page.next_page_number()) if self.page.has_next() else None

    def get_previous_link(self) -> str | None:
        return self._link(self.page.previous_page_number()) if self.page.has_previous() else None

    def _link(self, number: int) -> str:
        return link_to(self.request, **{PAGE: "" if number == 1 else str(number)})

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:  # noqa: ARG002 - DRF's signature
        return [number_parameter(PAGE, LARGEST_PAGE, f"the page's number; {_EXPORTED_ROWS}"), _SIZE]


class ByCursor(Pages):
    """Pages by cursor, newest first: new rows don't shift later pages.

    A cursor is valid for one query only. With `ordering`, it is an offset among the rows up to the newest id of the
    first page.
    """

    parameters = (CURSOR, PAGE_SIZE)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        self.request, self._query, self._size = request, _query_digest(request), page_size_of(request)
        self._count = view.count(queryset)
        direction, numbers = self._parse_cursor(request.query_params.get(CURSOR, ""))
        if values_of(request.query_params, ORDERING):
            return self._by_offset(queryset, *numbers)
        return self._by_id(queryset, direction, *numbers)

    def _by_id(self, queryset: Any, direction: str, position: int | None = None) -> list[Any]:
        is_back = direction == BACK
        if position is not None:
            queryset = queryset.filter(**{"id__gt" if is_back else "id__lt": position})
        found = list(queryset.order_by("id" if is_back else "-id")[: self._size + 1])
        page, has_more = found[: self._size], len(found) > self._size
        if is_back:
            page.reverse()
        has_next = bool(page) and (is_back or has_more)
        has_previous = bool(page) and (has_more if is_back else position is not None)
        self._next = f"{ON}.{self._query}.{_id_of(page[-1])}" if has_next else ""
        self._previous = f"{BACK}.{self._query}.{_id_of(page[0])}" if has_previous else ""
        return page

    def _by_offset(self, queryset: Any, newest: int | None = None, start: int = 0) -> list[Any]:
        if newest is None:
            newest = queryset.order_by().aggregate(newest=Max("id"))["newest"] or 0
        found = list(queryset.filter(id__lte=newest)[start : start + self._size + 1])
        before, after = max(0, start - self._size), start + self._size
        self._next = f"{AT}.{self._query}.{newest}.{after}" if len(found) > self._size else ""
        self._previous = f"{AT}.{self._query}.{newest}.{before}" if start else ""
        return found[: self._size]

    def _parse_cursor(self, cursor: str) -> tuple[str, list[int]]:
        """The direction and numbers of a cursor.

        Raises ValidationError for a malformed cursor, UnknownNameError for that of another query.
        """
        if not re.fullmatch(_CURSOR, cursor):
            raise ValidationError({CURSOR: [NO_CURSOR]})
        if not cursor:
            return "", []
        direction, query, *numbers = cursor.split(".")
        positions = [int(one) for one in numbers]
        is_ordered = bool(values_of(self.request.query_params, ORDERING))
        if query != self._query or max(positions) > LARGEST_ID or is_ordered != (direction == AT):
            raise UnknownNameError({CURSOR: [OTHER_CURSOR]})
        return direction, positions

    def get_next_link(self) -> str | None:
        return link_to(self.request, **{CURSOR: self._next}) if self._next else None

    def get_previous_link(self) -> str | None:
        return link_to(self.request, **{CURSOR: self._previous}) if self._previous else None

    def get_paginated_response(self, data: Any) -> Response:
        links = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        return Response({"count": self._count, **links, "results": data})

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:  # noqa: ARG002 - DRF's signature
        described = {
            "name": CURSOR,
            "in": "query",
            "description": f"from `next` or `previous` of the same query, else 404; {_EXPORTED_ROWS}",
        }
        return [{**described, "schema": {"type": "string", "pattern": f"^{_CURSOR}$"}}, _SIZE]


class RowList(Endpoint, ListAPIView):
    """A list of plain rows, from a queryset that yields dicts.

    `record` serializes a row, `ordering_fields` maps the names of its fields to columns.
    """

    record: ClassVar[type[Record]]
    filter_backends = [StrictFilters, StrictOrdering]
    pagination_class: Any = ByPage
    renderer_classes = [OrjsonRenderer, CsvRenderer, NdjsonRenderer]
    filterset_class: type[FilterSet] | None = None
    ordering_fields: ClassVar[dict[str, str]] = {}
    start = 1  # the position of the next row

    def get_serializer_class(self) -> Any:
        return self.record

    def known_parameters(self) -> set[str]:
        filters = self.filterset_class.base_filters if self.filterset_class else ()
        common = (ORDERING, FORMAT, *self.pagination_class.parameters)
        return {*super().known_parameters(), *filters, *common}

    def plural_parameters(self) -> set[str]:
        filters = self.filterset_class.base_filters if self.filterset_class else {}
        several = {name for name, one in filters.items() if isinstance(one, BaseCSVFilter)}
        return {*super().plural_parameters(), ORDERING, *several}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        formats = [one.format for one in self.renderer_classes]
        if request.query_params.get(FORMAT, formats[0]) not in {*formats, ""}:
            raise ValidationError({FORMAT: [f"Unknown format. Allowed: {', '.join(formats)}."]})
        download = DownloadThrottle()
        is_download = self.has_all_rows and self._unchanged() is None
        if is_download and not download.allow_request(request, self):
            self.throttled(request, download.wait())  # type: ignore[arg-type] # DRF takes None as well

    @property
    def renderer(self) -> Any:
        return self.request.accepted_renderer

    @property
    def is_table(self) -> bool:
        """Whether the response is CSV or NDJSON."""
        format_name: str = self.renderer.format
        return format_name != OrjsonRenderer.format

    @property
    def has_all_rows(self) -> bool:
        """Whether the response is CSV or NDJSON with all rows, not one page."""
        return self.is_table and not any(self.request.query_params.get(name) for name in _PAGE_PARAMETERS)

    def count(self, found: QuerySet) -> int:
        """Count the rows, for pages by cursor."""
        return found.count()

    def ordering_names(self) -> Sequence[str]:
        """The names of the fields that rows can be ordered by."""
        return tuple(self.ordering_fields)

    def ordering_column(self, name: str) -> Any:
        """The expression that orders by a field."""
        return F(self.ordering_fields[name])

    def ordered(self, found: Any, terms: Sequence[str]) -> Any:
        """The rows in the order of these fields."""
        if isinstance(found, list):
            for term in reversed(terms):
                found = _sorted(found, term.removeprefix("-"), is_descending=term.startswith("-"))
            return found
        columns = []
        for term in terms:
            column = _or_null(self.ordering_column(term.removeprefix("-")), found)
            is_descending = term.startswith("-")
            columns.append(column.desc(nulls_last=True) if is_descending else column.asc(nulls_last=True))
        return found.order_by(*columns, *(found.query.order_by or ("-id",)))

    def details(self, found: Any) -> Any:
        """Select what `rows` needs from the rows that were found."""
        return found

    def rows(self, page: Sequence[Any]) -> list[Row]:
        """The rows of a page in the shape of `record`."""
        return self.record.all_of(page)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002 - DRF's signature
        found = self.filter_queryset(self.get_queryset())
        if self.has_all_rows:
            if isinstance(found, QuerySet):
                found = found.using(
                    found.db
                )  # pinned: outside of the view, the router would not use the replica
            return self._table(self._batches(self.details(found)))
        page = self.select_fields(self.rows(list(self.details(self.paginate_queryset(found)))))
        if self.is_table:
            answer = self._table([page])
            if links := self._page_links():
                answer["Link"] = links
            return answer
        return self.get_paginated_response(page)

    def _page_links(self) -> str:
        """The Link header for adjacent pages (RFC 8288); empty without any."""
        paginator: Any = self.paginator
        addresses = {"prev": paginator.get_previous_link(), "next": paginator.get_next_link()}
        return ", ".join(f'<{address}>; rel="{rel}"' for rel, address in addresses.items() if address)

    @property
    def _etag(self) -> str | None:
        """The ETag of CSV or NDJSON; None if the data version isn't all that it depends on, or unknown."""
        version = None if isinstance(self, PrivateRead) else self.request.META.get(VERSION)
        return f'"{settings.BUILD}-{version}-{self.renderer.format}"' if version else None

    def _unchanged(self) -> Any:
        """A 304 if the client has the current CSV or NDJSON, else None."""
        return get_conditional_response(self.request._request, etag=self._etag)

    def _table(self, batches: Iterable[Sequence[Row]]) -> Any:
        """Respond with CSV or NDJSON, or 304 if unchanged."""
        answer, etag = self._unchanged(), self._etag
        if answer is None:
            body = self.renderer.stream(self._columns(), batches)
            answer = StreamingHttpResponse(body, content_type=f"{self.renderer.media_type}; charset=utf-8")
        answer["Cache-Control"] = "private, no-cache" if isinstance(self, PrivateRead) else "no-cache"
        answer["Vary"] = "Accept, Authorization" if isinstance(self, PrivateRead) else "Accept"
        if etag:
            answer["ETag"] = etag
        return answer

    def _columns(self) -> Sequence[Column]:
        record: Any = self.record
        fields = record().fields
        paths = [
            (name, *inner)
            for name in self.selected_fields()
            for inner in (
                [(one,) for one in fields[name].fields] if isinstance(fields[name], Serializer) else [()]
            )
        ]
        return [(column_name(path, fields), path) for path in paths]

    def _batches(self, found: Any) -> Iterator[Sequence[Row]]:
        is_by_id = issubclass(self.pagination_class, ByCursor) and not values_of(
            self.request.query_params, ORDERING
        )
        batches = _by_id(found) if is_by_id else _in_one_query(found)
        for batch in batches:
            yield self.select_fields(self.rows(batch))
            self.start += len(batch)


class RecordList(RowList):
    """A short list of records built by `get_queryset`."""

    queryset = DataVersion.objects.none()  # without one drf-spectacular would build the records

    def get_queryset(self) -> Any:
        raise NotImplementedError

    def rows(self, page: Sequence[Any]) -> list[Row]:
        return list(page)


def _in_one_query(found: Any) -> Iterator[Sequence[Any]]:
    rows = found.iterator(chunk_size=BATCH) if isinstance(found, QuerySet) else iter(found)
    return iter(lambda: list(islice(rows, BATCH)), [])


def _by_id(found: QuerySet) -> Iterator[Sequence[Any]]:
    """Yield batches newest first, with a query for each.

    A single query for a million rows would be written to disk before the first row is sent.
    """
    last = LARGEST_ID
    while batch := list(found.filter(id__lt=last).order_by("-id")[:BATCH]):
        yield batch
        last = _id_of(batch[-1])


def _sorted(records: list[Row], name: str, *, is_descending: bool) -> list[Row]:
    known = [one for one in records if one[name] not in _UNKNOWN]
    known.sort(key=lambda one: one[name], reverse=is_descending)
    return known + [one for one in records if one[name] in _UNKNOWN]


def _or_null(column: Any, rows: QuerySet) -> Any:
    """The column to order by; an empty text is no value. A field that can't be empty stays as it is indexed."""
    ordered = column.resolve_expression(rows.query.clone())
    field = ordered.output_field
    is_never_empty = isinstance(ordered, Col) and not field.blank
    return (
        column
        if is_never_empty or not isinstance(field, CharField | TextField)
        else NullIf(column, Value(""))
    )


def whole_number(request: Request, name: str, largest: int, *, default: int) -> int:
    """The parameter as a number from 1 to `largest`; raises ValidationError."""
    text = request.query_params.get(name, str(default))
    is_number = text.isascii() and text.isdecimal() and len(text) < 20
    if not is_number or not 1 <= int(text) <= largest:
        raise ValidationError({name: [f"A number from 1 to {largest:,}."]})
    return int(text)


def page_size_of(request: Request) -> int:
    return whole_number(request, PAGE_SIZE, LARGEST_SIZE, default=DEFAULT_SIZE)


def number_parameter(name: str, largest: int, description: str) -> dict[str, Any]:
    schema = {"type": "integer", "minimum": 1, "maximum": largest}
    return {"name": name, "in": "query", "description": description, "schema": schema}


_SIZE = number_parameter(
    PAGE_SIZE, LARGEST_SIZE, f"rows per page; {DEFAULT_SIZE} by default; {_EXPORTED_ROWS}"
)


def envelope_of(rows: Any) -> dict[str, Any]:
    """The schema of a page."""
    link = {"type": ["string", "null"], "format": "uri"}
    properties = {
        "count": {"type": "integer", "minimum": 0, "description": "of the rows of all pages"},
        "next": {**link, "description": "the next page; null on the last"},
        "previous": {**link, "description": "the previous page; null on the first"},
        "results": {**rows, "description": "the rows of this page"},
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def link_to(request: Request, **changes: str) -> str:
    """The list's URL with these parameters changed, without empty ones."""
    params = {name: ",".join(request.query_params.getlist(name)) for name in request.query_params} | changes
    query = urlencode(sorted((name, value) for name, value in params.items() if value))
    return full_url(f"{request.path}?{query}" if query else request.path)


def _id_of(row: Any) -> int:
    """The id of a plain row or an object."""
    return int(row["id"] if isinstance(row, dict) else row.pk)


def _query_digest(request: Request) -> str:
    """A digest of the parts that identify a query: path, filters and order."""
    ignored = {CURSOR, FIELDS, FORMAT, PAGE_SIZE}
    params = sorted(
        (name, ",".join(request.query_params.getlist(name)))
        for name, value in request.query_params.items()
        if value and name not in ignored
    )
    return hashlib.sha256(f"{request.path}?{urlencode(params)}".encode()).hexdigest()[:12]
