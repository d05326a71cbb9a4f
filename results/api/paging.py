"""Pages of lists: by number, by cursor, and what changed since a time.

A cursor names a row by what the list is ordered by, so a row that leaves makes no other one vanish. It is signed, not
encrypted, and belongs to one query and to one state of the database: restoring a backup ends it. Lists name only rows
that they show. Among changes, the row may be one that isn't public: then all that is named is a time and a number.
"""

import hashlib
import re
from collections.abc import Sequence
from copy import copy
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, cast
from urllib.parse import urlencode

from django.core.signing import BadSignature, Signer
from django.db import connection
from django.db.models import DateTimeField, F, Func, OrderBy, Q, QuerySet, Value
from django.db.models.expressions import Col
from django.db.models.lookups import GreaterThan
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from results.api.errors import GoneProblem
from results.api.parameters import (
    CHANGED_AFTER,
    CURSOR,
    FIELDS,
    FORMAT,
    ORDERING,
    PAGE,
    PAGE_SIZE,
    values_of,
)
from results.core.addresses import full_url
from results.core.data_version import cached_count
from results.core.paging import PAGE_SIZE as DEFAULT_SIZE
from results.core.paging import NoSuchPageError, find_page
from results.core.parameters import parse_whole_number
from results.core.record import Record, field
from results.models import Installation, Tombstone
from results.models.choices import Gone

