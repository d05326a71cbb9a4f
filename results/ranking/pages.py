"""One page of the leaderboard: filtered, in order, as rows of values that have no place yet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from results.models import DeviceRanking
from results.models.ranking import NAMED, SOMETIMES_NULL
from results.ranking.asked import LeaderboardFilter
from results.ranking.facets import FacetCounts, count_options, count_options_of_board, narrowed
from results.ranking.places import Board, ends_of
from results.ranking.search import search_devices
from results.ranking.ties import Ends

PAGE_SIZE = 50


class NoSuchPageError(Exception):
    """A page number past the end; there are `page_count` pages."""

    def __init__(self, page_count: int) -> None:
        super().__init__(f"there are {page_count} pages")
        self.page_count = page_count


@dataclass(frozen=True, slots=True)
class FoundPage:
    """One page of rows, and the ends of the board's intervals to place them by."""

    rows: Sequence[dict[str, Any]]
    count: int
    ends: Ends
    is_alike: bool
    options: Mapping[str, Mapping[str, int]]


def find_page(asked: LeaderboardFilter, *, fields: tuple[str, ...], with_options: bool = False) -> FoundPage:
    """The page that was asked for, each row the values of `fields`; raises NoSuchPageError past the end.

    Three queries, four with options; up to five more for a search.
    """
    board = DeviceRanking.objects.filter(method=asked.method)
    search = search_devices(board, asked.query)
    found = board.filter(search.condition)
    rows = list(_rows_of_page(found, asked).values(*fields))
    if asked.page > 1 and not rows:
        raise NoSuchPageError(page_count(narrowed(found, asked.chosen).count()))
    if not with_options:
        counts = FacetCounts(narrowed(found, asked.chosen).count(), {})
    elif asked.query:
        counts = count_options(found, asked.chosen)
    else:
        counts = count_options_of_board(asked.method, asked.chosen)
    ends = ends_of(Board(asked.device_class, asked.method))
    return FoundPage(rows, counts.total, ends, search.is_alike, counts.options)


def first_position(asked: LeaderboardFilter) -> int:
    """Where the page begins."""
    return (asked.page - 1) * PAGE_SIZE + 1


def page_count(count: int) -> int:
    """How many pages that many rows fill: one at least."""
    return max(1, -(-count // PAGE_SIZE))


def _rows_of_page(board: QuerySet[DeviceRanking], asked: LeaderboardFilter) -> QuerySet[DeviceRanking]:
    """The rows of the page in their order.

    The page is cut out of the index alone, in a subquery: else all rows before it would be joined, too.
    """
    start = first_position(asked) - 1
    page = _in_order(narrowed(board, asked.chosen), asked).values("device_id")[start : start + PAGE_SIZE]
    return _in_order(DeviceRanking.objects.filter(method=asked.method, device_id__in=page), asked)


def _in_order(rankings: QuerySet[DeviceRanking], asked: LeaderboardFilter) -> QuerySet[DeviceRanking]:
    """In the words of the order's index."""
    metric = asked.metric
    is_ascending = metric.is_lower_better != asked.is_reversed
    if metric.column in NAMED:  # no two are alike, so that the index is read both ways
        return rankings.order_by(*(F(name).asc() if is_ascending else F(name).desc() for name in NAMED))
    if metric.column == "interval_width":
        rankings = rankings.alias(interval_width=F("high_us") / F("low_us"))
    column = F(metric.column)
    nulls_last = metric.column in SOMETIMES_NULL or None
    best_first = column.asc(nulls_last=nulls_last) if is_ascending else column.desc(nulls_last=nulls_last)
    return rankings.order_by(best_first, "high_us", "device_id")
