"""Lists: filters, ordering, pagination, and exports as CSV or NDJSON."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import CharField, F, QuerySet, TextField, Value
from django.db.models.expressions import Col
from django.db.models.functions import NullIf
from django.http import StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django.utils.text import compress_sequence
from django_filters import FilterSet
from django_filters.filters import BaseCSVFilter
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.exceptions import ValidationError
from rest_framework.filters import OrderingFilter
from rest_framework.generics import ListAPIView
from rest_framework.request import Request

from results.api.authentication import DownloadThrottle
from results.api.errors import form_problem
from results.api.paging import LARGEST_ID, LARGEST_SIZE, ByCursor, ByPage
from results.api.parameters import CHANGED_AFTER, CURSOR, FORMAT, ORDERING, PAGE, PAGE_SIZE, values_of
from results.api.renderers import Column, CsvRenderer, NdjsonRenderer, OrjsonRenderer, table_columns
from results.api.views import Endpoint, PrivateRead
from results.core.encodings import takes_gzip
from results.core.public import VERSION, from_primary
from results.core.record import Record, Row
from results.models import DataVersion

_PAGE_PARAMETERS = (PAGE, PAGE_SIZE, CURSOR, CHANGED_AFTER)
_UNKNOWN = (None, "")


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


class TableEndpoint(Endpoint):
    """An endpoint whose rows also come as CSV or NDJSON; `row_record` serializes one, by default `record`."""

    renderer_classes = [OrjsonRenderer, CsvRenderer, NdjsonRenderer]
    row_record: ClassVar[type[Record] | None] = None
    rows_a_read = LARGEST_SIZE  # of more, all rows count as a download

    def known_parameters(self) -> set[str]:
        return {*super().known_parameters(), FORMAT}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        formats = [renderer.format for renderer in self.renderer_classes]
        if request.query_params.get(FORMAT, formats[0]) not in {*formats, ""}:
            raise ValidationError({FORMAT: [f"Unknown format. Allowed: {', '.join(formats)}."]})

    @property
    def renderer(self) -> Any:
        return self.request.accepted_renderer

    @property
    def is_table(self) -> bool:
        """Whether the response is CSV or NDJSON."""
        return bool(self.renderer.format != OrjsonRenderer.format)

    @property
    def has_all_rows(self) -> bool:
        """Whether the response is CSV or NDJSON with all rows, not one page."""
        return self.is_table

    @property
    def selectable(self) -> type[Record] | None:
        return (self.is_table and self.row_record) or self.record

    @property
    def _is_compressed(self) -> bool:
        """Whether CSV or NDJSON is sent with gzip."""
        return not isinstance(self, PrivateRead) and takes_gzip(self.request._request)

    @property
    def _etag(self) -> str | None:
        """The ETag of CSV or NDJSON; None if the data version isn't all that it depends on, or unknown."""
        version = None if isinstance(self, PrivateRead) else self.request.META.get(VERSION)
        encoding = "-gzip" if self._is_compressed else ""
        return f'"{settings.BUILD}-{version}-{self.renderer.format}{encoding}"' if version else None

    def _unchanged(self) -> Any:
        """A 304 if the client has the current CSV or NDJSON, else None."""
        return get_conditional_response(self.request._request, etag=self._etag)

    def count_download(self, found: Any) -> None:
        """Count the response as a download if it has more rows than a page can have; raises Throttled.

        Fewer are as cheap as a page, which only counts as a read. An unchanged download doesn't count.
        """
        beyond = (found.order_by() if isinstance(found, QuerySet) else found)[
            self.rows_a_read : self.rows_a_read + 1
        ]
        is_long = bool(beyond if isinstance(beyond, list) else beyond.count())
        download = DownloadThrottle()
        if is_long and self._unchanged() is None and not download.allow_request(self.request, self):
            self.throttled(self.request, download.wait())  # type: ignore[arg-type] # DRF takes None as well

    def table(self, batches: Iterable[Sequence[Row]]) -> Any:
        """Respond with CSV or NDJSON, or 304 if unchanged."""
        answer, etag = self._unchanged(), self._etag
        if answer is None:
            body = self.renderer.stream(self._columns(), batches)
            answer = StreamingHttpResponse(body, content_type=f"{self.renderer.media_type}; charset=utf-8")
            if self._is_compressed:
                answer.streaming_content = compress_sequence(iter(answer))
                answer["Content-Encoding"] = "gzip"
        answer["Cache-Control"] = "private, no-cache" if isinstance(self, PrivateRead) else "no-cache"
        answer["Vary"] = (
            "Accept, Authorization" if isinstance(self, PrivateRead) else "Accept, Accept-Encoding"
        )
        if etag:
            answer["ETag"] = etag
        return answer

    def _columns(self) -> Sequence[Column]:
        record: Any = self.selectable
        return table_columns(record().fields, self.selected_fields())


