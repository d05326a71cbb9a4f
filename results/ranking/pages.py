"""One page of the leaderboard as PostgreSQL tells it: filtered, in order, as rows of values with no place yet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, CharField, F, QuerySet
from django.db.models.expressions import RawSQL

from results.models import DeviceRanking
from results.models.ranking import NAMED, SOMETIMES_NULL
from results.ranking.asked import LeaderboardFilter
from results.ranking.compiled import DATA_VERSION, Statement, compile_count, compile_rows, fetch, one_page
from results.ranking.facets import FacetCounts, compile_options, fetch_options, fetch_total, narrowed
from results.ranking.kept_counts import kept_counts
from results.ranking.kept_ends import AS_OF, kept_ends
from results.ranking.places import Board
from results.ranking.row_versions import VERSION_COLUMNS
from results.ranking.search import EVERYTHING, search_devices
from results.ranking.ties import Ends

PAGE_SIZE = 50
KEPT_STATEMENTS = 500

_START = -1  # stands in the statement for how many rows are before the page
# The same in every row, and read once for all of them; the state of the board last.
_OF_ALL = ("count_or_version", "as_of")

Values = tuple[Any, ...]


class NoSuchPageError(Exception):
    """A page number past the end; there are `page_count` pages."""

    def __init__(self, page_count: int) -> None:
        super().__init__(f"there are {page_count} pages")
        self.page_count = page_count


@dataclass(frozen=True, slots=True)
class FoundPage:
    """One page as it was read: rows of values, and the ends of the board's intervals to place them by."""

    rows: Sequence[Values]
    count: int
    ends: Ends
    is_alike: bool
    options: Mapping[str, Mapping[str, int]]


def find_page(
    asked: LeaderboardFilter, *, fields: tuple[str, ...], with_state: bool = False, with_options: bool = False
) -> FoundPage:
    """The page that was asked for, each row the values of `fields`; raises NoSuchPageError past the end.

    `with_state` puts before them what names the board and its state, which places are told by beside the row itself.
    One query; one more past the end, after a pass and after a change; up to four for a search.
    """
    search = EVERYTHING
    if asked.query:
        board = DeviceRanking.objects.filter(method=asked.method)
        search = search_devices(board, asked.query)
        ways = _put_together(board.filter(search.condition), asked, fields, with_options=with_options)
    else:
        ways = _usual(_key(asked), fields, with_options)
    found = fetch(ways.reading.about({_START: first_position(asked) - 1}))
    if asked.page > 1 and not found:
        raise NoSuchPageError(page_count(fetch(ways.counting)[0][0]))
    count_or_version, as_of = found[0][: len(_OF_ALL)] if found else (None, None)
    if not asked.query:
        of = (with_options, asked.method, *asked.chosen.items())
        counts = kept_counts(of, count_or_version, partial(_count, ways, with_options=with_options))
    elif with_options:
        counts = fetch_options(ways.options())
    else:
        counts = FacetCounts(count_or_version or 0, {})
    ends = kept_ends(Board(asked.device_class, asked.method), as_of)
    start = len(_OF_ALL) - with_state
    return FoundPage([row[start:] for row in found], counts.total, ends, search.is_alike, counts.options)


def _count(ways: "_Statements", *, with_options: bool) -> FacetCounts:
    return fetch_options(ways.options()) if with_options else fetch_total(ways.counting)


def first_position(asked: LeaderboardFilter) -> int:
    """Where the page begins."""
    return (asked.page - 1) * PAGE_SIZE + 1


def page_count(count: int) -> int:
    """How many pages that many rows fill: one at least."""
    return max(1, -(-count // PAGE_SIZE))


_Key = tuple[str, tuple[tuple[str, str], ...], str, bool]


def _key(asked: LeaderboardFilter) -> _Key:
    """What the statements of a list depend on, where nothing is searched for."""
    return asked.method, tuple(asked.chosen.items()), asked.sort, asked.is_reversed


class _Statements(NamedTuple):
    """What reads a page, each row with _OF_ALL before it; what counts all rows; what counts the options' rows.

    Of a list without a search counts are kept: each row has the version of the data in the place of its count.
    """

    reading: Statement
    counting: Statement
    options: Callable[[], Statement]


@lru_cache(maxsize=KEPT_STATEMENTS)
def _usual(key: _Key, fields: tuple[str, ...], with_options: bool) -> _Statements:
    """The statements of such a list: there are few of them, and they are asked for again and again."""
    method, chosen, sort, is_reversed = key
    asked = LeaderboardFilter(method=method, chosen=dict(chosen), sort=sort, is_reversed=is_reversed)
    board = DeviceRanking.objects.filter(method=method)
    return _put_together(board, asked, fields, with_options=with_options)


def _put_together(
    board: QuerySet[DeviceRanking], asked: LeaderboardFilter, fields: tuple[str, ...], *, with_options: bool
) -> _Statements:
    matching = narrowed(board, asked.chosen)
    counting = compile_count(matching)
    is_counted = asked.query and not with_options
    first = counting if is_counted else Statement(DATA_VERSION, ())
    of_all = {
        "count_or_version": RawSQL(*first, BigIntegerField()),  # noqa: S611 - written here, or the ORM's own
        "as_of": RawSQL(AS_OF, Board(asked.device_class, asked.method), CharField()),  # noqa: S611 - written here
    }
    page = one_page(
        compile_rows(_in_order(matching, asked).values_list("device_id")), size=PAGE_SIZE, start=_START
    )
    of_page = DeviceRanking.objects.filter(method=asked.method, device_id__in=RawSQL(*page))  # noqa: S611 - the ORM's own
    rows = _in_order(of_page, asked).annotate(**of_all, **VERSION_COLUMNS)
    return _Statements(
        compile_rows(rows.values_list(*_OF_ALL, *fields)),
        counting,
        cache(lambda: compile_options(board, asked.chosen)),
    )


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