LARGEST_ID = 2**63 - 1
LARGEST_PAGE = 1_000_000
LARGEST_SIZE = 500
CHANGED_AT = "changed_at"
NO_CURSOR = "This isn’t a valid cursor: start from the first page and follow `next`."
OTHER_CURSOR = "This cursor belongs to a different query: start from the first page and follow `next`."
ONE_PLACE = "Use either `cursor` or `page`, not both."
OLD_CURSOR = (
    "This cursor is from before a backup was restored, or from an earlier release: start over without it."
)
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
BAD_TIME = "Enter a time with its zone, from 2000 until now, such as 2026-01-31T12:00:00Z (write a plus sign as %2B)."
ONLY_JSON = "With changed_after, only JSON is available."
ALL_CHANGES = "This can’t be combined with changed_after, which lists all changes in the order of changed_at."
_FORMER_CURSOR = re.compile(r"(on|back|at)\.[0-9a-f]{12}(\.[0-9]{1,19}){1,2}")  # of 1.0.0
_WITH_CHANGES = {CHANGED_AFTER, ORDERING, CURSOR, PAGE_SIZE, FIELDS, FORMAT}
SIGNER_SALT = "results.api.paging"
# The transactions that have changed rows hold locks, each named by the second of its first change (migration 0037).
_SETTLED = """
    SELECT least(statement_timestamp(), to_timestamp(min(objid::bigint))) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 1936486247 AND objsubid = 2 AND pid <> pg_backend_pid()
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
EXPORTED_ROWS = "with it, CSV and NDJSON contain one page, otherwise all rows"


class TombstoneRecord(Record):
    """A row that is no longer public."""

    id: str = field("its id; for a product, its slug", "name")
    state: Gone = field("the state of its submission, or whether it was merged or removed")
    changed_at: datetime = field("when that happened")


class Key(NamedTuple):
    """An expression that rows are ordered by, selected as `name`."""

    name: str
    is_descending: bool
    can_be_null: bool
    nulls_last: bool

    def is_behind(self, value: Any) -> Q:
        """The rows behind those with this value."""
        if value is None:
            return Q(pk__in=[]) if self.nulls_last else Q(**{f"{self.name}__isnull": False})
        behind = Q(**{f"{self.name}__{'lt' if self.is_descending else 'gt'}": value})
        return (
            behind | Q(**{f"{self.name}__isnull": True}) if self.can_be_null and self.nulls_last else behind
        )

    def is_same(self, value: Any) -> Q:
        return Q(**{f"{self.name}__isnull": True}) if value is None else Q(**{self.name: value})


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
        self.request, number = request, number_of(request, PAGE, LARGEST_PAGE, default=1)
        try:
            self.page = find_page(queryset, number, page_size_of(request))
        except NoSuchPageError as error:
            raise no_such_page(number) from error
        view.start = self.page.start_index()
        return self.page.object_list

    def get_next_link(self) -> str | None:
        return self._link(self.page.next_page_number()) if self.page.has_next() else None

    def get_previous_link(self) -> str | None:
        return self._link(self.page.previous_page_number()) if self.page.has_previous() else None

    def _link(self, number: int) -> str:
        return link_to(self.request, **{PAGE: "" if number == 1 else str(number)})

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:  # noqa: ARG002 - DRF's signature
        return [_PAGE, _SIZE]


class ByCursor(Pages):
    """Pages by cursor, in the order of the queryset and then newest first: new rows don't shift later pages.

    A cursor has the values of the keys of the row beside the page. Descending default orders are of columns that
    can't be null.
    """

    parameters: ClassVar[Sequence[str]] = (CURSOR, PAGE_SIZE)
    _next = _previous = ""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.request, self._size = request, page_size_of(request)
        self._count = view.count(queryset)
        return self._by_key(queryset, self._read_cursor())

    def _by_key(self, queryset: QuerySet, cursor: list[Any] | None, start: int = 0) -> list[Any]:
        """The rows beside a cursor, which is whether they are those before it and the values, or from `start`."""
        is_back, values = cursor or (False, None)
        found, keys = _with_keys(queryset, is_back=is_back)
        if values is not None:
            found = found.filter(_behind(keys, values))
        rows = list(found[start : start + self._size + 1])
        page, has_more = rows[: self._size], len(rows) > self._size
        if is_back:
            page.reverse()
        if page and (is_back or has_more):
            self._next = self._sign([False, _values(page[-1], keys)])
        if page and (has_more if is_back else values is not None or start):
            self._previous = self._sign([True, _values(page[0], keys)])
        return page

    @cached_property
    def _belongs_to(self) -> list[str]:
        """The query, and the time of the last restore."""
        restored = Installation.objects.filter(id=1).values_list("restored_at", flat=True).first()
        return [_query_digest(self.request), restored.isoformat() if restored else ""]

    def _sign(self, place: Any) -> str:
        return Signer(salt=SIGNER_SALT).sign_object([*self._belongs_to, place])

    def _read_cursor(self) -> Any:
        """The place that the cursor names; None without one. Raises ValidationError and GoneProblem."""
        cursor = self.request.query_params.get(CURSOR, "")
        if not cursor:
            return None
        if _FORMER_CURSOR.fullmatch(cursor):
            raise GoneProblem(OLD_CURSOR, code="old_cursor")
        try:
            query, restored, place = Signer(salt=SIGNER_SALT).unsign_object(cursor)
        except (BadSignature, ValueError) as error:
            raise ValidationError({CURSOR: [NO_CURSOR]}) from error
        known_query, last_restored = self._belongs_to
        if query != known_query:
            raise ValidationError({CURSOR: [OTHER_CURSOR]})
        if restored != last_restored:
            raise GoneProblem(OLD_CURSOR, code="old_cursor")
        return place

    def get_next_link(self) -> str | None:
        return self._link(self._next)

    def get_previous_link(self) -> str | None:
        return self._link(self._previous)

    def _link(self, cursor: str) -> str | None:
        return link_to(self.request, **{CURSOR: cursor, PAGE: ""}) if cursor else None

    def get_paginated_response(self, data: Any) -> Response:
        links = {"next": self.get_next_link(), "previous": self.get_previous_link()}
        return Response({"count": self._count, **links, "results": data})

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:  # noqa: ARG002 - DRF's signature
        return [_CURSOR, _SIZE]


class ByChange(ByCursor):
    """The same; with `changed_after`, what changed since then: rows, and tombstones of those that are gone.

    Both are given in the order of `changed_at`, up to the time until which all changes are committed.
    """

    parameters: ClassVar[Sequence[str]] = (CURSOR, PAGE_SIZE, CHANGED_AFTER)
    _removed: list[Any] | None = None
    _later: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        if CHANGED_AFTER not in request.query_params:
            return super().paginate_queryset(queryset, request, view)
        self.request, self._size = request, page_size_of(request)
        after = self._changed_after(view)
        place = self._read_cursor()
        at, is_row, pk = (
            (datetime.fromisoformat(place[0]), *place[1:]) if place else (after, True, LARGEST_ID)
        )
        settled = settled_until()  # before the rows: what is committed later sorts behind it
        counted = queryset.order_by().filter(changed_at__gt=after)
        is_all = after == EARLIEST  # which lists count faster
        self._count = (
            view.count(queryset) if is_all else cached_count(counted.query.sql_with_params(), counted.count)
        )
        # The places are found in one table by its index, whatever is public, and then their rows.
        rows, gone = (
            found.filter(changed_at__lt=settled).order_by(CHANGED_AT, "pk")
            for found in (queryset.model._base_manager, Tombstone.objects.filter(resource=view.resource))
        )
        is_behind = GreaterThan(_row(CHANGED_AT, "pk"), _row(Value(at), Value(pk)))
        # tombstones come before rows of the same time
        rows = rows.filter(is_behind if is_row else Q(changed_at__gte=at))
        gone = gone.filter(Q(changed_at__gt=at) if is_row else is_behind)
        found = [
            *((*place, None) for place in rows.values_list(CHANGED_AT, Value(True), "pk")[: self._size + 1]),
            *((stone.changed_at, False, stone.pk, stone) for stone in gone[: self._size + 1]),
        ]
        found.sort(key=lambda one: one[:3])
        page = found[: self._size]
        public = queryset.annotate(_id=F("pk")).filter(pk__in=[one[2] for one in page if one[1]])
        shown = {_of(row, "_id"): row for row in public.order_by()}
        if len(found) > self._size:
            at, is_row, pk = page[-1][:3]
        elif at < settled:  # whether or not something that isn't public changed since the last row
            at, is_row, pk = settled, False, 0
        cursor = self._sign([at.isoformat(), is_row, pk])
        if len(found) > self._size:
            self._next = cursor
        else:
            self._later = link_to(request, **{CURSOR: cursor, CHANGED_AFTER: f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"})
        self._removed = TombstoneRecord.all_of(one[3] for one in page if not one[1])
        return [shown[one[2]] for one in page if one[1] and one[2] in shown]

    def _changed_after(self, view: Any) -> datetime:
        """The time; raises ValidationError, also for what can't be combined with it."""
        params = self.request.query_params
        if view.is_table:
            raise ValidationError({FORMAT: [ONLY_JSON]})
        others = {name for name, value in params.items() if value} - _WITH_CHANGES
        if values_of(params, ORDERING) not in ([], [CHANGED_AT]):
            others.add(ORDERING)
        if others:
            raise ValidationError({name: [ALL_CHANGES] for name in sorted(others)})
        try:
            after = parse_datetime(params[CHANGED_AFTER])
        except ValueError:  # a date that doesn't exist
            after = None
        if after is None or timezone.is_naive(after) or not EARLIEST <= after <= datetime.now(UTC):
            raise ValidationError({CHANGED_AFTER: [BAD_TIME]})
        return after.astimezone(UTC)

    def get_paginated_response(self, data: Any) -> Response:
        response = super().get_paginated_response(data)
        if self._removed is not None:
            response.data |= {"removed": self._removed, "later": self._later}
            response["Cache-Control"] = "no-store"
        return response

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        envelope = envelope_of(schema)
        later = {"description": "with `changed_after`, on the last page: the address for later changes"}
        envelope["properties"] |= {
            "removed": {
                "type": "array",
                "items": {"$ref": "#/components/schemas/Tombstone"},
                "description": "with `changed_after`: rows that are gone; remove them before you store `results`",
            },
            "later": {"type": ["string", "null"], "format": "uri", **later},
        }
        return envelope

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        schema: Any = view.schema
        schema.resolve_serializer(TombstoneRecord, "response")  # the component that the envelope refers to
        return [*super().get_schema_operation_parameters(view), _CHANGED_AFTER]


