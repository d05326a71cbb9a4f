"""Lists as plain rows: filtered, paged and described like any list of DRF's, without an object a row."""

from typing import Any
from urllib.parse import urlencode

from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.pagination import Cursor, CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.rows import Row, absolute
from results.public import PARAMETERS
from results.ranking.leaderboard import PAGE_SIZE

LARGEST_ID = 2**63 - 1


def list_url(request: Request, **changes: object) -> str:
    """The list that `request` is for, with these parameters changed.

    It holds nothing else of the request, neither its host nor unknown parameters: all readers share one copy.
    """
    known = {name: value for name, value in request.query_params.items() if name in PARAMETERS}
    query = urlencode(sorted((name, value) for name, value in {**known, **changes}.items() if value))
    return absolute(f"{request.path}?{query}" if query else request.path)


class DevicePagination(PageNumberPagination):
    page_size = PAGE_SIZE

    def get_next_link(self) -> str | None:
        return list_url(self.request, page=self.page.next_page_number()) if self.page.has_next() else None

    def get_previous_link(self) -> str | None:
        if not self.page.has_previous():
            return None
        before = self.page.previous_page_number()
        return list_url(self.request, page=before if before > 1 else "")


class NewestFirst(CursorPagination):
    """By cursor: new results don't shift the pages of somebody who is reading on."""

    page_size = PAGE_SIZE
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Cursor | None:
        """The cursor of a request; DRF alone does not see that its position must be an id."""
        self.base_url = list_url(request)
        cursor = super().decode_cursor(request)
        position = None if cursor is None else cursor.position
        if position is not None and not _is_id(position):
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
        return self.get_paginated_response([self.record(row) for row in page or []])


def _is_id(position: str) -> bool:
    return position.isascii() and position.isdecimal() and len(position) < 20 and int(position) <= LARGEST_ID
