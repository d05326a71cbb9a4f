"""One page of the leaderboard: filtered and in order, as plain rows with their places."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Count, Q, QuerySet, Sum

from parsers.base.device_class import DeviceClass
from results.catalogue.facets import Counted, FacetCounts, cached_count, narrowed
from results.catalogue.facts import RANKINGS, Scope, expressions, read_facts
from results.catalogue.lists import NoSuchPageError
from results.core.links import PAGE_SIZE, page_count
from results.leaderboard.columns import Column
from results.leaderboard.forms import LeaderboardFilter
from results.models import Device, DeviceRanking
from results.models.choices import DEVICE_CLASSES, Method
from results.ranking.boards import Board, ends_of
from results.ranking.intervals import Interval
from results.ranking.leaders import FIELDS_WITH_CURVE, Row, count_by_class
from results.ranking.ties import Ends, find_places
from results.search.query import search_devices


def with_default_method(filters: LeaderboardFilter) -> LeaderboardFilter:
    """The same, by fio if no method is stated and only fio ranks devices of the class. One query, or two."""
    rankings = DeviceRanking.objects.all()
    if filters.device_class:
        rankings = rankings.filter(device_class=filters.device_class)
    is_fio_only = (
        not rankings.filter(method=Method.DISKINFO).exists() and rankings.filter(method=Method.FIO).exists()
    )
    default = Method.FIO if is_fio_only else Method.DISKINFO
    return replace(
        filters, default_method=default, method=filters.method if filters.states_method else default
    )


def find_rankings(filters: LeaderboardFilter, chosen: Mapping[str, Sequence[str]]) -> QuerySet[DeviceRanking]:
    """The rows that match the filters' method and search, and any option of each chosen facet."""
    board = DeviceRanking.objects.filter(method=filters.method)
    found = board.filter(search_devices(board, filters.query).condition)
    return narrowed(found, chosen, filters.scope)


def _rows_of_page(found: QuerySet[DeviceRanking], filters: LeaderboardFilter) -> QuerySet[DeviceRanking]:
    """The rows of the page in their order.

    A subquery selects the page from the index alone; otherwise all rows before it would be joined, too.
    """
    start = (filters.page - 1) * PAGE_SIZE
    page = _in_order(found, filters).values("device_id")[start : start + PAGE_SIZE]
    return _in_order(DeviceRanking.objects.filter(method=filters.method, device_id__in=page), filters)


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
    return rankings.order_by(*terms, *(() if is_total else ("high_us", "device_id")))


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of rows: dicts by ROW_FIELDS, with `median_us`, the `place` and the facts shown.

    `unpriced` counts the devices that are missing only because no price is known.
    `filters` are the requested ones, by fio if only fio ranks devices of the class (with_default_method). If
    requested, `counts` has the number of devices that each option of a facet would leave, and `by_fio` the number of
    devices of the classes that show fio's ranking. `is_similar` means that no device matches the search exactly, and
    that these are similar.
    """

    filters: LeaderboardFilter
    rows: list[Row]
    counts: FacetCounts
    by_fio: Mapping[str, int]
    unpriced: int = 0
    is_similar: bool = False

    @property
    def count(self) -> int:
        return self.counts.total

    @property
    def page_count(self) -> int:
        return page_count(self.count)


def rank_devices(filters: LeaderboardFilter, *, with_options: bool = False) -> LeaderboardPage:
    """The requested page of the leaderboard; raises NoSuchPageError past the end.

    Three queries, four or five with options; up to five more for a search, and seven if it shows fio's ranking.
    """
    ends = ends_of(Board(filters.device_class, filters.method))
    if not (ends.highs or filters.states_method or filters.method == Method.FIO):
        default = with_default_method(filters)
        if default.method != filters.method:
            return rank_devices(default, with_options=with_options)
    board = DeviceRanking.objects.filter(method=filters.method)
    search = search_devices(board, filters.query)
    found = board.filter(search.condition)
    listed = filters.narrow(found)
    facts = expressions(read_facts(filters.shown_facts), filters.scope)
    rows = list(_rows_of_page(listed, filters).values(*FIELDS_WITH_CURVE, **facts))
    if filters.page > 1 and not rows:
        raise NoSuchPageError(page_count(listed.count()))
    if with_options:
        counts = _counted("options", filters, lambda: filters.count(found))
    else:
        counts = FacetCounts(listed.count(), {})
    return LeaderboardPage(
        filters=filters,
        rows=_placed(rows, ends),
        counts=counts,
        by_fio=_count_by_fio(filters, counts.options.get("class", {})) if with_options else {},
        unpriced=_count_unpriced(filters, found) if with_options else 0,
        is_similar=search.is_similar,
    )


def _count_unpriced(filters: LeaderboardFilter, found: QuerySet[DeviceRanking]) -> int:
    unpriced = filters.unpriced()
    return _counted("rows", unpriced, unpriced.narrow(found).count) if unpriced else 0


def _counted(what: str, filters: LeaderboardFilter, count: Callable[[], Counted]) -> Counted:
    """A count of this list, cached unless it is a search, which others hardly repeat."""
    if filters.query:
        return count()
    chosen = sorted(filters.chosen.items())
    return cached_count((what, filters.method, chosen, filters.currency, filters.condition), count)


def _count_by_fio(filters: LeaderboardFilter, by_diskinfo: Mapping[str, int]) -> dict[str, int]:
    """The number of devices in classes without a diskinfo ranking, for the tabs of a list with no other filter."""
    is_narrowed = filters.query or set(filters.chosen) - {"class"}
    known = set(DEVICE_CLASSES) - {DeviceClass.UNKNOWN}  # which has no tab unless it has devices
    missing = [value for value in known if not by_diskinfo.get(value)]
    if filters.method != Method.DISKINFO or is_narrowed or not missing:
        return {}
    return count_by_class(Method.FIO, missing)


def _placed(rows: Sequence[Row], ends: Ends) -> list[Row]:
    places = find_places(ends, [Interval(row["low_us"], row["high_us"]) for row in rows])
    return [{**row, "place": place} for row, place in zip(rows, places, strict=True)]


def count_published() -> dict[str, int]:
    """The number of published `results`, and of their `devices`. One query, which reads no result."""
    is_shown = Q(result_count__gt=0)
    return Device.objects.aggregate(
        devices=Count("pk", filter=is_shown), results=Sum("result_count", default=0)
    )
