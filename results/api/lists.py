"""Lists as plain rows: filtered, paged and described like any list of DRF's, without an object a row."""

from typing import Any

from rest_framework.generics import ListAPIView
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.rows import Row
from results.ranking.leaderboard import PAGE_SIZE


class DevicePagination(PageNumberPagination):
    page_size = PAGE_SIZE


class NewestFirst(CursorPagination):
    """By cursor: new results don't shift the pages of somebody who is reading on."""

    page_size = PAGE_SIZE
    ordering = "-id"


class RowList(ListAPIView):
    """A list whose queryset yields dicts: no object is made a row."""

    @staticmethod
    def record(row: Row) -> Row:
        """One row in the shape of `serializer_class`."""
        raise NotImplementedError

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002 - DRF's signature
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response([self.record(row) for row in page or []])
