"""One page of the leaderboard: filtered and in order, as plain rows with their places."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.db.models import Count, Q, QuerySet, Sum

from results.catalogue.facets import FacetCounts
from results.catalogue.lists import NoSuchPageError
from results.catalogue.product_facts import RANKINGS, Scope, expressions, read_facts
from results.core.addresses import PAGE_SIZE, page_count
from results.core.data_version import Counted, cached_count
from results.core.subject import DEVICE_COLUMNS
from results.leaderboard.columns import Column
from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.unplaced import find_unplaced, with_reasons
from results.models import Device, DeviceRanking
from results.ranking.boards import ALL_CLASSES, ends_by_class
from results.ranking.leaders import FIELDS_WITH_CURVE, Row, row_span
from results.ranking.standing import main_rows
from results.ranking.ties import Ends, find_places
from results.search.query import search_devices


def _rows_of_page(found: QuerySet[DeviceRanking], filters: LeaderboardFilter) -> QuerySet[DeviceRanking]:
    """The rows of the page in their order.

    A subquery selects the page from the index alone; otherwise all rows before it would be joined, too.
    """
    start = (filters.page - 1) * PAGE_SIZE
    page = _in_order(found, filters).values("device_id")[start : start + PAGE_SIZE]
    return _in_order(main_rows(filters.board).filter(device_id__in=page), filters)


def _in_order(rankings: QuerySet[DeviceRanking], filters: LeaderboardFilter) -> QuerySet[DeviceRanking]:
    return in_order(rankings, [(filters.column, filters.is_ascending)], filters.scope)


def in_order(
    rankings: QuerySet[DeviceRanking], orders: Sequence[tuple[Column, bool]], scope: Scope = RANKINGS
) -> QuerySet[DeviceRanking]:
    """In the order of the columns, each ascending or not; equal rows by rank."""
    terms = [
        term
        for column, is_ascending in orders
        for term in column.order_by(is_ascending=is_ascending, scope=scope)
    ]
    is_total = any(column.is_unique for column, _ in orders)
    return rankings.order_by(*terms, *(() if is_total else ("high", "device_id")))


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rows: dicts by ROW_FIELDS, with `median_us`, the `place`, the rows by `others` and the facts shown.

    `limits` are the least and the largest end of the board's intervals, which all its pages draw on one axis.
    `unpriced` counts the devices that are missing only because no price is known, `unplaced_count` those without a
    place; the first of these are `unplaced` if the filters include them and there is no later page. If requested,
    rows have the facts _OF_ROWS, and `counts` has the number of devices that each option of a facet would leave.
    `is_similar` means that no device matches the search exactly, and that these are similar.
    """

    filters: LeaderboardFilter
    rows: list[Row]
    counts: FacetCounts
    limits: tuple[float, ...] = ()
    unpriced: int = 0
    unplaced_count: int = 0
    unplaced: Sequence[Row] = ()
    is_similar: bool = False

    @property
    def count(self) -> int:
        return self.counts.total

    @property
    def page_count(self) -> int:
        return page_count(self.count)


def rank_devices(filters: LeaderboardFilter, *, with_options: bool = False) -> LeaderboardPage:
    """The requested page of the leaderboard; raises NoSuchPageError past the end.

    Four queries, five or six with options, up to five more for a search. The list of devices without a place takes
    two more.
    """
    boards = ends_by_class(filters.board, *{ALL_CLASSES, filters.device_class})
    ends = boards.get(filters.device_class, Ends())
    board = main_rows(filters.board)
    search = search_devices(board, filters.query)
    found = board.filter(search.condition)
    listed = filters.narrow(found)
    unplaced = partial(find_unplaced, filters, filters.values, search.condition)
    keys = dict.fromkeys((*filters.shown_facts, *(_OF_ROWS if with_options else ())))
    facts = expressions(read_facts(keys), filters.scope)
    rows = list(_rows_of_page(listed, filters).values("device_id", *FIELDS_WITH_CURVE, **facts))
    if filters.page > 1 and not rows:
        raise NoSuchPageError(page_count(listed.count()))
    if with_options:
        counts, unplaced_count = _counted(
            "options", filters, lambda: (filters.count(found), unplaced().count())
        )
    else:
        counts, unplaced_count = FacetCounts(listed.count(), {}), 0
    is_last = filters.page >= page_count(counts.total)
    return LeaderboardPage(
        filters=filters,
        rows=_placed(rows, ends, find_others(filters.board, [row["device_id"] for row in rows])),
        counts=counts,
        limits=boards.get(ALL_CLASSES, Ends()).limits,
        unpriced=_count_unpriced(filters, found) if with_options else 0,
        unplaced_count=unplaced_count,
        unplaced=_first_unplaced(unplaced(), filters.board)
        if unplaced_count and filters.include and is_last
        else (),
        is_similar=search.is_similar,
    )


def _first_unplaced(found: QuerySet[Device], board: str) -> list[Row]:
    return with_reasons(list(found.values("newest", *DEVICE_COLUMNS)[:PAGE_SIZE]), board)


def _count_unpriced(filters: LeaderboardFilter, found: QuerySet[DeviceRanking]) -> int:
    unpriced = filters.unpriced()
    return _counted("rows", unpriced, unpriced.narrow(found).count) if unpriced else 0


def _counted(what: str, filters: LeaderboardFilter, count: Callable[[], Counted]) -> Counted:
    """A count of this list, cached unless it is a search, which others hardly repeat."""
    if filters.query:
        return count()
    chosen = sorted(filters.chosen.items())
    identity = (what, filters.board, chosen, filters.currency, filters.condition, filters.include)
    return cached_count(identity, count)


_OF_ROWS = ("latest_price", "form_factors")  # the facts that the page shows of every row
METHOD_FIELDS = ("method", "score", "low", "high", "assumed_spread", "unit_count", "result_count")


def find_others(board: str, device_ids: Collection[int]) -> dict[int, list[Row]]:
    """The rows by methods that aren't the main one's, by device. One query."""
    found: dict[int, list[Row]] = {}
    rows = DeviceRanking.objects.filter(board=board, is_main=False, device__in=device_ids)
    for row in rows.order_by("method").values("device_id", "digits", *METHOD_FIELDS):
        found.setdefault(row.pop("device_id"), []).append(row)
    return found


def _placed(rows: Sequence[Row], ends: Ends, others: Mapping[int, Sequence[Row]]) -> list[Row]:
    places = find_places(ends, map(row_span, rows))
    return [
        {**row, "place": place, "others": others.get(row["device_id"], ())}
        for row, place in zip(rows, places, strict=True)
    ]


def count_published() -> dict[str, int]:
    """The number of published `results`, and of their `devices`. One query, which reads no result."""
    is_shown = Q(result_count__gt=0)
    return Device.objects.aggregate(
        devices=Count("pk", filter=is_shown), results=Sum("result_count", default=0)
    )
