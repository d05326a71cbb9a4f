"""Pagination: one page by number, and links to its neighbors."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import InvalidPage, Page, Paginator
from django.db.models import QuerySet
from django.http import Http404

PAGE_SIZE = 50  # rows


class NoSuchPageError(Http404):
    """A page number past the end; there are `page_count` pages."""

    def __init__(self, page_count: int) -> None:
        super().__init__(f"there are {page_count} pages")
        self.page_count = page_count


def find_page(
    rows: QuerySet[Any],
    number: int | str,
    size: int | None = None,
    *,
    count: int | None = None,
    or_last: bool = False,
) -> Page[Any]:
    """The page of that number, which may be a parameter's text; raises NoSuchPageError if there is none.

    With `or_last`, return the last page instead, or the first if the number can't be parsed. Use it for private lists
    that may shrink between requests, such as a moderator's queue. `count` is the number of rows, if known; else it
    takes a query.
    """
    paginator = Paginator(rows, size or PAGE_SIZE)
    if count is not None:
        paginator.count = count  # a cached property
    try:
        return paginator.get_page(number) if or_last else paginator.page(number)
    except InvalidPage as error:
        raise NoSuchPageError(paginator.num_pages) from error


def page_count(count: int) -> int:
    """The number of pages for that many rows, at least one."""
    return max(1, -(-count // PAGE_SIZE))


@dataclass(frozen=True, slots=True)
class Pager:
    """A list's pages (parts/pager.html); `is_by_time` means newest first."""

    number: int
    count: int
    previous_url: str
    next_url: str
    is_by_time: bool = False


def pager(page: Page[Any], *, is_by_time: bool = False) -> Pager:
    return Pager(
        page.number,
        page.paginator.num_pages,
        f"?page={page.previous_page_number()}" if page.has_previous() else "",
        f"?page={page.next_page_number()}" if page.has_next() else "",
        is_by_time,
    )