class ByChangeOrPage(ByChange):
    """The same, and the page of that number; its links are cursors."""

    parameters = (PAGE, *ByChange.parameters)

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        if not request.query_params.get(PAGE):
            return super().paginate_queryset(queryset, request, view)
        if request.query_params.get(CURSOR):
            raise ValidationError({PAGE: [ONE_PLACE]})
        if CHANGED_AFTER in request.query_params:
            raise ValidationError({PAGE: [ALL_CHANGES]})
        self.request, self._size = request, page_size_of(request)
        number = number_of(request, PAGE, LARGEST_PAGE, default=1)
        self._count, start = view.count(queryset), (number - 1) * self._size
        if start and start >= self._count:
            raise no_such_page(number)
        return self._by_key(queryset, None, start)

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        return [_PAGE, *super().get_schema_operation_parameters(view)]


def settled_until() -> datetime:
    """The time before which everything that changed is committed, or rolled back. Read it before the rows."""
    with connection.cursor() as cursor:
        cursor.execute(_SETTLED)
        (settled,) = cursor.fetchone()
    found: datetime = settled
    return found


def _with_keys(queryset: QuerySet, *, is_back: bool) -> tuple[QuerySet, list[Key]]:
    """The rows in their order, or its reverse, with the keys that they are ordered by."""
    found, keys, order = queryset, [], []
    for number, term in enumerate(queryset.query.order_by or ("-id",)):
        name, by = f"_key{number}", cast("OrderBy", copy(term))
        if isinstance(term, str):
            by = OrderBy(F(term.removeprefix("-")), descending=term.startswith("-"))
        column: Any = by.expression.resolve_expression(queryset.query.clone())
        is_own = isinstance(column, Col) and column.alias == queryset.model._meta.db_table
        can_be_null = not is_own or column.target.null
        found = found.annotate(**{name: by.expression})
        if not can_be_null:  # as it is indexed
            by = OrderBy(by.expression, descending=by.descending)
        if is_back:
            by.reverse_ordering()
        by.expression = F(name)
        order.append(by)
        nulls_last = bool(by.nulls_last) or not (by.nulls_first or by.descending)
        keys.append(Key(name, by.descending, can_be_null, nulls_last))
    return found.order_by(*order), keys


