"""Lists as plain rows: filtered, paged and described like any list of DRF's, without an object a row."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.pagination import Cursor, CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.rows import Row, absolute
from results.public import PARAMETERS
from results.ranking.leaderboard import PAGE_SIZE

LARGEST_ID = 2**63 - 1


def own_url(link: str | None) -> str | None:
    """A link to another page as the site gives it: all readers share one copy.

    DRF repeats the host and the unknown parameters of whoever asks.
    """
    if link is None:
        return None
    path, query = urlsplit(link)[2:4]
    known = {name: value for name, value in parse_qsl(query) if name in PARAMETERS}
    return absolute(f"{path}?{urlencode(sorted(known.items()))}" if known else path)


class DevicePagination(PageNumberPagination):
    page_size = PAGE_SIZE


class NewestFirst(CursorPagination):
    """By cursor: new results don't shift the pages of somebody who is reading on."""

    page_size = PAGE_SIZE
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor of a request; DRF alone does not see that its position must be an id."""
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and not _is_id(str(cursor.position)):
            raise NotFound(self.invalid_cursor_message)
        return cursor


class RowList(ListAPIView):
    """A list whose queryset yields dicts: no object is made a row."""

    @staticmethod
    def record(row: Row) -> Row:
        """One row in the shape of `serializer_class`."""
        raise NotImplementedError

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002 - DRF's signature
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        response = self.get_paginated_response([self.record(row) for row in page or []])
        links = {name: own_url(response.data[name]) for name in ("next", "previous")}
        response.data = {**response.data, **links}
        return response


def _is_id(position: str) -> bool:
    return position.isascii() and position.isdecimal() and len(position) < 20 and int(position) <= LARGEST_ID