class RowList(TableEndpoint, ListAPIView):
    """A list of plain rows, from a queryset that yields dicts.

    `record` serializes a row, `ordering_fields` maps the names of its fields to columns.
    """

    record: ClassVar[type[Record]]
    filter_backends = [StrictFilters, StrictOrdering]
    pagination_class: Any = ByPage
    filterset_class: type[FilterSet] | None = None
    ordering_fields: ClassVar[dict[str, str]] = {}
    resource: ClassVar[str] = ""  # of its tombstones, if it pages by change
    start = 1  # the position of the next row

    def get_serializer_class(self) -> Any:
        return self.record

    def known_parameters(self) -> set[str]:
        filters = self.filterset_class.base_filters if self.filterset_class else ()
        common = (ORDERING, *self.pagination_class.parameters)
        return {*super().known_parameters(), *filters, *common}

    def plural_parameters(self) -> set[str]:
        filters = self.filterset_class.base_filters if self.filterset_class else {}
        several = {name for name, filter_ in filters.items() if isinstance(filter_, BaseCSVFilter)}
        return {*super().plural_parameters(), ORDERING, *several}

    @property
    def has_all_rows(self) -> bool:
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
            self.count_download(found)
            if isinstance(found, QuerySet):
                found = found.using(
                    found.db
                )  # pinned: outside of the view, the router would not use the replica
            return self.table(self._batches(self.details(found)))
        with from_primary() if CHANGED_AFTER in request.query_params else nullcontext():
            page = self.select_fields(self.rows(list(self.details(self.paginate_queryset(found)))))
        if self.is_table:
            answer = self.table([page])
            if links := self._page_links():
                answer["Link"] = links
            return answer
        return self.get_paginated_response(page)

    def _page_links(self) -> str:
        """The Link header for adjacent pages (RFC 8288); empty without any."""
        paginator: Any = self.paginator
        addresses = {"prev": paginator.get_previous_link(), "next": paginator.get_next_link()}
        return ", ".join(f'<{address}>; rel="{rel}"' for rel, address in addresses.items() if address)

    def _batches(self, found: Any) -> Iterator[Sequence[Row]]:
        is_by_id = issubclass(self.pagination_class, ByCursor) and found.query.order_by in {(), ("-id",)}
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
    rows = found.iterator(chunk_size=settings.STREAMED_ROWS) if isinstance(found, QuerySet) else iter(found)
    return iter(lambda: list(islice(rows, settings.STREAMED_ROWS)), [])


def _by_id(found: QuerySet) -> Iterator[Sequence[Any]]:
    """Yield batches newest first, with a query for each.

    A single query for a million rows would be written to disk before the first row is sent.
    """
    last = LARGEST_ID
    while batch := list(found.filter(id__lt=last).order_by("-id")[: settings.STREAMED_ROWS]):
        yield batch
        last = _id_of(batch[-1])


def _sorted(records: list[Row], name: str, *, is_descending: bool) -> list[Row]:
    known = [record for record in records if record[name] not in _UNKNOWN]
    known.sort(key=lambda row: row[name], reverse=is_descending)
    return known + [record for record in records if record[name] in _UNKNOWN]


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


def _id_of(row: Any) -> int:
    """The id of a plain row or an object."""
    return int(row["id"] if isinstance(row, dict) else row.pk)