def _behind(keys: Sequence[Key], values: Sequence[Any]) -> Q:
    """The rows behind one with these values of the keys."""
    behind = Q(pk__in=[])
    for key, value in reversed(list(zip(keys, values, strict=True))):
        behind = key.is_behind(value) | key.is_same(value) & behind
    first, value = keys[0], values[0]
    if first.can_be_null:
        return behind
    # so that an index begins at the row
    return Q(**{f"{first.name}__{'lte' if first.is_descending else 'gte'}": value}) & behind


def _values(row: Any, keys: Sequence[Key]) -> list[Any]:
    """The values of the keys as JSON has them."""
    values = [_of(row, key.name) for key in keys]
    return [str(value) if isinstance(value, date | Decimal) else value for value in values]


def _row(*values: Any) -> Func:
    """A row value, by which an index of several columns is searched."""
    return Func(*values, function="ROW", output_field=DateTimeField())


def _of(row: Any, name: str) -> Any:
    """A value of a plain row or an object."""
    return row[name] if isinstance(row, dict) else getattr(row, name)


def no_such_page(number: int) -> NotFound:
    return NotFound(f"There is no page {number}: `next` of the last one is null.")


def number_of(request: Request, name: str, largest: int, *, default: int) -> int:
    """The parameter as a number from 1 to `largest`; raises ValidationError."""
    number = parse_whole_number(request.query_params.get(name, str(default)))
    if number is None or not 1 <= number <= largest:
        raise ValidationError({name: [f"A number from 1 to {largest:,}."]})
    return number


def page_size_of(request: Request) -> int:
    return number_of(request, PAGE_SIZE, LARGEST_SIZE, default=DEFAULT_SIZE)


def number_parameter(name: str, largest: int, description: str) -> dict[str, Any]:
    schema = {"type": "integer", "minimum": 1, "maximum": largest}
    return {"name": name, "in": "query", "description": description, "schema": schema}


_PAGE = number_parameter(PAGE, LARGEST_PAGE, f"the page's number; {EXPORTED_ROWS}")
_SIZE = number_parameter(
    PAGE_SIZE, LARGEST_SIZE, f"rows per page; {DEFAULT_SIZE} by default; {EXPORTED_ROWS}"
)
_CURSOR = {
    "name": CURSOR,
    "in": "query",
    "description": f"from `next`, `previous` or `later` of the same query; {EXPORTED_ROWS}",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_.:-]*$"},
}
_CHANGED_AFTER = {
    "name": CHANGED_AFTER,
    "in": "query",
    "description": "what has changed since this time, in the order of `changed_at`, and what is gone since "
    "(`removed`); can’t be combined with filters",
    "schema": {"type": "string", "format": "date-time"},
}


def envelope_of(rows: Any) -> dict[str, Any]:
    """The schema of a page."""
    link = {"type": ["string", "null"], "format": "uri"}
    properties = {
        "count": {"type": "integer", "minimum": 0, "description": "the number of rows on all pages"},
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


def _query_digest(request: Request) -> str:
    """A digest of the parts that identify a query: path, filters and order, and whether it is about changes."""
    ignored = {CURSOR, FIELDS, FORMAT, PAGE, PAGE_SIZE}
    params = sorted(
        (name, "" if name == CHANGED_AFTER else ",".join(request.query_params.getlist(name)))
        for name, value in request.query_params.items()
        if value and name not in ignored
    )
    return hashlib.sha256(f"{request.path}?{urlencode(params)}".encode()).hexdigest()[:12]
