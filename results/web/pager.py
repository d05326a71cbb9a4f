"""The pages of a list that only members or moderators read; those of the leaderboard are in leaderboard_links.py."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

PAGE_SIZE = 50


def asked_page(request: HttpRequest, rows: QuerySet[Any]) -> Page[Any]:
    """The page of `rows` that `?page=` names; the first or the last one where there is no such."""
    return Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))


def pager(page: Page[Any], *, is_by_time: bool = False) -> dict[str, Any]:
    """What partials/pager.html needs; `is_by_time` says that the newest stand first."""
    return {
        "number": page.number,
        "count": page.paginator.num_pages,
        "previous_url": f"?page={page.previous_page_number()}" if page.has_previous() else "",
        "next_url": f"?page={page.next_page_number()}" if page.has_next() else "",
        "is_by_time": is_by_time,
    }
